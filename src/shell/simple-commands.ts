/** From one simple command of the syntax tree to an `Invocation`, with every reason not to trust it. */
import { readTargets } from './assigned-names.js';
import { expandBraces } from './braces.js';
import { effectiveWords, inspectBuiltin, isBuiltinOfInterest } from './builtins.js';
import type { Invocation, ShellAssignment, ShellRedirection, ShellWord, Span } from './command-line.js';
import { takesData } from './data-words.js';
import { known, type Move, moveOf } from './directory.js';
import { visitData, visitExpansions, visitSoftly } from './expansions.js';
import type { Assignment, Command, Redirection, SyntaxNode } from './parser.js';
import { type Place, placeSpan, type Reading } from './reading.js';
import { readRedirection } from './redirections.js';
import { contextOf, mustVisit, noteBraces, noteWord, readShellWord, readWordText } from './shell-words.js';
import { assignedName, isOwnVariable, isSpecialVariable, movesDirectory } from './variables.js';
import { isPlainWord, readWord } from './word.js';
import type { WordContext } from './word-context.js';

const NO_ASSIGNMENTS: readonly ShellAssignment[] = [];
const NO_REDIRECTIONS: readonly ShellRedirection[] = [];
const STAY: Move = { kind: 'stay' };

/** Reads one simple command (also a bare assignment or redirection) and what is nested in its words. */
export function readSimpleCommand(reading: Reading, place: Place, node: Command): void {
  const inside: Inside[] = [];
  const argv: ShellWord[] = [];
  const isRead = node.name?.text === 'read';
  const assignments: ShellAssignment[] | null = node.prefix.length > 0 ? [] : null;
  let redirections: ShellRedirection[] | null = null;
  for (const item of node.prefix) {
    if (item.type === 'Assignment') assignments?.push(readAssignment(reading, place, item, inside, node.name?.text ?? null));
    else redirections = add(redirections, takeRedirection(reading, place, item, inside));
  }
  if (node.name !== undefined) argv.push(takeWord(reading, place, node.name, inside));
  let literally: ShellWord[] | null = null;
  for (const item of node.suffix) {
    if (item.type === 'Word' || item.type === 'Assignment') {
      const texts = item.type === 'Word' && !isRead && argv.length > 0 ? listedTexts(argv, item) : null;
      if (texts !== null && reading.shell !== 'bash' && reading.shell !== 'zsh') literally ??= [...argv];
      const words = texts?.map((text) => readListed(reading, place, text, item)) ?? [takeWord(reading, place, item, inside)];
      argv.push(...words);
      literally?.push(...(texts === null ? words : [literalWord(textOf(item), placeSpan(place, item.pos, item.end))]));
    } else redirections = add(redirections, takeRedirection(reading, place, item, inside));
  }
  const span = placeSpan(place, node.pos, node.end);
  const invocation = addInvocation(reading, place, argv, assignments, redirections, span);
  // dash does not know brace lists: what it would run is judged as well.
  if (literally !== null) addInvocation(reading, place, literally, assignments, redirections, span);
  visitAllInside(reading, place, inside);
  conclude(reading, place, invocation, node);
}

/** What a brace list among the operands of an ordinary program stands for; null for every other word. */
function listedTexts(argv: readonly ShellWord[], node: Command['suffix'][number]): readonly string[] | null {
  const name = argv[0]?.value ?? null;
  return name === null || isBuiltinOfInterest(name) ? null : expandBraces(textOf(node));
}

/** One word of a brace list, as long as it is static itself. */
function readListed(reading: Reading, place: Place, text: string, node: Command['suffix'][number]): ShellWord {
  const word = readWordText(reading, place, text, { text, pos: node.pos, end: node.end });
  return { ...word, text: textOf(node) };
}

/** A brace list as dash reads it: the characters that it is written with. */
function literalWord(text: string, span: Span): ShellWord {
  const wildcard = text.search(/[*?]/);
  const literalPrefix = wildcard === -1 ? text : text.slice(0, wildcard);
  return { text, value: text, span, glob: wildcard !== -1, tilde: text.startsWith('~/'), literalPrefix };
}

