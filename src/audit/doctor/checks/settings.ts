/** Settings that the runner ignores as a whole, settings that we cannot read, and settings that others can write. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type CheckResult, type DoctorCheck, problem } from '../found/check.js';
import type { HookSource } from '../found/read-hooks.js';
import { shellWord } from '../found/words.js';
import { writableOnTheWay } from '../found/writable.js';

export const settings: DoctorCheck = {
  id: 'settings',
  examine: ({ examined }) =>
    examined.flatMap(({ runner: { id }, sources, hooks, unread }) => [
      ...sources.flatMap((source) => [...ignored(id, source), ...hidden(id, source), ...writable(id, source)]),
      ...(hooks.length === 0 ? [] : unread.map(({ file, why }) => switching(id, file, why))),
    ]),
};

function ignored(id: string, { file, ignored: why }: HookSource): readonly CheckResult[] {
  return why === null ? [] : [problem(id, `${id} ignores all of ${file}: ${why}`, `correct ${file} by hand`)];
}

function hidden(id: string, { file, unread: why }: HookSource): readonly CheckResult[] {
  const what = `policy cannot read ${file} (${why}), so it does not know which hooks ${id} runs`;
  return why === null ? [] : [problem(id, what, `check the hooks in ${file} yourself`)];
}

function switching(id: string, file: string, why: string): CheckResult {
  const what = `policy cannot read ${file} (${why}), so it does not know whether that file makes ${id} run no hook`;
  return problem(id, what, `look into ${file} yourself`);
}

function writable(id: string, { file, text, scope }: HookSource): readonly CheckResult[] {
  if (text === null) return [];
  const open = writableOnTheWay(file).map((path) =>
    problem(id, `Everybody can write ${path}, so anybody can remove the hook`, `chmod o-w ${shellWord(path)}`),
  );
  const owned = [file, dirname(file)].flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const own = process.getuid?.();
    if (stat === undefined || own === undefined) return [];
    if (scope !== 'managed' && stat.uid !== own && stat.uid !== 0)
      return [problem(id, `${path} belongs to user ${stat.uid}, who can remove the hook`, `chown ${own} ${shellWord(path)}`)];
    return scope === 'managed' && stat.uid !== 0
      ? [problem(id, `${path} belongs to user ${stat.uid}, not to root`, `chown root ${shellWord(path)}`)]
      : [];
  });
  return [...open, ...owned];
}
