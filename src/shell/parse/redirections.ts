/** From the parser's redirection nodes to ours, with the reasons that make them opaque. */

import { hereDocText } from '../expand/quoting.js';
import { type Place, placeSpan, type Reading } from '../scope/context.js';
import { noteDescriptorVariable, noteRedirectionDialect } from '../scope/dialect.js';
import type { HereDoc, Redirection } from '../syntax/parser.js';
import type { ShellRedirection } from '../syntax/types.js';
import { readShellWord } from './shell-words.js';

type Direction = ShellRedirection['direction'];

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map<string, Direction>([
  ['>', 'write'],
  ['>>', 'write'],
  ['>|', 'write'],
  ['&>', 'write'],
  ['&>>', 'write'],
  ['<', 'read'],
  ['<>', 'read-write'],
  ['>&', 'duplicate'],
  ['<&', 'duplicate'],
  ['<<<', 'here'],
  ['<<', 'here'],
  ['<<-', 'here'],
]);

/** A descriptor, a moved descriptor, or `-`; bash expands any other target of `>&` twice. */
const DESCRIPTOR_TARGET = /^(?:\d{1,9}-?|-)$/;

/** A delimiter whose end is unambiguous. */
const PLAIN_DELIMITER = /^(?:[\w.+-]+|'[\w .+-]+'|"[\w .+-]+"|\\[\w.+-]+)$/;

/** Reads one redirection; notes the expansions in its words but does not follow them (see `visitExpansions`). */
export function readRedirection(reading: Reading, place: Place, node: Redirection): ShellRedirection {
  const { pos, end, descriptor } = node;
  if (descriptor?.type === 'FileDescriptorVariable') reading.note('unknown-construct', place, pos, end);
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : null;
  const span = placeSpan(place, pos, end);
  const { operator } = node;
  if (reading.shell !== 'bash') noteDescriptorVariable(reading, place, node);
  if (node.type === 'HereDoc')
    return { operator, direction: 'here', descriptor: number, target: null, text: readHereDoc(reading, place, node), span };
  if (reading.shell !== 'bash') noteRedirectionDialect(reading, place, node);
  const target = node.target === undefined ? null : readShellWord(reading, place, node.target);
  const direction = directionOf(reading, place, node);
  const text = direction === 'here' && typeof target?.value === 'string' ? `${target.value}\n` : null;
  return { operator, direction, descriptor: number, target, text, span };
}

/** What a redirection does to its target; if a `>&` target is not a descriptor, bash may run it, and otherwise writes to that file. */
function directionOf(reading: Reading, place: Place, node: Exclude<Redirection, HereDoc>): Direction {
  const direction = DIRECTIONS.get(node.operator);
  if (node.target === undefined || direction === undefined) reading.note('unknown-construct', place, node.pos, node.end);
  // `>2>f`: bash reads the digits as the descriptor of the next redirection, so this one has no target.
  if (direction !== 'duplicate' && /^\d+$/.test(node.target?.text ?? '') && /[<>]/.test(place.text.charAt(node.end)))
    reading.note('parse-error', place, node.pos, node.end);
  if (direction !== 'duplicate' || DESCRIPTOR_TARGET.test(node.target?.text ?? '')) return direction ?? 'read-write';
  reading.note('double-expansion', place, node.pos, node.end);
  return node.operator === '>&' ? 'write' : 'read-write';
}

/** The text of a here-document; null with a reason noted for an unusual delimiter, a missing end or an expansion. */
function readHereDoc(reading: Reading, place: Place, node: HereDoc): string | null {
  reading.hereDocs++;
  const { delimiter, closing, body, pos, end } = node;
  if (delimiter === undefined || !PLAIN_DELIMITER.test(delimiter.text)) {
    reading.note('unknown-construct', place, pos, end);
    return null;
  }
  const stripTabs = node.operator === '<<-';
  if (closing === undefined || !endsAtDelimiter(place.text, node, stripTabs)) {
    reading.note('parse-error', place, pos, end);
    return null;
  }
  const text = hereDocText(body.text, delimiter.quoted, stripTabs);
  if (text === null) reading.note('here-doc-expansion', place, pos, end);
  return text;
}

/** Whether the body ends at the first line that equals the delimiter, by our own line count. */
function endsAtDelimiter(text: string, node: HereDoc, stripTabs: boolean): boolean {
  const { closing, body } = node;
  const delimiter = node.delimiter?.text.replace(/['"\\]/g, '') ?? '';
  const bare = (line: string) => (stripTabs ? line.replace(/^\t+/, '') : line);
  if (closing === undefined || closing.pos < body.end || bare(text.slice(body.end, closing.end)) !== delimiter) return false;
  return !body.text.split('\n').some((line) => bare(line) === delimiter);
}
