/** Plain lines of PowerShell, translated for a POSIX shell: every command by its name, and each word in quotes. */
import { singleQuoted } from '../../call/quote.js';
import type { Span } from '../../shell/syntax/types.js';
import type { CommandTable } from '../grammar/table.js';
import { commandNamed, type Named } from './names.js';
import { isProgramWord, isSamePlace } from './program-words.js';
import { type Argument, type PlainStage, type PlainWord, readPlainPowerShell } from './read.js';

/** A translated line of PowerShell; `parts` map its text to the original line. */
export interface PosixReading {
  readonly text: string;
  readonly parts: readonly { readonly start: number; readonly from: Span }[];
}

/** A translated command, and its further effects as separate commands. */
interface Written {
  readonly words: string;
  readonly more: readonly string[];
  readonly named: Named;
  /** The paths that it may print or otherwise use. */
  readonly paths: readonly string[];
}

/**
 * The effect of a PowerShell line, as a line for a POSIX shell: the same programs with the same words, and PowerShell commands
 * under their full names, for which rules/commands/powershell.yaml states what they read. Null for everything except plain lines
 * of known commands that do not differ between the systems and versions of PowerShell.
 * @param tableOf finds the grammar of a command; this file is in a bundle of its own (src/hook/powershell.ts), without the data
 */
export function posixReading(line: string, tableOf: (name: string) => CommandTable | null): PosixReading | null {
  const pipelines = readPlainPowerShell(line);
  if (pipelines === null || pipelines.length === 0) return null;
  const parts: { start: number; from: Span }[] = [];
  let text = '';
  const append = (words: string, from: Span) => {
    parts.push({ start: text.length, from });
    text += words;
  };
  for (const { stages, joint } of pipelines) {
    const written = stages.map((stage) => writeStage(stage, tableOf));
    if (!written.every((one) => one !== null) || !flows(written)) return null;
    const more = written.flatMap((one, index) => [...one.more, ...found(written, index)].map((words) => [words, index] as const));
    for (const [words, index] of more) {
      append(words, spanOf(stages, index));
      text += ' && ';
    }
    written.forEach(({ words }, index) => {
      if (index > 0) text += ' | ';
      append(words, spanOf(stages, index));
    });
    text += joint === ';' ? '; ' : ` ${joint} `;
  }
  return { text: text.replace(/; $/, ''), parts };
}

function spanOf(stages: readonly PlainStage[], index: number): Span {
  return stages[index]?.span ?? { start: 0, end: 0 };
}

/** Whether a pipeline passes on only text, or objects to commands that bind no path from them. */
function flows(stages: readonly Written[]): boolean {
  const [first, ...rest] = stages;
  if (first === undefined) return false;
  // It changes the directory of everything that follows, in PowerShell even from inside a pipeline.
  if (stages.length > 1 && stages.some(({ named }) => named.kind === 'location')) return false;
  if (isNamed(first, 'Get-Process') && rest.some(tellsOfProcess)) return false;
  return rest.every((stage, index) => {
    if (stage.named.kind === 'location') return false;
    if (stage.named.filters) return true;
    return isNamed(stage, 'Select-String') && stage.paths.length === 0 && rest.slice(0, index).every(keepsText) && isText(first);
  });
}

const isNamed = ({ named }: Written, name: string) => named.kind === 'command' && named.name === name;

/** Whether a stage may show the variables or the command line of a process, which are among its properties. */
function tellsOfProcess(stage: Written): boolean {
  return (
    isNamed(stage, 'ConvertTo-Json') || /[*?[\]]|environment|startinfo|commandline|parent|excludeproperty/i.test(stage.words)
  );
}

/** Whether a stage creates no objects with paths of its own choice. */
function keepsText(stage: Written): boolean {
  return stage.named.kind === 'program' || PASSING.some((name) => isNamed(stage, name)) || firstsOnly(stage);
}

const PASSING = ['Select-String', 'Out-String', 'Sort-Object', 'Get-Unique', 'Where-Object'];
const firstsOnly = (stage: Written) => /^Select-Object(?: -(?:first|last|skip) \d+)+$/.test(stage.words);

/** Whether the output of a stage is text, or files known because it prints their names. */
function isText(stage: Written): boolean {
  return stage.named.kind === 'program' || ['Get-Content', 'Write-Output', 'Get-ChildItem'].some((name) => isNamed(stage, name));
}

/** `Get-ChildItem src | Select-String x` reads the files themselves. */
function found(stages: readonly Written[], index: number): readonly string[] {
  const [first, stage] = [stages[0], stages[index]];
  if (index === 0 || first === undefined || stage === undefined) return [];
  return isNamed(first, 'Get-ChildItem') && isNamed(stage, 'Select-String') ? first.paths.map(readsBelow) : [];
}

/** Reads everything in a directory, including links. */
const readsBelow = (folder: string) => `find ${folder} -print0 | xargs -0 cat`;

function writeStage({ words }: PlainStage, tableOf: (name: string) => CommandTable | null): Written | null {
  const [first] = words[0] ?? [];
  if (first === undefined) return null;
  if (first.quoted) return words.length === 1 ? printed(words[0] ?? []) : null;
  if (words[0]?.length !== 1) return null;
  const named = commandNamed(first.text);
  const rest = words.slice(1);
  if (named === null) return null;
  if (named.kind === 'program') return writeProgram(named, rest);
  if (named.kind === 'location') return writeLocation(named, rest);
  // As programs, they read `\` as part of the name.
  if (/^(?:ls|cat)$/i.test(first.text) && rest.flat().some(({ text }) => text.includes('\\'))) return null;
  const table = tableOf(named.name);
  return table === null ? null : writeCommand(named, table, rest);
}

