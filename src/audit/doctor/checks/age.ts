/** Whether an installed line runs another version of the program than this one: holes that were closed since then are still open there. */

import { dirname, join } from 'node:path';
import { isFields, text } from '../../../call/fields.js';
import { readText } from '../../../disk/read.js';
import { realPath } from '../../../disk/real-path.js';
import { digestsOf, partsOf } from '../../../program/program-files.js';
import { isBelow } from '../../../runner/launch/client-version.js';
import { parsedJson } from '../../model/parsed-json.js';
import { type CheckResult, type DoctorCheck, worthKnowing } from '../found/check.js';
import type { FoundHook } from '../found/read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from '../found/subject.js';
import { installLine, isInstalledCopy } from '../found/words.js';

export const age: DoctorCheck = {
  id: 'age',
  examine: (subject) =>
    subject.examined.flatMap((one) => one.hooks.filter(({ blocks }) => blocks).flatMap((hook) => ageOf(subject, one, hook))),
};

function ageOf({ own }: DoctorSubject, one: ExaminedRunner, { line, file, place, scope }: FoundHook): readonly CheckResult[] {
  if (own === null || !isInstalledCopy(line, own)) return [];
  const fix = installLine(one.runner.id, { scope, file }, one);
  const here = `the line in ${file}:${place}`;
  const installed = versionIn(join(dirname(dirname(line.program)), 'installed.json'));
  const now = versionIn(join(dirname(dirname(own.hook)), 'package.json'));
  const isKnown = installed !== null && now !== null;
  if (isKnown && isBelow(now, installed)) {
    const what = `The program of ${here} is version ${installed}, newer than this one (${now})`;
    return [worthKnowing(one.runner.id, what, 'run policy doctor of that version')];
  }
  const isOlder = isKnown && isBelow(installed, now);
  const older = isOlder ? ` (${installed}, this is ${now})` : '';
  if (isOlder || !isSameProgram(line.program, own.hook) || !line.looksFirst || line.former)
    return [worthKnowing(one.runner.id, `The program of ${here} is older than this one${older}, so it lacks later fixes`, fix)];
  return [];
}

/** Returns the version in a manifest of ours; null when it cannot be determined. */
function versionIn(file: string): string | null {
  const read = readText(file);
  // Another check reports a damaged one.
  const manifest = read.ok ? parsedJson(read.text) : null;
  const version = isFields(manifest) ? text(manifest, 'version') : null;
  return version !== null && /^\d{1,9}\.\d{1,9}\.\d{1,9}(?![\d.])[\w.+-]{0,40}$/.test(version) ? version : null;
}

/** Two builds of one version differ in their files; the files that node generates are ignored. */
function isSameProgram(installed: string, own: string): boolean {
  try {
    const [there, here] = [installed, own].map(
      (hook) => partsOf(digestsOf(dirname(realPath(hook) ?? hook)), process.execPath)[0],
    );
    if (there === undefined || here === undefined || there.size !== here.size) return false;
    return [...here].every(([name, digest]) => there.get(name) === digest);
  } catch {
    // An unreadable file is reported by the program check.
    return true;
  }
}
