/** Required fields that exist, but in the wrong case. */
import type { LocatedText } from '../text/located-text.js';

export const REQUIRED_FIELDS = ['name', 'description'] as const;

/** Returns the key that was meant as the field; null when the field itself exists, or nothing similar. */
export function miscasedField(data: LocatedText, field: string): string | null {
  if (data.keys.includes(field)) return null;
  return data.keys.find((key) => key.toLowerCase() === field) ?? null;
}
