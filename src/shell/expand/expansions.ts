/**
 * Visits the inside of words: follows every substitution, notes every expansion, and checks every leaf that the parser read as
 * plain text for code that it may have overlooked.
 */

import { enclosed, type Place, placeSpan, type Reading } from '../scope/context.js';
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from '../syntax/parser.js';
import type { Enclosure, OpaqueCode } from '../syntax/types.js';
import { looksLikeCode } from './quoting.js';
import { substitutionsIn } from './substitutions.js';
import { readWord } from './word.js';

type NodeOf<T extends SyntaxNode['type']> = Extract<SyntaxNode, { type: T }>;

/** Whether quotes still quote (`hard`). They do not (`soft`) inside double quotes, here-documents and arithmetic, where `'$(x)'` runs. */
type Quoting = 'hard' | 'soft';

/** Follows everything in a word that is evaluated at run time; notes `dynamic-word` if it finds no more specific reason. */
export function visitExpansions(reading: Reading, place: Place, node: SyntaxNode): void {
  const before = reading.opaque.length;
  visit(reading, place, node, 'hard');
  if (reading.opaque.length === before) reading.note('dynamic-word', place, node.pos, node.end);
}

/** Follows the substitutions of a word that is data: their commands are listed, and their output is harmless in that position. */
export function visitData(reading: Reading, place: Place, node: SyntaxNode): void {
  for (const one of substitutionsIn(node)) {
    const enclosure = one.type === 'ProcessSubstitution' ? 'process-substitution' : 'substitution';
    reading.nested(place, one.pos, one.end, () => substitution(reading, place, one, one.script, enclosure));
  }
}

/** Follows an expression in which even quoted text is evaluated: arithmetic, `[[ ]]`, the body of a here-document. */
export function visitEvaluatedQuotes(reading: Reading, place: Place, node: SyntaxNode): void {
  visit(reading, place, node, 'soft');
}

function visit(reading: Reading, place: Place, node: SyntaxNode, quoting: Quoting): void {
  reading.nested(place, node.pos, node.end, () => visitNode(reading, place, node, quoting));
}

function visitChildren(reading: Reading, place: Place, node: SyntaxNode, quoting: Quoting): void {
  forEachChild(node, (child) => visit(reading, place, child, quoting));
}

