/** Whether rules of Claude Code's settings keep an agent from reading files with secrets. */
import { accepts } from '../../rule/inclusion/language.js';
import type { ClaudeEntry } from './entries.js';
import { pathLanguage } from './path.js';
import type { PathAnchor } from './rule.js';

const PROJECT =
  '.env .env.local .env.production config/.env secrets/key config/secrets/key id_rsa server.pem server.key credentials.json config/credentials.json'.split(
    ' ',
  );

/** Files that most such rules cover, for each place at which a pattern may start. */
const FILES: Readonly<Record<PathAnchor, readonly string[]>> = {
  directory: PROJECT,
  settings: PROJECT,
  home: ['.ssh/id_rsa', '.ssh/id_ed25519', '.aws/credentials', '.netrc', '.npmrc', '.config/gh/hosts.yml', '.gnupg/private-key'],
  root: ['etc/shadow', 'root/.ssh/id_rsa', 'home/user/.ssh/id_rsa', 'users/user/.ssh/id_rsa', 'home/user/project/.env'],
};

/** Whether it is a deny rule for reading a file that is known to contain secrets, or all files. */
export function protectsSecrets({ effect, canonical, reach }: ClaudeEntry): boolean {
  if (effect !== 'deny' || canonical !== 'Read') return false;
  if (reach.kind === 'everything') return true;
  if (reach.kind !== 'path') return false;
  const language = pathLanguage(reach.pattern, reach.anchor, effect);
  return language !== null && FILES[reach.anchor].some((file) => accepts(language, file));
}
