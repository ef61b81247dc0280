/** What is known about a variable at the place where a word uses it. */
import type { DataSource } from '../syntax/types.js';

/**
 * `known`: exactly this value (with `glob`, one file that the pattern matches, or the pattern itself). `digits`: an unsigned
 * number. `number`: a result of arithmetic. `text`: output of commands in the line, or a shell variable that is no secret;
 * harmless wherever any string is.
 */
export type Binding = KnownBinding | DataBinding;

export interface DataBinding {
  readonly kind: 'digits' | 'number' | 'text';
  /** Where the string comes from, if that tells more about it. */
  readonly source?: DataSource;
}

export interface KnownBinding {
  readonly kind: 'known';
  readonly value: string;
  readonly glob: boolean;
  readonly prefix: string;
}

/** Whether the value is a number, perhaps with blanks around it, or empty, which arithmetic reads as 0. */
export function isNumeric(binding: Binding | null): boolean {
  if (binding === null) return false;
  if (binding.kind === 'known') return !binding.glob && /^\d{1,15}$/.test(binding.value);
  return binding.kind !== 'text' || binding.source?.kind === 'number';
}
