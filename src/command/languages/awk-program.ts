/** Programs of awk: whether one only reads its input and prints to standard output. All others may write, run or read anything. */

/** What may come before a `/`, `>` or the end of a line decides what these mean. */
type Before = 'start' | 'operand' | 'operator' | 'matcher' | 'comma' | 'condition' | 'word';

/** Words that make a program more than it seems, or that this reading does not follow. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['function', 'func', 'return', 'switch', 'case', 'default', 'getline', 'system', 'close', 'fflush'],
]);

/** Words of the language that neither open files nor start anything. Function definitions and `getline` are not among them. */
const WORDS: ReadonlySet<string> = new Set([
  ...['BEGIN', 'END', 'if', 'else', 'while', 'for', 'do', 'break', 'continue', 'next', 'nextfile', 'exit', 'delete', 'in'],
  ...['print', 'printf'],
]);

const PRINTING: ReadonlySet<string> = new Set(['print', 'printf']);
const CONDITIONAL: ReadonlySet<string> = new Set(['if', 'while', 'for']);

/** Functions of POSIX and GNU awk that compute. Not among them: system, close, fflush, bindtextdomain, and those of extensions. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['length', 'substr', 'index', 'split', 'sub', 'gsub', 'gensub', 'match', 'sprintf', 'tolower', 'toupper', 'patsplit'],
  ...['int', 'sqrt', 'exp', 'log', 'sin', 'cos', 'atan2', 'rand', 'srand', 'asort', 'asorti', 'strtonum'],
  ...['systime', 'strftime', 'mktime', 'and', 'or', 'xor', 'compl', 'lshift', 'rshift', 'isarray', 'typeof'],
]);

/**
 * The only names in capitals that are known: the others hold the environment (ENVIRON), choose which files are read (ARGV, ARGC),
 * or reach every other variable (SYMTAB, PROCINFO).
 */
const VARIABLES: ReadonlySet<string> = new Set([
  ...['NR', 'NF', 'FNR', 'FS', 'OFS', 'RS', 'ORS', 'FILENAME', 'SUBSEP', 'RSTART', 'RLENGTH', 'RT', 'IGNORECASE'],
  ...['OFMT', 'CONVFMT', 'FPAT', 'FIELDWIDTHS'],
]);
/** Names of other commands' making; one in capitals could be a variable of some awk that does more than hold a value. */
const OWN_NAME = /^[a-z_][A-Za-z0-9_]*$|^[A-Z]$/;

const BLANKS = /[ \t]+/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Escapes are skipped as pairs; a line break ends no string. */
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const CLASS = /\[:[a-z]+:\]/y;
/** Longest first. No `|`, `|&` or `>>`, no `@`, and no `&` alone. */
const OPERATOR = /\+\+|--|[-+*%^!=<]=|[-+*%^<=?:$]/y;
/** Operators that a regular expression may follow. */
const MATCHER = /&&|\|\||!~|[!~](?!=)/y;

/**
 * The pattern that a program begins with (`/system\(/ { print NR }`): a slash there is a division to no awk, and without brackets, and
 * slashes that are escaped, all agree about where it ends.
 */
