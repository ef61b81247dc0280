/** One cell of the table: plants a fault, hands a call that the policy denies to the hook as a client does, and looks for the marker. */
import { existsSync, writeFileSync } from 'node:fs';
import type { RunnerId } from '../../src/call/tool-call.js';
import { clientModel, type Outcome } from './client.js';
import { type Fault, pause } from './fault.js';
import { type LineStart, runLine } from './run-line.js';
import { type FaultWorld, faultWorld, payloadOf } from './world.js';

/** How a client starts the line: the shell it hands it to, and the system that the line was written for. */
export interface Way {
  readonly shell: string;
  readonly platform: 'linux' | 'darwin';
}

/** The line for macOS (perl in place of `timeout`) is tried here, too, with the shell that is `sh` there. */
const ALL_WAYS: readonly Way[] = [
  { shell: '/bin/dash', platform: 'linux' },
  { shell: '/bin/bash', platform: 'linux' },
  { shell: '/bin/bash', platform: 'darwin' },
  { shell: '/bin/zsh', platform: 'linux' },
];

/** The ways that this machine has; the first three are everywhere on Linux. */
export const WAYS: readonly Way[] = ALL_WAYS.filter(({ shell }) => process.platform === 'linux' && existsSync(shell));

export interface Met {
  /** The marker is there: the denied call ran. */
  readonly open: boolean;
  /**
   * Who denied it: the policy's rule, or the hook (or its line) because something is wrong; `unheard` where nobody could be told,
   * `asked` where a person is asked instead.
   */
  readonly by: 'rule' | 'failure' | 'unheard' | 'asked';
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** A snapshot is taken only of files that have been there for a moment. */
const SETTLED_MS = 160;

/** Seconds: a busy machine hides nothing, and what hangs shows all the same. */
const DEADLINE = 15;

/** Plants a fault in a world of its own and makes the call. */
export async function tryFault(fault: Fault, runner: RunnerId, way: Way): Promise<Met> {
  const world = faultWorld();
  let undo: (() => void) | undefined;
  try {
    if (fault.warm === true) await warmUp(world, runner, way);
    const planted = fault.plant?.(world);
    if (typeof planted === 'function') undo = () => planted();
    const start = lineStart(world, runner, way, undefined, fault.hangs === true ? undefined : DEADLINE);
    return await makeCall(world, runner, start, fault);
  } finally {
    undo?.();
    world.remove();
  }
}

/** The call that nothing is wrong with: `command` is judged without a fault. */
export async function tryCommand(runner: RunnerId, way: Way, command: 'denied' | 'allowed', line?: string): Promise<Met> {
  const world = faultWorld();
  try {
    const start = lineStart(world, runner, way, command === 'denied' ? undefined : 'true', 60);
    return await makeCall(world, runner, { ...start, ...(line !== undefined && { line }) }, { name: 'none' });
  } finally {
    world.remove();
  }
}

function lineStart(
  world: FaultWorld,
  runner: RunnerId,
  { shell, platform }: Way,
  command?: string,
  deadline?: number,
): LineStart {
  const payload = JSON.stringify(payloadOf(runner, world, command));
  return {
    ...{ shell, line: world.line(runner, platform, deadline), cwd: world.project },
    feed: { kind: 'bytes', bytes: Buffer.from(payload) },
    environment: { PATH: '/usr/bin:/bin', HOME: world.home, LANG: 'C.UTF-8', SHLVL: '1', _: '/usr/bin/client' },
  };
}

/** The same call twice without a fault, so that the second one starts from a snapshot. */
async function warmUp(world: FaultWorld, runner: RunnerId, way: Way): Promise<void> {
  await pause(SETTLED_MS);
  const outcome = await runLine(lineStart(world, runner, way, undefined, 60));
  if (clientModel(runner).runs(outcome) || tellerOf(outcome) !== 'rule')
    throw new Error(`the rule does not hold without a fault: ${JSON.stringify(outcome)}`);
}

async function makeCall(world: FaultWorld, runner: RunnerId, whole: LineStart, fault: Fault): Promise<Met> {
  const start = { ...whole, ...fault.start?.(whole, world, runner) };
  const started = performance.now();
  const outcome = await runLine(start);
  const seconds = (performance.now() - started) / 1000;
  // The client: it runs the call, or it does not.
  if (clientModel(runner).runs(outcome)) writeFileSync(existsSync(world.project) ? world.marker : `${world.base}/MARKER`, '');
  const open = existsSync(world.marker) || existsSync(`${world.base}/MARKER`);
  return { open, outcome, seconds, by: tellerOf(outcome) };
}

function tellerOf({ status, stdout, stderr }: Outcome): Met['by'] {
  const said = `${stdout}${stderr}`;
  if (said.trim() === '') return 'unheard';
  if (status === 0 && stdout.includes('"ask"')) return 'asked';
  return /Bash\(touch \*\) (?:denies|in) /.test(said) ? 'rule' : 'failure';
}

/** What is wrong with how a fault was met; null when nothing is. */
export function complaint(fault: Fault, { open, outcome, seconds }: Met): string | null {
  const said = `exit ${outcome.status ?? outcome.signal}${outcome.timedOut ? ', ended by the client' : ''}: ${JSON.stringify(outcome.stdout + outcome.stderr).slice(0, 600)}`;
  if (open) return `OPEN, the denied call ran; ${said}`;
  if (outcome.timedOut) return `the client had to end the hook; ${said}`;
  // The same words stand for a hook that was killed; and a slow machine alone is no fault.
  const isLate = seconds >= DEADLINE && outcome.stderr.includes('did not answer in time');
  if (fault.hangs !== true && isLate) return `it hangs; ${said}`;
  if (fault.injected !== true && outcome.stdout.concat(outcome.stderr).includes('(internal/'))
    return `a reason about ourselves; ${said}`;
  // A denial by JSON needs no reason on the other channel, on which node or the shell may say something of their own.
  const isSpoken = outcome.status === 0 || /^policy denied [^\n]+\n$/.test(lastLine(outcome.stderr));
  if (outcome.stderr !== '' && fault.noisy !== true && !isSpoken) return `no reason at the end; ${said}`;
  return null;
}

/** Node and the shell may have their say before; the last word is ours. */
function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
}
