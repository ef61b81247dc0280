/** Compound commands: each gets its enclosure; a kind that does more than enclose commands is noted with a reason. */

import { visitEvaluatedQuotes } from '../expand/expansions.js';
import { sourceOf } from '../expand/substitution-output.js';
import { isLonePipe, substitutionsIn } from '../expand/substitutions.js';
import { isPlainText, isUnsplitVariable } from '../expand/whole-variable.js';
import { enclosed, type Place, placeSpan, type Reading } from '../scope/context.js';
import { isOwnVariable } from '../scope/variables.js';
import type { Case, CommandNode, CompoundCommand, If, SyntaxNode } from '../syntax/parser.js';
import type { OpaqueCode } from '../syntax/types.js';
import { readArithmeticCommand, readCountingLoop } from './counting.js';
import { readFor, readListedWord, readLoop, readWhile } from './loops.js';
import { readCompoundRedirections } from './simple-commands.js';
import { isHarmlessTest } from './test-expression.js';

/** Reads every command that is not simple for the commands in it; a kind that does more than enclose them is noted with a reason. */
export function readCompound(reading: Reading, place: Place, node: Exclude<CommandNode, { type: 'Command' }>): void {
  const note = (code: OpaqueCode) => reading.note(code, place, node.pos, node.end);
  switch (node.type) {
    case 'Redirected':
      // The shell opens the files before it runs the body, so a directory change in the body does not affect them.
      readCompoundRedirections(reading, place, node.redirects);
      noteFeeding(reading, place, node);
      reading.readNode(reading, place, node.command);
      return;
    case 'Function':
      note('function-definition');
      readListedWord(reading, place, node.name);
      readFunction(reading, place, node.body);
      return;
    case 'Coproc':
      note('coproc');
      if (node.name !== undefined) readListedWord(reading, place, node.name);
      reading.inSubshell(() =>
        reading.readNode(reading, enclosed(place, 'coproc', { background: true, piped: true }), node.body),
      );
      return;
    case 'ArithmeticCommand':
      readArithmeticCommand(reading, place, node);
      return;
    case 'TestCommand':
      readTest(reading, place, node);
      return;
  }
  reading.compounds = true;
  if (!onlyEncloses(place, node)) note('compound-command');
  readPlainCompound(reading, place, node);
}

/** `done < <(…)`: the loop reads the output of commands in the line. */
function noteFeeding(reading: Reading, place: Place, { command, redirects }: Extract<CommandNode, { type: 'Redirected' }>): void {
  const [only, ...others] = redirects;
  if (only?.type !== 'Redirect' || others.length > 0 || only.operator !== '<' || only.descriptor !== undefined) return;
  const { target } = only;
  const pipes = target === undefined ? [] : substitutionsIn(target);
  const script = pipes[0]?.script;
  if (target === undefined || script === undefined || !isLonePipe(place.text, target, pipes)) return;
  reading.fed = { loop: command, span: placeSpan(place, target.pos + 2, target.end - 1), source: sourceOf(script, null) };
}

type PlainCompound = Exclude<CompoundCommand, { type: 'ArithmeticCommand' | 'TestCommand' }>;

/** Whether a compound command only runs the commands in it, which are listed and judged one by one. */
function onlyEncloses(place: Place, node: PlainCompound): boolean {
  if ((isReprinted(place) && !REPRINTED_WELL.has(node.type)) || isBareSubshell(place, node)) return false;
  if (node.type === 'For') return node.wordlist !== undefined && isOwnVariable(node.name.text);
  return node.type !== 'Select';
}

/**
 * Compound commands that bash prints unchanged in the script of a substitution. Not `case`, whose parentheses end the
 * substitution early in bash 3.2, nor a subshell, which may be printed as arithmetic.
 */
const REPRINTED_WELL: ReadonlySet<PlainCompound['type']> = new Set<PlainCompound['type']>(['For', 'While', 'If', 'BraceGroup']);

