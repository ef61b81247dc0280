/** What a reader of one word may take from its surroundings: what expansions stand for there, and where substitutions end. */
import type { KnownBinding } from '../scope/binding.js';
import type { DataSource, ShellWord } from '../syntax/types.js';

export interface WordContext {
  /** What the expansion that begins at this offset of the word stands for; null when only the shell can know it. */
  expansion(text: string, offset: number, around: Around): KnownExpansion | null;
  /** The word is `<(…)` and nothing else, and where it ends is certain: a file to read what commands of the line print. */
  isPipe(): boolean;
}

/** How the word around an expansion is read: in an assignment, as in double quotes, it stays one word. */
export interface Around {
  readonly inQuotes: boolean;
  readonly assignment: boolean;
}

/** `value`: exactly this text. `pattern`: one of the files that a pattern stands for. `data`: a harmless text. */
export type KnownExpansion = { readonly end: number } & (
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'pattern'; readonly binding: KnownBinding }
  | { readonly kind: 'data'; readonly data: NonNullable<ShellWord['data']>; readonly source: DataSource | null }
);
