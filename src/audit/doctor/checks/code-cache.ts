/** Whether node accepts the code caches of the installed bundles; without them every call starts more slowly. */
import { spawnSync } from 'node:child_process';
import { dirname, isAbsolute } from 'node:path';
import { type DoctorCheck, fine, worthKnowing } from '../found/check.js';
import { installLine, ownHooks } from '../found/words.js';

/** Does the same as src/hook/cached.ts and src/program/code-cache.ts, but reports instead of running. */
const ASK = `
const { lstatSync, readdirSync, readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const { size, mtimeMs } = lstatSync(process.execPath);
const exact = process.version + '-' + size + '-' + Math.trunc(mtimeMs);
const node = process.argv[2] === 'exact' ? exact : 'node' + process.versions.node.split('.')[0];
const cached = readdirSync(process.argv[1]).flatMap((name) => /^(?!gateway)(.*)\\.node\\d+\\.cache$/.exec(name)?.[1] ?? []);
for (const name of new Set(['hook-main', ...cached])) {
  const file = process.argv[1] + '/' + name;
  let cachedData;
  try { cachedData = readFileSync(file + '.' + node + '.cache'); } catch { console.log(name + ' missing'); continue; }
  const script = new Script(readFileSync(file + '.cjs', 'latin1'), { filename: file + '.cjs', cachedData });
  console.log(name + (script.cachedDataRejected ? ' rejected' : ' accepted'));
}`;

export const codeCache: DoctorCheck = {
  id: 'code-cache',
  examine: (subject) =>
    ownHooks(subject).flatMap(({ one, hook }) => {
      const { node, nodeOptions, program } = hook.line;
      if (node === null || !isAbsolute(program)) return [];
      const { stdout, status } = spawnSync(
        node,
        [...nodeOptions, '-e', ASK, dirname(program), nodeOptions.length > 0 ? 'exact' : 'major'],
        {
          encoding: 'utf8',
          env: {},
          cwd: '/',
          timeout: subject.patience,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      const refused = (stdout ?? '').split('\n').filter((line) => / (?:missing|rejected)$/.test(line));
      if (status === 0 && refused.length === 0) return [fine(one.runner.id, `${node} loads the hook's precompiled code`)];
      const what = `${node} rejects the hook's code caches (${refused.join(', ') || 'it did not start'}): calls start more slowly`;
      return [worthKnowing(one.runner.id, what, installLine(one.runner.id, hook, one))];
    }),
};
