/** Wording and queries that several checks share. */
import { isAbsolute } from 'node:path';
import { quoted } from '../../../call/quote.js';
import { type HookLine, type OwnPrograms, ownHook } from '../../../install/own-hook.js';
import { isWholeCopy } from '../../../program/program-copy.js';
import type { HookScope } from '../../../runner/hook/runner.js';
import type { FoundHook } from './read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from './subject.js';

const SCOPES: Readonly<Record<HookScope, string>> = {
  user: 'in all your projects',
  project: 'in this project',
  managed: 'for everybody on this machine',
};

export function whereItApplies(scope: HookScope): string {
  return SCOPES[scope];
}

/**
 * Returns the line that installs the hook again, at the nearest place that the runner has. It does not change a file that a team
 * wrote itself, so the hook has to be removed from there first.
 */
export function installLine(
  id: string,
  { scope, file }: { readonly scope: HookScope; readonly file?: string },
  { runner, sources }: Pick<ExaminedRunner, 'runner' | 'sources'>,
): string {
  const line = `policy install ${id} --${runner.places[scope] === null ? 'project' : scope}`;
  const written = sources.find((source) => source.scope === scope)?.file ?? file;
  return file === undefined || file === written ? line : `remove the hook from ${shellWord(file)}, then ${line}`;
}

/** Quotes a path, whatever characters it contains, as one word on one line that a shell reads back unchanged. */
export function shellWord(path: string): string {
  if (!CONTROLS.test(path)) return quoted(path);
  const escaped = path.replace(/[\\']/g, '\\$&').replace(new RegExp(CONTROLS, 'g'), hexadecimal);
  return `$'${escaped}'`;
}

const CONTROLS = /[\x01-\x1f\x7f]/;

function hexadecimal(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** Whether the runner reads the file of this hook and has not been told to ignore it, as far as we can tell. */
export function working({ sources, switchedOff }: ExaminedRunner, { scope, file }: FoundHook): boolean {
  return (
    switchedOff(scope) === null &&
    sources.every((source) => source.file !== file || (source.ignored === null && source.unread === null))
  );
}

/** Returns the hooks before calls that provably start our own program and nothing else: only those may be started. */
export function ownHooks({
  examined,
  own,
  places,
}: DoctorSubject): readonly { readonly one: ExaminedRunner; readonly hook: FoundHook }[] {
  if (own === null) return [];
  const path = places.environment.PATH ?? '';
  return examined.flatMap((one) =>
    one.hooks
      .filter(({ blocks, command }) => blocks && ownHook(command, own, path, one.runner.id) !== null)
      .map((hook) => ({ one, hook })),
  );
}

/** Whether the program of the line is a copy that `policy install` made and that was not changed since. */
export function isInstalledCopy({ program }: HookLine, { versions = [] }: OwnPrograms): boolean {
  return isAbsolute(program) && isWholeCopy(program, versions);
}
