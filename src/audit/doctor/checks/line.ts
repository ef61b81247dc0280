/** The command line itself: does it fail closed, with places of its own, and for this project? */
import { optionOf } from '../../../enforce/own-hook.js';
import { type DoctorCheck, note, problem, type Said } from '../check.js';
import type { FoundHook } from '../read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from '../subject.js';
import { installLine } from '../words.js';

export const line: DoctorCheck = {
  id: 'line',
  examine: (subject) =>
    subject.examined.flatMap((one) =>
      one.hooks.filter(({ gates }) => gates).flatMap((hook) => [...shapeOf(one, hook), ...placesOf(subject, one, hook)]),
    ),
};

function shapeOf(one: ExaminedRunner, { line: { failsClosed, runner }, file, place, scope }: FoundHook): readonly Said[] {
  const fix = installLine(one.runner.id, scope, one);
  const said: Said[] = [];
  if (runner !== one.runner.id)
    said.push(
      problem(one.runner.id, `The line in ${file}:${place} is for ${runner}, and reads no payload of ${one.runner.id}`, fix),
    );
  if (!failsClosed)
    said.push(
      problem(one.runner.id, `The line in ${file}:${place} does not fail closed: when the hook crashes or hangs, calls run`, fix),
    );
  return said;
}

function placesOf(subject: DoctorSubject, one: ExaminedRunner, { line: hook, file, place, scope }: FoundHook): readonly Said[] {
  const said: Said[] = [];
  const project = optionOf(hook, '--project')?.value ?? null;
  const fix = installLine(one.runner.id, scope, one);
  if (project !== null && project !== subject.places.project)
    said.push(
      problem(
        one.runner.id,
        `The line in ${file}:${place} is for the project ${project}, not for ${subject.places.project}`,
        fix,
      ),
    );
  const usual = [
    ['--config-dir', subject.userDirectory],
    ['--state-dir', subject.stateDirectory],
  ] as const;
  for (const [name, here] of usual) {
    const there = optionOf(hook, name)?.value ?? null;
    if (there === null && scope !== 'managed')
      said.push(
        problem(one.runner.id, `The line in ${file}:${place} has no ${name}: the environment of the runner decides`, fix),
      );
    else if (there !== null && there !== here)
      said.push(note(one.runner.id, `The line in ${file}:${place} uses ${name} ${there}, here it is ${here}`, fix));
  }
  return said;
}