/** `(git status)` as a whole line: asks even though the subshell changes nothing, as the seed vectors require. */
function isBareSubshell(place: Place, node: PlainCompound): boolean {
  if (node.type !== 'Subshell' || place.text.trim().length !== node.end - node.pos) return false;
  const [statement, ...others] = node.body.commands;
  return others.length === 0 && statement?.command.type === 'Command';
}

/** Whether a substitution encloses the place: bash prints its script and reads it again, which loses some of its parts. */
function isReprinted(place: Place): boolean {
  return place.enclosures.some((one) => one === 'substitution' || one === 'process-substitution');
}

/** `[[ … ]]`: harmless if it only compares; otherwise every word is searched for code. */
function readTest(reading: Reading, place: Place, node: SyntaxNode): void {
  const { directory } = reading;
  const bindingOf = (name: string) => reading.bindings.of(name);
  if (isReprinted(place) || !isHarmlessTest(place.text.slice(node.pos, node.end), reading.shell, bindingOf)) {
    reading.note('compound-command', place, node.pos, node.end);
    if (reading.shell !== 'bash') reading.note('shell-dialect', place, node.pos, node.end);
    visitEvaluatedQuotes(reading, place, node);
  }
  directory.settle(directory.state);
}

function readPlainCompound(reading: Reading, place: Place, node: PlainCompound): void {
  switch (node.type) {
    case 'Subshell':
      // `((` that is not arithmetic may be read differently the second time.
      if (place.text.startsWith('((', node.pos)) reading.note('unknown-construct', place, node.pos, node.end);
      reading.inSubshell(() => reading.readNode(reading, enclosed(place, 'subshell'), node.body));
      return;
    case 'BraceGroup':
      reading.readNode(reading, enclosed(place, 'group'), node.body);
      return;
    case 'If':
      reading.inBranches(() => readIf(reading, enclosed(place, 'condition'), node));
      return;
    case 'Case':
      if (!isCaseOfTexts(node)) readListedWord(reading, place, node.word);
      reading.inBranches(() => {
        for (const item of node.items) {
          for (const pattern of item.pattern) readListedWord(reading, place, pattern);
          reading.bindings.inBranch(() => reading.readNode(reading, enclosed(place, 'case'), item.body));
        }
      });
      return;
    case 'While':
      readWhile(reading, place, node);
      return;
    case 'For':
      readFor(reading, place, node);
      return;
    case 'Select':
      for (const item of [node.name, ...(node.wordlist ?? [])]) readListedWord(reading, place, item);
      readLoop(reading, place, [node.body]);
      return;
    case 'ArithmeticFor':
      readCountingLoop(reading, place, node);
      return;
  }
}

/** `case $X in a) …;; *) …;; esac`: whether it only asks which of a few strings a variable equals. */
function isCaseOfTexts({ word, items }: Case): boolean {
  const patterns = items.flatMap(({ pattern }) => pattern.map(({ text }) => text));
  return isUnsplitVariable(word.text) && patterns.every((text) => text === '*' || isPlainText(text));
}

function readIf(reading: Reading, place: Place, node: If): void {
  for (const part of [node, ...node.elif]) {
    reading.readNode(reading, place, part.clause);
    reading.bindings.inBranch(() => reading.readNode(reading, place, part.then));
  }
  if (node.else !== undefined) reading.readNode(reading, place, node.else);
}

/** A function runs wherever it is called, perhaps never; if it changes the directory, no later directory is certain. */
function readFunction(reading: Reading, place: Place, body: Extract<CommandNode, { type: 'Function' }>['body']): void {
  const { directory } = reading;
  const { state, moves } = directory;
  directory.state = null;
  reading.bindings.inBranch(() => reading.readNode(reading, enclosed(place, 'function'), body));
  if (directory.moves > moves) {
    directory.lose();
    return;
  }
  directory.state = state;
  directory.settle(state);
}
