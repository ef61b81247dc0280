// The checklist is valid, complete, and every claim of it is examined by the code of its control.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findingsOf } from '../../src/audit/controls/actions.js';
import { controls } from '../../src/audit/controls/registry.js';
import { controlResult } from '../../src/audit/controls/score.js';
import { checks } from '../../src/audit/doctor/registry.js';
import { CHECKLISTS, checklist } from '../../src/audit/subject/checklist.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { validateControlChecklist } from '../../src/generated/validators/control-checklist.js';
import { rules } from '../../src/runner/lint/rules.js';
import { auditedProject } from './audited.js';

const lists = CHECKLISTS.map((id) => checklist(id));
const [riskMitigation] = lists;
if (riskMitigation === undefined) throw new Error('there is no checklist');

test('each follows its schema', () => {
  for (const list of lists)
    assert.ok(
      validateControlChecklist(list),
      JSON.stringify(validateControlChecklist.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)),
    );
});

test('the first has RM-1 to RM-5 in order (R002), the second at least ten more', () => {
  assert.equal(
    riskMitigation.controls.map(({ id }) => id),
    ['RM-1', 'RM-2', 'RM-3', 'RM-4', 'RM-5'],
  );
  assert.ok((lists[1]?.controls.length ?? 0) >= 10);
});

test('each names lint rules, checks and probes that there are, and code only for controls that there are', () => {
  const known = new Set(rules.map(({ id }) => id));
  const doctor = new Set(checks.map(({ id }) => id));
  const ids = new Set(lists.flatMap((list) => list.controls.map(({ id }) => id)));
  for (const id of controls.keys()) assert.ok(ids.has(id), id);
  for (const control of lists.flatMap((list) => list.controls)) {
    const tried = new Set(control.probes?.map(({ id }) => id));
    for (const claim of control.claims) {
      for (const rule of claim.lint ?? []) assert.ok(known.has(rule), `${control.id}/${claim.id}: ${rule}`);
      for (const check of claim.doctor ?? []) assert.ok(doctor.has(check), `${control.id}/${claim.id}: ${check}`);
      for (const probe of claim.probes ?? []) assert.ok(tried.has(probe), `${control.id}/${claim.id}: ${probe}`);
    }
  }
});

test('the rows of its summary table are those of the original, in its order (R065)', () => {
  const rows = [...riskMitigation.controls].sort((left, right) => left.row - right.row).map(({ risk }) => risk);
  assert.equal(rows, [
    'Concurrent Execution',
    'Tool Policy Bypass',
    'Resource Exhaustion',
    'User Confusion',
    'Sandbox Compromise',
  ]);
});

test('ids of claims and probes are unique in their control', () => {
  for (const { claims, probes = [] } of lists.flatMap((list) => list.controls))
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

test('a project in which everything is set up is confirmed', () => {
  assert.is(report.confirmed, true, report.findings.map(({ message }) => message).join('\n'));
  assert.is(report.sentence, 'All 17 controls are in force.');
  assert.match(report.conclusion.attestation, /^CONFIRMED: all 17 controls/);
  assert.equal(report.score, { percent: 100, known: 17, controls: 17 });
});

const [entry] = riskMitigation.controls;
if (entry === undefined) throw new Error('the checklist is empty');
const setting = { kind: 'setting', key: 'k', value: '1', place: null, supports: true, shows: 's' } as const;

test('a rule that is only written down makes a control partial at most (R041)', () => {
  const met = { verdict: 'met', evidence: [setting] } as const;
  assert.is(
    controlResult(entry, [
      { claim: 'limit', runner: null, found: met },
      { claim: 'refuses', runner: 'codex', found: met },
      { claim: 'tracked', runner: 'codex', found: met },
    ]).status,
    'partial',
  );
});

test('nothing examined is pending, and not a gap; unmet claims only are missing (R003, R061)', () => {
  const pending = controlResult(entry, []);
  assert.equal([pending.status, pending.standing, pending.claims[0]?.proof], ['pending', 'not checked', 'unverified']);
  const none = { verdict: 'not-applicable', why: 'There is none.', evidence: [] } as const;
  const ofEach = entry.claims.map(({ id }) => ({ claim: id, runner: null, found: none }));
  assert.is(controlResult(entry, ofEach).status, 'not-applicable');
  const unmet = { verdict: 'unmet', evidence: [{ ...setting, supports: false }] } as const;
  assert.is(controlResult(entry, [{ claim: 'limit', runner: null, found: unmet }]).status, 'missing');
});

test('a claim that does not apply neither helps nor harms', () => {
  const met = { verdict: 'met', evidence: [setting] } as const;
  const none = { verdict: 'not-applicable', why: 'There is none.', evidence: [] } as const;
  const result = controlResult(entry, [
    { claim: 'limit', runner: null, found: met },
    { claim: 'overlaps', runner: null, found: none },
    { claim: 'tracked', runner: null, found: none },
    { claim: 'refuses', runner: null, found: none },
  ]);
  assert.is(result.status, 'partial', 'no answer of a hook');
  assert.equal(findingsOf([result]), []);
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