const FIRST_PATTERN = /^[ \t]*!?\/(?:[^/\\\n[]|\\[^/\n])+\//;

interface Reading {
  readonly text: string;
  at: number;
  before: Before;
  /** Inside a statement that prints, where `>` names a file. */
  printing: boolean;
  /** For each open parenthesis: true when it belongs to `if`, `while` or `for`. */
  readonly open: boolean[];
  /** The last token was one of these words. */
  conditional: boolean;
}

/**
 * True when every token of the program is known and none of them opens a file, starts a program or looks at the environment.
 * One pass, no backtracking. Where awks could differ about what a `/` means, or where a regular expression ends, the answer is false.
 */
export function awkPrintsOnly(text: string): boolean {
  // A second lock: these words mean the same in every awk, however the text around them is read.
  if (/\b(?:system|getline)\b/.test(text.replace(FIRST_PATTERN, ''))) return false;
  const reading: Reading = { text, at: 0, before: 'start', printing: false, open: [], conditional: false };
  while (reading.at < text.length) if (!readToken(reading)) return false;
  return reading.open.length === 0;
}

/** Reads one token; false when it is not known to be harmless at this place. */
function readToken(reading: Reading): boolean {
  const { text, at } = reading;
  const letter = text[at] ?? '';
  if (letter === ' ' || letter === '\t') return take(reading, BLANKS, reading.before);
  if (letter === '\n') return endLine(reading);
  if (letter === '"') return take(reading, STRING, 'operand');
  if (letter === '/') return readSlash(reading);
  if (letter === '>') return readGreater(reading);
  const conditional = reading.conditional;
  reading.conditional = false;
  if ('(){}[];,'.includes(letter)) return readMark(reading, letter, conditional);
  if ((letter >= '0' && letter <= '9') || letter === '.') return take(reading, NUMBER, 'operand');
  NAME.lastIndex = at;
  const name = NAME.exec(text);
  if (name !== null) return readName(reading, name[0]);
  return take(reading, MATCHER, 'matcher') || take(reading, OPERATOR, 'operator');
}

/** Moves past what the expression finds here; false when it finds nothing. */
function take(reading: Reading, expression: RegExp, before: Before): boolean {
  expression.lastIndex = reading.at;
  const found = expression.exec(reading.text);
  if (found === null) return false;
  reading.at += found[0].length;
  reading.before = before;
  return true;
}

/** A line ends a statement, but not behind a comma, an operator or a word like `else`, nor inside of parentheses. */
function endLine(reading: Reading): boolean {
  reading.at += 1;
  if (!ENDS_A_VALUE.has(reading.before) || reading.open.length > 0) return true;
  reading.printing = false;
  reading.before = 'start';
  return true;
}

const ENDS_A_VALUE: ReadonlySet<Before> = new Set(['start', 'operand', 'condition']);

function readMark(reading: Reading, mark: string, conditional: boolean): boolean {
  reading.at += 1;
  if (mark === '(') {
    reading.open.push(conditional);
    reading.before = 'start';
  } else if (mark === ')') {
    const closed = reading.open.pop();
    if (closed === undefined) return false;
    // `if (x) /y/` tests a line, `(x) / y` divides.
    reading.before = closed ? 'condition' : 'operand';
  } else if (mark === ']') reading.before = 'operand';
  else if (mark === ',' || mark === '[') reading.before = 'comma';
  else {
    // A semicolon or a brace inside of `for (…)` belongs to no printing statement.
    reading.printing = false;
    reading.before = 'start';
    if (mark !== ';' && reading.open.length > 0) return false;
  }
  return true;
}

function readName(reading: Reading, name: string): boolean {
  reading.at += name.length;
  if (WORDS.has(name)) {
    if (PRINTING.has(name)) reading.printing = true;
    reading.conditional = CONDITIONAL.has(name);
    reading.before = 'word';
    return true;
  }
  const call = followedByParenthesis(reading);
  if (call || FUNCTIONS.has(name)) {
    // `length / 2` and `length /x/` are not told apart.
    reading.before = 'word';
    return FUNCTIONS.has(name) && (call || name === 'length');
  }
  reading.before = 'operand';
  return VARIABLES.has(name) || (OWN_NAME.test(name) && !REFUSED.has(name));
}

function followedByParenthesis({ text, at }: Reading): boolean {
  BLANKS.lastIndex = at;
  const blanks = BLANKS.exec(text);
  return text[blanks === null ? at : at + blanks[0].length] === '(';
}

/** A comparison, but in a statement that prints a file. */
function readGreater(reading: Reading): boolean {
  if (reading.printing) return false;
  if (reading.text[reading.at + 1] === '>') return false;
  reading.at += reading.text[reading.at + 1] === '=' ? 2 : 1;
  reading.before = 'operator';
  return true;
}

/** A regular expression where a value must begin, a division behind a value; everywhere else awks may differ. */
function readSlash(reading: Reading): boolean {
  const { text, at, before } = reading;
  reading.conditional = false;
  if (before === 'operand') {
    reading.at += text[at + 1] === '=' ? 2 : 1;
    // Only a value can follow; another slash would be read as the beginning of a pattern by some.
    reading.before = 'word';
    return true;
  }
  const begins = before === 'start' || before === 'comma' || before === 'matcher';
  if (!begins || text[at + 1] === '=') return false;
  const end = patternEnd(text, at + 1);
  if (end < 0) return false;
  reading.at = end;
  reading.before = 'operand';
  return true;
}

/** The place after the slash that ends a regular expression; -1 when awks would not agree about it. */
function patternEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '/') return at + 1;
    if (letter === '\n') return -1;
    if (letter === '\\') {
      at += 1;
      if (text[at] === '\n') return -1;
    } else if (letter === '[') {
      at = bracketEnd(text, at);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The place of the `]` that ends a bracket expression without slash or other surprise in it; else -1. */
function bracketEnd(text: string, from: number): number {
  const start = text[from + 1] === '^' ? from + 2 : from + 1;
  if (text[start] === ']') return -1;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === ']') return at;
    if (letter === '/' || letter === '\n') return -1;
    if (letter === '\\') {
      at += 1;
      if (!/[A-Za-z0-9.\\-]/.test(text[at] ?? '')) return -1;
    } else if (letter === '[') {
      CLASS.lastIndex = at;
      const found = CLASS.exec(text);
      if (found === null) return -1;
      at += found[0].length - 1;
    }
  }
  return -1;
}
