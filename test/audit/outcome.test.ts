// What Claude Code does with a call after its hook: the measured matrix of version 2.1.329, row by row.
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookEnd, outcomeOf } from '../../src/audit/claude-code/outcome.js';

interface Row {
  readonly cfg: 'norule' | 'allowrule' | 'allow+onFailure=block';
  readonly mode: string;
  readonly ran: boolean;
  readonly rewritten: boolean;
}

const output = (more: Readonly<Record<string, unknown>>) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });
const decision = (word: string, more = {}) => output({ permissionDecision: word, permissionDecisionReason: 'why', ...more });
const json = (value: unknown, exitCode = 0): Partial<HookEnd> => ({ stdout: JSON.stringify(value), exitCode });

/** What the recorded hook did in each mode. */
const MODES: Readonly<Record<string, Partial<HookEnd>>> = {
  none: {},
  allow: json(decision('allow')),
  deny: json(decision('deny')),
  ask: json(decision('ask')),
  defer: json(decision('defer')),
  exit2: { exitCode: 2 },
  exit1: { exitCode: 1 },
  exit3: { exitCode: 3 },
  crash: { exitCode: 1 },
  sigkill: { exitCode: null, signal: 'SIGKILL' },
  sleep: { exitCode: null, timedOut: true },
  badjson: { stdout: JSON.stringify(decision('deny')).slice(0, 40) },
  badschema: json(decision('block')),
  nohookname: json({ hookSpecificOutput: { permissionDecision: 'deny' } }),
  wrongevent: json({ hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny' } }),
  'noise+deny': { stdout: `a log line\n${JSON.stringify(decision('deny'))}` },
  'deny+noise': { stdout: `${JSON.stringify(decision('deny'))}\na log line` },
  'deny+exit1': json(decision('deny'), 1),
  'allow+exit2': json(decision('allow'), 2),
  'legacy-block': json({ decision: 'block', reason: 'why' }),
  'legacy-approve': json({ decision: 'approve' }),
  stop: json({ continue: false, stopReason: 'why' }),
  'extra-field': json({ ...decision('deny'), another: 1 }),
  'extra-field-in': json(decision('deny', { another: 1 })),
  rewrite: json(decision('allow', { updatedInput: { command: 'touch OTHER' } })),
  'rewrite-only': json(output({ updatedInput: { command: 'touch OTHER' } })),
  context: json(output({ additionalContext: 'c' })),
};

const rows: readonly Row[] = JSON.parse(
  readFileSync('test/fixtures/vectors/claude-code/hook-outcome-matrix.2.1.329.json', 'utf8'),
);
for (const { cfg, mode, ran, rewritten } of rows)
  test(`${mode}, ${cfg}: the call ${ran || rewritten ? 'ran' : 'did not run'}`, () => {
    const end = { exitCode: 0, signal: null, timedOut: false, stdout: '', ...MODES[mode] };
    const { outcome } = outcomeOf(end, cfg === 'allow+onFailure=block');
    // Without a rule the runner asks, and nobody was there to answer: only a hook that says allow lets the call run.
    const runs = cfg === 'norule' ? ['allowed'] : ['allowed', 'no-objection', 'failed-open'];
    assert.is(runs.includes(outcome), ran || rewritten, outcome);
  });

test('every recorded mode is in the table, and the other way round', () => {
  assert.equal([...new Set(rows.map(({ mode }) => mode))].sort(), Object.keys(MODES).sort());
});

test('JSON that is no object is text', () => {
  assert.is(outcomeOf({ exitCode: 0, signal: null, timedOut: false, stdout: '"deny"' }, true).outcome, 'failed-open');
});

test('a decision that only a prototype has is none', () => {
  const stdout = '{"__proto__":{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}}';
  assert.is(outcomeOf({ exitCode: 0, signal: null, timedOut: false, stdout }, false).outcome, 'no-objection');
});

test.run();
