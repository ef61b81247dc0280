// policy audit --verify as a person or a CI pipeline runs it: exit codes, both formats, and reports that prove nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateAuditVerification } from '../../src/generated/validators/audit-verification.js';
import { POLICY, REVIEWER, settingsWith } from '../audit/audited.js';
import { CLEAN_REPOSITORY, COMMAND, home, policy, scratch } from './spawned.js';

const test = suite('policy audit --verify');
const HOOK = `${process.execPath} ${resolve('dist/hook.cjs')} claude-code`;
const AGENT = '.claude/agents/code-reviewer.md';

function projectWith(command: string): string {
  const files = { 'policy.yaml': POLICY, [AGENT]: REVIEWER, '.claude/settings.json': settingsWith(command) };
  return realpathSync(scratch({ ...CLEAN_REPOSITORY, ...files }));
}

/** Writes report.json and the same in Markdown. */
function audited(cwd: string, ...args: readonly string[]): void {
  policy(['audit', '--checklist', 'risk-mitigation', '--output', 'json=report.json', '--output', 'report.md', ...args], { cwd });
}

const cwd = projectWith(HOOK);
audited(cwd);
const text = readFileSync(join(cwd, 'report.json'), 'utf8');
const verify = (...args: readonly string[]) => policy(['audit', '--verify', ...args], { cwd });

/** The report with something else in it, as a file of the project. */
function changed(change: (text: string) => string): string {
  const other = change(text);
  assert.is.not(other, text);
  writeFileSync(join(cwd, 'changed.json'), other);
  return 'changed.json';
}

test('nothing changed: exit 0, and the last line says so', () => {
  const { status, stdout, stderr } = verify('report.json');
  assert.is(status, 0, `${stderr}${stdout}`);
  assert.match(stdout, /^RM-4 {3}(\d+) of \1 hold, implemented: Tool allowlists/m);
  assert.match(
    stdout,
    /^Not compared: times, durations and numbers in sentences; checks of the decision log that found nothing wrong\.$/m,
  );
  assert.match(stdout, /\nEverything holds: all \d+ pieces of evidence are as the report says\.\n$/);
});

test('an edited file: exit 1, named in text and JSON', () => {
  writeFileSync(join(cwd, AGENT), REVIEWER.replace('Glob', 'Glob, Bash'));
  const { status, stdout } = verify('report.json', '--output', 'v.txt', '--output', 'json=v.json');
  assert.is(status, 1);
  assert.is(stdout, '');
  assert.match(
    readFileSync(join(cwd, 'v.txt'), 'utf8'),
    /^ {2}changed +RM-4-\d+: \.claude\/agents\/code-reviewer\.md:\d+ says now: /m,
  );
  const verification = JSON.parse(readFileSync(join(cwd, 'v.json'), 'utf8'));
  assert.ok(validateAuditVerification(verification), JSON.stringify(validateAuditVerification.errors));
  assert.is(verification.holds, false);
  writeFileSync(join(cwd, AGENT), REVIEWER);
});

test('a note on the policy that was written by hand does not hold', () => {
  const file = changed((text) => JSON.stringify({ ...JSON.parse(text), notes: ['Read and approved.'] }));
  const { status, stdout } = verify(file);
  assert.is(status, 1, stdout);
  assert.match(stdout, /The notes on the policy are different\./);
});

test('--runner names several coding agents, and the report of one holds beside the agents of another', () => {
  for (const runner of ['claude-code,codex', 'codex']) {
    const { status, stderr } = policy(['audit', '--runner', runner, '--no-probes', '--format', 'json', '--output', 'some.json'], {
      cwd,
    });
    assert.is(status, 1, stderr);
    const { runners } = JSON.parse(readFileSync(join(cwd, 'some.json'), 'utf8')).meta;
    assert.is(runners.map(({ id }: { id: string }) => id).join(','), runner);
    const verified = verify('some.json');
    assert.is(verified.status, 0, verified.stdout);
  }
});

const refused: readonly (readonly [what: string, args: () => readonly string[], says: RegExp])[] = [
  ['a file that is not there', () => ['missing.json'], /missing\.json does not exist/],
  ['a report that is cut off', () => [changed((all) => all.slice(0, -20))], /changed\.json is cut off: its end is missing/],
  ['no report', () => ['policy.yaml'], /policy\.yaml is not JSON; policy audit --format json writes a readable report/],
  [
    'another project',
    () => [changed((all) => all.replace(/"project":"[^"]*"/, '"project":"/elsewhere"'))],
    /is about \/elsewhere, this is \//,
  ],
  [
    'another version',
    () => [changed((all) => all.replace(/"toolVersion":"[^"]*"/, '"toolVersion":"9.9.9"'))],
    /was written by policy 9\.9\.9, this is .*; run the audit again/,
  ],
  [
    'a status that was raised',
    () => [changed((all) => all.replace('"verdict":"met"', '"verdict":"unmet"'))],
    /changed\.json says that RM-1\/limit is unmet; its evidence says otherwise\n.* proves nothing/,
  ],
  ['a checklist', () => ['report.json', '--checklist', 'all'], /--checklist does not go with --verify/],
  ['a format of reports', () => ['report.json', '--format', 'html'], /--format is "html"/],
];
for (const [what, args, says] of refused)
  test(`${what}: exit 3`, () => {
    const { status, stdout, stderr } = verify(...args());
    assert.is(status, 3);
    assert.is(stdout, '');
    assert.match(stderr, says);
  });

test('a reader that goes away changes no exit code of a wrong usage', () => {
  const half = changed((all) => all.slice(0, 5_000));
  for (const flag of ['--verify', '--baseline', '--exceptions']) {
    const line = `"$0" "$1" audit ${flag} ${half} 2>&1 >/dev/null | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = spawnSync('bash', ['-c', line, process.execPath, COMMAND], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home },
    });
    assert.is(stdout.trim(), '3', flag);
  }
});

test('--format text is for --verify', () => {
  assert.is(policy(['audit', '--format', 'text'], { cwd }).status, 3);
});

test('a report that says that any hook was started starts none by itself', () => {
  const other = projectWith('touch STARTED; exit 2');
  const started = join(other, 'STARTED');
  audited(other, '--run-hooks');
  assert.ok(existsSync(started));
  rmSync(started);
  const { status, stderr } = policy(['audit', '--verify', 'report.json'], { cwd: other });
  assert.is(status, 3);
  assert.match(stderr, /was made with --run-hooks, which starts commands that this repository names/);
  const unasked = policy(['audit', '--verify', 'report.json', '--no-probes'], { cwd: other });
  assert.is(unasked.status, 1);
  assert.match(unasked.stdout, /^ {2}not-repeated RM-4-\d+: No hook was tested/m);
  assert.not.ok(existsSync(started));
  assert.is(policy(['audit', '--verify', 'report.json', '--run-hooks'], { cwd: other }).status, 0);
  assert.ok(existsSync(started));
});

test('--run-hooks starts nothing for a report that was made without it', () => {
  const other = projectWith('touch STARTED; exit 2');
  audited(other);
  assert.is(policy(['audit', '--verify', 'report.json', '--run-hooks'], { cwd: other }).status, 0);
  assert.not.ok(existsSync(join(other, 'STARTED')));
});

test.run();
