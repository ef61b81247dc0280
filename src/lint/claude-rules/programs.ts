/** Names of programs that this program knows. */
import { grammarFiles } from '../../command/grammar/lookup.js';
import { data } from '../../generated/data.js';

let known: ReadonlySet<string> | null = null;

/** Those that open much come first, then all with a grammar. */
export function knownPrograms(): ReadonlySet<string> {
  const lists = Object.values(data('wide-commands') as Readonly<Record<string, unknown>>).filter(Array.isArray);
  known ??= new Set([
    ...lists.flat().map((words) => String(words).split(' ')[0] ?? ''),
    ...grammarFiles().flatMap(([, { commands }]) => Object.keys(commands)),
    ...MORE,
  ]);
  return known;
}

/** Common programs that neither list has. */
const MORE = ['lsof', 'catchsegv', 'envsubst', 'findmnt', 'gitk', 'makepkg', 'ssh-keygen', 'sedutil-cli'];
