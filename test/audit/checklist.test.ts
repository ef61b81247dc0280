// The checklist is valid, complete, and every claim of it is examined by the code of its control.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { riskMitigation } from '../../src/audit/checklist.js';
import { controls } from '../../src/audit/registry.js';
import { controlResult, verdictOf } from '../../src/audit/score.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { validateControlChecklist } from '../../src/generated/validators/control-checklist.js';
import { auditedProject } from './audited.js';

const checklist = riskMitigation();

test('it follows its schema', () => {
  assert.ok(
    validateControlChecklist(checklist),
    JSON.stringify(validateControlChecklist.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)),
  );
});

test('it has RM-1 to RM-5 in order, each with code (R002)', () => {
  assert.equal(
    checklist.controls.map(({ id }) => id),
    ['RM-1', 'RM-2', 'RM-3', 'RM-4', 'RM-5'],
  );
  assert.equal(
    [...controls.keys()].sort(),
    checklist.controls.map(({ id }) => id),
  );
});

test('the rows of its summary table are those of the original, in its order (R065)', () => {
  const rows = [...checklist.controls].sort((left, right) => left.row - right.row).map(({ risk }) => risk);
  assert.equal(rows, [
    'Concurrent Execution',
    'Tool Policy Bypass',
    'Resource Exhaustion',
    'User Confusion',
    'Sandbox Compromise',
  ]);
});

test('ids of claims and probes are unique in their control', () => {
  for (const { claims, probes = [] } of checklist.controls)
    for (const ids of [claims, probes].map((list) => list.map(({ id }) => id))) assert.is(new Set(ids).size, ids.length);
});

const report = await auditedProject().audit();

test('every claim was examined, and every evidence belongs to a claim', () => {
  for (const control of report.controls) {
    for (const claim of control.claims) assert.is.not(claim.unproven, 'Nothing examined it.', `${control.id}/${claim.id}`);
    assert.equal(
      control.claims.flatMap(({ evidence }) => evidence),
      control.evidence.map(({ id }) => id),
    );
  }
});

test('a control without claims never counts as anything but unknown', () => {
  for (const { status, claims } of report.controls) if (claims.length === 0) assert.is(status, 'unknown');
});

test('two controls implemented of five are not confirmed, and unknown ones are neither good nor bad for the score', () => {
  assert.is(report.confirmed, false);
  assert.match(report.sentence, /^NOT CONFIRMED: 3 of 5 controls/);
  assert.equal(report.score, { percent: 100, known: 2, controls: 5 });
});

test('five implemented controls are confirmed', () => {
  const all = report.controls.map((control) => ({ ...control, status: 'implemented' as const }));
  assert.is(verdictOf(all).confirmed, true);
});

const [entry] = checklist.controls;
if (entry === undefined) throw new Error('the checklist is empty');
const setting = { kind: 'setting', key: 'k', value: '1', place: null, supports: true, shows: 's' } as const;

test('a rule that is only written down makes a control partial at most (R041)', () => {
  const met = { verdict: 'met', evidence: [setting] } as const;
  assert.is(
    controlResult(
      entry,
      new Map([
        ['limit', met],
        ['refuses', met],
      ]),
    ).status,
    'partial',
  );
});

test('nothing examined is unknown; unmet claims only are missing', () => {
  assert.is(controlResult(entry, new Map()).status, 'unknown');
  assert.is(
    controlResult(entry, new Map([['limit', { verdict: 'unmet', evidence: [{ ...setting, supports: false }] }]])).status,
    'missing',
  );
});

test('the schema refuses a verdict without evidence, and an implemented control without a probe', () => {
  const [first, ...rest] = structuredClone(report.controls) as typeof report.controls;
  if (first === undefined) throw new Error('no controls');
  const bare = { ...first, claims: first.claims.map((claim) => ({ ...claim, evidence: [] })) };
  assert.not.ok(validateAuditReport({ ...report, controls: [bare, ...rest] }));
  assert.not.ok(validateAuditReport({ ...report, controls: [{ ...first, status: 'implemented', evidence: [] }, ...rest] }));
  assert.ok(validateAuditReport(report));
});

test.run();
