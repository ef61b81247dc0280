/** AS-3, no way around the prompts: variables that files of the project set for a coding agent. */
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { whyUnread } from '../../disk/setting.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Runner } from '../../runner/hook/runner.js';
import { leadingVariables, obeyedVariables, projectFiles } from '../doctor/checks/variables.js';
import {
  offInFiles,
  type PlacedVariable,
  sandboxVariableFiles,
  sandboxVariablesIn,
  variableFiles,
} from '../doctor/found/switch-variables.js';
import { excerptOf, shownFile } from '../model/digest.js';
import { type Examined, judged, notApplicable } from '../model/examined.js';
import type { Control } from '../subject/control.js';
import { checkEvidence, lineEvidence } from '../subject/evidence.js';
import { type AuditedRunner, type AuditSubject, forEachRunner } from '../subject/subject.js';

export const as3: Control = {
  id: 'AS-3',
  examine: (subject) => forEachRunner(subject, 'variables', (one) => variables(subject, one)),
};

/** Applies whether a hook is installed or not: the file would affect a hook installed later. */
function variables({ places, project }: AuditSubject, { runner }: AuditedRunner): Examined {
  const files = projectVariableFiles(runner, places);
  if (files.length === 0) return notApplicable(`No known project file sets variables of ${runner.id}.`);
  const against = hookVariablesOfProject(runner, places).flatMap(({ file, name, line, does }) =>
    lineEvidence(project, { file: shownFile(project, file), line }, excerptOf(`It sets ${name}, ${does}.`)),
  );
  if (against.length > 0) return judged(against, '');
  const unread = files.find((file) => isUnread(file));
  if (unread !== undefined)
    return judged([], `${shownFile(project, unread)} cannot be read, so it is unknown which variables it sets.`);
  const names = files.map((file) => shownFile(project, file)).join(', ');
  const shows = excerptOf(`No such variable is set in ${names}.`);
  // Such a file contains secrets, so not even its digest belongs in a report.
  const of = { check: 'variables', runner: runner.id, command: `policy doctor ${runner.id}` };
  return judged([checkEvidence(true, shows, of)], '');
}

function isUnread(file: string): boolean {
  if (file.endsWith('.json')) return whyUnread(file, 'json') !== null;
  const read = readText(file);
  return !read.ok && read.code !== 'missing';
}

/** Only the project's files: those above it or in the home directory belong to the person. */
function projectVariableFiles(runner: Runner, places: InstallPlaces): readonly string[] {
  const files = [...variableFiles(runner, places), ...sandboxVariableFiles(runner, places), ...projectFiles(runner, places)];
  return [...new Set(files)].filter((file) => isInside(file, places.project) && places.project !== places.home);
}

interface HookVariable extends PlacedVariable {
  /** Completes "It sets NAME, …". */
  readonly does: string;
}

/** Returns variables in files of the project that keep the hook from being asked, or a sandbox from being started. */
export function hookVariablesOfProject(runner: Runner, places: InstallPlaces): readonly HookVariable[] {
  const files = projectVariableFiles(runner, places);
  const said: readonly HookVariable[] = [
    ...offInFiles(runner, places).map((one) => ({ ...one, does: `which makes ${runner.id} run no hook` })),
    ...sandboxVariablesIn(runner, places).flatMap(({ file, ...one }) =>
      file === null ? [] : [{ ...one, file, does: 'which may let commands run outside the sandbox' }],
    ),
    ...obeyedVariables(runner, places).map((one) => ({ ...one, does: 'which may make a shell exit before it starts the hook' })),
    ...leadingVariables(runner, places).map((one) => ({ ...one, does: `which may make ${runner.id} use other settings` })),
  ];
  // Only the first statement about each variable is kept. That the runner reads it at all is the weakest, so it comes last.
  const first = new Map([...said].reverse().map((one) => [`${one.file}:${one.line}:${one.name}`, one]));
  return said.filter((one) => files.includes(one.file) && first.get(`${one.file}:${one.line}:${one.name}`) === one);
}
