/** Walks statements, pipelines and compound commands down to the simple commands; each construct gets its enclosure and its reason. */
import type { Binding } from './bindings.js';
import { expandBraces } from './braces.js';
import type { Enclosure, OpaqueCode, ShellWord } from './command-line.js';
import { unexplainedAt } from './coverage.js';
import { notePipelineDialect } from './dialect.js';
import { type DirectoryState, merge, unreachable } from './directory.js';
import { visitData, visitExpansions, visitSoftly } from './expansions.js';
import type {
  CommandNode,
  CompoundCommand,
  CompoundList,
  If,
  ParsedScript,
  Pipeline,
  Statement,
  SyntaxNode,
  Word,
} from './parser.js';
import { plainShellWord } from './plain-word.js';
import { enclosed, type Place, placeSpan, type Reading } from './reading.js';
import { readShellWord, readWordText } from './shell-words.js';
import { readCompoundRedirections, readSimpleCommand } from './simple-commands.js';
import { isHarmlessTest } from './test-expression.js';
import { isOwnVariable } from './variables.js';

/** Reads a whole script, the command line's own or a nested one. */
export function readScript(reading: Reading, place: Place, script: ParsedScript): void {
  reading.bindings.begin(script);
  for (const error of script.errors ?? []) reading.note('parse-error', place, error.pos, Math.max(error.pos, script.end));
  readStatements(reading, place, script.commands);
  const unexplained = unexplainedAt(script, place.text);
  if (unexplained !== -1) readUnexplained(reading, place, unexplained, script.end);
}

