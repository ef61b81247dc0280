/** Variables that a hook needs to start. No tokens: a probe may start a stranger's program. */
const NAMES = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** Returns the variables that a hook inherits when it is only tested, and `more`, as far as they are set. */
export function inherited(
  environment: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): Readonly<Record<string, string>> {
  const set = [...NAMES, ...more].map((name) => [name, environment[name]] as const);
  return Object.fromEntries(set.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
