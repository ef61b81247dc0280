/** From one simple command of the syntax tree to an `Invocation`, with every reason not to trust it. */

import { expandBraces } from '../expand/braces.js';
import { asksOfVariable, isTest } from '../expand/data-words.js';
import { mayStayWhole, splitValue, unsplitWord } from '../expand/field-splitting.js';
import { isBuiltinOfInterest } from '../scope/builtins.js';
import { type Place, placeSpan, type Reading } from '../scope/context.js';
import { known } from '../scope/cwd.js';
import type { Command, Redirection } from '../syntax/parser.js';
import type { Invocation, ShellAssignment, ShellRedirection, ShellWord, Span } from '../syntax/types.js';
import { readAssignment } from './assignments.js';
import { noteCommandMeaning } from './command-meaning.js';
import { type Inside, visitNestedExpansions } from './inside.js';
import { readRedirection } from './redirections.js';
import { mustVisit, readShellWord, readWordText } from './shell-words.js';

const NO_ASSIGNMENTS: readonly ShellAssignment[] = [];
const NO_REDIRECTIONS: readonly ShellRedirection[] = [];

/** Reads one simple command (also a bare assignment or redirection) and everything nested in its words. */
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
  if (node.name !== undefined) argv.push(takeWord(reading, place, node.name, inside, argv, node.suffix));
  let literally: ShellWord[] | null = null;
  for (const item of node.suffix) {
    if (item.type === 'Word' || item.type === 'Assignment') {
      const texts = item.type === 'Word' && !isRead && argv.length > 0 ? listedTexts(reading, argv, item) : null;
      if (texts !== null && mayStayWhole(reading, textOf(item))) literally ??= [...argv];
      const words = texts?.map((text) => readListed(reading, place, text, item)) ?? [
        takeWord(reading, place, item, inside, argv, node.suffix),
      ];
      argv.push(...words);
      literally?.push(...(texts === null ? words : [unsplitWord(reading, textOf(item), placeSpan(place, item.pos, item.end))]));
    } else redirections = add(redirections, takeRedirection(reading, place, item, inside));
  }
  const span = placeSpan(place, node.pos, node.end);
  const invocation = addInvocation(reading, place, argv, assignments, redirections, span);
  // The command with unsplit words, as other shells may run it, is judged as well.
  if (literally !== null) addInvocation(reading, place, literally, assignments, redirections, span);
  visitNestedExpansions(reading, place, inside);
  noteCommandMeaning(reading, place, invocation, node);
}

/**
 * The expansion of a brace list, or of a variable with several words, among the operands of an ordinary program; null for every other word.
 */
function listedTexts(reading: Reading, argv: readonly ShellWord[], node: Command['suffix'][number]): readonly string[] | null {
  const name = argv[0]?.value ?? null;
  if (name === null || isBuiltinOfInterest(name)) return null;
  const text = textOf(node);
  return expandBraces(text) ?? splitValue(reading, text);
}

/** One word from a brace list, provided it is static itself. */
function readListed(reading: Reading, place: Place, text: string, node: Command['suffix'][number]): ShellWord {
  const word = readWordText(reading, place, text, { text, pos: node.pos, end: node.end });
  return { ...word, text: textOf(node) };
}

/** Adds to a list that is created on demand, since most commands have no redirection. */
function add(list: ShellRedirection[] | null, redirection: ShellRedirection): ShellRedirection[] {
  if (list === null) return [redirection];
  list.push(redirection);
  return list;
}

/** Reads the redirections of a compound command as a separate invocation without words. */
export function readCompoundRedirections(reading: Reading, place: Place, nodes: readonly Redirection[]): void {
  const inside: Inside[] = [];
  const redirections = nodes.map((node) => takeRedirection(reading, place, node, inside));
  const span = placeSpan(place, nodes[0]?.pos ?? 0, nodes.at(-1)?.end ?? 0);
  addInvocation(reading, place, [], null, redirections, span);
  visitNestedExpansions(reading, place, inside);
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

function takeWord(
  reading: Reading,
  place: Place,
  node: Command['suffix'][number],
  inside: Inside[],
  before: readonly ShellWord[],
  suffix: Command['suffix'],
): ShellWord {
  const read = readShellWord(reading, place, node.type === 'Word' ? node : { text: textOf(node), pos: node.pos, end: node.end });
  const isUnknown = read.value === null && read.data === undefined;
  const isAsked = isUnknown && isTest(before) && asksOfVariable(before, read.text, behind(node, suffix));
  const word: ShellWord = isAsked ? { ...read, data: 'one' } : read;
  if (word.data !== undefined) inside.push({ node, isData: true });
  else if (mustVisit(word)) inside.push({ node, isData: false });
  return word;
}

/** The words after a node, as written. */
function behind(node: Command['suffix'][number], suffix: Command['suffix']): readonly string[] {
  return suffix.slice(suffix.indexOf(node) + 1).map(textOf);
}

function textOf(node: Command['suffix'][number]): string {
  return 'text' in node ? node.text : '';
}

/**
 * Takes a redirection, whose target must be known: a name that is merely harmless as a string proves nothing about the file. A
 * file that a pattern matches is read like the pattern, and `< <(…)` reads the output of commands in the line. A printed name, or
 * an unquoted file of a pattern, is judged later.
 */
function takeRedirection(reading: Reading, place: Place, node: Redirection, inside: Inside[]): ShellRedirection {
  const redirection = readRedirection(reading, place, node);
  if (node.type === 'HereDoc') {
    if (redirection.text === null) inside.push({ node: node.body, isData: false });
  } else if (node.target !== undefined) {
    const { target, direction } = redirection;
    const isRead = direction === 'read' && target?.data !== undefined && (target.glob || isReadable(target));
    if (isRead) inside.push({ node: node.target, isData: true });
    else if (target === null || mustVisit(target) || target.data !== undefined) inside.push({ node: node.target, isData: false });
  }
  return redirection;
}

function isReadable({ origin }: ShellWord): boolean {
  const source = origin?.source;
  return source?.kind === 'pipe' || source?.kind === 'pattern' || (source?.kind === 'printed' && source.part !== 'all');
}
