/** The original audit (seed document 000) as a report: test/fixtures/audit/original.json, and what is printed from it (R074). */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { auditAsMarkdown } from '../../src/report/audit/document.js';

const report = JSON.parse(readFileSync('test/fixtures/audit/original.json', 'utf8')) as AuditReport;
const printed = auditAsMarkdown(report);

test('the original is a valid report', () => {
  assert.ok(validateAuditReport(report), JSON.stringify(validateAuditReport.errors));
});

test('it is printed as test/fixtures/audit/original.md', () => {
  assert.is(printed, readFileSync('test/fixtures/audit/original.md', 'utf8'));
});

test('with the headings of the original, its five titles in their order, and its table of risks', () => {
  const headings = ['Risk & Mitigation Audit', 'Risk Mitigation Checklist Analysis', 'Risk Assessment Summary', 'Conclusion'];
  for (const heading of headings) assert.match(printed, new RegExp(`^#+ ${heading}$`, 'm'));
  const titles = [...printed.matchAll(/^### (?:✅|❌|⚠️) RM-(\d)\. (.*)$/gm)].map(([, number, title]) => `${number}. ${title}`);
  assert.equal(titles, [
    '1. Sequential Execution Only (Queue Delegations, Warn on Overlap)',
    '2. Graceful Fallback on Spawn Failure (Surface Message, Resume Main Agent)',
    '3. No Sandbox Environment Modifications Beyond Documented Helpers',
    '4. Tool Allowlists Enforced Server-Side Before Command Execution',
    '5. Clear Labeling of Agent Name/Model Across UI/CLI to Avoid User Confusion',
  ]);
  for (const part of [
    'Current Status',
    'Analysis',
    'Gap Identified',
    'Mitigation Required',
    'Integration Point',
    'Validation',
    'Priority',
  ])
    assert.match(printed, new RegExp(`^\\*\\*${part}\\*\\*:`, 'm'));
  const table = [...printed.matchAll(/^\| [A-Z].* \|$/gm)].map(([line]) => line).slice(0, 6);
  assert.equal(table, [
    '| Risk Category | Current Status | Mitigation Level | Action Required |',
    '| Concurrent Execution | ⚠️ Partial | Medium | Implement enforcement |',
    '| Tool Policy Bypass | ✅ Protected | High | Integration testing |',
    '| Resource Exhaustion | ✅ Protected | High | None |',
    '| User Confusion | ✅ Protected | High | None |',
    '| Sandbox Compromise | ✅ Protected | High | None |',
  ]);
});

test.run();
