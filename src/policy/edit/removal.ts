/** Removes a rule from a policy's text: which pieces of the text to delete. */
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { Format } from '../read/located.js';
import { type BracketSyntax, entryEnd } from './brackets.js';
import { type EditedText, lengthOf, offsetOf } from './insertion.js';
import { JSON_SYNTAX } from './json.js';
import { startsLine, TOML_SYNTAX } from './toml.js';
import { dashOf, endOfEntry, YAML_SYNTAX } from './yaml.js';

/** A rule as a file contains it. */
export interface WrittenRule {
  readonly effect: Effect;
  readonly text: string;
}

/** A piece of the text (end exclusive), and its replacement. */
interface EvidenceDraft {
  readonly from: number;
  readonly to: number;
  readonly text?: string;
}

const SYNTAX: Readonly<Record<Format, BracketSyntax>> = { yaml: YAML_SYNTAX, json: JSON_SYNTAX, toml: TOML_SYNTAX };

/** The pieces to delete for the first entry that is this rule; null if it is missing or has no clear extent. */
export function removalOf(edited: EditedText, rule: WrittenRule, format: Format): readonly EvidenceDraft[] | null {
  const { source } = edited;
  const list = `/${rule.effect}`;
  const index = indexOf(edited, rule);
  const start = offsetOf(edited, `${list}/${index}`);
  const open = offsetOf(edited, list);
  if (index < 0 || start === null || open === null) return null;
  if (format === 'toml' && startsLine(source, start)) return tableOf(source, start);
  if (source[open] !== '[') return format === 'yaml' ? blockEntry(edited, rule.effect, start) : null;
  const before = index === 0 ? null : offsetOf(edited, `${list}/${index - 1}`);
  return bracketEntry(source, start, before, SYNTAX[format]);
}

function indexOf({ located }: EditedText, { effect, text }: WrittenRule): number {
  const lists: unknown = Object.getOwnPropertyDescriptor(Object(located.data), effect)?.value;
  if (!Array.isArray(lists)) return -1;
  return lists.findIndex(
    (entry: unknown) => entry === text || Object.getOwnPropertyDescriptor(Object(entry), 'rule')?.value === text,
  );
}

/** An entry between brackets with the comma after it; for the last one, with the comma before it. */
function bracketEntry(
  source: string,
  start: number,
  before: number | null,
  syntax: BracketSyntax,
): readonly EvidenceDraft[] | null {
  const own = entryEnd(source, start, syntax);
  if (own === null) return null;
  const to = own.comma < 0 ? own.end : own.comma + 1;
  const line = lineStart(source, start);
  const rest = lineEnd(source, to);
  const isAlone =
    source.slice(line, start).trim() === '' && /^[ \t\r]*(?:#.*)?$/.test(source.slice(to, rest)) && rest < source.length;
  const piece = isAlone ? { from: line, to: rest + 1 } : { from: start, to: to + blanksAt(source, to, own.comma >= 0) };
  if (own.comma >= 0 || before === null) return [piece];
  const previous = entryEnd(source, before, syntax);
  if (previous === null || previous.comma < 0) return null;
  if (isAlone) return [{ from: previous.comma, to: previous.comma + 1 }, piece];
  return source.slice(previous.comma + 1, start).trim() === '' ? [{ from: previous.comma, to: own.end }] : null;
}

function blanksAt(source: string, at: number, behindComma: boolean): number {
  return behindComma ? (/^[ \t]*/.exec(source.slice(at, at + 1000))?.[0].length ?? 0) : 0;
}

/** The lines of an entry in a block list; a list that becomes empty is written as `[]`. */
function blockEntry(edited: EditedText, effect: Effect, start: number): readonly EvidenceDraft[] | null {
  const { source } = edited;
  const dash = dashOf(source, start);
  if (dash === null) return null;
  const entry = { from: dash.line, to: endOfEntry(source, dash.line, dash.indent.length) };
  if (lengthOf(edited, `/${effect}`) > 1) return [entry];
  for (let line = lineAbove(source, dash.line); line !== null; line = lineAbove(source, line)) {
    const text = source.slice(line, lineEnd(source, line)).trim();
    if (text === '' || text.startsWith('#')) continue;
    const key = new RegExp(`^[ \\t]*(["']?)${effect}\\1[ \\t]*:(?=[ \\t]*(?:#.*)?\\r?$)`).exec(
      source.slice(line, lineEnd(source, line)),
    );
    const end = line + (key?.[0].length ?? 0);
    return key === null ? null : [{ from: end, to: end, text: ' []' }, entry];
  }
  return null;
}

/** A `[[allow]]` with its keys, up to the next table or the comments above that table. */
function tableOf(source: string, start: number): readonly EvidenceDraft[] {
  const from = lineStart(source, start);
  let to = lineEnd(source, start) + 1;
  for (let line = to; line < source.length; line = lineEnd(source, line) + 1) {
    const text = source.slice(line, lineEnd(source, line)).trim();
    if (text.startsWith('[')) break;
    if (text !== '' && !text.startsWith('#')) to = lineEnd(source, line) + 1;
  }
  return [{ from, to: Math.min(to, source.length) }];
}

function lineStart(source: string, at: number): number {
  return source.lastIndexOf('\n', at - 1) + 1;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end < 0 ? source.length : end;
}

function lineAbove(source: string, line: number): number | null {
  return line === 0 ? null : source.lastIndexOf('\n', line - 2) + 1;
}
