/** The name of a project wherever it is checked out: the address of its remote `origin`. */
import { relative } from 'node:path';
import { readConfig } from '../../disk/git/config.js';
import { gitDirectory, locateRepository } from '../../disk/git/directory.js';
import { pathIn } from '../../disk/inside.js';

const LONGEST = 1_024;

/**
 * `git.example.com/team/shop`, and with `#packages/api` for a folder in it; null without such a remote. Independent of how git
 * reaches it, and without the user name and password that an address may contain. Does not run git.
 * @param project its real path
 */
export function originOf(project: string): string | null {
  const located = locateRepository(project);
  if (located === null) return null;
  const { folders } = gitDirectory(located.top, located.sound);
  const entries = folders.flatMap((folder) => {
    const read = readConfig(pathIn(folder, 'config'));
    return read.ok ? read.entries : [];
  });
  const address = entries.findLast(({ key }) => key === 'remote.origin.url')?.value;
  const name = address === undefined ? '' : nameOf(address);
  if (name === '') return null;
  const inside = relative(located.top, project);
  return `${name}${inside === '' ? '' : `#${inside}`}`.slice(0, LONGEST);
}

/** `https://user:secret@Host/a/b.git`, `git@host:a/b` and `ssh://git@host/a/b/` each name one repository. */
function nameOf(address: string): string {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([\s\S]*)$/i.exec(address.trim()) ?? [];
  const [, host = '', path = ''] = (scheme === undefined ? /^([^/:]{2,}):(.*)$/s : /^([^/]*)(.*)$/s).exec(rest) ?? [];
  const shown = host === '' && path === '' ? rest : `${host.replace(/^.*@/s, '').toLowerCase()}/${path.replace(/^\/+/, '')}`;
  return shown.replace(/\/+$/, '').replace(/\.git$/, '');
}
