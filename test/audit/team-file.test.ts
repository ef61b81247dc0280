// A hook in a file that a team wrote itself: `policy install` never changes that file, so the audit says what does.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { auditAsHtml, auditAsMarkdown } from '../../src/report/audit/document.js';
import { auditAsJunit } from '../../src/report/audit/junit.js';
import { auditedProject, REVIEWER, SETTINGS } from './audited.js';

const TEAM = '.claude/settings.json';
const WEAK = `${JSON.stringify({ hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'policy hook claude-code' }] }] } })}\n`;

test('a weak hook of the team has to go; what `policy install` would write stands elsewhere', async () => {
  const project = auditedProject();
  project.write(TEAM, WEAK);
  const report = await project.audit({ probes: false, checklists: ['agent-security'] });
  const control = report.controls.find(({ id }) => id === 'AS-4');
  const fixes = (control?.evidence ?? []).flatMap((piece) => (piece.kind === 'check' && !piece.supports ? [piece.fix] : []));
  assert.ok(fixes.length > 0);
  for (const fix of fixes)
    assert.is(fix, `remove the hook from ${join(project.project, TEAM)}, then policy install claude-code --project`);
  assert.is(control?.action, 'Follow what `policy doctor claude-code` says.');
  // Whose text holds a path stays with the evidence: a recommendation is shown as it is.
  assert.ok(report.recommendations.every(({ action }) => !action.includes(project.project)));
});

test('where one command repairs all that doctor found, it is the recommendation', async () => {
  const project = auditedProject();
  project.write(SETTINGS, '{}\n');
  const report = await project.audit({ probes: false, checklists: ['agent-security'] });
  const claim = report.controls.find(({ id }) => id === 'AS-4')?.claims.find(({ id }) => id === 'installed');
  assert.is(claim?.mitigation, 'Run `policy install claude-code`.');
  assert.ok((await project.verify(report)).holds, 'and follows from the evidence when the report is verified');
});

test('a step says where it is done, and a gap where it stands; names of files are strangers', async () => {
  const project = auditedProject();
  const odd = '.claude/agents/<b>`x`.md';
  writeFileSync(join(project.project, odd), REVIEWER.replace('tools:', 'permissionMode: bypassPermissions\ntools:'));
  const report = await project.audit({ probes: false, checklists: ['agent-security'] });
  const markdown = auditAsMarkdown(report);
  assert.match(
    markdown,
    /\u2192 Remove what the evidence names; `policy lint` shows each place\. See ``\.claude\/agents\/<b>`x`\.md:4``\./,
  );
  assert.match(markdown, / {2}- AS-3-1: permissions\/bypass-mode: .* ``\.claude\/agents\/<b>`x`\.md:4``\n/);
  assert.match(auditAsJunit(report), /\n?\.claude\/agents\/&lt;b&gt;`x`\.md:4: permissions\/bypass-mode: /);
  const html = auditAsHtml(report);
  assert.match(html, /shows each place\. See <code>\.claude\/agents\/&lt;b&gt;`x`\.md:4<\/code>\./);
  assert.not.match(html, /<b>`x`/);
});

test.run();
