/** An audit as JUnit XML: a suite for each control, a test case for each claim. What could not be proven is skipped. */
import type { AuditReport, ClaimResult, ControlResult } from '../../audit/report.js';
import { markup } from '../markup.js';

export function auditAsJunit({ controls }: AuditReport): string {
  const claims = controls.flatMap((control) => control.claims);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="policy audit" ${counts(claims)}>`,
    ...controls.flatMap(suite),
    '</testsuites>',
  ].join('\n')}\n`;
}

function counts(claims: readonly ClaimResult[]): string {
  const failures = claims.filter(({ verdict }) => verdict === 'unmet').length;
  const skipped = claims.filter(({ unproven }) => unproven !== null).length;
  return `tests="${claims.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function suite(control: ControlResult): readonly string[] {
  const { id, title, claims } = control;
  return [
    `  <testsuite name="${markup(`${id} ${title}`)}" ${counts(claims)}>`,
    ...claims.flatMap((claim) => testCase(control, claim)),
    '  </testsuite>',
  ];
}

function testCase({ id: control, evidence }: ControlResult, claim: ClaimResult): readonly string[] {
  const { statement, runner, severity, gap, mitigation, unproven } = claim;
  const head = `    <testcase name="${markup(statement)}" classname="${markup(runner === null ? control : `${control}.${runner}`)}"`;
  if (unproven !== null) return [`${head}>`, `      <skipped message="${markup(unproven)}"/>`, '    </testcase>'];
  if (gap === null) return [`${head}/>`];
  const shown = evidence.filter((piece) => claim.evidence.includes(piece.id) && !piece.supports).map((piece) => piece.shows);
  const body = [...shown, mitigation ?? ''].map(markup).join('&#10;');
  return [`${head}>`, `      <failure type="${severity}" message="${markup(gap)}">${body}</failure>`, '    </testcase>'];
}
