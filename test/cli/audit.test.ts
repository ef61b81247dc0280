// policy audit as a person or a CI pipeline runs it: exit codes, formats, files, and that nothing strange is started.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/report.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { POLICY, REVIEWER, settingsWith } from '../audit/audited.js';
import { CLEAN_REPOSITORY, home, insideAgent, policy, scratch } from './spawned.js';

const test = suite('policy audit');
const HOOK = `${process.execPath} ${resolve('dist/hook.cjs')} claude-code`;

/** A project with a locked policy, a limited agent, and this command as the hook of every tool. */
function projectWith(command: string, more: Readonly<Record<string, string>> = {}): string {
  return realpathSync(
    scratch({
      ...CLEAN_REPOSITORY,
      'policy.yaml': POLICY,
      '.claude/agents/code-reviewer.md': REVIEWER,
      '.claude/settings.json': settingsWith(command),
      ...more,
    }),
  );
}

const guarded = projectWith(HOOK);
const json = policy(['audit', '--format', 'json'], { cwd: guarded });
const report: AuditReport = JSON.parse(json.stdout);

test('no error in a guarded project: exit 0, a report that its schema accepts, RM-4 implemented', () => {
  assert.is(json.status, 0, json.stderr);
  assert.ok(validateAuditReport(report));
  assert.is(report.controls.find(({ id }) => id === 'RM-4')?.status, 'implemented');
  assert.is(report.meta.project, guarded);
});

test('--fail-on warning finds nothing where all that was tried is enforced, info counts what is not proven', () => {
  assert.is(policy(['audit', '--fail-on', 'warning', '--output', 'r.md'], { cwd: guarded }).status, 0);
  assert.is(policy(['audit', '--fail-on', 'info', '--output', 'r.md'], { cwd: guarded }).status, 1);
});

test('probes leave no log behind', () => {
  assert.not.ok(existsSync(join(home, '.local', 'state', 'policy', 'log')));
});

(insideAgent ? test.skip : test)(
  'the hook that is probed knows what a person trusted, and the state directory stays as it was',
  () => {
    const cwd = projectWith(HOOK);
    // A home of its own: other tests look whether theirs stays empty.
    const env = { HOME: scratch({}) };
    const outcomeOf = () => {
      const answer: AuditReport = JSON.parse(policy(['audit', '--format', 'json'], { cwd, env }).stdout);
      const probes = answer.controls.flatMap(({ evidence }) => evidence).filter((piece) => piece.kind === 'probe');
      return probes.find(({ probe }) => probe === 'harmless')?.outcome;
    };
    assert.is(outcomeOf(), 'asked');
    const state = join(env.HOME, '.local', 'state', 'policy');
    const trusted = policy(['trust', '--yes'], { cwd, env });
    assert.is(trusted.status, 0, trusted.stderr);
    const before = readdirSync(state, { recursive: true });
    assert.is(outcomeOf(), 'allowed');
    assert.equal(readdirSync(state, { recursive: true }), before);
  },
);

test('the Markdown begins with the verdict and the table of the original, md is another word for it', () => {
  const { stdout } = policy(['audit', '--format', 'md'], { cwd: guarded });
  const lines = stdout.split('\n');
  assert.is(lines[0], '# Risk & Mitigation Audit');
  assert.match(lines[2] ?? '', /NOT CONFIRMED: 3 of 5 controls/);
  const head = lines.indexOf('| Risk Category | Current Status | Mitigation Level | Action Required |');
  assert.ok(head > 0 && head < 20);
  assert.is(lines[head + 2], '| Concurrent Execution | ✅ Protected | High | None |');
  assert.is(lines[head + 3], '| Tool Policy Bypass | ✅ Protected | High | None |');
  for (const heading of ['Current Status', 'Analysis', 'Priority', 'Validation'])
    assert.ok(stdout.includes(`**${heading}**:`), heading);
  const unlocked = policy(['audit', '--format', 'md'], { cwd: projectWith(HOOK, { 'policy.yaml': 'version: 1\n' }) }).stdout;
  for (const heading of ['Gap Identified', 'Mitigation Required']) assert.ok(unlocked.includes(`**${heading}**:`), heading);
});

