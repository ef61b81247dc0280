/** Whether the input of a tool with a read-only name could make it do more: a method, a statement, a script, an address. */
import { isReadName, isRemoveName, isWriteName } from '../../call/mcp-subjects.js';
import { secretPath } from '../place/sensitive-paths.js';

/** The maximum number of values examined and their maximum depth. Larger inputs may contain anything, so they are not read-only. */
const MAX_VALUES = 512;
const MAX_DEPTH = 6;
/** The maximum length of a string, in UTF-16 code units. */
const MAX_TEXT = 8192;

/** Fields that select the operation of a tool. */
const CHOOSING: ReadonlySet<string> = new Set('action actions method operation operations op verb mode'.split(' '));
/** Fields that contain code or statements, name a program, or force something. */
const CODE =
  /^(?:fn|function|functions|js|javascript|lambda|lua|python|mutation|mutations|sql|cypher|statement|statements|hook|callback|programs?|binary|executable|interpreter|entrypoint|code|script|force[a-z]*|overwrite|confirm|confirmed|ack|acknowledge|consume)$/;
/** Switches that choose what is read, by their first word; any other may force or change something. */
const SWITCHES: ReadonlySet<string> = new Set(
  (
    'all archived ascending case closed compact count deep descending desc detail detailed details exact expand expanded extended follow full fuzzy ' +
    'has hidden html include included is json last latest list match metadata multiline mine no omit only open parse preview raw recent recursive ' +
    'regex return reverse reversed safe show simple simplified skip sort summary total truncate unread use verbose whole wide wildcard with without word'
  ).split(' '),
);
/** Switches that hold a tool back from what it does otherwise. */
const HOLDING = /^(?:dry|simulat|preview|read_?only|validate|check)/i;
/** Fields whose value is an address even without `https://`. */
const ADDRESS = /^(?:addr|address|addresses|site|website|recipient|recipients)$/;

/** Statements that change a database, anywhere in a string, and beginnings of statements that may call any function. */
const STATEMENT =
  /\b(?:insert\s+into|replace\s+into|merge\s+into|into\s+outfile|delete\s+from|detach\s+delete|update\s+\S+\s+set|truncate\s+\S|(?:drop|alter|create)\s+(?:or\s+replace\s+|temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|database|index|view|schema|user|role|function|procedure|trigger|sequence|type|extension|policy|column)\b|grant\s.*\bto\b|attach\s+(?:database\s+)?\S+\s+as\b)|^\s*(?:select\b.*(?:\bfrom\b|\()|with\s+(?:recursive\s+)?\w+\s+as\s*\(|pragma\s|copy\s|call\s+\w+\s*\(|mutation\b\s*\w*\s*[({]|match\s*\()/is;

/** True if nothing in the input suggests more than reading. */
export function isReadOnlyInput(input: Readonly<Record<string, unknown>>): boolean {
  const walk = { values: 0 };
  return Object.entries(input).every(([key, value]) => isHarmless(key, value, 0, walk));
}

function isHarmless(key: string, value: unknown, depth: number, walk: { values: number }): boolean {
  if (++walk.values > MAX_VALUES || depth > MAX_DEPTH) return false;
  if (value === false || value === 'false' || value === 0) return !HOLDING.test(key);
  if (value === null || value === '') return true;
  if ((value === true || value === 'true') && !SWITCHES.has(firstWord(key))) return false;
  const name = key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
  // `{delete: true}`; `$out` and `$merge` are stages of a database pipeline.
  if (isWriteName(key) || isRemoveName(key) || CODE.test(name) || key.startsWith('$')) return false;
  if (Array.isArray(value)) return value.every((one) => isHarmless(key, one, depth + 1, walk));
  if (typeof value === 'object') return Object.entries(value).every(([inner, one]) => isHarmless(inner, one, depth + 1, walk));
  return typeof value !== 'string' || isHarmlessText(name, value);
}

/** `include` of `includeBody` and `include_body`. */
function firstWord(key: string): string {
  return (/^(?:[a-z]+|[A-Z][a-z]*)/.exec(key)?.[0] ?? '').toLowerCase();
}

function isHarmlessText(name: string, text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  if (CHOOSING.has(name) && (name === 'mode' ? isWriteName(text) || isRemoveName(text) : !isReadName(text) && text !== 'HEAD'))
    return false;
  if (ADDRESS.test(name) || /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(text) || STATEMENT.test(text)) return false;
  return /\s/.test(text) || secretPath(`/${text}`, '/') === null;
}
