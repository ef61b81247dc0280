/** Feature switches written as text. */

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/** Returns the value of a variable such as CODEX_SUBAGENTS_ENABLED; null for an unknown value. */
export function envBool(value: string): boolean | null {
  return value.length > 16 ? null : (VALUES.get(value.trim().toLowerCase()) ?? null);
}
