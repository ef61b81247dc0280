/** The one command that helps most from here. */
import { ASSUMED_RUNNER } from '../../call/tool-call.js';
import type { Found, NextCommand } from './status.js';

const A_DAY = 86_400_000;

/** Ordered from problems that block or endanger everything to hints that are only good to know. */
export function nextCommand({ policy, hooks, log, denials, problems }: Found, now: number): NextCommand {
  const { inForce, layers } = policy;
  const hooked = hooks.filter((one) => one.hooks.length > 0);
  const bare = hooks.find((one) => one.hooks.length === 0 && one.path !== null);
  const broken = problems.find(({ runner }) => runner !== null && hooked.some((one) => one.runner === runner));
  const [denied] = denials.last;
  if (inForce === null) return { command: 'policy lint', why: 'the policy has a mistake, so every call is denied' };
  if (layers.length === 0) return { command: 'policy init', why: 'there is no policy file yet' };
  if (layers.some(({ trust }) => trust === 'untrusted' || trust === 'changed'))
    return { command: 'policy trust', why: "shows what this project's policy grants" };
  if (hooked.length === 0)
    return { command: `policy install ${bare?.runner ?? ASSUMED_RUNNER}`, why: 'no hook is installed, so no call is checked' };
  if (broken?.runner != null)
    return { command: `policy doctor ${broken.runner}`, why: 'a hook has a problem; doctor says how to fix it' };
  if (problems.length > 0) return { command: 'policy doctor', why: 'says how to fix the problem' };
  if (inForce.mode === 'observe')
    return { command: 'policy observe off', why: 'nothing is blocked now; policy log stats shows what would have been' };
  if (bare !== undefined) return { command: `policy install ${bare.runner}`, why: 'its program is on PATH and has no hook' };
  if (log !== null && log.unsealed.count > 0 && now - Date.parse(log.sealedAt ?? '1970-01-01') > A_DAY)
    return { command: 'policy log seal', why: "protects the log's records against changes" };
  if (denied !== undefined) return { command: `policy log show ${denied.id.slice(0, 13)}`, why: 'explains the last denial' };
  return { command: 'policy doctor', why: 'sends a call that must be blocked through every hook' };
}
