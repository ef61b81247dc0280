/** Where the user's own policy lies. */
import { isAbsolute, join } from 'node:path';

/** `$XDG_CONFIG_HOME/policy`, else `~/.config/policy`; a relative XDG_CONFIG_HOME does not count: it would lie in any repository. */
export function defaultUserDirectory(environment: Readonly<Record<string, string | undefined>>, home: string): string {
  const base = environment.XDG_CONFIG_HOME ?? '';
  return join(isAbsolute(base) ? base : join(home, '.config'), 'policy');
}
