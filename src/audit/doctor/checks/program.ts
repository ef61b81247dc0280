/** The program started by the line: does it exist, is it complete, outside of every repository, and as new as this one? */
import { statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { repositoryTop } from '../../../disk/git/directory.js';
import { realPath } from '../../../disk/real-path.js';
import { copyProblemOf } from '../../../program/program-copy.js';
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import type { FoundHook } from '../found/read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from '../found/subject.js';
import { installLine, shellWord } from '../found/words.js';
import { writableOnTheWay } from '../found/writable.js';

export const program: DoctorCheck = {
  id: 'program',
  examine: (subject) =>
    subject.examined.flatMap((one) => one.hooks.filter(({ blocks }) => blocks).flatMap((hook) => programOf(subject, one, hook))),
};

function programOf(
  { own, places }: DoctorSubject,
  one: ExaminedRunner,
  { line, scope, file, place }: FoundHook,
): readonly CheckResult[] {
  const { id } = one.runner;
  const fix = installLine(id, { scope, file }, one);
  const where = `the line in ${file}:${place}`;
  const bundle = isAbsolute(line.program) ? realPath(line.program) : null;
  if (line.node !== null && !isExecutable(line.node))
    return [problem(id, `${line.node}, the node of ${where}, no longer exists: every call is denied`, fix)];
  if (line.node === null || !isAbsolute(line.program))
    return [problem(id, `PATH decides which program ${where} starts (${line.program})`, fix)];
  if (bundle === null)
    return [problem(id, `${line.program}, the program of ${where}, no longer exists: every call is denied`, fix)];
  const top = repositoryTop(dirname(bundle));
  if (top !== null) return [problem(id, `The program of ${where} is in the repository ${top}, where agents write`, fix)];
  if (`${realPath(line.node)}/`.startsWith(`${places.project}/`))
    return [problem(id, `${line.node}, the node of ${where}, is in the project, where agents write`, fix)];
  const isCopy = (own?.versions ?? []).some((folder) => bundle.startsWith(`${folder}/`));
  if (!isCopy)
    return [worthKnowing(id, `The program of ${where} is ${bundle}, not a copy that \`policy install\` made and checks`, fix)];
  const changed = copyProblemOf(bundle);
  if (changed !== null) return [problem(id, `${dirname(dirname(bundle))} ${changed}`, fix)];
  const [open] = [bundle, realPath(line.node) ?? line.node].flatMap(writableOnTheWay);
  if (open !== undefined)
    return [
      problem(id, `Everybody can write ${open}, so anybody can replace the program of ${where}`, `chmod o-w ${shellWord(open)}`),
    ];
  return [fine(id, `The program of ${where} is unchanged since it was installed (${dirname(dirname(bundle))})`)];
}

function isExecutable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}
