/** From one simple command of the syntax tree to an `Invocation`, with every reason not to trust it. */
import { effectiveWords, inspectBuiltin, isBuiltinOfInterest } from './builtins.js';
import type { Invocation, ShellAssignment, ShellRedirection, ShellWord, Span } from './command-line.js';
import { known, type Move, moveOf } from './directory.js';
import { visitExpansions, visitSoftly } from './expansions.js';
import type { Assignment, Command, Redirection, SyntaxNode } from './parser.js';
import { type Place, placeSpan, type Reading } from './reading.js';
import { readRedirection } from './redirections.js';
import { mustVisit, noteBraces, noteWord, readShellWord } from './shell-words.js';
import { assignedName, isSpecialVariable, movesDirectory } from './variables.js';
import { isPlainWord, readWord } from './word.js';

const NO_ASSIGNMENTS: readonly ShellAssignment[] = [];
const NO_REDIRECTIONS: readonly ShellRedirection[] = [];
const STAY: Move = { kind: 'stay' };

/** Reads one simple command (also a bare assignment or redirection) and what is nested in its words. */
export function readSimpleCommand(reading: Reading, place: Place, node: Command): void {
  const inside: SyntaxNode[] = [];
  const argv: ShellWord[] = [];
  const assignments: ShellAssignment[] | null = node.prefix.length > 0 ? [] : null;
  let redirections: ShellRedirection[] | null = null;
  for (const item of node.prefix) {
    if (item.type === 'Assignment') assignments?.push(readAssignment(reading, place, item, inside));
    else redirections = add(redirections, takeRedirection(reading, place, item, inside));
  }
  if (node.name !== undefined) argv.push(takeWord(reading, place, node.name, inside));
  for (const item of node.suffix) {
    if (item.type === 'Word' || item.type === 'Assignment') argv.push(takeWord(reading, place, item, inside));
    else redirections = add(redirections, takeRedirection(reading, place, item, inside));
  }
  const invocation = addInvocation(reading, place, argv, assignments, redirections, placeSpan(place, node.pos, node.end));
  for (const nested of inside) visitInside(reading, place, nested);
  conclude(reading, place, invocation, node);
}

/** Most commands have no redirection, so the list is made with the first one. */
function add(list: ShellRedirection[] | null, redirection: ShellRedirection): ShellRedirection[] {
  if (list === null) return [redirection];
  list.push(redirection);
  return list;
}

/** The redirections of a compound command, as an invocation of their own without words. */
export function readCompoundRedirections(reading: Reading, place: Place, nodes: readonly Redirection[]): void {
  const inside: SyntaxNode[] = [];
  const redirections = nodes.map((node) => takeRedirection(reading, place, node, inside));
  const span = placeSpan(place, nodes[0]?.pos ?? 0, nodes.at(-1)?.end ?? 0);
  addInvocation(reading, place, [], null, redirections, span);
  for (const nested of inside) visitInside(reading, place, nested);
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
  reading.invocations.push(invocation);
  return invocation;
}

/** Reads a word of the command; what is inside it is visited later, so that invocations stay in source order. */
function takeWord(reading: Reading, place: Place, node: Command['suffix'][number], inside: SyntaxNode[]): ShellWord {
  const word = readShellWord(reading, place, { text: 'text' in node ? node.text : '', pos: node.pos, end: node.end });
  if (mustVisit(word)) inside.push(node);
  return word;
}

function takeRedirection(reading: Reading, place: Place, node: Redirection, inside: SyntaxNode[]): ShellRedirection {
  const redirection = readRedirection(reading, place, node);
  if (node.type === 'HereDoc') {
    if (redirection.text === null) inside.push(node.body);
  } else if (node.target !== undefined && (redirection.target === null || mustVisit(redirection.target)))
    inside.push(node.target);
  return redirection;
}

function visitInside(reading: Reading, place: Place, node: SyntaxNode): void {
  if (node.type === 'HereDocBody') visitSoftly(reading, place, node);
  else visitExpansions(reading, place, node);
}

function readAssignment(reading: Reading, place: Place, node: Assignment, inside: SyntaxNode[]): ShellAssignment {
  const { name, pos, end, text } = node;
  const append = node.append === true;
  const span = placeSpan(place, pos, end);
  if (append && reading.shell !== 'bash') reading.note('shell-dialect', place, pos, end);
  if (isSpecialVariable(name)) reading.note('special-variable', place, pos, end);
  if (movesDirectory(name)) reading.directory.lose();
  const written = text.slice(name.length + (append ? 2 : 1));
  // With a subscript, an array value, or a name that is not where we think, the text does not start with `name=`.
  if (!text.startsWith(`${name}${append ? '+=' : '='}`) || written.startsWith('(')) {
    inside.push(node);
    reading.note('array', place, pos, end);
    return { name, value: null, append, span };
  }
  if (isPlainWord(written)) return { name, value: written, append, span };
  noteBraces(reading, written, span);
  const read = readWord(written, true);
  noteWord(reading, place, read, pos, end);
  if (read.value === null) inside.push(node);
  return { name, value: read.value, append, span };
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
  if (name.value === null || name.tilde || name.value.startsWith('%')) reading.note('dynamic-command', place, pos, end);
  if (name.glob) reading.note('glob-command', place, pos, end);
  // zsh begins a group with `{echo a; }`.
  if (name.text.startsWith('{')) reading.compounds = true;
}

function concludeBuiltin(reading: Reading, place: Place, invocation: Invocation, node: Command): void {
  const { directory, shell } = reading;
  const { pos, end } = node;
  const words = effectiveWords(invocation.argv, shell);
  if (words === null) {
    reading.note('dynamic-command', place, pos, end);
    directory.apply({ kind: 'unknown' });
    return;
  }
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
