/** Installed lines that are answered in the process of the tests: an audit says the same as with hooks that are started. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import { auditedProject } from '../audit/audited.js';

const FEWEST_PROBES = 30;
/** What no two audits have in common. */
const OF_ONE: ReadonlySet<string> = new Set(['milliseconds', 'generatedAt']);

function comparable(report: AuditReport): unknown {
  const text = JSON.stringify(report, (key, value: unknown) => (OF_ONE.has(key) ? undefined : value));
  return JSON.parse(text.replace(/policy-audit-\w{6}/g, 'policy-audit'));
}

test('every answer, and every word of the report', async () => {
  const project = auditedProject();
  const here = await project.audit();
  assert.equal(comparable(here), comparable(await project.auditStarted()));
  const probes = here.controls.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === 'probe'));
  assert.ok(probes.length >= FEWEST_PROBES, `${probes.length} probes`);
});

test.run();
