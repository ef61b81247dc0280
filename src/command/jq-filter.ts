/** Filters of jq, and expressions of the two programs named yq: whether one only computes on what the program is given to read. */

/** Words of the language. */
const WORDS: readonly string[] = [
  ...[
    'if',
    'then',
    'elif',
    'else',
    'end',
    'as',
    'reduce',
    'foreach',
    'try',
    'catch',
    'label',
    'break',
    'and',
    'or',
    'not',
    'ireduce',
  ],
  ...['null', 'true', 'false', 'with'],
];

/** Functions that neither read the environment, files or modules nor start anything: those of jq 1.5 to 1.8, gojq and jaq. */
const JQ: readonly string[] = [
  ...[
    'length',
    'utf8bytelength',
    'keys',
    'keys_unsorted',
    'has',
    'in',
    'map',
    'map_values',
    'pick',
    'path',
    'paths',
    'leaf_paths',
  ],
  ...['del', 'getpath', 'setpath', 'delpaths', 'to_entries', 'from_entries', 'with_entries', 'select', 'empty', 'error', 'halt'],
  ...[
    'halt_error',
    'debug',
    'stderr',
    'add',
    'any',
    'all',
    'flatten',
    'range',
    'tostring',
    'tonumber',
    'toarray',
    'type',
    'min',
    'max',
  ],
  ...[
    'min_by',
    'max_by',
    'sort',
    'sort_by',
    'group_by',
    'unique',
    'unique_by',
    'reverse',
    'contains',
    'inside',
    'startswith',
    'endswith',
  ],
  ...[
    'combinations',
    'ltrimstr',
    'rtrimstr',
    'trimstr',
    'trim',
    'ltrim',
    'rtrim',
    'explode',
    'implode',
    'split',
    'splits',
    'join',
    'ascii',
  ],
  ...[
    'ascii_downcase',
    'ascii_upcase',
    'while',
    'until',
    'repeat',
    'recurse',
    'recurse_down',
    'index',
    'rindex',
    'indices',
    'tojson',
  ],
  ...[
    'fromjson',
    'now',
    'todate',
    'fromdate',
    'date',
    'dateadd',
    'datesub',
    'fromdateiso8601',
    'todateiso8601',
    'dateadd',
    'strptime',
  ],
  ...['strftime', 'strflocaltime', 'mktime', 'gmtime', 'localtime', 'first', 'last', 'nth', 'limit', 'skip', 'input', 'inputs'],
  ...[
    'input_line_number',
    'truncate_stream',
    'fromstream',
    'tostream',
    'test',
    'match',
    'capture',
    'scan',
    'sub',
    'gsub',
    'isempty',
  ],
  ...[
    'isvalid',
    'objects',
    'iterables',
    'booleans',
    'numbers',
    'normals',
    'finites',
    'strings',
    'nulls',
    'arrays',
    'values',
    'scalars',
  ],
  ...[
    'walk',
    'transpose',
    'bsearch',
    'abs',
    'infinite',
    'nan',
    'isinfinite',
    'isnan',
    'isfinite',
    'isnormal',
    'builtins',
    'format',
  ],
  ...[
    'have_literal_numbers',
    'have_decnum',
    'INDEX',
    'GROUP_BY',
    'IN',
    'JOIN',
    'floor',
    'ceil',
    'round',
    'rint',
    'nearbyint',
    'trunc',
  ],
  ...[
    'sqrt',
    'cbrt',
    'pow',
    'pow10',
    'exp',
    'exp2',
    'exp10',
    'log',
    'log2',
    'log10',
    'fabs',
    'fmin',
    'fmax',
    'fma',
    'fmod',
    'sin',
    'cos',
  ],
  ...[
    'tan',
    'asin',
    'acos',
    'atan',
    'atan2',
    'sinh',
    'cosh',
    'tanh',
    'significand',
    'logb',
    'gamma',
    'lgamma',
    'tgamma',
    'frexp',
    'ldexp',
  ],
  ...['modf', 'scalb', 'scalbln', 'splits', 'getpath', 'ltrimstr', 'tojson'],
];

