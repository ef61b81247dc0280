// The situation of the original audit (seed document 000): a hook that keeps a list of running agents and refuses none, all else in place.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { preToolUse } from '../../src/audit/claude-code/payload.js';
import { auditAsMarkdown } from '../../src/report/audit/document.js';
import { insideAgent, scratch } from '../cli/spawned.js';
import { auditedProject, SETTINGS } from './audited.js';

const test = suite('the rows of the original audit');
const check = insideAgent ? test.skip : test;

/** As the original did: it notes who runs, in a record that no other start of it reads. */
const TRACKING_HOOK = `
const { mkdtempSync, readFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const input = readFileSync(0);
const args = process.argv.slice(2);
if (input.includes('"tool_name":"Agent"')) args[args.indexOf('--state-dir') + 1] = mkdtempSync(process.env.HOME + '/subagent-runs-');
const { status } = spawnSync(process.execPath, [HOOK, ...args], { input, stdio: ['pipe', 'inherit', 'inherit', 3] });
process.exit(status ?? 1);
`;

const ROWS = [
  '| Concurrent Execution | ⚠️ Partial | Medium | Implement enforcement |',
  '| Tool Policy Bypass | ✅ Protected | High | Integration testing |',
  '| Resource Exhaustion | ✅ Protected | High | None |',
  '| User Confusion | ✅ Protected | High | None |',
  '| Sandbox Compromise | ✅ Protected | High | None |',
];

check('the five rows are those of the original, each with evidence, and nothing is confirmed', async () => {
  const project = auditedProject();
  const hook = resolve('dist/hook.cjs');
  const tracking = join(realpathSync(scratch({ 'hook.cjs': TRACKING_HOOK.replace('HOOK', JSON.stringify(hook)) })), 'hook.cjs');
  const settings = readFileSync(join(project.project, SETTINGS), 'utf8');
  project.write(SETTINGS, settings.replace(/[^\s'"=]*hook\.cjs/g, tracking));
  const report = await project.audit({
    checklists: ['risk-mitigation'],
    own: { node: process.execPath, command: resolve('bin/policy.js'), hook: tracking },
  });
  const rows = auditAsMarkdown(report)
    .split('\n')
    .filter((line) => ROWS.some((row) => row.split('|')[1] === line.split('|')[1]));
  assert.equal(rows, ROWS);
  for (const { id, claims } of report.controls)
    for (const { verdict, evidence } of claims) if (verdict === 'met' || verdict === 'unmet') assert.ok(evidence.length > 0, id);
  assert.match(report.sentence, /^4 of 5 controls are in force\. 1 has a gap: Concurrent Execution \(RM-1\)\.$/);
  assert.match(auditAsMarkdown(report), /\nNOT CONFIRMED: 1 item unverified of 5\.\n/);
  assert.is(report.conclusion.primaryGap, 'RM-1');
});

check('what is left to test is done when a session has asked the hook, and not when doctor has', async () => {
  const project = auditedProject();
  const ask = (session: string) =>
    spawnSync('sh', ['-c', project.command], {
      cwd: project.project,
      env: { PATH: process.env.PATH ?? '', HOME: project.home },
      input: JSON.stringify({
        ...JSON.parse(preToolUse({ tool: 'Bash', input: { command: 'git status' }, toolUseId: 't' }, project.project)),
        session_id: session,
      }),
    });
  const action = async () => {
    const report = await project.audit({ checklists: ['risk-mitigation'] });
    assert.is(report.confirmed, true);
    return /\| Tool Policy Bypass \|.*\| (.*) \|/.exec(auditAsMarkdown(report))?.[1];
  };
  assert.is(ask('policy-doctor-00000000-0000-4000-8000-000000000000').status, 0);
  assert.is(await action(), 'Integration testing');
  assert.is(ask('5f2f7c0e-3a4c-4a51-9f0e-0d6c7f4f1a11').status, 0);
  assert.is(await action(), 'None');
});

test.run();
