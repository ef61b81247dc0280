/** Decisions and contexts for tests of the decision log, and scratch state directories that end with the test run. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Decision } from '../../src/decide/ruling/decision.js';
import { type DecisionContext, type DecisionRecord, recordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';

/** 2026-01-31T12:00:00.000Z */
export const NOON = Date.UTC(2026, 0, 31, 12);

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A state directory that does not exist yet, in a scratch folder. */
export function stateDirectory(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-log-')));
  folders.push(folder);
  return join(folder, 'state', 'policy');
}

const denial: Decision = {
  version: 1,
  decision: 'deny',
  stage: 'policy',
  rule: {
    text: 'Bash(rm -rf *)',
    effect: 'deny',
    layer: 'project',
    file: 'policy.yaml',
    line: 7,
    column: 5,
    reason: 'Deleting trees needs a person.',
  },
  matched: [],
  reasons: [
    { code: 'rule/deny', message: 'Deleting trees needs a person.', span: { start: 0, end: 6 } },
    { code: 'rule/deny', message: 'again' },
    { code: 'shell/glob', message: 'a glob' },
  ],
  stages: [],
  commands: [],
  suggestion: null,
  message: 'Deleting trees needs a person.',
  call: { tool: 'Bash', canonical: 'Bash', agent: 'cleaner', runner: 'claude-code' },
};

export const context: DecisionContext = {
  id: newRecordId(NOON),
  time: NOON,
  session: 'session-1',
  model: 'model-1',
  project: '/home/ann/desk',
  version: '0.1.0',
  call: {
    tool: 'Bash',
    input: { command: 'rm -rf build', description: 'Clean' },
    runner: 'claude-code',
    agent: 'cleaner',
    cwd: '/home/ann/desk/src',
    headless: false,
    shell: 'bash',
  },
  toolUseId: 'toolu_1',
  key: new Uint8Array(32).fill(7),
  input: 'masked',
  mode: 'enforce',
  policy: 'sha256:0123456789abcdef',
  permissionMode: 'default',
  microseconds: 12.4,
};

/** The record of the denial, with changes. */
export function sample(changes: Partial<DecisionContext> = {}, decision: Partial<Decision> = {}): DecisionRecord {
  const time = changes.time ?? NOON;
  return recordOf({ ...denial, ...decision }, { ...context, time, id: newRecordId(time), ...changes });
}

/** The context with another input. */
export function withInput(input: Readonly<Record<string, unknown>>, tool = 'Bash'): Partial<DecisionContext> {
  return { call: { ...context.call, tool, input } };
}
