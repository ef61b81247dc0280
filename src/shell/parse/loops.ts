/** Loops, and the words outside simple commands: lists, patterns, names. */

import { expandBraces } from '../expand/braces.js';
import { visitData, visitExpansions } from '../expand/expansions.js';
import { mayStayWhole, splitValue, unsplitWord } from '../expand/field-splitting.js';
import type { Binding } from '../scope/binding.js';
import { enclosed, type Place, placeSpan, type Reading } from '../scope/context.js';
import type { CommandNode, CompoundList, Word } from '../syntax/parser.js';
import type { Enclosure, ShellWord } from '../syntax/types.js';
import { readShellWord, readWordText } from './shell-words.js';

/** Reads a word outside any simple command, and everything nested in it. */
export function readListedWord(reading: Reading, place: Place, node: Word): ShellWord {
  const read = readShellWord(reading, place, node);
  if (read.value === null && read.data === undefined) visitExpansions(reading, place, node);
  else if (read.data !== undefined) visitData(reading, place, node);
  return read;
}

/** Reads parts that may run repeatedly or never. */
export function readLoop(reading: Reading, place: Place, parts: readonly CompoundList[]): void {
  reading.inBranches(() => {
    for (const part of parts) reading.readNode(reading, enclosed(place, 'loop' satisfies Enclosure), part);
  });
}

/** `… | while read -r x; do …; done`: in the body, the variable is one of the lines piped into the loop. */
export function readWhile(reading: Reading, place: Place, node: Extract<CommandNode, { type: 'While' }>): void {
  const { clause, body, kind } = node;
  const { bindings, fed } = reading;
  const read = fed?.loop === node && kind === 'while' && place.span === null ? lineVariable(clause) : null;
  if (fed === null || read === null || !bindings.isLoopVariable(read.name, body.pos, body.end)) {
    readLoop(reading, place, [clause, body]);
    return;
  }
  const inside = enclosed(place, 'loop');
  reading.inBranches(() => {
    reading.readNode(reading, inside, clause);
    const lines = { kind: 'printed', span: fed.span, part: read.part, body: placeSpan(place, body.pos, body.end) } as const;
    // Any part of a hexadecimal object name is one as well.
    bindings.bind(read.name, { kind: 'text', source: fed.source?.kind === 'object' ? fed.source : lines });
    reading.readNode(reading, inside, body);
  });
}

/** `-r -d ''`, in either order. */
const RECORD = /^(?:-r -d (?:''|"")|-d (?:''|"") -r) $/;

/** The variable of a clause that consists only of `read`, and what each `read` assigns to it; null for every other clause. */
function lineVariable({
  commands: [statement, ...others],
}: CompoundList): { readonly name: string; readonly part: 'line' | 'record' } | null {
  const node = statement?.command;
  if (node?.type !== 'Command' || others.length > 0 || statement?.background === true || node.name?.text !== 'read') return null;
  // With an empty IFS there is nothing to split at, so the line stays whole.
  if (node.prefix.some((item) => item.type !== 'Assignment' || item.text !== 'IFS=')) return null;
  const words = node.suffix.map((item) => (item.type === 'Word' ? item.text : null));
  const [, options = '', name] = /^((?:-d (?:''|"") |-r )*)([A-Za-z_]\w*)$/.exec(words.join(' ')) ?? [];
  if (name === undefined || words.includes(null)) return null;
  if (options === '' || options === '-r ') return { name, part: 'line' };
  return RECORD.test(options) && node.prefix.length === 1 ? { name, part: 'record' } : null;
}

/** `for x in a b; do …; done`: if nothing else sets the variable, the body is read once for each value. */
export function readFor(reading: Reading, place: Place, node: Extract<CommandNode, { type: 'For' }>): void {
  const { bindings } = reading;
  const name = node.name.text;
  readListedWord(reading, place, node.name);
  const values = (node.wordlist ?? []).flatMap((item) => valuesOf(reading, place, item));
  const { pos, end } = node.body;
  const free = bindings.isLoopVariable(name, pos, end);
  const known = free && values.length > 0 && reading.mayRepeat(values.length, end - pos);
  const inside = enclosed(place, 'loop');
  reading.inBranches(() => {
    reading.repeat<Binding | null>(known ? values : [null], (value) => {
      if (value !== null) bindings.bind(name, value);
      else bindings.receive(name);
      reading.readNode(reading, inside, node.body);
    });
  });
}

/** The values that one word of a list assigns to the loop variable. */
function valuesOf(reading: Reading, place: Place, node: Word): Binding[] {
  const texts = expandBraces(node.text) ?? splitValue(reading, node.text);
  const words =
    texts === null ? [readListedWord(reading, place, node)] : texts.map((text) => readWordText(reading, place, text, node));
  // dash takes a brace list as one value, zsh a variable.
  if (texts !== null && mayStayWhole(reading, node.text))
    words.push(unsplitWord(reading, node.text, placeSpan(place, node.pos, node.end)));
  return words.map(bindingOf);
}

function bindingOf({ value, glob, tilde, literalPrefix, data, origin }: ShellWord): Binding {
  if (value !== null && !tilde) return { kind: 'known', value, glob, prefix: literalPrefix };
  if (origin?.before !== '' || origin.after !== '') return { kind: 'text' };
  const { source } = origin;
  // A process substitution exists only for the command that it is a word of.
  if (source.kind === 'pipe') return { kind: 'text' };
  if (data !== 'several') return { kind: 'text', source };
  if (source.kind === 'printed') return { kind: 'text', source: { ...source, part: 'word' } };
  // Each word of the output is one value; if a directory splits into several words, none of them is that directory.
  if (source.kind === 'number') return { kind: 'number' };
  return source.kind === 'object' ? { kind: 'text', source } : { kind: 'text' };
}