/** Most commands have no redirection, so the list is made with the first one. */
function add(list: ShellRedirection[] | null, redirection: ShellRedirection): ShellRedirection[] {
  if (list === null) return [redirection];
  list.push(redirection);
  return list;
}

/** The redirections of a compound command, as an invocation of their own without words. */
export function readCompoundRedirections(reading: Reading, place: Place, nodes: readonly Redirection[]): void {
  const inside: Inside[] = [];
  const redirections = nodes.map((node) => takeRedirection(reading, place, node, inside));
  const span = placeSpan(place, nodes[0]?.pos ?? 0, nodes.at(-1)?.end ?? 0);
  addInvocation(reading, place, [], null, redirections, span);
  visitAllInside(reading, place, inside);
}

function addInvocation(
  reading: Reading,
  place: Place,
  argv: readonly ShellWord[],
  assignments: readonly ShellAssignment[] | null,
  redirections: readonly ShellRedirection[] | null,
  span: Span,
): Invocation {
  const invocation: Invocation = {
    argv,
    assignments: assignments ?? NO_ASSIGNMENTS,
    redirections: redirections ?? NO_REDIRECTIONS,
    enclosures: place.enclosures,
    background: place.background,
    piped: place.piped,
    directory: known(reading.directory.state),
    span,
  };
  reading.add(invocation);
  return invocation;
}

/** A node to be visited later, so that invocations stay in source order: a whole word, or only the substitutions of one that is data. */
interface Inside {
  readonly node: SyntaxNode;
  readonly isData: boolean;
}

function takeWord(reading: Reading, place: Place, node: Command['suffix'][number], inside: Inside[]): ShellWord {
  const word = readShellWord(reading, place, node.type === 'Word' ? node : { text: textOf(node), pos: node.pos, end: node.end });
  if (word.data !== undefined) inside.push({ node, isData: true });
  else if (mustVisit(word)) inside.push({ node, isData: false });
  return word;
}

function textOf(node: Command['suffix'][number]): string {
  return 'text' in node ? node.text : '';
}

/** A target must be known: nothing is proven of a file whose name is only harmless as a text. */
function takeRedirection(reading: Reading, place: Place, node: Redirection, inside: Inside[]): ShellRedirection {
  const redirection = readRedirection(reading, place, node);
  if (node.type === 'HereDoc') {
    if (redirection.text === null) inside.push({ node: node.body, isData: false });
  } else if (
    node.target !== undefined &&
    (redirection.target === null || mustVisit(redirection.target) || redirection.target.data !== undefined)
  )
    inside.push({ node: node.target, isData: false });
  return redirection;
}

function visitAllInside(reading: Reading, place: Place, inside: readonly Inside[]): void {
  for (const { node, isData } of inside) {
    if (isData) visitData(reading, place, node);
    else if (node.type === 'HereDocBody') visitSoftly(reading, place, node);
    else visitExpansions(reading, place, node);
  }
}

/** @param command the name of the command that it stands before, as written; null when it stays in the shell */
function readAssignment(
  reading: Reading,
  place: Place,
  node: Assignment,
  inside: Inside[],
  command: string | null,
): ShellAssignment {
  const { name, pos, end, text } = node;
  const append = node.append === true;
  const span = placeSpan(place, pos, end);
  if (append && reading.shell !== 'bash') reading.note('shell-dialect', place, pos, end);
  // `IFS= read` only says how that command splits its line.
  if (isSpecialVariable(name) && !(command === 'read' && name === 'IFS')) reading.note('special-variable', place, pos, end);
  if (movesDirectory(name)) reading.directory.lose();
  const written = text.slice(name.length + (append ? 2 : 1));
  // With a subscript, an array value, or a name that is not where we think, the text does not start with `name=`.
  if (!text.startsWith(`${name}${append ? '+=' : '='}`) || written.startsWith('(')) {
    inside.push({ node, isData: false });
    reading.note('array', place, pos, end);
    return { name, value: null, append, span };
  }
  if (isPlainWord(written)) return { name, value: written, append, span };
  noteBraces(reading, written, span);
  const read = readWord(written, true, command === null ? assignedContext(reading, place, node) : null);
  noteWord(reading, place, read, pos, end);
  if (read.value === null) inside.push({ node, isData: read.data !== null });
  return { name, value: read.value, append, span };
}

