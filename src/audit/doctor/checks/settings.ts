/** Settings that the runner ignores as a whole, and settings that others can write. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DoctorCheck, problem, type Said } from '../check.js';
import type { HookSource } from '../read-hooks.js';
import { writableOnTheWay } from '../writable.js';

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
  const open = writableOnTheWay(file).map((path) =>
    problem(id, `Everybody can write ${path}, so anybody can take the hook out`, `chmod o-w ${path}`),
  );
  const owned = [file, dirname(file)].flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const own = process.getuid?.();
    if (stat === undefined || own === undefined) return [];
    if (scope !== 'managed' && stat.uid !== own && stat.uid !== 0)
      return [problem(id, `${path} belongs to user ${stat.uid}, who can take the hook out`, `chown ${own} ${path}`)];
    return scope === 'managed' && stat.uid !== 0
      ? [problem(id, `${path} belongs to user ${stat.uid}, not to root`, `chown root ${path}`)]
      : [];
  });
  return [...open, ...owned];
}
