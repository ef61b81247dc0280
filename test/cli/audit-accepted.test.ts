// What an audit is held against: an earlier report, exceptions and a gate decide about the exit code, and change no status.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fails, heldAgainst } from '../../src/audit/accepted/acceptance.js';
import type { AuditReport } from '../../src/audit/model/report.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { auditAsJunit } from '../../src/report/audit/junit.js';
import { POLICY, REVIEWER, settingsWith } from '../audit/audited.js';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from './spawned.js';

const test = suite('policy audit, held against something');
/** Without probes an audit takes no time, and the claims that are written down are enough here. */
const AUDIT = ['audit', '--checklist', 'risk-mitigation', '--no-probes'];
const HOOK = `${process.execPath} ${resolve('dist/hook.cjs')} claude-code`;
const AGENT = '.claude/agents/code-reviewer.md';
const UNLIMITED = REVIEWER.replace(/tools: .*\n/, '');

interface Project {
  readonly cwd: string;
  readonly write: (file: string, text: string) => void;
  readonly run: (...args: readonly string[]) => {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  readonly json: (...args: readonly string[]) => { readonly status: number | null; readonly report: AuditReport };
}

/** A guarded project with an agent that has every tool: one error. */
function projectWith(more: Readonly<Record<string, string>> = {}): Project {
  const files = { 'policy.yaml': POLICY, [AGENT]: UNLIMITED, '.claude/settings.json': settingsWith(HOOK), ...more };
  const cwd = realpathSync(scratch({ ...CLEAN_REPOSITORY, ...files }));
  const env = { HOME: scratch({}) };
  const run = (...args: readonly string[]) => policy(args, { cwd, env });
  return {
    cwd,
    write: (file, text) => {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    },
    run,
    json: (...args) => {
      const { status, stdout, stderr } = run(...AUDIT, '--format', 'json', ...args);
      assert.is.not(stdout, '', stderr);
      const report = JSON.parse(stdout) as AuditReport;
      assert.ok(validateAuditReport(report), JSON.stringify(validateAuditReport.errors));
      return { status, report };
    },
  };
}

const told = (list: readonly { readonly control: string; readonly claim: string | null; readonly place: string }[] | undefined) =>
  (list ?? []).map(({ control, claim, place }) => `${control}/${claim}: ${place}`);

test('--baseline: known findings pass, whatever line they stand in; a new one fails', () => {
  const { write, run, json } = projectWith();
  assert.is(run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md').status, 1);
  const same = json('--baseline', 'prev.json');
  assert.is(same.status, 0);
  assert.equal(told(same.report.changes?.added), []);
  assert.ok((same.report.changes?.unchanged.length ?? 0) > 5);

  write(AGENT, UNLIMITED.replace('---\n', '---\n# a comment\n\n'));
  assert.is(json('--baseline', 'prev.json').status, 0, 'lines were added above');

  write('.claude/agents/other.md', '---\nname: other\ndescription: Does things.\n---\nx\n');
  const worse = json('--baseline', 'prev.json');
  assert.is(worse.status, 1);
  assert.equal(told(worse.report.changes?.added), [
    'RM-4/allowlists: .claude/agents/other.md: Agent other has no list of tools and inherits all.',
  ]);
  assert.is(run(...AUDIT, '--baseline', 'prev.json', '--output', 'x.md', '--output', 'sarif=x.sarif').status, 1);
});

test('--baseline: what was repaired is fixed, what was not looked at is not', () => {
  const { cwd, write, run, json } = projectWith();
  run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md');
  write(AGENT, REVIEWER);
  const { report } = json('--baseline', 'prev.json');
  assert.equal(told(report.changes?.fixed), [
    `RM-4/allowlists: ${AGENT}: Agent code-reviewer has no list of tools and inherits all.`,
  ]);
  assert.equal(told(report.changes?.unexamined), []);
  const { before, after } = report.changes?.score ?? {};
  assert.is(before, after, 'the control is as it was: partial');

  const other = policy(['audit', '--checklist', 'agent-security', '--no-probes', '--format', 'json', '--baseline', 'prev.json'], {
    cwd,
  });
  const elsewhere = (JSON.parse(other.stdout) as AuditReport).changes;
  assert.equal(told(elsewhere?.fixed), []);
  assert.ok((elsewhere?.unexamined.length ?? 0) > 5);
});

test('--baseline: a claim that could not be tried and is refuted now is new', () => {
  const { write, run, json } = projectWith({ '.claude/settings.json': settingsWith('exit 0') });
  run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md');
  const args = ['audit', '--checklist', 'risk-mitigation', '--run-hooks', '--format', 'json', '--baseline', 'prev.json'];
  const { status, stdout } = run(...args);
  const report = JSON.parse(stdout) as AuditReport;
  assert.is(status, 1);
  assert.ok(told(report.changes?.added).includes('RM-4/denies: wipe'), told(report.changes?.added).join('\n'));
  write('prev.json', JSON.stringify(report));
  const untried = json('--baseline', 'prev.json');
  assert.is(untried.status, 1, 'the hook is not ours, and was not started this time');
  assert.equal(
    told(untried.report.changes?.fixed).filter((one) => one.startsWith('RM-4/denies')),
    [],
    'not asked is not fixed',
  );
  assert.ok(told(untried.report.changes?.unexamined).includes('RM-4/denies: wipe'));
});

test('--baseline in Markdown, HTML and SARIF', () => {
  const { cwd, write, run } = projectWith();
  run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md');
  write(AGENT, REVIEWER);
  write('policy.yaml', POLICY.replace('true', 'false'));
  const formats = ['html', 'sarif', 'markdown'];
  run(...AUDIT, '--baseline', 'prev.json', ...formats.flatMap((format) => ['--output', `${format}=out.${format}`]));
  const text = (format: string) => readFileSync(join(cwd, `out.${format}`), 'utf8');
  assert.match(
    text('markdown'),
    /^## Changes Since the Baseline\n\nCompared with prev\\?\.json of .*: 2 new, 1 fixed, \d+ unchanged/m,
  );
  assert.match(text('markdown'), /^- ❌ new, error, `RM-4\/lock`: The bypass lock is not set/m);
  assert.match(text('markdown'), /^- ✅ fixed, error, `RM-4\/allowlists`: /m);
  assert.match(
    text('markdown'),
    /^Trend since \d{4}-\d\d-\d\d: 1 fixed, 2 new, \d+ unchanged; score \d+ % before, \d+ % now \([+-]?\d+\)\.$/m,
  );
  assert.match(text('html'), /<p>Trend since \d{4}-\d\d-\d\d: 1 fixed, 2 new, /);
  assert.match(text('html'), /<h2 id="changes">Changes Since the Baseline<\/h2>\n<p>Compared with prev\.json/);
  assert.match(text('html'), /<li class="is-missing"><span class="missing">✕ New<\/span>, error, <code>RM-4\/lock<\/code>/);
  const { results } = JSON.parse(text('sarif')).runs[0];
  const states = Object.fromEntries(
    results.map((one: { ruleId: string; baselineState: string }) => [one.ruleId, one.baselineState]),
  );
  assert.is(states['RM-4/lock'], 'new');
  assert.ok(results.every((one: { baselineState?: string }) => one.baselineState !== undefined));
});

interface JunitCase {
  readonly name: string;
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly text: string;
}

function junitCases(text: string): readonly JunitCase[] {
  const found = [...text.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"(?:\/>|>\n(.*)\n *<\/testcase>)/g)];
  const cases = found.map(([, name = '', className = '', body = '']): JunitCase => {
    const kind = body === '' ? 'passed' : body.includes('<failure') ? 'failed' : 'skipped';
    return { name: `${className}: ${name}`, kind, text: body };
  });
  const of = (kind: JunitCase['kind']) => cases.filter((one) => one.kind === kind).length;
  const head = `<testsuites name="policy audit" tests="${cases.length}" failures="${of('failed')}" errors="0" skipped="${of('skipped')}">`;
  assert.ok(text.includes(head), `${head} in ${text.slice(0, 200)}`);
  return cases;
}

test('JUnit fails for what makes the audit fail: not for accepted findings, nor for those of the baseline', () => {
  const { write, run, json } = projectWith();
  const junit = (...args: readonly string[]) => junitCases(run(...AUDIT, '--format', 'junit', ...args).stdout);
  const about = (cases: readonly JunitCase[], name: RegExp) => cases.find((one) => name.test(one.name));
  const allowlists = /^RM-4: Every agent definition that policy can read has a tool list/;
  assert.is(about(junit(), allowlists)?.kind, 'failed');

  const { report } = json();
  const idle = { ...report, controls: report.controls.map((one) => ({ ...one, notInForce: 'No hook asks it.' })) };
  assert.match(
    about(junitCases(auditAsJunit(idle)), /^RM-2: The control is in force/)?.text ?? '',
    /<failure type="warning" message="No hook asks it\.">/,
  );

  run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md');
  const known = junit('--baseline', 'prev.json');
  assert.equal(
    known.filter(({ kind }) => kind === 'failed'),
    [],
  );
  assert.match(
    about(known, allowlists)?.text ?? '',
    /<skipped message="Also in the baseline \(prev\.json\): An agent definition has no tool list/,
  );

  write('.claude/agents/other.md', '---\nname: other\ndescription: Does things.\n---\nx\n');
  const updated = about(junit('--baseline', 'prev.json'), allowlists);
  assert.match(
    updated?.text ?? '',
    /<failure type="error" message="An agent definition has no tool list[^>]*>New: Agent other has no list of tools/,
  );
  assert.not.match(updated?.text ?? '', /code-reviewer/);

  write('accepted.yaml', exception({ reason: '"It has to <write>."' }));
  const accepted = about(junit('--exceptions', 'accepted.yaml'), allowlists);
  assert.match(
    accepted?.text ?? '',
    /<skipped message="Accepted by platform team until 2999-12-31: It has to &lt;write&gt;\. The finding: An agent/,
  );
  write('accepted.yaml', exception({ expires: '2026-01-31' }));
  assert.is(about(junit('--exceptions', 'accepted.yaml'), allowlists)?.kind, 'failed');

  const release = about(junit('--gate', 'high', '--baseline', 'prev.json'), /^release-check: Release check high$/);
  assert.match(
    release?.text ?? '',
    /<failure type="error" message="Release check high failed: 3 open items[^>]*>RM-1&#10;RM-3&#10;RM-4</,
  );
});

test('--baseline of another project is refused; of another checkout of the same one it is not', () => {
  const { cwd, run, write } = projectWith();
  run(...AUDIT, '--output', 'json=prev.json', '--output', 'a.md');
  const text = readFileSync(join(cwd, 'prev.json'), 'utf8');
  const others: readonly (readonly [what: string, project: string, origin: string, status: number])[] = [
    ['another folder without a remote', '"/elsewhere"', 'null', 3],
    ['another folder with another remote', '"/elsewhere"', '"git.example.com/other"', 3],
    ['another checkout', '"/elsewhere"', '"git.example.com/desk"', 0],
    ['the same folder, whose remote was renamed', JSON.stringify(cwd), '"git.example.com/old"', 0],
  ];
  for (const [what, project, origin, status] of others) {
    write('other.json', text.replace(/"project":"[^"]*","origin":[^,]*/, `"project":${project},"origin":${origin}`));
    const answer = run(...AUDIT, '--baseline', 'other.json');
    assert.is(answer.status, status, what);
    if (status === 3)
      assert.match(
        answer.stderr,
        /^other\.json is about another project: \/elsewhere \(.*\); this is .* \(git\.example\.com\/desk\)\. A baseline is/,
      );
    assert.is(answer.stdout === '', status === 3);
  }
});

const exception = (more: Readonly<Record<string, string>> = {}) => {
  const fields = { id: 'RM-4/allowlists', reason: 'It has to write.', owner: 'platform team', expires: '2999-12-31', ...more };
  return `version: 1\nexceptions:\n  - ${Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n    ')}\n`;
};

test('--exceptions: an accepted finding does not fail, and changes no status', () => {
  const { run, json, write } = projectWith();
  const plain = json();
  assert.is(plain.status, 1);
  write('accepted.yaml', exception());
  const { status, report } = json('--exceptions', 'accepted.yaml');
  assert.is(status, 0);
  assert.equal(
    report.exceptions?.entries.map(({ state, findings }) => [state, ...findings]),
    [['accepted', 'RM-4/allowlists']],
  );
  assert.equal(
    [report.controls, report.findings, report.confirmed, report.score],
    [plain.report.controls, plain.report.findings, plain.report.confirmed, plain.report.score],
  );
  const { stdout } = run(...AUDIT, '--exceptions', 'accepted.yaml');
  assert.match(stdout, /are in the audited repository: anyone who can change it can accept a finding/);
  assert.match(stdout, /^\| `RM-4\/allowlists` \| ⚠️ accepted \| platform team \| 2999-12-31 \| It has to write\. \|$/m);
  const sarif = JSON.parse(run(...AUDIT, '--exceptions', 'accepted.yaml', '--format', 'sarif').stdout).runs[0].results;
  const accepted = sarif.find(({ ruleId }: { ruleId: string }) => ruleId === 'RM-4/allowlists');
  assert.equal(accepted.suppressions, [
    { kind: 'external', status: 'accepted', justification: 'It has to write. (platform team, until 2999-12-31)' },
  ]);
});

const states: readonly (readonly [what: string, more: Readonly<Record<string, string>>, state: string, status: number])[] = [
  ['the last day is over', { expires: '2026-01-31' }, 'expired', 1],
  ['of another claim', { id: 'RM-4/lock' }, 'unused', 1],
  ['of the control, and no claim', { id: 'RM-4' }, 'unused', 1],
  ['of another coding agent', { id: 'RM-4/allowlists/codex' }, 'unused', 1],
];
for (const [what, more, state, status] of states)
  test(`an exception, ${what}: ${state}`, () => {
    const { json, run, write } = projectWith();
    write('accepted.yaml', exception(more));
    const answer = json('--exceptions', 'accepted.yaml');
    assert.is(answer.status, status);
    assert.equal(
      answer.report.exceptions?.entries.map((one) => one.state),
      [state],
    );
    if (state === 'expired')
      assert.match(run(...AUDIT, '--exceptions', 'accepted.yaml').stdout, /\| ❌ expired \| platform team \| 2026-01-31 \|/);
  });

test('the exceptions of a project count only when they are named, trusted or not', () => {
  const { json, run } = projectWith({ 'policy.exceptions.yaml': exception() });
  const stranger = json();
  assert.is(stranger.status, 1);
  assert.equal(
    stranger.report.exceptions?.entries.map(({ state }) => state),
    ['ignored'],
  );
  assert.match(run(...AUDIT).stdout, /so they do not count; `--exceptions policy\.exceptions\.yaml` applies them/);
  assert.is(json('--exceptions', 'policy.exceptions.yaml').status, 0);
  assert.is(json('--no-exceptions').report.exceptions, null);
  if (insideAgent) return;
  assert.is(run('trust', '--yes').status, 0);
  assert.is(json().status, 1);
  const named = json('--exceptions', 'policy.exceptions.yaml');
  assert.is(named.status, 0);
  assert.is(named.report.exceptions?.inRepository, true);
});

test('exceptions outside of the repository are said to be', () => {
  const { json } = projectWith();
  const file = join(scratch({ 'a.yaml': exception() }), 'a.yaml');
  assert.is(json('--exceptions', file).report.exceptions?.inRepository, false);
});

test('texts of exceptions cannot forge a heading, a table or a tag', () => {
  const { cwd, run, write } = projectWith();
  write('accepted.yaml', exception({ reason: '"x\\n# Confirmed | <img src=x> \\u001b[2J"', owner: '"a|b"' }));
  run(...AUDIT, '--exceptions', 'accepted.yaml', '--output', 'out.md', '--output', 'html=out.html');
  const markdown = readFileSync(join(cwd, 'out.md'), 'utf8');
  assert.not.match(markdown, /^# Confirmed|\u001b|(?<!\\)<img/m);
  assert.match(markdown, /\| a\\\|b \|/);
  assert.not.match(readFileSync(join(cwd, 'out.html'), 'utf8'), /<img|\u001b/);
});

test('--gate: high asks for the controls of priority high, ga for all; nothing accepted opens it', () => {
  const { json, run, write } = projectWith({ [AGENT]: REVIEWER });
  const closed = json('--gate', 'high');
  assert.is(closed.status, 1);
  assert.equal(closed.report.gate, { name: 'high', passed: false, open: ['RM-1', 'RM-3', 'RM-4'] });
  assert.equal(json('--gate', 'ga').report.gate?.open, ['RM-1', 'RM-2', 'RM-3', 'RM-4', 'RM-5']);
  assert.match(
    run(...AUDIT, '--gate', 'high').stdout,
    /^\*\*❌ Release check high failed: 3 open items \(high-priority controls that are not implemented and in force\): RM-1, RM-3, RM-4\.\*\*$/m,
  );

  // A control of priority low is partial: high is passed, and ga is not.
  write('.claude/agents/other.md', REVIEWER);
  const whole = run('audit', '--checklist', 'risk-mitigation', '--format', 'json', '--gate', 'high');
  assert.is(whole.status, 0, whole.stderr);
  const report = JSON.parse(whole.stdout) as AuditReport;
  assert.equal(report.gate, { name: 'high', passed: true, open: [] });
  const accepted = { file: 'a.yaml', inRepository: true, ignored: null };
  const entries = [{ id: 'RM-5/names', reason: 'x', owner: 'x', expires: '2999-12-31' }];
  for (const [gate, failOn, isAccepted, expected] of [
    ['ga', null, false, true],
    ['ga', null, true, true],
    ['high', null, false, false],
    ['high', 'error', false, false],
    ['high', 'warning', false, true],
    ['high', 'warning', true, false],
    [null, 'warning', true, false],
    [null, null, false, false],
  ] as const) {
    const held = heldAgainst(report, { baseline: null, exceptions: isAccepted ? { ...accepted, entries } : null, gate });
    assert.is(fails(held, failOn), expected, JSON.stringify([gate, failOn, isAccepted]));
    assert.equal([held.controls, held.confirmed, held.score], [report.controls, report.confirmed, report.score]);
  }
});

const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--baseline', 'missing.json'], /missing\.json does not exist/],
  [['--baseline', 'policy.yaml'], /policy\.yaml is not JSON/],
  [['--exceptions', 'missing.yaml'], /missing\.yaml does not exist/],
  [['--exceptions', 'policy.yaml'], /policy\.yaml:2:1: Unknown key "preset"/],
  [['--exceptions', 'control.yaml'], /control\.yaml:3:9: "RM-44" is not a finding of an audit/],
  [['--exceptions', 'claim.yaml'], /claim\.yaml:3:9: "RM-4\/hooks" is not a finding of an audit/],
  [
    ['--exceptions', 'form.yaml'],
    /form\.yaml:3:9: "exceptions\[0\]\.id" is "hook"; it has to be a text like "RM-4\/surroundings\/claude-code"/,
  ],
  [['--exceptions', 'day.yaml'], /day\.yaml:6:14: "2026-02-30" is not a calendar date/],
  [['--exceptions', 'nobody.yaml'], /nobody\.yaml:3:5: .*lacks the key "owner"/],
  [['--exceptions', 'twice.yaml'], /twice\.yaml:7:9: "RM-4\/lock" is listed twice/],
  [['--exceptions', 'claim.yaml', '--no-exceptions'], /both given/],
  [['--gate', 'all'], /--gate is "all"/],
];
const files = {
  'control.yaml': exception({ id: 'RM-44' }),
  'claim.yaml': exception({ id: 'RM-4/hooks' }),
  'form.yaml': exception({ id: 'hook' }),
  'day.yaml': exception({ expires: '2026-02-30' }),
  'nobody.yaml': 'version: 1\nexceptions:\n  - id: RM-4/lock\n    reason: x\n    expires: 2999-12-31\n',
  'twice.yaml': `${exception({ id: 'RM-4/lock' })}${exception({ id: 'RM-4/lock' }).split('\n').slice(2).join('\n')}`,
};
const mistaken = projectWith(files);
for (const [args, says] of mistakes)
  test(`audit ${args.join(' ')}: exit 3 and one sentence`, () => {
    const { status, stderr } = mistaken.run(...AUDIT, ...args);
    assert.is(status, 3);
    assert.match(stderr, says);
  });

test.run();
