/**
 * Protected and secret paths that a command's words mention although its grammar cannot tell how they are used: `sed 'w .git/x'`,
 * `awk 'BEGIN { print > ".git/x" }'`, `cp --new-option .git a`. Without a total rule such a command is asked about anyway.
 */
import type { Command, CommandEffect } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { absolutePath } from '../place/place.js';
import { listsNamesOnly, protectedPath, secretPath } from '../place/sensitive-paths.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import { mountAt } from './mounts.js';
import type { PossibleValues } from './possible-values.js';
import { possibleExpansions } from './possible-words.js';

/** Options that exclude something, alone or together with the next word. */
const LEAVES_OUT = /^--?(?:exclude|ignore|skip|no-|not)/;
/** Issues of options whose value is in the same word. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['sed/in-place']);
/** Only this many characters of a word are examined. */
const LONGEST_WORD = 65_536;

/** Adds a question about the first protected or secret path that the uncertain words name. */
export function guardUnparsedArguments(
  command: Command,
  directory: string | null,
  values: PossibleValues,
  facts: Facts,
  into: Ruling[],
): void {
  const base = directory ?? facts.cwd;
  const reads = !listsNamesOnly(command.name ?? '');
  for (const { text, word } of doubtfulTexts(command, values)) {
    const mount = word === null ? null : mountAt(command, command.invocation.argv.indexOf(word));
    const harmless = mount !== null && (!mount.writable || onlyReads(command));
    for (const piece of possiblePathsIn(mount?.from ?? text)) {
      const path = absolutePath(piece, facts.home, base);
      const hit = harmless ? null : protectedPath(path, facts.home, facts.ownDirectories);
      const pattern = hit === null || hit.secret === true ? null : hit.pattern;
      const secret = pattern === null && reads && isPathLike(piece) ? secretPath(path, facts.home) : null;
      if (pattern === null && secret === null) continue;
      const code = pattern === null ? 'secret/said' : 'protected/said';
      const why = pattern === null ? `which may hold secrets (${secret})` : `and ${pattern} is protected`;
      const message = `it names ${piece}, ${why}, which its grammar does not describe`;
      into.push({ effect: 'ask', rule: null, reason: word === null ? { code, message } : { code, message, span: word.span } });
      return;
    }
  }
}

/** Whether every command in a container only reads. */
function onlyReads({ inner }: Command): boolean {
  return (
    inner.length > 0 && inner.every(({ verdict }) => verdict.known && verdict.effects.every(({ action }) => action === 'read'))
  );
}

/** `X=$PWD/.git; cd $X; rm -rf x`: rulings on relative files below a folder that a variable of the line may contain. */
export function rulingsBelowVariables(
  command: Command,
  directory: string | null,
  values: PossibleValues,
  facts: Facts,
  into: Ruling[],
): void {
  for (const { action, path } of command.verdict.effects) {
    const name = path?.value ?? null;
    if (path === null || name === null || name.startsWith('/') || (directory !== null && !path.tilde)) continue;
    const starts = path.tilde ? values.of('HOME') : values.assigned();
    if (starts.length === 0 || !values.mayFollow()) continue;
    const below = path.tilde ? name.replace(/^~\/?/, '') : name;
    for (const folder of starts.flatMap((start) => possibleExpansions(start, values))) {
      const place = `${folder.startsWith('~') ? '' : `${facts.cwd}/`}${folder}/${below}`.replace(/^~/, facts.home);
      const pattern = action === 'read' ? null : (protectedPath(place, facts.home, facts.ownDirectories)?.pattern ?? null);
      const secret = action === 'read' ? secretPath(place, facts.home) : null;
      if (pattern === null && secret === null) continue;
      const why = pattern === null ? `it may hold secrets (${secret})` : `${pattern} is protected`;
      const code = pattern === null ? 'secret/said' : 'protected/said';
      into.push({
        effect: 'ask',
        rule: null,
        reason: { code, message: `${path.text} may lie in ${folder}, and ${why}`, span: path.span },
      });
      return;
    }
  }
}

/** Settings that tell git where to find programs or more configuration. */
const REDIRECTING = /^(?:core\.(?:hookspath|fsmonitor)|include(?:if\..+)?\.path)$/i;
const WRITES: ReadonlySet<string> = new Set(['git/config/write', 'git/config/add', 'git/config/replace-all']);

/** `git config core.hooksPath x` changes a protected file, and replaces protected hooks with others. */
export function redirectedRulings({ invocation, verdict }: Command, into: Ruling[]): void {
  if (verdict.words[1] !== 'config' || !verdict.issues.some(({ code }) => WRITES.has(code))) return;
  const key = invocation.argv.find(({ value }) => value !== null && REDIRECTING.test(value));
  if (key === undefined) return;
  const message = `${key.text} decides which programs git runs, and .git is protected`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'protected/said', message, span: key.span } });
}

interface DoubtfulText {
  readonly text: string;
  readonly word: ShellWord | null;
}

/**
 * The words that issues are about, the words after those, the addresses that a command contacts, and the values of variables that
 * make it run another program. A word with an unknown value is not in doubt for that reason alone.
 */
function doubtfulTexts({ invocation, verdict, wrapper }: Command, values: PossibleValues): readonly DoubtfulText[] {
  const { argv, assignments } = invocation;
  const { issues, effects, known } = verdict;
  const texts: DoubtfulText[] = [];
  const taken = new Set<number>();
  const take = (at: number) => {
    const word = argv[at];
    if (word === undefined || at < 1 || taken.has(at)) return;
    taken.add(at);
    const before = argv[at - 1]?.text ?? '';
    if (LEAVES_OUT.test(word.text) || (LEAVES_OUT.test(before) && !before.includes('='))) return;
    texts.push({ text: (word.value ?? word.text).slice(0, LONGEST_WORD), word });
  };
  for (const { word, code } of issues) {
    if (code === 'assignment/executes') for (const { value } of assignments) texts.push({ text: value ?? '', word: null });
    else if (word < 1 || code === 'word/dynamic') continue;
    else for (const at of WITHOUT_VALUE.has(code) ? [word] : [word, word + 1]) take(at);
  }
  for (const { action, path } of effects) if (action === 'network' && path !== null) texts.push({ text: path.text, word: path });
  // `x='rm -rf .git'; $x`: the program may be any, so everything that its words may become matters.
  const runsAnything = argv[0]?.value === null || (known && wrapper === null && effects.some(isAnything));
  for (const word of runsAnything || !known ? argv : [])
    if (word.value === null && values.mayFollow())
      for (const text of possibleExpansions(word.text, values)) texts.push({ text, word });
  return texts;
}

function isAnything({ action, path }: CommandEffect): boolean {
  return action === 'execute' && path === null;
}

/** A variable that the shell replaces with the same path after an option (`--output=$HOME/x`) as alone. */
const HOME = /\$(?:HOME\b|\{HOME\})/g;

/**
 * The parts of a word that may be a path. After a single letter, the rest may be the value of an option or of a sed command
 * (`-f.git/x`, `w.git/x`).
 */
function possiblePathsIn(text: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of text
    .replaceAll('\\', '')
    .replace(HOME, ' ~')
    .split(/[^\w.~/@-]+/)) {
    if (piece.length < 2) continue;
    pieces.push(piece);
    const given = /^-?\w(\.[\s\S]+)$/.exec(piece)?.[1];
    if (given !== undefined) pieces.push(given);
  }
  return pieces;
}

/** Excludes text like `process.env`, which is not a file. */
function isPathLike(piece: string): boolean {
  return /^[.~/]/.test(piece) || piece.includes('/');
}
