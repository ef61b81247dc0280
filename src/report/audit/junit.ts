/**
 * An audit as JUnit XML: a suite for each control, a test case for each claim. Unproven claims are skipped, and so are findings
 * that do not make the audit fail: accepted ones, and those that are also in the baseline.
 */
import type { AuditReport, ClaimResult, ControlResult, Severity } from '../../audit/model/report.js';
import { markup } from '../printing/markup.js';
import { releaseCheckSentence } from './acceptance.js';
import { type Stand, standOf } from './stand.js';

/** One test case with its outcome. */
interface Case {
  readonly name: string;
  readonly className: string;
  readonly outcome: Passed | Skipped | Failed;
}

type Passed = { readonly kind: 'passed' };
type Skipped = { readonly kind: 'skipped'; readonly why: string };
type Failed = {
  readonly kind: 'failed';
  readonly severity: Severity;
  readonly message: string;
  readonly body: readonly string[];
};

const PASSED: Passed = { kind: 'passed' };

export function auditAsJunit(report: AuditReport): string {
  const suites = [
    ...report.controls.map((control) => ({
      name: `${control.id} ${control.title}`,
      cases: [...control.claims.map((claim) => claimCase(report, control, claim)), ...inForceCase(report, control)],
    })),
    ...(report.gate === null ? [] : [{ name: 'Release check', cases: [releaseCheckCase(report.gate)] }]),
  ];
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="policy audit" ${counts(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${markup(name)}" ${counts(cases)}>`,
      ...cases.flatMap(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')}\n`;
}

function counts(cases: readonly Case[]): string {
  const of = (kind: Case['outcome']['kind']) => cases.filter(({ outcome }) => outcome.kind === kind).length;
  return `tests="${cases.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped')}"`;
}

function claimCase(report: AuditReport, { id: control, evidence }: ControlResult, claim: ClaimResult): Case {
  const { statement, runner, severity, gap, mitigation, unproven } = claim;
  const named = { name: statement, className: runner === null ? control : `${control}.${runner}` };
  if (unproven !== null) return { ...named, outcome: { kind: 'skipped', why: unproven } };
  if (gap === null) return { ...named, outcome: PASSED };
  const shown = evidence.filter((piece) => claim.evidence.includes(piece.id) && !piece.supports).map(placed);
  const stand = standOf(report, { control, claim: claim.id, runner });
  const outcome = outcomeOf(report, stand, { kind: 'failed', severity, message: gap, body: shown });
  return { ...named, outcome: outcome.kind === 'failed' ? { ...outcome, body: [...outcome.body, mitigation ?? ''] } : outcome };
}

/** Returns a sentence with its file and line, unless it already states them. */
function placed(piece: ControlResult['evidence'][number]): string {
  return piece.kind === 'file' ? `${piece.place.file}:${piece.place.line}: ${piece.shows}` : piece.shows;
}

/** A control that works in a test but that no installed hook uses is a finding beside its claims. */
function inForceCase(report: AuditReport, { id, notInForce, action }: ControlResult): readonly Case[] {
  if (notInForce === null) return [];
  const stand = standOf(report, { control: id, claim: null, runner: null });
  const failed: Failed = { kind: 'failed', severity: 'warning', message: notInForce, body: [action] };
  return [{ name: 'The control is in force.', className: id, outcome: outcomeOf(report, stand, failed) }];
}

function releaseCheckCase(check: NonNullable<AuditReport['gate']>): Case {
  const message = releaseCheckSentence(check);
  const outcome: Case['outcome'] = check.passed ? PASSED : { kind: 'failed', severity: 'error', message, body: check.open };
  return { name: `Release check ${check.name}`, className: 'release-check', outcome };
}

function outcomeOf({ changes }: AuditReport, { accepted, baseline, added }: Stand, failed: Failed): Skipped | Failed {
  const { message } = failed;
  if (accepted !== null) {
    const { owner, expires, reason } = accepted;
    return { kind: 'skipped', why: `Accepted by ${owner} until ${expires}: ${reason} The finding: ${message}` };
  }
  if (baseline === 'unchanged') return { kind: 'skipped', why: `Also in the baseline (${changes?.baseline.file}): ${message}` };
  // A reader of the failure should see what is new.
  return baseline === 'updated' ? { ...failed, body: added.map((one) => `New: ${one.message}`) } : failed;
}

function testCase({ name, className, outcome }: Case): readonly string[] {
  const head = `    <testcase name="${markup(name)}" classname="${markup(className)}"`;
  switch (outcome.kind) {
    case 'passed':
      return [`${head}/>`];
    case 'skipped':
      return [`${head}>`, `      <skipped message="${markup(outcome.why)}"/>`, '    </testcase>'];
    case 'failed': {
      const { severity, message, body } = outcome;
      const text = body.map(markup).join('&#10;');
      return [`${head}>`, `      <failure type="${severity}" message="${markup(message)}">${text}</failure>`, '    </testcase>'];
    }
  }
}
