/**
 * Hooks of other programs that may rewrite a call after it was judged, or answer the policy's prompt for the person. A hook that came with
 * the project is a problem, because the project's author decides then. A hook of the person's own is worth knowing about.
 */
import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import type { InstallPlaces } from '../../../install/target.js';
import type { Workspace } from '../../../project/workspace.js';
import type { Runner } from '../../../runner/hook/runner.js';
import { allRunners } from '../../../runner/runners.js';
import { shownCommand } from '../../model/shown-command.js';
import { guardOf, OPEN } from '../../surroundings/other-guard.js';
import { type CheckResult, type DoctorCheck, problem, worthKnowing } from '../found/check.js';
import type { OtherHook } from '../found/other-hook.js';
import { otherHooks } from '../found/other-hooks.js';
import { type DoctorSubject, openedWorkspace } from '../found/subject.js';

export const others: DoctorCheck = {
  id: 'others',
  examine: (subject) => {
    const { examined, places, runners } = subject;
    const hooked = new Set(examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).map(({ runner }) => runner));
    const named = allRunners().filter(({ id }) => runners.length === 0 || runners.includes(id));
    const opened = openedWorkspace(subject);
    const workspace = opened.ok ? opened.workspace : null;
    // Without a hook of ours, only hooks that came with the project are reported.
    return named.flatMap((runner) =>
      othersOf(runner, places, workspace, isNews(subject, runner)).filter(
        ({ level }) => hooked.has(runner) || level === 'problem',
      ),
    );
  },
};

/**
 * Excludes hooks that another check or this one already reports: those of an unreadable file, and those of another runner that
 * has the file.
 */
export function isNews({ examined }: DoctorSubject, runner: Runner): (hook: OtherHook) => boolean {
  const isExamined = examined.some((one) => one.runner === runner);
  const unread = new Set(
    examined
      .flatMap(({ sources, hooks, unread: beside }) => [
        ...sources.filter((source) => source.unread !== null || source.ignored !== null),
        ...(hooks.length === 0 ? [] : beside),
      ])
      .map(({ file }) => file),
  );
  return ({ kind, file, isBorrowed }) => (isExamined || isBorrowed !== true) && !(kind === 'unread' && unread.has(file));
}

/**
 * Returns the results for the hooks of other programs under a runner.
 * @param workspace its rules may name a hook of the project, which is then accepted
 * @param wanted selects the hooks to report
 */
export function othersOf(
  runner: Runner,
  places: InstallPlaces,
  workspace: Workspace | null,
  wanted: (hook: OtherHook) => boolean = () => true,
): readonly CheckResult[] {
  if (traitsOf(runner.id).hooksOnlyBlock) return [];
  // Programs started at other events are judged by the surroundings check.
  return otherHooks(runner, places)
    .filter(wanted)
    .flatMap((hook) => {
      const guard = hook.kind === 'before-call' && hook.ofProject ? guardOf(hook, workspace) : OPEN;
      return hook.kind === 'other-event' || guard.accepted ? [] : [saidOf(runner.id, hook, guard.accept)];
    });
}

function saidOf(id: RunnerId, { file, line, what, kind, ofProject }: OtherHook, accept: string | null): CheckResult {
  const shown = shownCommand(what);
  const whose = ofProject ? 'of the project' : 'of another program';
  const weight = ofProject ? problem : worthKnowing;
  const place = `${file}:${line}`;
  if (kind === 'unread') {
    const unknown = `policy cannot read ${file} (${shown.replace(/^it /, '')}), so it does not know which hooks or plugins ${id} starts from it`;
    return weight(id, unknown, `repair ${file}, or check it yourself`);
  }
  const harm = {
    'before-call': `may rewrite a call after the policy judged it, and then ${id} runs the new call unchecked`,
    permission: `may answer the permission question of ${id} for the person, so calls that the policy asks about run without a question`,
    plugin: `may rewrite the arguments of a call after the policy judged it, and ${id} runs the new call unchecked`,
    'other-event': '',
  }[kind];
  const out = ofProject
    ? `remove it from ${place}, or do not start ${id} in this project`
    : `check whether it does that, and if so, remove it from ${place}`;
  const fix =
    accept === null ? out : `read what it starts; if it only checks calls, ${accept}; otherwise remove it from ${place}`;
  return weight(id, `A ${kind === 'plugin' ? 'plugin' : 'hook'} ${whose} in ${place} (${shown}) ${harm}`, fix);
}
