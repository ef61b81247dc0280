/** Installed lines that are answered in the process of the tests: an audit says the same as with hooks that are started. */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import { auditedProject, POLICY, SETTINGS, settingsWith } from '../audit/audited.js';
import { trustInCodex } from '../audit/doctor/doctor-world.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from '../cli/spawned.js';

/** What no two audits have in common. */
const OF_ONE: ReadonlySet<string> = new Set(['milliseconds', 'generatedAt']);

function comparable(report: AuditReport): unknown {
  const text = JSON.stringify(report, (key, value: unknown) => (OF_ONE.has(key) ? undefined : value));
  return JSON.parse(text.replace(/policy-audit-\w{6}/g, 'policy-audit'));
}

function assertSame(here: AuditReport, started: AuditReport, fewest: number): void {
  assert.equal(comparable(here), comparable(started));
  const probes = here.controls.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === 'probe'));
  assert.ok(probes.length >= fewest, `${probes.length} probes`);
}

test('every answer, and every word of the report', async () => {
  const project = auditedProject();
  assertSame(await project.audit(), await project.auditStarted(), 30);
});

test('of the bare command in the settings, too', async () => {
  const project = auditedProject();
  project.write(SETTINGS, settingsWith(`${process.execPath} ${resolve('dist/hook.cjs')} claude-code`));
  const some = { checklists: ['risk-mitigation'] } as const;
  assertSame(await project.audit(some), await project.auditStarted(some), 15);
});

const check = insideAgent ? test.skip : test;
check('of a client that hears of a denial on standard error, too', () => {
  const home = realpathSync(scratch({ '.config/policy/policy.yaml': POLICY }));
  const circumstances = { cwd: realpathSync(scratch(CLEAN_REPOSITORY)), env: { HOME: home } };
  assert.is(policy(['install', 'codex', '--deadline', '20', '--yes'], circumstances).status, 0);
  trustInCodex({
    home,
    read: (file) => readFileSync(join(home, file), 'utf8'),
    write: (file, text) => writeFileSync(join(home, file), text),
  });
  const audited = (startsHooks: boolean) => {
    const words = ['audit', '--checklist', 'risk-mitigation', '--runner', 'codex', '--format', 'json'];
    return JSON.parse(policy(words, { ...circumstances, startsHooks }).stdout) as AuditReport;
  };
  assertSame(audited(false), audited(true), 12);
});

test.run();
