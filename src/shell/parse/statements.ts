/** Walks scripts, statements, lists and pipelines down to simple and compound commands. */

import { sourceOfPipeline } from '../expand/substitution-output.js';
import { enclosed, type Place, placeSpan, type Reading } from '../scope/context.js';
import { type DirectoryState, merge, unreachable } from '../scope/cwd.js';
import { notePipelineDialect } from '../scope/dialect.js';
import { unexplainedAt } from '../syntax/coverage.js';
import type { CommandNode, CompoundList, ParsedScript, Pipeline, Redirection, Statement } from '../syntax/parser.js';
import { readCompound } from './compounds.js';
import { readSimpleCommand } from './simple-commands.js';

/** Reads a whole script: the command line's own or a nested one. */
export function readScript(reading: Reading, place: Place, script: ParsedScript): void {
  reading.bindings.begin(script, place.text);
  for (const error of script.errors ?? []) reading.note('parse-error', place, error.pos, Math.max(error.pos, script.end));
  readStatements(reading, place, script.commands);
  const unexplained = unexplainedAt(script, place.text);
  if (unexplained !== -1) readUnexplained(reading, place, unexplained, script.end);
}

/** Reads the rest as a separate line, for deny rules, from where the parser lost track (usually at text it mistook for a comment). */
function readUnexplained(reading: Reading, place: Place, start: number, end: number): void {
  reading.note('unexplained-bytes', place, start, end);
  if (reading.mayRecover()) reading.readEvaluated(place.text.slice(start, end).replace(/^#/, ''), place, start, end);
  else reading.note('nesting', place, start, end);
}

function readStatements(reading: Reading, place: Place, statements: readonly Statement[]): void {
  for (const statement of statements) readStatement(reading, place, statement);
}

/** Reads one statement; the directory after it must hold for its success and its failure. */
function readStatement(reading: Reading, place: Place, statement: Statement): void {
  const { directory } = reading;
  if (statement.background === true) {
    reading.note('background-job', place, statement.pos, statement.end);
    reading.inSubshell(() => readNode(reading, { ...place, background: true }, statement.command));
    return;
  }
  readNode(reading, place, statement.command);
  // Facts may show whether a standalone `cd` succeeded.
  const isOwn = place.evaluations === 0 && place.text === reading.source;
  const tried = isOwn && statement.command.type === 'Command' ? directory.tried : null;
  directory.state = tried ?? merge(directory.succeeded, directory.failed);
}

export function readNode(reading: Reading, place: Place, node: Statement['command'] | CompoundList): void {
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

/** `a && b || c`: each command runs only after the success or failure of those before it. */
function readAndOr(reading: Reading, place: Place, node: Extract<Statement['command'], { type: 'AndOr' }>): void {
  const { directory, bindings } = reading;
  let succeeded: DirectoryState = directory.state;
  let failed: DirectoryState = unreachable;
  let certain = bindings.state;
  let isBranch = false;
  for (let i = 0; i < node.commands.length; i++) {
    const command = node.commands[i];
    if (command === undefined) continue;
    const isElse = i > 0 && node.operators[i - 1] === '||';
    directory.state = isElse ? failed : succeeded;
    readNode(reading, place, command);
    // Only the first certainly runs; later commands see the bindings of their own chain of `&&`, up to the first `||`.
    if (i === 0) certain = bindings.state;
    isBranch ||= node.operators[i] !== '&&';
    if (isBranch) bindings.state = certain;
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

/** A single command after `!` or `time`. */
function readPrefixed(reading: Reading, place: Place, node: Pipeline, command: CommandNode): void {
  readNode(reading, place, command);
  const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation').length;
  if (negations % 2 === 1) reading.directory.negate();
}

/** `… | while`: everything before it is piped into the loop. */
function noteFed(reading: Reading, place: Place, { commands, operators }: Pipeline, at: number, loop: CommandNode): void {
  const [first, before] = [commands[0], commands[at - 1]];
  if (first === undefined || before === undefined || operators[at - 1] !== '|') return;
  const isPlain = operators.slice(0, at).every((operator) => operator === '|');
  const source = isPlain ? sourceOfPipeline(commands.slice(0, at), null) : null;
  reading.fed = { loop, span: placeSpan(place, first.pos, before.end), source };
}

/** Whether a command still reads its standard input, as with `2>/dev/null` or `>> x`. */
function leavesInput({ operator, descriptor }: Redirection): boolean {
  if (operator !== '>' && operator !== '>>' && operator !== '>&') return false;
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && (descriptor.value === 1 || descriptor.value === 2));
}

/** Each command of a pipeline runs in a subshell, except that zsh runs the last one in the shell itself. */
function readPipes(reading: Reading, place: Place, node: Pipeline): void {
  const { directory } = reading;
  let inside = enclosed(place, 'pipeline');
  const { state, moves } = directory;
  let moved = false;
  for (const [at, command] of node.commands.entries()) {
    const loop = command.type === 'Redirected' && command.redirects.every(leavesInput) ? command.command : command;
    if (loop.type === 'While') noteFed(reading, place, node, at, loop);
    reading.bindings.inBranch(() => readNode(reading, inside, command));
    moved = directory.moves > moves;
    directory.leave(state, moves);
    if (!inside.piped) inside = { ...inside, piped: true };
  }
  if (moved) directory.apply({ kind: 'unknown' });
}
