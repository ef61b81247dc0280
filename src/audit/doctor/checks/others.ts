/**
 * Hooks of others that may rewrite a call after it was judged, or answer the question of the policy for the person. One that came with
 * the project is a problem: whoever wrote the project decides then. One of the person's own is worth knowing.
 */
import type { InstallPlaces } from '../../../enforce/install/target.js';
import { allRunners } from '../../../runner/registry.js';
import type { Runner } from '../../../runner/runner.js';
import { shownCommand } from '../../shown-command.js';
import { type CheckResult, type DoctorCheck, note, problem } from '../check.js';
import type { OtherHook } from '../other-hook.js';
import { otherHooks } from '../other-hooks.js';

/** Runners that let a hook rewrite a call or answer for the person. */
const LISTENING: ReadonlySet<string> = new Set([
  'claude-code',
  'codex',
  'gemini-cli',
  'copilot-cli',
  'qwen-code',
  'opencode',
  'cursor',
]);

export const others: DoctorCheck = {
  id: 'others',
  examine: ({ examined, places, runners }) => {
    const hooked = new Set(examined.filter(({ hooks }) => hooks.some(({ blocks }) => blocks)).map(({ runner }) => runner));
    const named = allRunners().filter(({ id }) => runners.length === 0 || runners.includes(id));
    // Where no hook of ours stands, only what came with the project is said.
    return named.flatMap((runner) => othersOf(runner, places).filter(({ level }) => hooked.has(runner) || level === 'problem'));
  },
};

/** What there is to say of the hooks of others under a runner. */
export function othersOf(runner: Runner, places: InstallPlaces): readonly CheckResult[] {
  if (!LISTENING.has(runner.id)) return [];
  // What runs at other events is judged by the check of the surroundings.
  return otherHooks(runner, places).flatMap((hook) => (hook.kind === 'other-event' ? [] : [saidOf(runner.id, hook)]));
}

function saidOf(id: string, { file, line, what, kind, ofProject }: OtherHook): CheckResult {
  const shown = shownCommand(what);
  const whose = ofProject ? 'of the project' : 'of another program';
  const weight = ofProject ? problem : note;
  const place = `${file}:${line}`;
  const harm = {
    'before-call': `may rewrite a call after the policy judged it, and ${id} runs the new call unchecked`,
    permission: `may answer the permission question of ${id} for the person, and what the policy asks about runs unseen`,
    plugin: `may rewrite the arguments of a call after the policy judged it, and ${id} runs the new call unchecked`,
    'other-event': '',
  }[kind];
  const fix = ofProject
    ? `take it out of ${place}, or do not start ${id} in this project`
    : `look whether it does that, and take it out of ${place} then`;
  return weight(id, `A ${kind === 'plugin' ? 'plugin' : 'hook'} ${whose} in ${place} (${shown}) ${harm}`, fix);
}
