/** Adds a rule to a TOML policy. */
import { insertInBrackets } from './brackets.js';
import { type EditedText, type Insertion, lineOffset, type NewRule, offsetOf } from './insertion.js';

export const TOML_SYNTAX = { comments: 'anywhere', quotes: 'toml' } as const;

/** Where to insert the rule; null if the text has no place for it. */
export function insertInToml(edited: EditedText, rule: NewRule): readonly Insertion[] | null {
  const { source } = edited;
  const { effect, text, reason } = rule;
  const list = offsetOf(edited, `/${effect}`);
  const entry = reason === undefined ? tomlString(text) : `{ rule = ${tomlString(text)}, reason = ${tomlString(reason)} }`;
  if (list === null) return [newList(edited, `${effect} = [${entry}]`)];
  if (!startsLine(source, offsetOf(edited, `/${effect}/0`) ?? list))
    return source[list] === '[' ? insertInBrackets(source, list, entry, TOML_SYNTAX) : null;
  // `[[allow]]`: a list of tables is continued by another table, at the end of the file.
  const fields = [`rule = ${tomlString(text)}`, ...(reason === undefined ? [] : [`reason = ${tomlString(reason)}`])];
  return [{ at: source.length, text: `${lineBreak(source)}\n[[${effect}]]\n${fields.join('\n')}\n` }];
}

/** Top-level keys must come before the first table. */
function newList(edited: EditedText, line: string): Insertion {
  const { source } = edited;
  const table = firstTable(edited);
  if (table === null) return { at: source.length, text: `${lineBreak(source)}${line}\n` };
  return { at: table, text: `${line}\n\n` };
}

/** Where the first `[table]` begins, including the comments directly above it; null without tables. */
function firstTable({ source, located }: EditedText): number | null {
  const headers = Object.entries(Object(located.data)).flatMap(([name, value]) => {
    const pointers = [`/${name}`, ...(Array.isArray(value) ? [`/${name}/0`] : [])];
    return pointers.flatMap((pointer) => {
      const { line } = located.valueAt(pointer);
      const start = lineOffset(source, line);
      return startsLine(source, start) ? [start] : [];
    });
  });
  if (headers.length === 0) return null;
  let at = Math.min(...headers);
  for (let above = lineAbove(source, at); above !== null && source.startsWith('#', above); above = lineAbove(source, at))
    at = above;
  return at;
}

/** True if the line of an offset is a table header. */
export function startsLine(source: string, at: number): boolean {
  return /^[ \t]*\[/.test(source.slice(source.lastIndexOf('\n', at - 1) + 1));
}

function lineAbove(source: string, at: number): number | null {
  return at === 0 ? null : source.lastIndexOf('\n', at - 2) + 1;
}

function lineBreak(source: string): string {
  return source === '' || source.endsWith('\n') ? '' : '\n';
}

/** The text as a literal string if possible, since rules may contain backslashes. */
function tomlString(text: string): string {
  return /["\\]/.test(text) && !text.includes("'") ? `'${text}'` : JSON.stringify(text);
}
