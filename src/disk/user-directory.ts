/** The directory of the user's own policy. */
import { isAbsolute, join } from 'node:path';

/** Returns `$XDG_CONFIG_HOME/policy`, else `~/.config/policy`; ignores a relative XDG_CONFIG_HOME, which could be in any repository. */
export function defaultUserDirectory(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = environment.XDG_CONFIG_HOME ?? '';
  return join(isAbsolute(base) ? base : join(home, '.config'), 'policy');
}