/** Only a variable of the line's own may hold what nobody knows yet. */
function assignedContext(reading: Reading, place: Place, { name, value, append }: Assignment): WordContext | null {
  if (value.type !== 'Word' || append === true || !isOwnVariable(name)) return null;
  return contextOf(reading, place, value);
}

/** What the command as a whole means: its name, what it evaluates, and where the shell is afterwards. */
function conclude(reading: Reading, place: Place, invocation: Invocation, node: Command): void {
  const { argv, redirections, assignments } = invocation;
  const name = argv[0];
  if (name === undefined) {
    // zsh runs a pager or `cat` for a bare redirection.
    if (redirections.length > 0 && assignments.length === 0 && reading.shell !== 'bash')
      reading.note('shell-dialect', place, node.pos, node.end);
    reading.directory.apply(STAY);
    for (const { name, value, append } of assignments) {
      // Where a redirection fails, bash does not assign.
      if (append || redirections.length > 0) reading.bindings.forget(name);
      else reading.bindings.assign(name, value);
    }
    return;
  }
  noteName(reading, place, name, node);
  if (name.value !== null && !isBuiltinOfInterest(name.value)) {
    reading.directory.apply(STAY);
    return;
  }
  concludeBuiltin(reading, place, invocation, node);
}

/** The name of a command must be one static word. */
function noteName(reading: Reading, place: Place, name: ShellWord, node: Command): void {
  const { pos, end } = node.name ?? node;
  // `%1` in command position is a job.
  if (name.value === null || name.tilde || name.text.includes('$') || name.value.startsWith('%'))
    reading.note('dynamic-command', place, pos, end);
  if (name.glob) reading.note('glob-command', place, pos, end);
  // zsh begins a group with `{echo a; }`.
  if (name.text.startsWith('{')) reading.compounds = true;
}

function concludeBuiltin(reading: Reading, place: Place, invocation: Invocation, node: Command): void {
  const { directory, shell } = reading;
  const { pos, end } = node;
  if (invocation.argv[0]?.value === 'read') receiveNames(reading, place, invocation, node);
  const words = effectiveWords(invocation.argv, shell);
  if (words === null) {
    reading.note('dynamic-command', place, pos, end);
    directory.apply({ kind: 'unknown' });
    return;
  }
  noteData(reading, place, words, node);
  const move = moveOf(invocation, words[0]?.value ?? '');
  const findings = inspectBuiltin(words, shell, move.kind === 'to');
  if (shell !== 'bash' && words !== invocation.argv)
    for (const modifier of inspectBuiltin(invocation.argv, shell, true)) reading.note(modifier.code, place, pos, end);
  for (const { code, evaluates } of findings) {
    reading.note(code, place, pos, end);
    for (const text of evaluates) directory.inSubshell(() => reading.readEvaluated(text, place, pos, end));
  }
  if (words.slice(1).some((word) => movesDirectory(assignedName(word.value ?? word.text)))) {
    directory.lose();
    return;
  }
  // What evaluated code does to the directory is not followed.
  const evaluated = findings.some(({ code }) => code === 'eval' || code === 'dynamic-script' || code === 'alias-definition');
  directory.apply(evaluated ? { kind: 'unknown' } : move);
}

/** `read` gives its names the words of a line; small names that are not the line's own mean something to zsh. */
function receiveNames(reading: Reading, place: Place, { argv, redirections }: Invocation, { pos, end }: Command): void {
  for (const name of readTargets(argv.slice(1).map(({ text }) => text)) ?? []) {
    if (!isOwnVariable(name) && /^[a-z_]/.test(name)) reading.note('special-variable', place, pos, end);
    else if (redirections.length === 0) reading.bindings.receive(name);
    else reading.bindings.forget(name);
  }
}

/** Builtins evaluate names, numbers and formats: a text that nobody knows is harmless to few of them, in few places. */
function noteData(reading: Reading, place: Place, words: readonly ShellWord[], node: Command): void {
  if (words.some(({ data }) => data !== undefined) && !takesData(words, reading.shell))
    reading.note('parameter-expansion', place, node.pos, node.end);
}
