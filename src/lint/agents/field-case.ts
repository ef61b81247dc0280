/** Required fields that are there, in the wrong case. */
import type { LocatedText } from '../text/located-text.js';

export const REQUIRED_FIELDS = ['name', 'description'] as const;

/** The key that was meant as the field; null when the field itself is there, or nothing like it. */
export function miscasedField(data: LocatedText, field: string): string | null {
  if (data.keys.includes(field)) return null;
  return data.keys.find((key) => key.toLowerCase() === field) ?? null;
}
