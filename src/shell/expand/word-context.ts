/** What the reader of one word learns from its surroundings: the values of expansions, and where substitutions end. */
import type { KnownBinding } from '../scope/binding.js';
import type { DataSource, ShellWord } from '../syntax/types.js';

export interface WordContext {
  /** The value of the expansion at this offset of the word; null when it cannot be analysed. */
  expansion(text: string, offset: number, around: Around): KnownExpansion | null;
  /** Whether the word is exactly one `<(…)` with a certain end: a file with the output of commands in the line. */
  isPipe(): boolean;
}

/** How the word around an expansion is read: in an assignment it stays one word, as in double quotes. */
export interface Around {
  readonly inQuotes: boolean;
  readonly assignment: boolean;
}

/** `value`: exactly this string. `pattern`: one of the files that a pattern matches. `data`: a harmless string. */
export type KnownExpansion = { readonly end: number } & (
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'pattern'; readonly binding: KnownBinding }
  | { readonly kind: 'data'; readonly data: NonNullable<ShellWord['data']>; readonly source: DataSource | null }
);