function printed(texts: Argument): Written {
  const named: Named = { kind: 'command', name: 'Write-Output', filters: false };
  return {
    words: ['Write-Output', ...texts.map(({ text }) => quote(text.replace(/^-/, ' -')))].join(' '),
    more: [],
    named,
    paths: [],
  };
}

function writeProgram(named: Named & { readonly kind: 'program' }, words: readonly Argument[]): Written | null {
  const quoted: string[] = [named.name];
  for (const [word, ...list] of words) {
    if (word === undefined || list.length > 0 || !isProgramWord(word, named.script)) return null;
    quoted.push(quote(word.text));
  }
  return { words: quoted.join(' '), more: [], named, paths: [] };
}

/** `cd folder`, without forms that may lead elsewhere (`cd -`, and `cd` alone). */
function writeLocation(named: Named, words: readonly Argument[]): Written | null {
  const [first] = words[0] ?? [];
  const behind = first !== undefined && !first.quoted && /^-(?:literal)?path$/i.test(first.text) ? words.slice(1) : words;
  const [word, ...list] = behind[0] ?? [];
  if (behind.length !== 1 || word === undefined || list.length > 0) return null;
  const path = pathOf(word);
  return path === null || path.glob ? null : { words: `cd ${quote(path.text)}`, more: [], named, paths: [] };
}

/** Commands that print contents of files. */
const READERS = new Set(['Get-Content', 'Select-String', 'Get-FileHash']);

function writeCommand(
  named: Named & { readonly kind: 'command' },
  table: CommandTable,
  given: readonly Argument[],
): Written | null {
  const written: string[] = [named.name];
  const more: string[] = [];
  const paths: string[] = [];
  const take = (word: PlainWord, isPath: boolean, option: string | null): boolean => {
    if (word.text.startsWith('-') || (word.status && !named.name.startsWith('Write-'))) return false;
    const path = isPath ? pathOf(word) : null;
    if (isPath && path === null) return false;
    if (option !== null) written.push(option);
    const shown = quote(path === null ? word.text : path.text);
    written.push(shown);
    if (path === null) return true;
    paths.push(shown);
    if (path.glob && READERS.has(named.name)) more.push(readsBelow(shown));
    return true;
  };
  const hasPattern = given.some(([word]) => word !== undefined && !word.quoted && /^-pattern(?::|$)/i.test(word.text));
  let places = 0;
  for (let index = 0; index < given.length; index += 1) {
    const words = given[index] ?? [];
    const parameter = words.length === 1 && words[0] !== undefined && !words[0].quoted ? PARAMETER.exec(words[0].text) : null;
    if (parameter === null) {
      const kind = placeKind(table, places, hasPattern);
      places += 1;
      // A pattern is one word: further words are files.
      if (kind === null || (kind === 'pattern' && words.length > 1) || !words.every((word) => take(word, kind === 'path', null)))
        return null;
      continue;
    }
    const name = `-${(parameter[1] ?? '').toLowerCase()}`;
    const rule = table.options.get(name);
    if (rule === undefined || (rule.arity === 'none' && parameter[2] !== undefined)) return null;
    if (rule.arity === 'none') {
      written.push(name);
      continue;
    }
    const joined = parameter[2];
    if (joined === undefined) index += 1;
    const values = joined === undefined ? given[index] : [{ text: joined, quoted: false, status: false }];
    if (values === undefined || !values.every((word) => take(word, rule.kind === 'path', name))) return null;
  }
  if (paths.length === 0 && table.operands?.whenNone === 'here') paths.push('.');
  if (paths.length === 0 && (named.name === 'Get-Content' || named.name === 'Get-FileHash')) return null;
  return { words: written.join(' '), more, named, paths };
}

/** `-Name`, or `-Name:value`; names are written in full. */
const PARAMETER = /^-([A-Za-z]+)(?::(.+))?$/;

/** The kind of the word at a position without a parameter. */
function placeKind({ operands }: CommandTable, place: number, hasPattern: boolean): string | null {
  if (operands === null) return null;
  const first = operands.list.length > 0 && !hasPattern ? operands.list[place] : undefined;
  return (first ?? operands.rest)?.kind ?? null;
}

/**
 * A path for commands of PowerShell, which read `\` as `/` everywhere. For a path with wildcards, which also match hidden names
 * and ignore case, its directory: only the contents of that can be meant. Null if the path may lead to something other than files
 * (`Env:`), to another machine (`\\host`), or elsewhere on Windows.
 */
function pathOf({ text, status }: PlainWord): { readonly text: string; readonly glob: boolean } | null {
  const path = text.replaceAll('\\', '/');
  if (status || !/^[A-Za-z0-9_./ ,@+#()&=%*?-]+$/.test(path) || !isSamePlace(path) || path.startsWith('-')) return null;
  const names = path.split('/');
  const wild = names.findIndex((name) => /[*?]/.test(name));
  if (wild < 0) return { text: path, glob: false };
  if (names.slice(wild).includes('..')) return null;
  const folder = names.slice(0, wild).join('/');
  return { text: folder === '' ? (path.startsWith('/') ? '/' : '.') : folder, glob: true };
}

/** Plain words stay unquoted: a line without quotes needs no parser. */
function quote(word: string): string {
  return /^[A-Za-z0-9_./-][A-Za-z0-9_./:=,+-]*$/.test(word) ? word : singleQuoted(word);
}
