/** The value of an expansion at one place in a word, where it is known or harmless. */

import { type Binding, type DataBinding, isNumeric } from '../scope/binding.js';
import { arithmeticAt } from '../syntax/arithmetic.js';
import { type ParameterUse, parameterUse } from '../syntax/parameter-use.js';
import { isPlainWord } from '../syntax/plain-word.js';
import type { DataSource, ShellWord } from '../syntax/types.js';
import type { Around, KnownExpansion } from './word-context.js';

type WordData = NonNullable<ShellWord['data']>;

/** The sources of known values. */
export interface Sources {
  /** The binding of `$name`; null when unknown. */
  binding(name: string): Binding | null;
  /** The `$(…)` at this offset of the word, if its output may be used as a string; else null. */
  substitution(offset: number): KnownSubstitution | null;
}

/** A substitution whose extent is certain, and what is known about its output. */
interface KnownSubstitution {
  /** The offset after it. */
  readonly end: number;
  readonly source: DataSource | null;
}

/** Reads the expansion at an offset of a word, and finds the offset after it; null when it cannot be analysed. */
export function knownExpansion(text: string, at: number, sources: Sources, around: Around): KnownExpansion | null {
  const isOne = around.inQuotes || around.assignment;
  const statuses = pipeStatuses(text, at, sources);
  if (statuses !== null)
    return { kind: 'data', end: statuses.end, data: isOne || statuses.isOne ? 'one' : 'several', source: NUMBER };
  const use = parameterUse(text, at);
  if (use === null) return text.startsWith('$((', at) ? counted(text, at, sources) : substituted(at, sources, isOne);
  const binding = sources.binding(use.name);
  if (binding === null) return null;
  if (use.operation !== null) return changed(use, binding, isOne);
  const { end } = use;
  if (binding.kind !== 'known') return { kind: 'data', end, data: dataOf(binding, isOne), source: sourceOf(binding) };
  if (!binding.glob) return known(binding.value, end, isOne);
  if (isQuotedStart(text, at) && !around.assignment) return { kind: 'pattern', end, binding };
  if (isOne) return { kind: 'data', end, data: 'one', source: null };
  return { kind: 'data', end, data: 'several', source: { kind: 'pattern', value: binding.value, prefix: binding.prefix } };
}

/** `${PIPESTATUS[0]}`, which bash sets to the exit codes of the last pipeline; zsh has no such variable, and dash ends the line there. */
function pipeStatuses(text: string, at: number, { binding }: Sources): { readonly end: number; readonly isOne: boolean } | null {
  if (!text.startsWith('${PIPESTATUS[', at) || binding('PIPESTATUS') !== null) return null;
  const found = /^\$\{PIPESTATUS\[(?:\d{1,2}|([@*]))\]\}/.exec(text.slice(at, at + 24));
  return found === null ? null : { end: at + found[0].length, isOne: found[1] === undefined };
}

/** A known value, if it stays one word whatever the shell does with it; else null. */
function known(value: string, end: number, isOne: boolean): KnownExpansion | null {
  return isOne || (value !== '' && isPlainWord(value)) ? { kind: 'value', end, value } : null;
}

/** The source of a variable's value. */
function sourceOf(binding: DataBinding): DataSource | null {
  return binding.kind === 'number' ? NUMBER : (binding.source ?? null);
}

function dataOf(binding: Binding, isOne: boolean): WordData {
  if (binding.kind === 'digits') return 'digits';
  return isOne || binding.kind === 'number' ? 'one' : 'several';
}

const NUMBER: DataSource = { kind: 'number' };

/** `$((…))` over numbers: a number, and one word even without quotes. */
function counted(text: string, at: number, { binding }: Sources): KnownExpansion | null {
  const expression = arithmeticAt(text, at + 3);
  if (expression === null || ![...expression.read, ...expression.assigned].every((name) => isNumeric(binding(name)))) return null;
  return { kind: 'data', end: expression.end, data: 'one', source: NUMBER };
}

function substituted(at: number, sources: Sources, isOne: boolean): KnownExpansion | null {
  const found = sources.substitution(at);
  if (found === null) return null;
  return { kind: 'data', end: found.end, data: isOne ? 'one' : 'several', source: found.source };
}

/** A value with an operation applied to it; part of a harmless string is harmless too. */
function changed({ end, operation }: ParameterUse, binding: Binding, isOne: boolean): KnownExpansion | null {
  if (operation?.kind === 'length') return { kind: 'data', end, data: 'digits', source: null };
  const value =
    operation?.kind === 'remove' && binding.kind === 'known' && !binding.glob
      ? removed(binding.value, operation.operator, operation.pattern)
      : null;
  if (value !== null) return known(value, end, isOne);
  return { kind: 'data', end, data: isOne ? 'one' : 'several', source: null };
}

/** `#x` and `%x` with plain text, or with one `*` on its far side; null for every other pattern. */
function removed(value: string, operator: string, pattern: string): string | null {
  const fromStart = operator.startsWith('#');
  const open = fromStart ? pattern.startsWith('*') : pattern.endsWith('*');
  const text = open ? (fromStart ? pattern.slice(1) : pattern.slice(0, -1)) : pattern;
  if (text === '' || /[*?]/.test(text)) return null;
  const long = operator.length === 2;
  if (fromStart) {
    const at = open ? (long ? value.lastIndexOf(text) : value.indexOf(text)) : value.startsWith(text) ? 0 : -1;
    return at < 0 ? value : value.slice(at + text.length);
  }
  const at = open
    ? long
      ? value.indexOf(text)
      : value.lastIndexOf(text)
    : value.endsWith(text)
      ? value.length - text.length
      : -1;
  return at < 0 ? value : value.slice(0, at);
}

/** Whether only the opening quote precedes the expansion. */
function isQuotedStart(text: string, at: number): boolean {
  return at === 1 && text.startsWith('"');
}
