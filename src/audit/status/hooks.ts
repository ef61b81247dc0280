/** The status of each runner: whether it asks a hook of ours before each call. */

import { isAbsolute } from 'node:path';
import { RUNNERS } from '../../call/tool-call.js';
import { realPath } from '../../disk/real-path.js';
import { versionOfCopy } from '../../program/program-copy.js';
import type { FoundHook } from '../doctor/found/read-hooks.js';
import type { DoctorSubject } from '../doctor/found/subject.js';
import type { HookStatus, RunnerStatus } from './status.js';

/** Returns every runner: those with a hook first, then those on PATH, then the others. */
export function runnerStatuses({ examined, own }: DoctorSubject): readonly RunnerStatus[] {
  const known = new Map(examined.map((one) => [one.runner.id, one]));
  const statuses = [...RUNNERS].map((runner): RunnerStatus => {
    const one = known.get(runner);
    const blocking = one?.hooks.filter(({ blocks }) => blocks) ?? [];
    return {
      runner,
      path: one?.client?.path ?? null,
      hooks: blocking.map((hook) => hookStatus(hook, own?.versions ?? [])),
    };
  });
  const rank = ({ hooks, path }: RunnerStatus) => (hooks.length > 0 ? 0 : path === null ? 2 : 1);
  return statuses.sort((left, right) => rank(left) - rank(right));
}

function hookStatus({ scope, file, place, line }: FoundHook, versions: readonly string[]): HookStatus {
  const bundle = line.node !== null && isAbsolute(line.program) ? realPath(line.program) : null;
  return { scope, file, line: place, version: bundle === null ? null : versionOfCopy(bundle, versions) };
}
