/** Adds a rule to a YAML policy: to a block list on its own line, to a flow list between the brackets, or as a new list. */
import { insertInBrackets } from './brackets.js';
import { type EditedText, type Insertion, lengthOf, type NewRule, offsetOf } from './insertion.js';

export const YAML_SYNTAX = { comments: 'spaced', quotes: 'yaml' } as const;
/** At most this many lines are searched for the dash of a value. */
const MOST_LINES_BACK = 3;

/** Where to insert the rule; null if the text has no place for it. */
export function insertInYaml(edited: EditedText, rule: NewRule): readonly Insertion[] | null {
  const { source } = edited;
  const root = offsetOf(edited, '');
  const list = offsetOf(edited, `/${rule.effect}`);
  if (root === null) return null;
  if (list === null) {
    const flow = `${rule.effect}: [${flowEntry(rule)}]`;
    return source[root] === '{' ? insertInBrackets(source, root, flow, YAML_SYNTAX) : [newList(source, root, rule)];
  }
  if (source[list] === '[') return insertInBrackets(source, list, flowEntry(rule), YAML_SYNTAX);
  return insertInBlock(edited, rule);
}

/** A new list after everything else; the map's keys may be indented. */
function newList(source: string, root: number, rule: NewRule): Insertion {
  const indent = ' '.repeat(root - (source.lastIndexOf('\n', root - 1) + 1));
  const before = source.endsWith('\n') ? '' : '\n';
  return { at: source.length, text: `${before}${indent}${rule.effect}:\n${blockEntry(rule, `${indent}  `, ' ')}` };
}

/** After the last entry of a block list, with the dash in the same column and the same space after it. */
function insertInBlock(edited: EditedText, rule: NewRule): readonly Insertion[] | null {
  const { source } = edited;
  const last = offsetOf(edited, `/${rule.effect}/${lengthOf(edited, `/${rule.effect}`) - 1}`);
  const dash = last === null ? null : dashOf(source, last);
  if (dash === null) return null;
  const end = endOfEntry(source, dash.line, dash.indent.length);
  const before = end === source.length && !source.endsWith('\n') ? '\n' : '';
  return [{ at: end, text: `${before}${blockEntry(rule, dash.indent, dash.space)}` }];
}

/** The line of the dash that a value belongs to, its indentation, and the space after it. */
export function dashOf(source: string, value: number): { line: number; indent: string; space: string } | null {
  let line = source.lastIndexOf('\n', value - 1) + 1;
  for (let back = 0; back < MOST_LINES_BACK; back++) {
    const [, indent, space] = /^( *)-( +|(?=\r?\n))/.exec(source.slice(line, line + 4096)) ?? [];
    if (indent !== undefined) return { line, indent, space: space === undefined || space === '' ? ' ' : space };
    if (line === 0) return null;
    line = source.lastIndexOf('\n', line - 2) + 1;
  }
  return null;
}

/** The start of the line after an entry, which continues as long as lines are indented deeper than its dash. */
export function endOfEntry(source: string, dashLine: number, indent: number): number {
  let end = nextLine(source, dashLine);
  for (let line = end; line < source.length; line = nextLine(source, line)) {
    const text = source.slice(line, nextLine(source, line));
    if (text.trim() === '') continue;
    if (text.length - text.trimStart().length <= indent) break;
    end = nextLine(source, line);
  }
  return end;
}

function nextLine(source: string, line: number): number {
  const end = source.indexOf('\n', line);
  return end < 0 ? source.length : end + 1;
}

function blockEntry({ text, reason }: NewRule, indent: string, space: string): string {
  const dash = `${indent}-${space}`;
  if (reason === undefined) return `${dash}${yamlScalar(text, false)}\n`;
  const under = ' '.repeat(dash.length);
  return `${dash}rule: ${yamlScalar(text, false)}\n${under}reason: ${yamlScalar(reason, false)}\n`;
}

function flowEntry({ text, reason }: NewRule): string {
  return reason === undefined
    ? yamlScalar(text, true)
    : `{ rule: ${yamlScalar(text, true)}, reason: ${yamlScalar(reason, true)} }`;
}

/** The text unquoted if YAML reads it as exactly this text, else in single quotes. It contains no control characters. */
export function yamlScalar(text: string, flow: boolean): string {
  const plain = /^[A-Za-z_][^\u0000-\u001f]*$/.test(text) && !/: |:$| #| $/.test(text) && !(flow && /[,[\]{}]/.test(text));
  const word = /^(?:true|false|null|yes|no|on|off)$/i.test(text);
  return plain && !word ? text : `'${text.replaceAll("'", "''")}'`;
}