test('--output writes files, and standard output keeps the main format only when that goes nowhere else', () => {
  const answer = policy(['audit', '--output', 'report.md', '--output', 'json=report.json'], { cwd: guarded });
  assert.is(answer.stdout, '');
  assert.match(readFileSync(join(guarded, 'report.md'), 'utf8'), /^# Risk & Mitigation Audit\n/);
  assert.ok(validateAuditReport(JSON.parse(readFileSync(join(guarded, 'report.json'), 'utf8'))));
});

test('a hook that is not ours is not started, and the report says so: exit 1', () => {
  const cwd = projectWith('touch STARTED; exit 2');
  const { status, stdout } = policy(['audit'], { cwd });
  assert.is(status, 1);
  assert.match(stdout, /it is not ours, so it was not started \(--run-hooks starts it\)/);
  assert.not.ok(existsSync(join(cwd, 'STARTED')));
});

test('--run-hooks starts it', () => {
  const cwd = projectWith('touch STARTED; exit 2');
  const { stdout } = policy(['audit', '--run-hooks'], { cwd });
  assert.ok(existsSync(join(cwd, 'STARTED')));
  assert.match(stdout, /every hook found was started \(--run-hooks\)/);
});

test('a hook sees no tokens of the environment', () => {
  const cwd = projectWith('env > SEEN; exit 2');
  policy(['audit', '--run-hooks'], { cwd, env: { GITHUB_TOKEN: 'ghp_0000', AWS_SECRET_ACCESS_KEY: 'x', NODE_OPTIONS: '' } });
  const seen = readFileSync(join(cwd, 'SEEN'), 'utf8');
  assert.match(seen, /^CLAUDE_PROJECT_DIR=/m);
  assert.not.match(seen, /TOKEN|SECRET|NODE_OPTIONS/);
});

test('secrets in a command line and what a hook prints are masked; terminal commands are shown, not sent', () => {
  const token = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_');
  const cwd = projectWith(`echo "${token}" >&2; printf '\\033[2J' >&2; exit 2`);
  for (const format of ['markdown', 'json']) {
    const { stdout } = policy(['audit', '--run-hooks', '--format', format], { cwd });
    assert.not.ok(stdout.includes(token), format);
    assert.not.ok(stdout.includes('\u001b'), format);
    assert.ok(stdout.includes('[masked:'), format);
  }
});

test('names and texts of a repository cannot forge a heading, a table or a tag', () => {
  const evil = '---\nname: evil\ndescription: d\ntools: ["Read\\n# ✅ CONFIRMED", "<img src=x>", "a|b"]\n---\n';
  const cwd = projectWith(`${HOOK} '<script>\n# Confirmed'`, { '.claude/agents/evil.md': evil });
  const { stdout } = policy(['audit'], { cwd });
  assert.not.match(stdout, /^\s*# (?:✅ CONFIRMED|Confirmed)/m);
  const outsideCode = stdout.replace(/^ *```text$[\s\S]*?^ *```$/gm, '').replace(/`[^`]*`/g, '');
  assert.not.match(outsideCode, /(?<!\\)<(?:img|script)/);
});

const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--runner', 'codex'], /--runner is "codex"; it has to be one of claude-code/],
  [['--format', 'html'], /--format is "html"/],
  [['--fail-on', 'high'], /--fail-on is "high"/],
  [['--settings', 'missing.json'], /--settings missing\.json does not exist/],
  [['--output', 'missing/r.md'], /cannot be written/],
  [['--output', 'json='], /needs a file name/],
];
for (const [args, says] of mistakes)
  test(`audit ${args.join(' ')}: exit 3 and one sentence`, () => {
    const { status, stderr } = policy(['audit', ...args], { cwd: guarded });
    assert.is(status, 3);
    assert.match(stderr, says);
  });

test('a policy with a mistake: exit 3, with its place', () => {
  const { status, stderr } = policy(['audit'], { cwd: projectWith(HOOK, { 'policy.yaml': 'version: 1\npreset: sfae\n' }) });
  assert.is(status, 3);
  assert.match(stderr, /policy\.yaml:2:9/);
});

test.run();
