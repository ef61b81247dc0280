/** Awk programs: whether one only reads its input and prints to standard output. All others may write, run or read anything. */

/** The token before a `/`, `>` or the end of a line, which decides their meaning. */
type Before = 'start' | 'operand' | 'operator' | 'matcher' | 'comma' | 'condition' | 'word';

/** Words that make a program do more than it seems, or that this reader does not follow. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['function', 'func', 'return', 'switch', 'case', 'default', 'getline', 'system', 'close', 'fflush'],
]);

/** Keywords that neither open files nor start anything. Not function definitions or `getline`. */
const WORDS: ReadonlySet<string> = new Set([
  ...['BEGIN', 'END', 'if', 'else', 'while', 'for', 'do', 'break', 'continue', 'next', 'nextfile', 'exit', 'delete', 'in'],
  ...['print', 'printf'],
]);

const PRINTING: ReadonlySet<string> = new Set(['print', 'printf']);
const CONDITIONAL: ReadonlySet<string> = new Set(['if', 'while', 'for']);

/** Functions of POSIX and GNU awk that only compute. Not system, close, fflush or bindtextdomain, nor functions of extensions. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['length', 'substr', 'index', 'split', 'sub', 'gsub', 'gensub', 'match', 'sprintf', 'tolower', 'toupper', 'patsplit'],
  ...['int', 'sqrt', 'exp', 'log', 'sin', 'cos', 'atan2', 'rand', 'srand', 'asort', 'asorti', 'strtonum'],
  ...['systime', 'strftime', 'mktime', 'and', 'or', 'xor', 'compl', 'lshift', 'rshift', 'isarray', 'typeof'],
]);

/**
 * The only known names in capitals: others hold the environment (ENVIRON), choose which files are read (ARGV, ARGC), or give
 * access to every variable (SYMTAB, PROCINFO).
 */
const VARIABLES: ReadonlySet<string> = new Set([
  ...['NR', 'NF', 'FNR', 'FS', 'OFS', 'RS', 'ORS', 'FILENAME', 'SUBSEP', 'RSTART', 'RLENGTH', 'RT', 'IGNORECASE'],
  ...['OFMT', 'CONVFMT', 'FPAT', 'FIELDWIDTHS'],
]);
/** Names that a program may define; an uppercase name could be a variable of some awk that does more than hold a value. */
const OWN_NAME = /^[a-z_][A-Za-z0-9_]*$|^[A-Z]$/;

const BLANKS = /[ \t]+/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Escapes are skipped as pairs; a line break does not end a string. */
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y;
const CLASS = /\[:[a-z]+:\]/y;
/** Longest first. No `|`, `|&` or `>>`, no `@`, and no `&` alone. */
const OPERATOR = /\+\+|--|[-+*%^!=<]=|[-+*%^<=?:$]/y;
/** Operators that a regular expression may follow. */
const MATCHER = /&&|\|\||!~|[!~](?!=)/y;

/**
 * The pattern at the start of a program (`/system\(/ { print NR }`): no awk reads a slash there as a division, and without
 * brackets and with other slashes escaped, all agree on where it ends.
 */
const FIRST_PATTERN = /^[ \t]*!?\/(?:[^/\\\n[]|\\[^/\n])+\//;

interface Reading {
  readonly text: string;
  at: number;
  before: Before;
  /** True inside a statement that prints, where `>` names a file. */
  printing: boolean;
  /** For each open parenthesis: whether it belongs to `if`, `while` or `for`. */
  readonly open: boolean[];
  /** True if the last token was one of these words. */
  conditional: boolean;
}

/**
 * True if every token of the program is known and none of them opens a file, starts a program or reads the environment. One pass,
 * no backtracking. False where awks might differ on the meaning of a `/` or the end of a regular expression.
 */
export function awkPrintsOnly(text: string): boolean {
  // A second safeguard: these words mean the same in every awk, however the text around them is read.
  if (/\b(?:system|getline)\b/.test(text.replace(FIRST_PATTERN, ''))) return false;
  const reading: Reading = { text, at: 0, before: 'start', printing: false, open: [], conditional: false };
  while (reading.at < text.length) if (!readToken(reading)) return false;
  return reading.open.length === 0;
}

/** Reads one token; false when it is not known to be harmless at this position. */
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

/** Moves past a match of the expression at the current position; false if there is none. */
function take(reading: Reading, expression: RegExp, before: Before): boolean {
  expression.lastIndex = reading.at;
  const found = expression.exec(reading.text);
  if (found === null) return false;
  reading.at += found[0].length;
  reading.before = before;
  return true;
}

/** Reads a line break, which ends a statement, except after a comma, an operator or a word like `else`, or inside parentheses. */
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
    // A semicolon or brace inside `for (…)` does not end a printing statement.
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
    // `length / 2` and `length /x/` cannot be told apart.
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

/** Reads `>` as a comparison; in a statement that prints, it names a file. */
function readGreater(reading: Reading): boolean {
  if (reading.printing) return false;
  if (reading.text[reading.at + 1] === '>') return false;
  reading.at += reading.text[reading.at + 1] === '=' ? 2 : 1;
  reading.before = 'operator';
  return true;
}

/** Reads a regular expression where a value must begin, or a division after a value; elsewhere awks may differ. */
function readSlash(reading: Reading): boolean {
  const { text, at, before } = reading;
  reading.conditional = false;
  if (before === 'operand') {
    reading.at += text[at + 1] === '=' ? 2 : 1;
    // Only a value can follow; some awks would read another slash as the start of a pattern.
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

/** The offset after the slash that ends a regular expression; -1 when awks might disagree. */
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

/** The offset of the `]` that ends a simple bracket expression, without a slash or anything unusual; else -1. */
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
