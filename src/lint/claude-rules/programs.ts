/** Names of programs known to this program. */
import { grammarFiles } from '../../command/grammar/lookup.js';
import { data } from '../../generated/data.js';

let known: ReadonlySet<string> | null = null;

/** Programs that open much come first, then all with a grammar. */
export function knownPrograms(): ReadonlySet<string> {
  const lists = Object.values(data('wide-commands') as Readonly<Record<string, unknown>>).filter(Array.isArray);
  known ??= new Set([
    ...lists.flat().map((words) => String(words).split(' ')[0] ?? ''),
    ...grammarFiles().flatMap(([, { commands }]) => Object.keys(commands)),
    ...MORE,
  ]);
  return known;
}

/** Common programs that are in neither list. */
const MORE = ['lsof', 'catchsegv', 'envsubst', 'findmnt', 'gitk', 'makepkg', 'ssh-keygen', 'sedutil-cli'];
