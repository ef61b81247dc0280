/** What the expansion at one place of a word stands for, where that is known or harmless. */
import type { Binding, KnownBinding } from './bindings.js';
import type { ShellWord } from './command-line.js';
import { isPlainWord } from './plain-word.js';
import { parameterUse, type WordContext } from './word-context.js';

type WordData = NonNullable<ShellWord['data']>;

/** `value`: exactly this text. `pattern`: one of the files that a pattern stands for, as a whole word. `data`: a harmless text. */
type KnownExpansion = { readonly end: number } & (
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'pattern'; readonly binding: KnownBinding }
  | { readonly kind: 'data'; readonly data: WordData }
);

/** How the word around an expansion is read: in an assignment, as in double quotes, it stays one word. */
interface Around {
  readonly inQuotes: boolean;
  readonly assignment: boolean;
}

/** What begins at an offset of a word, and the offset behind it; null when only the shell can know it. */
export function knownExpansion(text: string, at: number, context: WordContext, around: Around): KnownExpansion | null {
  const isOne = around.inQuotes || around.assignment;
  const use = parameterUse(text, at);
  if (use === null) {
    const end = isOne || context.isListed ? context.substitutionEnd(at) : -1;
    return end === -1 ? null : { kind: 'data', end, data: isOne ? 'one' : 'several' };
  }
  const { end } = use;
  const binding = context.binding(use.name);
  if (binding === null) return null;
  if (binding.kind !== 'known' || (binding.glob && around.assignment)) return { kind: 'data', end, data: dataOf(binding, isOne) };
  if (binding.glob) return isOne && isWholeWord(text, at, end) ? { kind: 'pattern', end, binding } : null;
  if (!isOne && (binding.value === '' || !isPlainWord(binding.value))) return null;
  return { kind: 'value', end, value: binding.value };
}

function dataOf(binding: Binding, isOne: boolean): WordData {
  if (binding.kind === 'digits') return 'digits';
  return isOne ? 'one' : 'several';
}

/** Whether nothing but its quotes stands beside the expansion in the word. */
function isWholeWord(text: string, at: number, end: number): boolean {
  return at === 1 && end === text.length - 1 && text.startsWith('"') && text.endsWith('"');
}

/** What a word is when one more part of it is not known; digits are all that it holds only when they stand alone. */
export function joinedData(before: WordData | null, added: WordData, text: string): WordData {
  if (before === 'several' || added === 'several') return 'several';
  return added === 'digits' && before === null && /^"?\$[?#$]"?$/.test(text) ? 'digits' : 'one';
}