function visitNode(reading: Reading, place: Place, node: SyntaxNode, quoting: Quoting): void {
  const note = (code: OpaqueCode) => reading.note(code, place, node.pos, node.end);
  switch (node.type) {
    case 'CommandExpansion':
      note('command-substitution');
      // `$((` that is not arithmetic: bash may fall back to a subshell, whose here-documents it reads differently.
      if (node.text.startsWith('$((')) note('unknown-construct');
      substitution(reading, place, node, node.script, 'substitution');
      return;
    case 'ArithmeticCommandExpansion':
      note('command-substitution');
      substitution(reading, place, node, node.script, 'substitution');
      return;
    case 'ProcessSubstitution':
      note('process-substitution');
      substitution(reading, place, node, node.script, 'process-substitution');
      return;
    case 'SimpleExpansion':
      note('parameter-expansion');
      return;
    case 'ParameterExpansion':
      parameter(reading, place, node, quoting);
      return;
    case 'ArithmeticExpansion':
      note('arithmetic');
      if (node.expression === undefined) recover(reading, place, node, node.text.replace(/^\$[([]+/, ''));
      visitChildren(reading, place, node, 'soft');
      return;
    case 'BraceExpansion':
      note('brace-expansion');
      break;
    case 'ExtendedGlob':
    case 'LocaleString':
      note('dynamic-word');
      break;
    case 'DoubleQuoted':
    case 'HereDocBody':
      visitChildren(reading, place, node, 'soft');
      return;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (quoting === 'soft' && (looksLikeCode(node.value) || looksLikeCode(node.text))) recover(reading, place, node, node.text);
      return;
    case 'Literal':
      leaf(reading, place, node, node.text);
      return;
    case 'Assignment':
      assignment(reading, place, node, quoting);
      return;
    case 'Word':
      if (!hasParts(node.parts)) {
        wordLeaf(reading, place, node, quoting);
        return;
      }
      break;
    case 'ArithmeticWord':
      if (!hasParts(node.parts)) {
        leaf(reading, place, node, node.value);
        return;
      }
      break;
    case 'Script':
      reading.readScript(reading, place, node);
      return;
  }
  if ((node.type === 'BraceExpansion' || node.type === 'ExtendedGlob') && !hasParts(node.parts))
    leaf(reading, place, node, node.text);
  visitChildren(reading, place, node, quoting);
}

function hasParts(parts: readonly SyntaxNode[] | undefined): boolean {
  return parts !== undefined && parts.length > 0;
}

/** Reads the script of a substitution, which runs in a subshell. */
function substitution(
  reading: Reading,
  place: Place,
  node: SyntaxNode & { readonly text?: string },
  script: ParsedScript | undefined,
  enclosure: Enclosure,
): void {
  if (script === undefined) {
    reading.note('unexplained-bytes', place, node.pos, node.end);
    return;
  }
  // The script in an escaped backtick substitution has its own decoded text: its positions are unknown beyond the substitution's own span.
  const decoded = script.source !== undefined;
  const inner = enclosed(place, enclosure, {
    text: script.source ?? place.text,
    span: decoded ? placeSpan(place, node.pos, node.end) : place.span,
    piped: place.piped || (node.type === 'ProcessSubstitution' && node.operator === '>'),
  });
  const hereDocs = reading.hereDocs;
  reading.inSubshell(() => reading.readScript(reading, inner, script));
  // bash prints the script and reads it again, and loses a separator after a here-document.
  if (reading.hereDocs > hereDocs && !isOneSimpleCommand(script))
    reading.note('here-doc-in-substitution', place, node.pos, node.end);
}

function isOneSimpleCommand(script: ParsedScript): boolean {
  const [statement] = script.commands;
  return script.commands.length === 1 && statement?.command.type === 'Command' && statement.background !== true;
}

function parameter(reading: Reading, place: Place, node: NodeOf<'ParameterExpansion'>, quoting: Quoting): void {
  reading.note('parameter-expansion', place, node.pos, node.end);
  const { operation } = node;
  if (node.index !== undefined) reading.note('subscript-evaluation', place, node.pos, node.end);
  if (node.prefix === '!' || operation?.type === 'Transform') reading.note('double-expansion', place, node.pos, node.end);
  if (operation?.type === 'Slice') reading.note('arithmetic', place, node.pos, node.end);
  if (operation?.type === 'Unknown') {
    reading.note('unknown-construct', place, node.pos, node.end);
    recover(reading, place, node, operation.operator);
  }
  const evaluated = node.index !== undefined || operation?.type === 'Slice' ? 'soft' : quoting;
  visitChildren(reading, place, node, evaluated);
}

/** An array value must end where the assignment ends; the parser reads a glued `a=(…)b` as a plain word. */
function assignment(reading: Reading, place: Place, node: NodeOf<'Assignment'>, quoting: Quoting): void {
  const { value, index } = node;
  if (index !== undefined || value.type === 'ArrayValue') reading.note('array', place, node.pos, node.end);
  if (index !== undefined && !/^\d+$/.test(index.text)) reading.note('subscript-evaluation', place, node.pos, node.end);
  if (value.type === 'ArrayValue' && value.end !== node.end) reading.note('unexplained-bytes', place, node.pos, node.end);
  if (index !== undefined) visit(reading, place, index, 'soft');
  if (value.type === 'Word' && value.text.startsWith('(')) {
    reading.note('array', place, node.pos, node.end);
    reading.note('unexplained-bytes', place, node.pos, node.end);
    recover(reading, place, node, value.text);
  } else visit(reading, place, value, quoting);
}

/** Checks a word without parts: its whole text is one leaf, quoted or not. */
function wordLeaf(reading: Reading, place: Place, node: NodeOf<'Word'>, quoting: Quoting): void {
  if (!looksLikeCode(node.text) && !node.text.includes('<(') && !node.text.includes('>(')) return;
  if (quoting === 'soft' || readWord(node.text, true).expands) recover(reading, place, node, node.text);
}

/** Text that the parser read literally: unescaped code in it was overlooked. */
function leaf(reading: Reading, place: Place, node: SyntaxNode, text: string): void {
  if (/[`]|\$[({]|[<>]\(/.test(text.replace(/\\[\s\S]/g, ''))) recover(reading, place, node, text);
}

/** Notes text that the parser left unread, and reads the substitutions in it so that deny rules see their commands. */
function recover(reading: Reading, place: Place, node: SyntaxNode, text: string): void {
  if (!/[`]|\$[({]|[<>]\(/.test(text)) return;
  reading.note('unexplained-bytes', place, node.pos, node.end);
  const span = placeSpan(place, node.pos, node.end);
  for (let at = text.search(OPENING); at !== -1; at = nextOpening(text, at + 1)) {
    if (!reading.mayRecover()) {
      reading.note('nesting', place, node.pos, node.end);
      return;
    }
    const inner = text.slice(at);
    const expansion = firstExpansion(parse(inner));
    if (expansion === null) continue;
    visit(reading, { ...place, text: inner, span }, expansion, 'soft');
    at += expansion.end - 1;
  }
}

const OPENING = /`|\$[({]|[<>]\(/;

function nextOpening(text: string, from: number): number {
  const found = text.slice(from).search(OPENING);
  return found === -1 ? -1 : from + found;
}

/** The expansion at the start of the text, found in its tree; null if there is none. */
function firstExpansion(node: SyntaxNode): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  const seek = (child: SyntaxNode): void => {
    if (found !== null || child.pos !== 0) return;
    if (/^(?:CommandExpansion|ParameterExpansion|ArithmeticExpansion|ProcessSubstitution)$/.test(child.type)) found = child;
    else forEachChild(child, seek);
  };
  forEachChild(node, seek);
  return found;
}
