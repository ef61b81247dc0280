/** The fault table, in short: every fault that needs no waiting, each with one client and one shell; `npm run faults` tries all. */
import { existsSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNERS, type RunnerId } from '../../src/call/tool-call.js';
import type { Fault } from './fault.js';
import { GROUPS } from './groups.js';
import { complaint, type Met, tryCommand, tryFault, WAYS, type Way } from './try-fault.js';

/** A part of the tests runs without bundles, and macOS has no dash; the whole run on Linux has both. */
const check = existsSync('dist/hook.cjs') && WAYS.length >= 3 ? test : test.skip;

/** Every machine with Linux has the first three; each client meets each of them. */
function wayOf(turn: number): Way {
  return WAYS[turn % 3] ?? { shell: '/bin/sh', platform: 'linux' };
}

for (const [at, runner] of RUNNERS.entries()) {
  const way = wayOf(at);
  check(`${runner}: without a fault the denied call leaves no marker, and an allowed one does`, async () => {
    const denied = await tryCommand(runner, way, 'denied');
    assert.is(denied.open, false);
    assert.is(denied.by, 'rule', JSON.stringify(denied.outcome));
    const allowed = await tryCommand(runner, way, 'allowed');
    assert.ok(allowed.open, JSON.stringify(allowed.outcome));
  });
}

const faults = GROUPS.flatMap((group) => group.faults);

test('the table is long enough', () => assert.ok(faults.length >= 40));

interface Try {
  readonly fault: Fault;
  readonly runner: RunnerId;
  readonly way: Way;
}

const tries = faults
  .filter(({ slow }) => slow !== true)
  .map((fault, at): Try => ({ fault, runner: RUNNERS[at % RUNNERS.length] ?? 'claude-code', way: wayOf(at) }));
/** Faults do not disturb each other: some are tried ahead while a test waits for its own. */
const AHEAD = 4;
const met = new Map<Try, Promise<Met>>();

function tried(at: number): Promise<Met> {
  for (const one of tries.slice(at, at + AHEAD))
    if (!met.has(one) && (one.fault.missing?.() ?? null) === null) met.set(one, tryFault(one.fault, one.runner, one.way));
  const own = tries[at];
  return (own && met.get(own)) ?? Promise.reject(new Error('there is no such fault'));
}

for (const [at, { fault, runner, way }] of tries.entries()) {
  const missing = fault.missing?.() ?? null;
  const name = `${fault.name} (${runner}, ${way.shell}, the line for ${way.platform})`;
  if (missing !== null) test.skip(`${name}: ${missing}`, () => undefined);
  else check(name, async () => assert.is(complaint(fault, await tried(at)), null));
}

test.run();
