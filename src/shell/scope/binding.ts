/** What is known of one variable where a word uses it. */
import type { DataSource } from '../syntax/types.js';

/**
 * `known`: exactly this value (with `glob`, one file that the pattern matches, or the pattern itself). `digits`: a number without sign.
 * `number`: one that arithmetic gave. `text`: what commands of the line printed, or a figure of the shell; harmless wherever a text is.
 */
export type Binding = KnownBinding | DataBinding;

export interface DataBinding {
  readonly kind: 'digits' | 'number' | 'text';
  /** Where the text comes from, when that says more of it. */
  readonly source?: DataSource;
}

export interface KnownBinding {
  readonly kind: 'known';
  readonly value: string;
  readonly glob: boolean;
  readonly prefix: string;
}

/** Whether it stands for a number, perhaps with blanks around it, or for nothing, which arithmetic takes for 0. */
export function isNumeric(binding: Binding | null): boolean {
  if (binding === null) return false;
  if (binding.kind === 'known') return !binding.glob && /^\d{1,15}$/.test(binding.value);
  return binding.kind !== 'text' || binding.source?.kind === 'number';
}
