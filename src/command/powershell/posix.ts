/** Plain lines of PowerShell, written as a POSIX shell would have to be told: every command by its name, and each word in quotes. */
import type { Span } from '../../shell/syntax/types.js';
import type { CommandTable } from '../grammar/table.js';
import { commandNamed, type Named } from './names.js';
import { isProgramWord, isSamePlace } from './program-words.js';
import { type Argument, type PlainStage, type PlainWord, readPlainPowerShell } from './read.js';

/** A line of PowerShell in other words; `parts` tell where what stands in it comes from. */
export interface PosixReading {
  readonly text: string;
  readonly parts: readonly { readonly start: number; readonly from: Span }[];
}

/** A command as it is written down, and what more it does, as commands of their own. */
interface Written {
  readonly words: string;
  readonly more: readonly string[];
  readonly named: Named;
  /** What it may print, or do with what it is given. */
  readonly paths: readonly string[];
}

/**
 * What a line of PowerShell does, as a line of a POSIX shell: the same programs with the same words, and for commands of PowerShell
 * their full names, of which rules/commands/powershell.yaml knows what they read. Null for all but plain lines of known commands, in
 * which nothing differs between the systems and versions of PowerShell.
 * @param tableOf finds the grammar of a command; this file is a bundle of its own (src/hook/powershell.ts), without the data
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

/** Whether only text, or objects for what binds no path of them, go through a pipeline. */
function flows(stages: readonly Written[]): boolean {
  const [first, ...rest] = stages;
  if (first === undefined) return false;
  // It moves what follows, here also out of a pipeline.
  if (stages.length > 1 && stages.some(({ named }) => named.kind === 'location')) return false;
  if (isNamed(first, 'Get-Process') && rest.some(tellsOfProcess)) return false;
  return rest.every((stage, index) => {
    if (stage.named.kind === 'location') return false;
    if (stage.named.filters) return true;
    return isNamed(stage, 'Select-String') && stage.paths.length === 0 && rest.slice(0, index).every(keepsText) && isText(first);
  });
}

const isNamed = ({ named }: Written, name: string) => named.kind === 'command' && named.name === name;

/** The properties of a process hold its variables, and those of its command line. */
function tellsOfProcess(stage: Written): boolean {
  return (
    isNamed(stage, 'ConvertTo-Json') || /[*?[\]]|environment|startinfo|commandline|parent|excludeproperty/i.test(stage.words)
  );
}

/** It makes no objects with a path of their own choice in them. */
function keepsText(stage: Written): boolean {
  return stage.named.kind === 'program' || PASSING.some((name) => isNamed(stage, name)) || firstsOnly(stage);
}

const PASSING = ['Select-String', 'Out-String', 'Sort-Object', 'Get-Unique', 'Where-Object'];
const firstsOnly = (stage: Written) => /^Select-Object(?: -(?:first|last|skip) \d+)+$/.test(stage.words);

/** What it gives is text, or files that are known: what it prints the names of. */
function isText(stage: Written): boolean {
  return stage.named.kind === 'program' || ['Get-Content', 'Write-Output', 'Get-ChildItem'].some((name) => isNamed(stage, name));
}

/** `Get-ChildItem src | Select-String x` reads the files themselves. */
function found(stages: readonly Written[], index: number): readonly string[] {
  const [first, stage] = [stages[0], stages[index]];
  if (index === 0 || first === undefined || stage === undefined) return [];
  return isNamed(first, 'Get-ChildItem') && isNamed(stage, 'Select-String') ? first.paths.map(readsBelow) : [];
}

/** All that lies in a folder, links included. */
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
  // As programs they take `\` for a part of the name.
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

/** `cd folder`, with nothing that may be another place elsewhere (`cd -`, and `cd` alone). */
function writeLocation(named: Named, words: readonly Argument[]): Written | null {
  const [first] = words[0] ?? [];
  const behind = first !== undefined && !first.quoted && /^-(?:literal)?path$/i.test(first.text) ? words.slice(1) : words;
  const [word, ...list] = behind[0] ?? [];
  if (behind.length !== 1 || word === undefined || list.length > 0) return null;
  const path = pathOf(word);
  return path === null || path.glob ? null : { words: `cd ${quote(path.text)}`, more: [], named, paths: [] };
}

/** Commands that print what stands in files. */
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
      // A pattern is one word: those behind it are files.
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

/** `-Name`, or `-Name:value`; names are written out. */
const PARAMETER = /^-([A-Za-z]+)(?::(.+))?$/;

/** What stands at a place without a parameter. */
function placeKind({ operands }: CommandTable, place: number, hasPattern: boolean): string | null {
  if (operands === null) return null;
  const first = operands.list.length > 0 && !hasPattern ? operands.list[place] : undefined;
  return (first ?? operands.rest)?.kind ?? null;
}

/**
 * A path for commands of PowerShell, which take `\` for `/` everywhere. Of one with wildcards, which fit hidden names too and the name
 * in whatever case, the folder: nothing but what lies in it can be meant. Null where the path may lead into something else than files
 * (`Env:`), to another machine (`\\host`), or is another one on Windows.
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

/** Plain words stay as they are: a line without quotes needs no parser. */
function quote(word: string): string {
  if (/^[A-Za-z0-9_./-][A-Za-z0-9_./:=,+-]*$/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