/** The same of yq (version 4). */
const YQ: readonly string[] = [
  ...[
    'sort_keys',
    'sortKeys',
    'upcase',
    'downcase',
    'tag',
    'kind',
    'style',
    'anchor',
    'alias',
    'line',
    'column',
    'key',
    'is_key',
    'parent',
  ],
  ...[
    'parents',
    'root',
    'head_comment',
    'headComment',
    'line_comment',
    'lineComment',
    'foot_comment',
    'footComment',
    'comments',
    'fileIndex',
  ],
  ...[
    'file_index',
    'fi',
    'filename',
    'documentIndex',
    'document_index',
    'di',
    'to_json',
    'to_yaml',
    'toyaml',
    'to_csv',
    'to_tsv',
  ],
  ...[
    'to_props',
    'to_xml',
    'from_json',
    'from_yaml',
    'fromyaml',
    'from_xml',
    'from_csv',
    'from_tsv',
    'from_props',
    'tz',
    'with_dtf',
  ],
  ...[
    'format_datetime',
    'to_unix',
    'from_unix',
    'omit',
    'collect',
    'any_c',
    'all_c',
    'array_to_map',
    'arrayToMap',
    'split_doc',
    'splitDoc',
  ],
  ...['to_number', 'to_string', 'shuffle', 'pivot', 'min', 'max', 'ref', 'filter', 'first'],
];

const KNOWN: ReadonlySet<string> = new Set([...WORDS, ...JQ, ...YQ]);

const BLANKS = /[ \t\r\n]+/y;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** `.name`; yq takes hyphens for a part of it, where jq subtracts what a function gives, which is then among the checks of the grammar. */
const FIELD = /\.[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z_][A-Za-z0-9_]*)*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Of the names with a meaning of their own, `$ENV` and those with two underscores, none. */
const VARIABLE = /\$(?!ENV\b|__)[A-Za-z_][A-Za-z0-9_]*/y;
const FORMAT =
  /@(?:text|json|html|uri|urid|csv|tsv|sh|base32d?|base64d?|yaml|yamld|jsond|props|propsd|csvd|tsvd|xml|xmld|uri)\b/y;
const OPERATOR = /\.{1,3}|[|,:;+\-*/%=<>!?]/y;
/** A piece of a string up to its end or a value inside of it. */
const STRING_PART = /(?:[^"\\]|\\[^(])*(?:"|\\\()/y;
/** What may stand behind a name that is a key of an object. */
const BEHIND_KEY = /[ \t\r\n]*(?:[,}]|:(?!:))/y;
const PAIRS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
/** A value inside of a string: its parenthesis goes on with the string. */
const INSIDE = '"';

interface Reading {
  readonly text: string;
  at: number;
  /** Brackets that are open. */
  readonly open: string[];
  /** The last token that was an operator or bracket. */
  before: string;
}

/**
 * True when every word of the filter is known and none can do more than compute. One pass, no backtracking. Definitions of functions
 * and comments are not known: what a name means, and where a comment ends, depends on the version.
 */
export function filterComputesOnly(text: string): boolean {
  const reading: Reading = { text, at: 0, open: [], before: '' };
  while (reading.at < text.length) if (!readToken(reading)) return false;
  return reading.open.length === 0;
}

function readToken(reading: Reading): boolean {
  const { text, at } = reading;
  const letter = text[at] ?? '';
  if (take(reading, BLANKS) !== null) return true;
  if (letter === '"') return readString(reading, at + 1);
  if ('([{'.includes(letter)) {
    reading.open.push(letter);
    return readMark(reading, letter);
  }
  const opening = PAIRS.get(letter);
  if (opening !== undefined) {
    const last = reading.open.pop();
    if (letter === ')' && last === INSIDE) return readString(reading, at + 1);
    return last === opening && readMark(reading, letter);
  }
  if (take(reading, NUMBER) !== null || take(reading, FIELD) !== null) return other(reading);
  if (take(reading, VARIABLE) !== null || take(reading, FORMAT) !== null) return other(reading);
  const name = take(reading, NAME);
  if (name !== null) return (KNOWN.has(name) || isKey(reading)) && other(reading);
  const operator = take(reading, OPERATOR);
  if (operator === null) return false;
  reading.before = operator;
  return true;
}

/** Reads on in a string; a value inside of it is read as a part of the filter. */
function readString(reading: Reading, from: number): boolean {
  reading.at = from;
  const part = take(reading, STRING_PART);
  if (part === null) return false;
  if (part.endsWith('\\(')) reading.open.push(INSIDE);
  return other(reading);
}

/** `{name: …}` and `{name}` name a field. */
function isKey({ text, at, open, before }: Reading): boolean {
  if (open.at(-1) !== '{' || (before !== '{' && before !== ',')) return false;
  BEHIND_KEY.lastIndex = at;
  return BEHIND_KEY.test(text);
}

function readMark(reading: Reading, mark: string): boolean {
  reading.at += 1;
  reading.before = mark;
  return true;
}

function other(reading: Reading): true {
  reading.before = '';
  return true;
}

/** What the sticky expression finds here, and moves past it; null when it finds nothing. */
function take(reading: Reading, expression: RegExp): string | null {
  expression.lastIndex = reading.at;
  const found = expression.exec(reading.text);
  if (found === null) return null;
  reading.at += found[0].length;
  return found[0];
}
