/** The files of the sandbox: what bash finds there, and what the engine is told about them. */
import { posix } from 'node:path';
import { isLineName, isPlainName, isWildName } from '../../src/command/pathnames/producers.js';
import type { NameFacts, PathFact } from '../../src/decide/ruling/facts.js';

export const PROJECT = '/repo';
export const HOME = '/home/me';

/** Plain files with their text. */
export const FILES: Readonly<Record<string, string>> = {
  '/repo/a.txt': 'a.txt\nb.txt\n',
  '/repo/b.txt': 'src\n',
  '/repo/README.md': '# readme\n',
  '/repo/package.json': '{}\n',
  '/repo/run.sh': 'P from-script\n',
  '/repo/src/a.ts': 'export {};\n',
  '/repo/src/b.ts': 'export {};\n',
  '/repo/src/lib/c.ts': 'export {};\n',
  '/repo/docs/guide.md': 'guide\n',
  '/repo/docs/-n.md': 'looks like an option\n',
  '/repo/test/a.test.ts': 'test\n',
  '/repo/test/x /etc/passwd': 'two names to some\n',
  '/repo/test/"."./x.ts': 'another name to some\n',
  '/repo/out/log.txt': 'log\n',
  '/repo/.git/HEAD': 'ref: refs/heads/main\n',
  '/home/me/notes.txt': 'notes\n',
  '/home/me/.ssh/id_rsa': 'key\n',
  '/tmp/t.txt': 't\n',
};

/** Symbolic links with where they lead. */
export const LINKS: Readonly<Record<string, string>> = { '/repo/outside': '/home/me', '/repo/lib': '/repo/src/lib' };

/** Every folder above a file or link. */
function folders(): ReadonlySet<string> {
  const found = new Set<string>(['/', '/dev', '/usr', '/usr/bin']);
  for (const path of [...Object.keys(FILES), ...Object.keys(LINKS)])
    for (let folder = posix.dirname(path); folder !== '/'; folder = posix.dirname(folder)) found.add(folder);
  return found;
}

const FOLDERS = folders();

/** What gathering Facts would find about the names below a folder. */
export function namesOf(tree: string): NameFacts {
  const { real } = factOf(tree);
  const below = [...Object.keys(FILES), ...Object.keys(LINKS)].filter((path) => path.startsWith(`${real}/`));
  const names = below.map((path) => path.slice(real.length + 1));
  return {
    odd: names.some((name) => !isPlainName(name)),
    torn: names.some((name) => !isLineName(name)),
    leading: names.some((name) => /^[-:]/.test(name)),
    wild: names.some(isWildName),
    top: real === PROJECT,
  };
}

/** What gathering Facts would find at a path before the line runs: links followed segment by segment, `..` after them. */
export function factOf(path: string): PathFact {
  let real = '/';
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    real = segment === '..' ? posix.dirname(real) : posix.join(real, segment);
    const link = Object.hasOwn(LINKS, real) ? LINKS[real] : undefined;
    if (link !== undefined) real = link;
  }
  if (real === '/bin' || real.startsWith('/bin/')) real = `/usr${real}`;
  const kind = Object.hasOwn(FILES, real) ? 'file' : FOLDERS.has(real) ? 'directory' : real === '/dev/null' ? 'other' : 'missing';
  return { real, kind };
}
