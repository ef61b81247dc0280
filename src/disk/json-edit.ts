/** Single edits of a JSON text: add a member or an entry, change a value, or remove one. */
import type { Node } from 'jsonc-parser';
import { isList, isMap, type JsonPath, type JsonText, JsonTextError, type JsonValue, lineIndent } from './json-text.js';

export type JsonStep =
  /** `key` null: at the end of a list. */
  | { readonly kind: 'add'; readonly path: JsonPath; readonly key: string | null; readonly value: JsonValue }
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly path: JsonPath };

/** Returns the text after one step, byte order mark included. */
export function editJsonText(file: JsonText, step: JsonStep): string {
  return file.bom + edited(file, step);
}

function edited(file: JsonText, step: JsonStep): string {
  const { text } = file;
  const node = nodeAt(file.root, step.path);
  if (step.kind === 'add') return added(file, node, step.key, step.value);
  if (step.kind === 'remove') return removed(text, node);
  const indent = indentOf(text, node);
  const value = isOneLine(text, node) && !isScalar(node) ? onOneLine(step.value, text, node) : printed(step.value, file, indent);
  return text.slice(0, node.offset) + value + text.slice(endOf(node));
}

/** Returns the value after the same step, against which the text is checked. */
export function editedSettings(value: JsonValue, step: JsonStep, path: JsonPath = step.path): JsonValue {
  const [first, ...rest] = path;
  if (first === undefined) {
    if (step.kind !== 'add') return step.kind === 'replace' ? step.value : value;
    if (isList(value)) return [...value, step.value];
    return isMap(value) && step.key !== null ? new Map([...value, [step.key, step.value]]) : value;
  }
  const goes = step.kind === 'remove' && rest.length === 0;
  if (isList(value)) return value.flatMap((item, at) => (at !== first ? [item] : goes ? [] : [editedSettings(item, step, rest)]));
  if (!isMap(value)) return value;
  return new Map(
    [...value].flatMap(([name, inner]): [string, JsonValue][] =>
      name !== first ? [[name, inner]] : goes ? [] : [[name, editedSettings(inner, step, rest)]],
    ),
  );
}

