/** The command line itself: does it fail closed, does it set its own paths, and is it for this project? */
import { type HookLine, optionOf } from '../../../install/own-hook.js';
import { hookCommandLine } from '../../../runner/hook/command-line.js';
import { isDeadline } from '../../../runner/hook/deadline.js';
import { runnerNamed } from '../../../runner/runners.js';
import { type CheckResult, type DoctorCheck, problem, worthKnowing } from '../found/check.js';
import type { FoundHook } from '../found/read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from '../found/subject.js';
import { installLine } from '../found/words.js';

export const line: DoctorCheck = {
  id: 'line',
  examine: (subject) =>
    subject.examined.flatMap((one) =>
      one.hooks
        .filter(({ blocks }) => blocks)
        .flatMap((hook) => [...shapeOf(subject, one, hook), ...placesOf(subject, one, hook)]),
    ),
};

function shapeOf({ platform }: DoctorSubject, one: ExaminedRunner, hook: FoundHook): readonly CheckResult[] {
  const { line: written, command, file, place, scope } = hook;
  const { failsClosed, runner } = written;
  const fix = installLine(one.runner.id, { scope, file }, one);
  const said: CheckResult[] = [];
  if (runner !== one.runner.id)
    said.push(
      problem(one.runner.id, `The line in ${file}:${place} is for ${runner}, and cannot read payloads of ${one.runner.id}`, fix),
    );
  if (!failsClosed)
    said.push(
      problem(one.runner.id, `The line in ${file}:${place} does not fail closed: if the hook crashes or hangs, calls run`, fix),
    );
  else if (command !== asInstalled(written, platform))
    said.push(
      problem(
        one.runner.id,
        `The line in ${file}:${place} differs from what \`policy install\` writes, so it may lose the hook's answers, or wait longer than ${one.runner.id}`,
        fix,
      ),
    );
  return said;
}

/** Returns the line that installs the same hook; null if no line does. The canary sees one answer of the hook, but nothing of its timer. */
function asInstalled(line: HookLine, platform: NodeJS.Platform): string | null {
  const option = (name: string) => optionOf(line, name)?.value ?? null;
  const runner = runnerNamed(line.runner);
  const deadline = Number(line.deadline);
  if (runner === undefined || line.node === null || !isDeadline(deadline)) return null;
  return hookCommandLine({
    runner: runner.id,
    platform,
    node: line.node,
    hook: line.program,
    nodeOptions: line.nodeOptions,
    home: line.home,
    project: option('--project'),
    configDirectory: option('--config-dir'),
    stateDirectory: option('--state-dir'),
    shell: option('--shell'),
    deadline,
    looksFirst: line.looksFirst,
    former: line.former,
  });
}

function placesOf(
  subject: DoctorSubject,
  one: ExaminedRunner,
  { line: hook, file, place, scope }: FoundHook,
): readonly CheckResult[] {
  const said: CheckResult[] = [];
  const project = optionOf(hook, '--project')?.value ?? null;
  const fix = installLine(one.runner.id, { scope, file }, one);
  if (project !== null && project !== subject.places.project)
    said.push(
      problem(
        one.runner.id,
        `The line in ${file}:${place} is for the project ${project}, not for ${subject.places.project}`,
        fix,
      ),
    );
  if (hook.home !== null && hook.home !== subject.places.home)
    said.push(
      problem(
        one.runner.id,
        `The line in ${file}:${place} is for the home folder ${hook.home}, not for ${subject.places.home}`,
        fix,
      ),
    );
  const usual = [
    // With another configuration directory, your own policy's denials do not apply.
    ['--config-dir', subject.userDirectory, problem],
    ['--state-dir', subject.stateDirectory, worthKnowing],
  ] as const;
  for (const [name, here, weight] of usual) {
    const there = optionOf(hook, name)?.value ?? null;
    if (there === null && scope !== 'managed')
      said.push(
        problem(
          one.runner.id,
          `The line in ${file}:${place} has no ${name}, so the runner's environment can change that folder`,
          fix,
        ),
      );
    else if (there !== null && there !== here)
      said.push(weight(one.runner.id, `The line in ${file}:${place} uses ${name} ${there}, here it is ${here}`, fix));
  }
  return said;
}
