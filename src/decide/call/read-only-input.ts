/** Whether the input of a tool whose name says that it reads may make it do more: a method, a statement, a script, an address. */
import { isReadName, isRemoveName, isWriteName } from '../../call/mcp-subjects.js';
import { secretPath } from '../place/sensitive-paths.js';

/** Values that are looked at, and how deep they may lie; inputs beyond that may hold anything. */
const MAX_VALUES = 512;
const MAX_DEPTH = 6;
/** UTF-16 units of one text. */
const MAX_TEXT = 8192;

/** Fields that choose what a tool does. */
const CHOOSING: ReadonlySet<string> = new Set('action actions method operation operations op verb mode'.split(' '));
/** Fields that hold code or statements of a language. */
const CODE =
  /^(?:fn|function|functions|js|javascript|lambda|lua|python|mutation|mutations|sql|cypher|statement|statements|hook|callback)$/;
/** Fields whose value is an address also without `https://`. */
const ADDRESS = /^(?:addr|address|addresses|site|website|recipient|recipients)$/;

/** What changes a database, wherever it stands in a text; and how a statement begins that may call any function. */
const STATEMENT =
  /\b(?:insert\s+into|replace\s+into|merge\s+into|into\s+outfile|delete\s+from|detach\s+delete|update\s+\S+\s+set|truncate\s+\S|(?:drop|alter|create)\s+(?:or\s+replace\s+|temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|database|index|view|schema|user|role|function|procedure|trigger|sequence|type|extension|policy|column)\b|grant\s.*\bto\b|attach\s+(?:database\s+)?\S+\s+as\b)|^\s*(?:select\b.*(?:\bfrom\b|\()|with\s+(?:recursive\s+)?\w+\s+as\s*\(|pragma\s|copy\s|call\s+\w+\s*\(|mutation\b\s*\w*\s*[({]|match\s*\()/is;

/** True where nothing in the input tells of more than reading. */
export function isReadOnlyInput(input: Readonly<Record<string, unknown>>): boolean {
  const walk = { values: 0 };
  return Object.entries(input).every(([key, value]) => isHarmless(key, value, 0, walk));
}

function isHarmless(key: string, value: unknown, depth: number, walk: { values: number }): boolean {
  if (++walk.values > MAX_VALUES || depth > MAX_DEPTH) return false;
  if (value === null || value === false || value === '' || value === 0) return true;
  const name = key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  // `{delete: true}`; `$out` and `$merge` are steps of a database.
  if (isWriteName(key) || isRemoveName(key) || CODE.test(name) || key.startsWith('$')) return false;
  if (Array.isArray(value)) return value.every((one) => isHarmless(key, one, depth + 1, walk));
  if (typeof value === 'object') return Object.entries(value).every(([inner, one]) => isHarmless(inner, one, depth + 1, walk));
  return typeof value !== 'string' || isHarmlessText(name, value);
}

function isHarmlessText(name: string, text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  if (CHOOSING.has(name) && (name === 'mode' ? isWriteName(text) || isRemoveName(text) : !isReadName(text) && text !== 'HEAD'))
    return false;
  if (ADDRESS.test(name) || /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(text) || STATEMENT.test(text)) return false;
  return /\s/.test(text) || secretPath(`/${text}`, '/') === null;
}