/** Whether a container has a comment outside of its only entry. */
export function commentsAround({ root, text }: JsonText, container: JsonPath, only: JsonPath): boolean {
  const outer = nodeAt(root, container);
  const inner = nodeAt(root, only);
  // Between the two are brackets, a name, a colon and a comma.
  const around = text.slice(outer.offset, inner.offset) + text.slice(endOf(inner), endOf(outer));
  return /\/[/*]/.test(around.replace(/"(?:[^"\\]|\\.)*"/g, ''));
}

/** Returns the value node at a path. */
function nodeAt(root: Node, path: JsonPath): Node {
  let node = root;
  for (const part of path) {
    const next =
      typeof part === 'number'
        ? node.children?.[part]
        : node.children?.find(({ children }) => children?.[0]?.value === part)?.children?.[1];
    if (next === undefined) throw new JsonTextError(`${path.join('.')} is not there`);
    node = next;
  }
  return node;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function isScalar({ type }: Node): boolean {
  return type !== 'object' && type !== 'array';
}

function isOneLine(text: string, node: Node): boolean {
  return !text.slice(node.offset, endOf(node)).includes('\n');
}

/** Returns the indentation of the line that contains a node. */
function indentOf(text: string, { offset }: Node): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}

function added(file: JsonText, container: Node, key: string | null, value: JsonValue): string {
  const { text } = file;
  const children = container.children ?? [];
  const name = key === null ? '' : JSON.stringify(key);
  const last = children.at(-1);
  if (last === undefined) return intoEmpty(file, container, name, value);
  const spare = commaAfter(text, endOf(last), endOf(container) - 1);
  const after = spare === null ? endOf(last) : spare + 1;
  const first = children[0] ?? last;
  const own = lineIndent(text, first.offset);
  if (own === null) {
    const between = isTight(text, container) ? '' : ' ';
    const item = name + (name === '' ? '' : `:${between}`) + onOneLine(value, text, container);
    return spliced(text, after, `${spare === null ? ',' : ''}${between}${item}${spare === null ? '' : ','}`);
  }
  const at = endOfTrivia(text, after);
  const item = `${file.lineBreak}${own}${name}${name === '' ? '' : ': '}${printed(value, file, own)}${spare === null ? '' : ','}`;
  const withItem = spliced(text, at, item);
  return spare === null ? spliced(withItem, endOf(last), ',') : withItem;
}

function intoEmpty(file: JsonText, container: Node, name: string, value: JsonValue): string {
  const { text, lineBreak, unit } = file;
  const outer = indentOf(text, container);
  const open = container.offset + 1;
  const item = `${name}${name === '' ? '' : ': '}`;
  // A non-empty document on one line stays on one line.
  if (isOneLine(text, file.root) && file.root !== container) return spliced(text, open, item.trimEnd() + compact(value));
  const line = `${lineBreak}${outer}${unit}${item}${printed(value, file, outer + unit)}`;
  const inside = text.slice(open, endOf(container) - 1);
  return spliced(text, open, inside.includes('\n') ? line : `${line}${lineBreak}${outer}`);
}

/** Whether a container is written without whitespace, judged by its first colon or comma. */
function isTight(text: string, container: Node): boolean {
  const [first, second] = container.children ?? [];
  if (first === undefined) return true;
  const [key, value] = first.type === 'property' ? (first.children ?? []) : [first, second];
  if (key === undefined || value === undefined) return isTight(text, first);
  return value.offset - endOf(key) === 1;
}

/** Returns the value on one line, in the style of its container. */
function onOneLine(value: JsonValue, text: string, container: Node): string {
  return isTight(text, container) ? compact(value) : compactSpaced(value);
}

/** Returns the offset of the comma after an entry; null if there is none before `end`. */
function commaAfter(text: string, from: number, end: number): number | null {
  for (let at = from; at < end; at++) {
    if (text[at] === ',') return at;
    if (text.startsWith('//', at)) at = lineEnd(text, at) - 1;
    else if (text.startsWith('/*', at)) at = commentEnd(text, at) - 1;
  }
  return null;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function commentEnd(text: string, at: number): number {
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length : end + 2;
}

/** Returns the end of the line if only white space and comments follow; else `from`. */
function endOfTrivia(text: string, from: number): number {
  const end = lineEnd(text, from);
  const rest = text.slice(from, end).replace(/\r$/, '');
  for (let at = 0; at < rest.length; ) {
    if (rest.startsWith('//', at)) break;
    if (/\s/.test(rest[at] ?? '')) at++;
    else if (rest.startsWith('/*', at) && rest.includes('*/', at + 2)) at = rest.indexOf('*/', at + 2) + 2;
    else return from;
  }
  return from + rest.length;
}

/** Returns the text without a member or an entry, its comma, and the white space before it. */
function removed(text: string, value: Node): string {
  const node = value.parent?.type === 'property' ? value.parent : value;
  const container = node.parent;
  const siblings = container?.children ?? [];
  if (container === undefined) throw new JsonTextError('the whole text cannot be removed');
  const close = endOf(container) - 1;
  const at = siblings.indexOf(node);
  const next = siblings[at + 1];
  const previous = siblings[at - 1];
  const comma = commaAfter(text, endOf(node), next?.offset ?? close);
  const end = comma === null ? endOf(node) : comma + 1;
  const start = spaceBefore(text, node.offset, end);
  if (previous === undefined && next === undefined) return onlyOneRemoved(text, container, start, end);
  // Removing the first of several on one line also removes the space after its comma.
  const gap = previous === undefined && start === node.offset ? (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) : 0;
  const without = text.slice(0, start) + text.slice(end + gap);
  if (comma !== null || previous === undefined) return without;
  const before = commaAfter(text, endOf(previous), node.offset);
  return before === null ? without : without.slice(0, before) + without.slice(before + 1);
}

/** Writes an emptied container as `{}`, unless it still contains a comment. */
function onlyOneRemoved(text: string, container: Node, start: number, end: number): string {
  const open = container.offset + 1;
  const close = endOf(container) - 1;
  const left = text.slice(open, start) + text.slice(end, close);
  return text.slice(0, open) + (left.trim() === '' ? '' : left) + text.slice(close);
}

/**
 * Returns where the white space before an offset begins: on its line, and including the line break before it, unless that ends a
 * comment which would then swallow the following text.
 */
function spaceBefore(text: string, at: number, end: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  if (text[start - 1] !== '\n') return start;
  const above = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
  if (above.includes('//') && !/^[ \t]*\r?\n/.test(text.slice(end))) return start;
  return text[start - 2] === '\r' ? start - 2 : start - 1;
}

function spliced(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at);
}

/** Returns the value on several lines, indented like the file; `indent` is that of its first line. */
function printed(value: JsonValue, { unit, lineBreak }: JsonText, indent: string): string {
  // JSON strings contain no literal tabs or line breaks, so those at the start of a line are indentation.
  const text = JSON.stringify(withPlainObjects(value), null, '\t');
  return text
    .split('\n')
    .map((line, at) => {
      const level = /^\t*/.exec(line)?.[0].length ?? 0;
      return (at === 0 ? '' : indent) + unit.repeat(level) + line.slice(level);
    })
    .join(lineBreak);
}

function compact(value: JsonValue): string {
  return JSON.stringify(withPlainObjects(value));
}

/** Returns `{ "a": 1 }` on one line. */
function compactSpaced(value: JsonValue): string {
  if (isList(value)) return `[${value.map(compactSpaced).join(', ')}]`;
  if (!isMap(value)) return JSON.stringify(value);
  if (value.size === 0) return '{}';
  return `{ ${[...value].map(([name, inner]) => `${JSON.stringify(name)}: ${compactSpaced(inner)}`).join(', ')} }`;
}

/** Only for our own values, whose keys are known. */
function withPlainObjects(value: JsonValue): unknown {
  if (isList(value)) return value.map(withPlainObjects);
  return isMap(value) ? Object.fromEntries([...value].map(([name, inner]) => [name, withPlainObjects(inner)])) : value;
}
