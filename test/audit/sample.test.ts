// The sample reports are what `policy audit` says of the demo repository today.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';

test('the files of reports/ are current: else run node test/audit/reports.mjs', () => {
  execFileSync(process.execPath, ['test/audit/reports.mjs', '--check'], { stdio: ['ignore', 'ignore', 'inherit'] });
});

test('the sample in JSON follows the schema', () => {
  assert.ok(validateAuditReport(JSON.parse(readFileSync('reports/audit-demo-repo.json', 'utf8'))));
});

test('the samples name no folder of the machine that made them', () => {
  for (const name of ['audit-demo-repo.json', 'audit-demo-repo.md'])
    assert.not.match(readFileSync(`reports/${name}`, 'utf8'), /\/tmp\/|policy-reports-|policy-audit-/);
});

test.run();
