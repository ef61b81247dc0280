/** Settings that the runner ignores as a whole, and settings that others can write. */
import { lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DoctorCheck, problem, type Said } from '../check.js';
import type { HookSource } from '../read-hooks.js';

export const settings: DoctorCheck = {
  id: 'settings',
  examine: ({ examined }) =>
    examined.flatMap(({ runner: { id }, sources }) =>
      sources.flatMap((source) => [...ignored(id, source), ...writable(id, source)]),
    ),
};

function ignored(id: string, { file, ignored: why }: HookSource): readonly Said[] {
  return why === null ? [] : [problem(id, `${id} ignores all of ${file}: ${why}`, `put ${file} right by hand`)];
}

function writable(id: string, { file, text, scope }: HookSource): readonly Said[] {
  if (text === null) return [];
  return [file, dirname(file)].flatMap((path) => {
    const link = lstatSync(path, { throwIfNoEntry: false });
    const stat = statSync(path, { throwIfNoEntry: false });
    const own = process.getuid?.();
    if (stat === undefined || link === undefined || own === undefined) return [];
    if ((stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0)
      return [problem(id, `Everybody can write ${path}, so anybody can take the hook out`, `chmod o-w ${path}`)];
    if (scope !== 'managed' && stat.uid !== own && stat.uid !== 0)
      return [problem(id, `${path} belongs to user ${stat.uid}, who can take the hook out`, `chown ${own} ${path}`)];
    return scope === 'managed' && stat.uid !== 0
      ? [problem(id, `${path} belongs to user ${stat.uid}, not to root`, `chown root ${path}`)]
      : [];
  });
}
