/** One hook process of the storm, through the installed line, and what its answer says. */
import type { Outcome } from '../client.js';
import { runLine } from '../run-line.js';
import { type FaultWorld, payloadOf } from '../world.js';

/** Seconds: the machine is busy by design; a hook that its own clock ends would only hide what became of its record. */
const DEADLINE = 120;

export interface Asked {
  readonly id: string;
  /** `touch` is denied by the policy, `ls` is allowed. */
  readonly isDenied: boolean;
  readonly during?: (shell: number) => Promise<void>;
}

export function ask(world: FaultWorld, { id, isDenied, during }: Asked): Promise<Outcome> {
  const payload = { ...payloadOf('claude-code', world, isDenied ? undefined : 'ls'), tool_use_id: id };
  return tell(world, payload, during);
}

/** Hands any payload of Claude Code to the hook. */
export function tell(world: FaultWorld, payload: object, during?: (shell: number) => Promise<void>): Promise<Outcome> {
  return runLine({
    ...{ shell: '/bin/sh', line: world.line('claude-code', 'linux', DEADLINE), cwd: world.project },
    feed: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(payload)) },
    environment: { PATH: '/usr/bin:/bin', HOME: world.home },
    patience: (DEADLINE + 10) * 1000,
    ...(during && { during }),
  });
}

export type Answer =
  /** Consent without a word. */
  | { readonly kind: 'passed' }
  /** Denied by the rule; `decision` is the id that the log has it under. */
  | { readonly kind: 'rule'; readonly decision: string }
  /** Denied because it could not be logged. */
  | { readonly kind: 'unlogged' }
  /** Denied by the line, which did not hear from the hook. */
  | { readonly kind: 'unheard' }
  | { readonly kind: 'other' };

export function answerOf({ status, timedOut, stdout, stderr }: Outcome): Answer {
  if (status === 0 && stdout === '' && stderr === '') return { kind: 'passed' };
  if (status !== 2 || timedOut) return { kind: 'other' };
  const decision = /Bash\(touch \*\) (?:denies|in) .*\(decision ([\w-]+)\)$/m.exec(stderr)?.[1];
  if (decision !== undefined) return { kind: 'rule', decision };
  if (/decision log|digest key|state directory/.test(stderr)) return { kind: 'unlogged' };
  return { kind: /the hook (?:did not answer|could not be started)/.test(stderr) ? 'unheard' : 'other' };
}