/** Reads on, as a line of its own, from where the parser lost the thread (mostly a comment that is none), for deny rules to see. */
function readUnexplained(reading: Reading, place: Place, start: number, end: number): void {
  reading.note('unexplained-bytes', place, start, end);
  if (reading.mayRecover()) reading.readEvaluated(place.text.slice(start, end).replace(/^#/, ''), place, start, end);
  else reading.note('nesting', place, start, end);
}

function readStatements(reading: Reading, place: Place, statements: readonly Statement[]): void {
  for (const statement of statements) readStatement(reading, place, statement);
}

/** One statement; behind it, the shell is where the statement left it whether it succeeded or failed. */
function readStatement(reading: Reading, place: Place, statement: Statement): void {
  const { directory } = reading;
  if (statement.background === true) {
    reading.note('background-job', place, statement.pos, statement.end);
    reading.inSubshell(() => readNode(reading, { ...place, background: true }, statement.command));
    return;
  }
  readNode(reading, place, statement.command);
  directory.state = merge(directory.succeeded, directory.failed);
}

function readNode(reading: Reading, place: Place, node: Statement['command'] | CompoundList): void {
  switch (node.type) {
    case 'Command':
      readSimpleCommand(reading, place, node);
      return;
    case 'AndOr':
      readAndOr(reading, place, node);
      return;
    case 'Pipeline':
      readPipeline(reading, place, node);
      return;
    case 'CompoundList':
      readStatements(reading, place, node.commands);
      return;
  }
  reading.nested(place, node.pos, node.end, () => readCompound(reading, place, node));
}

/** `a && b || c`: each command runs only behind the success or the failure of those before it. */
function readAndOr(reading: Reading, place: Place, node: Extract<Statement['command'], { type: 'AndOr' }>): void {
  const { directory, bindings } = reading;
  let succeeded: DirectoryState = directory.state;
  let failed: DirectoryState = unreachable;
  let certain = bindings.state;
  for (let i = 0; i < node.commands.length; i++) {
    const command = node.commands[i];
    if (command === undefined) continue;
    const isElse = i > 0 && node.operators[i - 1] === '||';
    directory.state = isElse ? failed : succeeded;
    readNode(reading, place, command);
    // Only the first certainly runs; what stands behind it sees its own chain of `&&`, up to the first `||`.
    if (i === 0) certain = bindings.state;
    if (node.operators[i] !== '&&' || node.operators.lastIndexOf('||', i) !== -1) bindings.state = certain;
    if (isElse) {
      succeeded = merge(succeeded, directory.succeeded);
      failed = directory.failed;
    } else {
      failed = merge(failed, directory.failed);
      succeeded = directory.succeeded;
    }
  }
  directory.succeeded = succeeded;
  directory.failed = failed;
}

/** One command with prefixes, or several with pipes between them. */
function readPipeline(reading: Reading, place: Place, node: Pipeline): void {
  if (reading.shell !== 'bash') notePipelineDialect(reading, place, node);
  const { commands } = node;
  const [only] = commands;
  if (only === undefined) reading.note('unknown-construct', place, node.pos, node.end);
  else if (commands.length === 1) readPrefixed(reading, place, node, only);
  else readPipes(reading, place, node);
}

/** A single command behind `!` or `time`. */
function readPrefixed(reading: Reading, place: Place, node: Pipeline, command: CommandNode): void {
  readNode(reading, place, command);
  const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation').length;
  if (negations % 2 === 1) reading.directory.negate();
}

/** Several commands run each in a subshell, except that zsh runs the last one in the shell itself. */
function readPipes(reading: Reading, place: Place, node: Pipeline): void {
  const { directory } = reading;
  let inside = enclosed(place, 'pipeline');
  const { state, moves } = directory;
  let moved = false;
  for (const command of node.commands) {
    reading.bindings.inBranch(() => readNode(reading, inside, command));
    moved = directory.moves > moves;
    directory.leave(state, moves);
    if (!inside.piped) inside = { ...inside, piped: true };
  }
  if (moved) directory.apply({ kind: 'unknown' });
}

/** Everything but simple commands: walked for its commands; a kind that does more than enclose them has its reason. */
function readCompound(reading: Reading, place: Place, node: Exclude<CommandNode, { type: 'Command' }>): void {
  const note = (code: OpaqueCode) => reading.note(code, place, node.pos, node.end);
  switch (node.type) {
    case 'Redirected':
      // The shell opens the files before it runs the body, so where the body goes to does not matter to them.
      readCompoundRedirections(reading, place, node.redirects);
      readNode(reading, place, node.command);
      return;
    case 'Function':
      note('function-definition');
      word(reading, place, node.name);
      readFunction(reading, place, node.body);
      return;
    case 'Coproc':
      note('coproc');
      if (node.name !== undefined) word(reading, place, node.name);
      reading.inSubshell(() => readNode(reading, enclosed(place, 'coproc', { background: true, piped: true }), node.body));
      return;
    case 'ArithmeticCommand':
      note('arithmetic');
      if (node.expression === undefined) note('unexplained-bytes');
      visitSoftly(reading, place, node);
      reading.directory.settle(reading.directory.state);
      return;
    case 'TestCommand':
      readTest(reading, place, node);
      return;
  }
  reading.compounds = true;
  if (!onlyEncloses(place, node)) note('compound-command');
  readPlainCompound(reading, place, node);
}

type PlainCompound = Exclude<CompoundCommand, { type: 'ArithmeticCommand' | 'TestCommand' }>;

/** Whether a compound command does nothing beside running the commands in it: these are listed, and judged one by one. */
function onlyEncloses(place: Place, node: PlainCompound): boolean {
  if (isReprinted(place) || isBareSubshell(place, node)) return false;
  if (node.type === 'For') return node.wordlist !== undefined && isOwnVariable(node.name.text);
  return node.type !== 'Select' && node.type !== 'ArithmeticFor';
}

/** `(git status)` as a whole line: a subshell that changes nothing is asked about, as the seed vectors have it. */
function isBareSubshell(place: Place, node: PlainCompound): boolean {
  if (node.type !== 'Subshell' || place.text.trim().length !== node.end - node.pos) return false;
  const [statement, ...others] = node.body.commands;
  return others.length === 0 && statement?.command.type === 'Command';
}

/** bash prints the script of a substitution and reads it again, which was only proven safe for plain commands (spec: shell, section 5). */
function isReprinted(place: Place): boolean {
  return place.enclosures.some((one) => one === 'substitution' || one === 'process-substitution');
}

/** `[[ … ]]`: one that only compares does nothing; in any other, code is looked for in every word. */
function readTest(reading: Reading, place: Place, node: SyntaxNode): void {
  const { directory } = reading;
  const bindingOf = (name: string) => reading.bindings.of(name);
  if (isReprinted(place) || !isHarmlessTest(place.text.slice(node.pos, node.end), reading.shell, bindingOf)) {
    reading.note('compound-command', place, node.pos, node.end);
    if (reading.shell !== 'bash') reading.note('shell-dialect', place, node.pos, node.end);
    visitSoftly(reading, place, node);
  }
  directory.settle(directory.state);
}

function readPlainCompound(reading: Reading, place: Place, node: PlainCompound): void {
  switch (node.type) {
    case 'Subshell':
      // `((` that is not arithmetic may be read again in another way (spec: shell, section 5).
      if (place.text.startsWith('((', node.pos)) reading.note('unknown-construct', place, node.pos, node.end);
      reading.inSubshell(() => readNode(reading, enclosed(place, 'subshell'), node.body));
      return;
    case 'BraceGroup':
      readNode(reading, enclosed(place, 'group'), node.body);
      return;
    case 'If':
      reading.inBranches(() => readIf(reading, enclosed(place, 'condition'), node));
      return;
    case 'Case':
      word(reading, place, node.word);
      reading.inBranches(() => {
        for (const item of node.items) {
          for (const pattern of item.pattern) word(reading, place, pattern);
          reading.bindings.inBranch(() => readNode(reading, enclosed(place, 'case'), item.body));
        }
      });
      return;
    case 'While':
      loop(reading, place, [node.clause, node.body]);
      return;
    case 'For':
      readFor(reading, place, node);
      return;
    case 'Select':
      for (const item of [node.name, ...(node.wordlist ?? [])]) word(reading, place, item);
      loop(reading, place, [node.body]);
      return;
    case 'ArithmeticFor':
      reading.note('arithmetic', place, node.pos, node.end);
      for (const expression of [node.initialize, node.test, node.update])
        if (expression !== undefined) visitSoftly(reading, place, expression);
      loop(reading, place, [node.body]);
      return;
  }
}

function readIf(reading: Reading, place: Place, node: If): void {
  for (const part of [node, ...node.elif]) {
    readNode(reading, place, part.clause);
    reading.bindings.inBranch(() => readNode(reading, place, part.then));
  }
  if (node.else !== undefined) readNode(reading, place, node.else);
}

/** A word outside any simple command: a pattern, a list item, a name. */
function word(reading: Reading, place: Place, node: Word): void {
  readListedWord(reading, place, node);
}

/** Reads a word outside any simple command, and what is nested in it. */
function readListedWord(reading: Reading, place: Place, node: Word, isListed = false): ShellWord {
  const read = readShellWord(reading, place, node, isListed);
  if (read.value === null && read.data === undefined) visitExpansions(reading, place, node);
  else if (read.data !== undefined) visitData(reading, place, node);
  return read;
}

function loop(reading: Reading, place: Place, parts: readonly CompoundList[]): void {
  reading.inBranches(() => {
    for (const part of parts) readNode(reading, enclosed(place, 'loop' satisfies Enclosure), part);
  });
}

/** `for x in a b; do …; done`: where nothing else sets the variable, the body is read once for each value. */
function readFor(reading: Reading, place: Place, node: Extract<CommandNode, { type: 'For' }>): void {
  const { bindings } = reading;
  const name = node.name.text;
  word(reading, place, node.name);
  const values = (node.wordlist ?? []).flatMap((item) => valuesOf(reading, place, item));
  const { pos, end } = node.body;
  const free = bindings.isLoopVariable(name, pos, end);
  const known = free && values.length > 0 && reading.mayRepeat(values.length, end - pos);
  const inside = enclosed(place, 'loop');
  reading.inBranches(() => {
    reading.repeat<Binding | null>(known ? values : [null], (value) => {
      if (value !== null) bindings.bind(name, value);
      else bindings.receive(name);
      readNode(reading, inside, node.body);
    });
  });
}

/** The values that one word of a list gives to the variable of its loop. */
function valuesOf(reading: Reading, place: Place, node: Word): Binding[] {
  const texts = expandBraces(node.text);
  const words =
    texts === null ? [readListedWord(reading, place, node, true)] : texts.map((text) => readWordText(reading, place, text, node));
  // dash takes a brace list for one value.
  if (texts !== null && reading.shell !== 'bash' && reading.shell !== 'zsh')
    words.push(plainShellWord(node.text, placeSpan(place, node.pos, node.end)));
  return words.map(({ value, glob, tilde, literalPrefix }) =>
    value === null || tilde ? { kind: 'text' } : { kind: 'known', value, glob, prefix: literalPrefix },
  );
}

/** A function runs wherever it is called, perhaps never; if it moves the shell, nothing later is certain. */
function readFunction(reading: Reading, place: Place, body: Extract<CommandNode, { type: 'Function' }>['body']): void {
  const { directory } = reading;
  const { state, moves } = directory;
  directory.state = null;
  reading.bindings.inBranch(() => readNode(reading, enclosed(place, 'function'), body));
  if (directory.moves > moves) {
    directory.lose();
    return;
  }
  directory.state = state;
  directory.settle(state);
}
