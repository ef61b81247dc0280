/** What hooks are busy with when the storm kills them, and what a killed one could have blocked. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../client.js';
import type { FaultWorld } from '../world.js';
import { ask, tell } from './call.js';

const PAYLOADS = 'test/fixtures/payloads/claude-code';

export type During = (shell: number) => Promise<void>;

export interface Work {
  readonly name: string;
  /** Of ten kills, so many. */
  readonly share: number;
  /** Every one of them in a world in which nothing has happened yet. */
  readonly fresh?: boolean;
  readonly prepare?: (world: FaultWorld) => void;
  readonly start: (world: FaultWorld, id: string, during?: During) => Promise<Outcome>;
  /** The answer came from the hook itself. */
  readonly isHeard: (outcome: Outcome) => boolean;
  /** Without a word of the hook, this lets something run. */
  readonly isOpen: (outcome: Outcome) => boolean;
  /** What must go on afterwards. */
  readonly next?: (world: FaultWorld, id: string, wasHeard: boolean) => Promise<Next>;
}

/** It goes on at once, or in the next turn; or a sentence about what does not. */
export type Next = 'at once' | 'next turn' | { readonly stuck: string };

/** A call that the policy denies. */
const deniedCall: Pick<Work, 'start' | 'isHeard' | 'isOpen'> = {
  start: (world, id, during) => ask(world, { id, isDenied: true, ...(during && { during }) }),
  isHeard: ({ stderr }) => stderr.includes('Bash(touch *)'),
  isOpen: ({ status }) => status !== 2,
};

export const WORKS: readonly Work[] = [
  { name: 'a call', share: 4, ...deniedCall },
  {
    name: 'a call without a snapshot',
    share: 2,
    prepare: ({ state }) => rmSync(join(state, 'snapshots'), { recursive: true, force: true }),
    ...deniedCall,
  },
  { name: 'the first call of all', share: 1, fresh: true, ...deniedCall },
  {
    name: 'the start of a subagent',
    share: 2,
    start: (world, id, during) => event(world, AGENT, during, id),
    // Both an allow and a question are words of the hook.
    isHeard: ({ status }) => status === 0,
    isOpen: ({ status, stdout }) => status !== 2 && !(status === 0 && (stdout === '' || isWhole(stdout))),
    next: nextAgent,
  },
  {
    name: 'the end of a session, with its seal',
    share: 1,
    start: (world, _id, during) => event(world, SESSION_END, during),
    isHeard: ({ status }) => status === 0,
    // Nothing is decided there: a denial would be a mistake.
    isOpen: () => false,
    next: nextSeal,
  },
];

const AGENT = 'subagent.PreToolUse.Agent.json';
const SESSION_END = 'main.SessionEnd.json';
const TURN_END = 'main.Stop.json';

function event(world: FaultWorld, file: string, during?: During, id?: string): Promise<Outcome> {
  const payload = JSON.parse(readFileSync(join(PAYLOADS, file), 'utf8')) as Record<string, unknown>;
  const here = { cwd: world.project, session_id: 'storm', ...(id !== undefined && { tool_use_id: id }) };
  return tell(world, { ...payload, ...here }, during);
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/**
 * One subagent runs at a time. The one whose hook was killed does not run: the next may start at once; where the hook had just
 * written down that it answers, in the next turn.
 */
async function nextAgent(world: FaultWorld, id: string, wasHeard: boolean): Promise<Next> {
  if (wasHeard) await event(world, TURN_END);
  const first = await event(world, AGENT, undefined, `${id}-next`);
  await event(world, TURN_END);
  if (first.status === 0) return 'at once';
  const second = await event(world, AGENT, undefined, `${id}-turn`);
  await event(world, TURN_END);
  return second.status === 0 ? 'next turn' : { stuck: `the next subagent may not start: ${second.stderr.trim()}` };
}

/** The record of one more call can be sealed. */
async function nextSeal(world: FaultWorld, id: string): Promise<Next> {
  await ask(world, { id: `${id}-next`, isDenied: true });
  const { status, stderr } = await event(world, SESSION_END);
  return status === 0 && stderr === '' ? 'at once' : { stuck: `the next seal: exit ${status} ${stderr.trim()}` };
}
