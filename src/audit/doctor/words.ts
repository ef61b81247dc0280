/** What several checks say and ask in the same way. */
import { ownHook } from '../../enforce/own-hook.js';
import type { HookScope } from '../../runner/runner.js';
import type { FoundHook } from './read-hooks.js';
import type { DoctorSubject, ExaminedRunner } from './subject.js';

const SCOPES: Readonly<Record<HookScope, string>> = {
  user: 'in all your projects',
  project: 'in this project',
  managed: 'for everybody on this machine',
};

export function sentence(scope: HookScope): string {
  return SCOPES[scope];
}

/** The line that installs the hook anew; at the nearest place that the runner has. */
export function installLine(id: string, scope: HookScope, { runner }: Pick<ExaminedRunner, 'runner'>): string {
  return `policy install ${id} --${runner.places[scope] === null ? 'project' : scope}`;
}

/** The runner reads the file of this hook and has not been told to pass over it. */
export function working({ sources, switchedOff }: ExaminedRunner, { scope, file }: FoundHook): boolean {
  return switchedOff(scope) === null && sources.every((source) => source.file !== file || source.ignored === null);
}

/** The hooks before calls that provably start our own program and nothing else: only those may be started. */
export function ownHooks({
  examined,
  own,
  places,
}: DoctorSubject): readonly { readonly one: ExaminedRunner; readonly hook: FoundHook }[] {
  if (own === null) return [];
  const path = places.environment.PATH ?? '';
  return examined.flatMap((one) =>
    one.hooks
      .filter(({ gates, command }) => gates && ownHook(command, own, path, one.runner.id) !== null)
      .map((hook) => ({ one, hook })),
  );
}
