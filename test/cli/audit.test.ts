// policy audit as a person or a CI pipeline runs it: exit codes, formats, files, and that nothing strange is started.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import { validateAuditReport } from '../../src/generated/validators/audit-report.js';
import { POLICY, REVIEWER, settingsWith } from '../audit/audited.js';
import { CLEAN_REPOSITORY, home, insideAgent, policy, scratch } from './spawned.js';

const test = suite('policy audit');
/** The first checklist only: what these tests are about does not depend on the number of controls. */
const AUDIT = ['audit', '--checklist', 'risk-mitigation'];
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
const json = policy([...AUDIT, '--format', 'json'], { cwd: guarded });
const report: AuditReport = JSON.parse(json.stdout);

test('no error in a guarded project: exit 0, a report that its schema accepts, RM-4 implemented', () => {
  assert.is(json.status, 0, json.stderr);
  assert.ok(validateAuditReport(report));
  assert.is(report.controls.find(({ id }) => id === 'RM-4')?.status, 'implemented');
  assert.is(report.meta.project, guarded);
});

test('--fail-on info finds nothing where everything is enforced', () => {
  assert.is(policy([...AUDIT, '--fail-on', 'info', '--output', 'r.md'], { cwd: guarded }).status, 0);
});

test('a directory says which project is audited, as --cwd does, and only one of them may', () => {
  const elsewhere = realpathSync(scratch({}));
  const told = policy([...AUDIT, guarded, '--format', 'json'], { cwd: elsewhere });
  assert.is(JSON.parse(told.stdout).meta.project, guarded);
  assert.is(policy([...AUDIT, guarded, '--cwd', elsewhere], { cwd: elsewhere }).status, 3);
  const missing = policy([...AUDIT, 'missing'], { cwd: elsewhere });
  assert.is(missing.status, 3);
  assert.match(missing.stderr, /missing is not a directory$/m);
  const many = policy(['audit', guarded, '--repos', elsewhere], { cwd: elsewhere });
  assert.is(many.status, 3);
  assert.ok(many.stderr.includes(`leave out ${guarded}`), many.stderr);
});

test('the ending of a file names its format, unless --format does', () => {
  const begins = (name: string, ...flags: string[]) => {
    policy([...AUDIT, '--no-probes', '--output', name, ...flags], { cwd: guarded });
    return readFileSync(join(guarded, name), 'utf8').slice(0, 15);
  };
  assert.is(begins('out.html'), '<!doctype html>');
  assert.match(begins('out.JSON'), /^\{/);
  assert.match(begins('out.md'), /^# /);
  assert.match(begins('out.txt'), /^# /);
  assert.match(begins('out.json', '--format', 'markdown'), /^# /);
  for (const name of ['out.html', 'out.JSON', 'out.md', 'out.txt', 'out.json']) rmSync(join(guarded, name));
});

test('a report follows no link of the repository, and waits for nobody', () => {
  const outside = realpathSync(scratch({ 'kept.md': 'mine' }));
  const cwd = projectWith(HOOK);
  symlinkSync(join(outside, 'kept.md'), join(cwd, 'report.md'));
  symlinkSync(outside, join(cwd, 'reports'));
  spawnSync('mkfifo', [join(cwd, 'pipe.md')]);
  for (const name of ['report.md', 'reports/new.md', 'pipe.md', join(cwd, 'report.md')]) {
    const { status, stderr } = policy([...AUDIT, '--no-probes', '--output', name], { cwd });
    assert.is(status, 3, stderr);
    assert.ok(stderr.includes(`${name} cannot be written`), stderr);
  }
  assert.equal(readdirSync(outside), ['kept.md']);
  assert.is(readFileSync(join(outside, 'kept.md'), 'utf8'), 'mine');
  // An archive that was unpacked without `.git`, audited from elsewhere.
  const unpacked = realpathSync(scratch({ 'policy.yaml': POLICY }));
  symlinkSync(join(outside, 'kept.md'), join(unpacked, 'report.md'));
  const elsewhere = policy([...AUDIT, unpacked, '--no-probes', '--output', join(unpacked, 'report.md')], { cwd: outside });
  assert.is(elsewhere.status, 3, elsewhere.stderr);
  assert.is(readFileSync(join(outside, 'kept.md'), 'utf8'), 'mine');
  // A link of the person's own, outside of every repository, is followed.
  symlinkSync(join(outside, 'kept.md'), join(outside, 'link.md'));
  policy([...AUDIT, '--no-probes', '--output', join(outside, 'link.md')], { cwd });
  assert.match(readFileSync(join(outside, 'kept.md'), 'utf8'), /^# /);
});

test('in the chart of the page a control that is not in force counts as such', () => {
  const cwd = projectWith('exit 0', { '.claude/settings.json': '{}' });
  const { stdout } = policy(['audit', '--runner', 'claude-code', '--format', 'html'], { cwd });
  const counts = /<title id="chart">(.*?)<\/title>/.exec(stdout)?.[1] ?? '';
  const rows = stdout.match(/<tr role="row"[^>]*>.*?<\/tr>/g) ?? [];
  assert.ok(rows.some((row) => row.includes('Not in force, proven gap')));
  const gaps = rows.filter((row) => row.includes('proven gap</span>')).length;
  assert.match(counts, new RegExp(`(^|, )${gaps} proven gap(,|$)`));
  assert.is(
    counts.split(', ').reduce((sum, part) => sum + Number.parseInt(part, 10), 0),
    17,
  );
});

test('every format is written by one audit, and a name from the repository is text in all of them', () => {
  const evil = "---\nname: '<img src=x onerror=alert(1)>'\ndescription: d\ntools: Read\n---\nx\n";
  const cwd = projectWith('exit 0', { '.claude/agents/evil.md': evil });
  const formats = ['html', 'sarif', 'junit', 'badge', 'json', 'markdown'];
  policy(['audit', ...formats.flatMap((format) => ['--output', `${format}=out.${format}`])], { cwd });
  const text = (format: string) => readFileSync(join(cwd, `out.${format}`), 'utf8');
  for (const format of ['html', 'junit']) assert.not.match(text(format), /<img/);
  assert.match(
    text('html'),
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">/,
  );
  assert.not.match(text('html'), /<script|(?:src|href)="(?!#)/);
  assert.match(
    text('junit'),
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="policy audit" tests="\d+" failures="[1-9]/,
  );
  const sarif = JSON.parse(text('sarif'));
  const ids = sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
  assert.ok(ids.includes('RM-4/hook') && ids.includes('AS-4/installed'), ids.join());
  assert.equal(JSON.parse(text('badge')).label, 'agent policy');
});

test('what lint can correct is a patch that applies, in Markdown, HTML and JSON; none shows a secret', () => {
  const hooks = (name: string, command: string) =>
    `{\n  "hooks": {\n    "${name}": [\n      { "hooks": [{ "type": "command", "command": "${command}" }] }\n    ]\n  }\n}\n`;
  const token = `ghp_${'Zq8Lw2Rk5Tn7'.repeat(3)}`;
  const cwd = projectWith(HOOK, {
    '.claude/settings.json': hooks('PreTooluse', '/usr/bin/guard <b>'),
    '.claude/settings.local.json': hooks('PreTooluse', `/usr/bin/guard ${token}`),
    'my pkg/.claude/settings.json': hooks('PreTooluse', '/usr/bin/guard'),
    // A patch with such a name would not apply, nor would the others in it.
    'a\tb/.claude/settings.json': hooks('PreTooluse', '/usr/bin/guard'),
  });
  const formats = ['html', 'json', 'markdown', 'summary'];
  policy(['audit', '--no-probes', ...formats.flatMap((format) => ['--output', `${format}=out.${format}`])], { cwd });
  const text = (format: string) => readFileSync(join(cwd, `out.${format}`), 'utf8');
  const answer = JSON.parse(text('json')) as AuditReport;
  assert.ok(validateAuditReport(answer));
  const claim = answer.controls.find(({ id }) => id === 'AS-5')?.claims.find(({ id }) => id === 'form');
  assert.is(claim?.verdict, 'unmet');
  const { patch } = answer.recommendations.find(({ action }) => action === claim?.mitigation) ?? {};
  assert.is(patch, claim?.patch);
  assert.match(patch ?? '', /^--- a\/\.claude\/settings\.json\n\+\+\+ b\/\.claude\/settings\.json\n@@/);
  assert.match(patch ?? '', /^- {4}"PreTooluse": \[\n\+ {4}"PreToolUse": \[$/m);
  for (const format of formats) assert.not.match(text(format), new RegExp(token), format);
  assert.match(text('markdown'), /^<details><summary>Patch for AS-5<\/summary>\n\n```diff\n--- a\/\.claude\/settings\.json\n/m);
  assert.ok(text('markdown').includes(patch ?? ' '));
  assert.not.match(text('summary'), /```diff/);
  assert.match(text('summary'), /There is a patch below\.$/m);
  assert.match(text('html'), /<details><summary>Patch for AS-5<\/summary>/);
  assert.match(text('html'), /<span class="implemented">\+ {4}&quot;PreToolUse&quot;: \[<\/span>/);
  assert.not.match(text('html'), /guard <b>/);
  const applied = spawnSync('git', ['apply', '--check', '-'], { cwd, input: patch ?? '', encoding: 'utf8' });
  assert.is(applied.status, 0, applied.stderr);
  writeFileSync(join(cwd, 'forged.json'), text('json').replaceAll('PreToolUse\\": [', 'Stop\\": ['));
  const verified = policy(['audit', '--verify', 'forged.json', '--no-probes'], { cwd });
  assert.match(verified.stdout, /The patch for AS-5\/form is different now\./);
});

interface SarifResult {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
  readonly relatedLocations?: readonly SarifLocation[];
}

interface SarifLocation {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
}

/** Names that would be markup, a table, a heading or a command somewhere. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  'a|b | c',
  'tick`s ``` and more',
  'two\n# \u2705 CONFIRMED\n| x | y |',
  '\u202egnp.exe\u2066',
  '[x](javascript:alert(1)) **bold**',
  '</code></td><script>alert(1)</script>',
  '\u001b[2J::error::x',
];

/** So that no two of them are answered alike, each gets others of these. */
const MORE = [', Read', ', Write', ', Edit'];

test('names of agents stay text in the permission table, in every format', () => {
  const cwd = projectWith('exit 0', {
    ...Object.fromEntries(
      HOSTILE.map((name, index) => [
        `.claude/agents/h${index}.md`,
        `---\nname: ${JSON.stringify(name)}\ndescription: d\ntools: WebFetch, Bash${MORE.filter((_, bit) => index & (1 << bit)).join('')}\n---\nx\n`,
      ]),
    ),
  });
  const own = scratch({ '.config/policy/policy.yaml': 'version: 1\nallow: ["Bash(npx *)", WebFetch]\n' });
  const formats = ['html', 'sarif', 'junit', 'json', 'markdown'];
  policy(['audit', '--no-probes', ...formats.flatMap((format) => ['--output', `${format}=out.${format}`])], {
    cwd,
    env: { HOME: own },
  });
  const text = (format: string) => readFileSync(join(cwd, `out.${format}`), 'utf8');
  const { permissions }: AuditReport = JSON.parse(text('json'));
  const told = permissions.rows.flatMap((row) => row.agents?.map(({ name }) => name) ?? []);
  assert.equal([...told].sort(), [...HOSTILE, 'code-reviewer'].sort());
  for (const format of formats) {
    assert.not.match(text(format), /[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069]/, format);
    assert.ok(text(format).includes('onerror=alert(1)'), `${format} names it`);
  }
  for (const format of ['html', 'junit']) assert.not.match(text(format), /<img|<script/);
  const markdown = text('markdown');
  assert.not.match(markdown, /^\s*# ?\u2705/m);
  const outsideCode = markdown.replace(/^ *```text$[\s\S]*?^ *```$/gm, '').replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '');
  assert.not.match(outsideCode, /(?<!\\)<(?:img|script)|\]\(javascript|\*\*bold/);
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.startsWith('| Who |'));
  const bars = (line: string) => line.replace(/\\\\/g, '').replace(/\\\|/g, '').split('|').length;
  const rows = lines.slice(head, lines.indexOf('', head));
  assert.is(rows.length, 2 + permissions.rows.length);
  for (const row of rows) assert.is(bars(row), bars(rows[0] ?? ''), row);
  const found: SarifResult | undefined = JSON.parse(text('sarif')).runs[0].results.find(
    ({ ruleId }: SarifResult) => ruleId === 'AS-2/combination',
  );
  assert.match(found?.message.text ?? '', /agent <img src=x onerror=alert\(1\)>/);
  const uris = [...(found?.locations ?? []), ...(found?.relatedLocations ?? [])].map(
    ({ physicalLocation }) => physicalLocation.artifactLocation.uri,
  );
  assert.match(uris[0] ?? '', /^\.claude\/agents\/h\d\.md$/);
  assert.ok(
    uris.some((uri) => uri.endsWith('policy.yaml')),
    uris.join(),
  );
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
      const answer: AuditReport = JSON.parse(policy([...AUDIT, '--format', 'json'], { cwd, env }).stdout);
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
  const { stdout } = policy([...AUDIT, '--format', 'md'], { cwd: guarded });
  const lines = stdout.split('\n');
  assert.is(lines[0], '# Risk & Mitigation Audit');
  assert.match(lines[2] ?? '', /All 5 controls are in force/);
  const head = lines.indexOf('| Risk Category | Current Status | Mitigation Level | Action Required |');
  assert.ok(head > 0 && head < 20);
  assert.is(lines[head + 2], '| Concurrent Execution | ✅ Protected | High | None |');
  assert.is(lines[head + 3], '| Tool Policy Bypass | ✅ Protected | High | Integration testing |');
  for (const heading of ['Current Status', 'Analysis', 'Priority', 'Validation'])
    assert.ok(stdout.includes(`**${heading}**:`), heading);
  const unlocked = policy([...AUDIT, '--format', 'md'], { cwd: projectWith(HOOK, { 'policy.yaml': 'version: 1\n' }) }).stdout;
  for (const heading of ['Gap Identified', 'Mitigation Required']) assert.ok(unlocked.includes(`**${heading}**:`), heading);
});

test('--output writes files, and standard output keeps the main format only when that goes nowhere else', () => {
  const answer = policy([...AUDIT, '--output', 'report.md', '--output', 'json=report.json'], { cwd: guarded });
  assert.is(answer.stdout, '');
  assert.match(readFileSync(join(guarded, 'report.md'), 'utf8'), /^# Risk & Mitigation Audit\n/);
  assert.ok(validateAuditReport(JSON.parse(readFileSync(join(guarded, 'report.json'), 'utf8'))));
});

test('a hook that is not ours is not started, and the report says so: exit 1', () => {
  const cwd = projectWith('touch STARTED; exit 2');
  const { status, stdout } = policy([...AUDIT], { cwd });
  assert.is(status, 1);
  assert.match(stdout, /it is not ours, so it was not started \(--run-hooks starts it\)/);
  assert.not.ok(existsSync(join(cwd, 'STARTED')));
});

test('no line of a file outside of the project is quoted, whatever a link in it leads to', () => {
  const outside = join(realpathSync(scratch({ netrc: 'machine x login y outside-4711' })), 'netrc');
  const cwd = projectWith(HOOK);
  const settings = join(cwd, '.claude', 'settings.json');
  rmSync(settings);
  symlinkSync(outside, settings);
  const { stdout } = policy([...AUDIT, '--no-probes', '--format', 'json'], { cwd });
  assert.match(stdout, /settings\.json cannot be read \(line 1/);
  assert.not.match(stdout, /outside-4711/);
});

test('--run-hooks starts it', () => {
  const cwd = projectWith('touch STARTED; exit 2');
  const { stdout } = policy([...AUDIT, '--run-hooks'], { cwd });
  assert.ok(existsSync(join(cwd, 'STARTED')));
  assert.match(stdout, /every found hook was started \(--run-hooks\)/);
});

test('a hook sees no tokens of the environment', () => {
  const cwd = projectWith('env > SEEN; exit 2');
  policy([...AUDIT, '--run-hooks'], { cwd, env: { GITHUB_TOKEN: 'ghp_0000', AWS_SECRET_ACCESS_KEY: 'x', NODE_OPTIONS: '' } });
  const seen = readFileSync(join(cwd, 'SEEN'), 'utf8');
  assert.match(seen, /^CLAUDE_PROJECT_DIR=/m);
  assert.not.match(seen, /TOKEN|SECRET|NODE_OPTIONS/);
});

test('secrets in a command line and what a hook prints are masked; terminal commands are shown, not sent', () => {
  const token = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_');
  const cwd = projectWith(`echo "${token}" >&2; printf '\\033[2J' >&2; exit 2`);
  for (const format of ['markdown', 'json']) {
    const { stdout } = policy([...AUDIT, '--run-hooks', '--format', format], { cwd });
    assert.not.ok(stdout.includes(token), format);
    assert.not.ok(stdout.includes('\u001b'), format);
    assert.ok(stdout.includes('[masked:'), format);
  }
});

test('names and texts of a repository cannot forge a heading, a table or a tag', () => {
  const evil = '---\nname: evil\ndescription: d\ntools: ["Read\\n# ✅ CONFIRMED", "<img src=x>", "a|b"]\n---\n';
  const cwd = projectWith(`${HOOK} '<script>\n# Confirmed'`, { '.claude/agents/evil.md': evil });
  const { stdout } = policy([...AUDIT], { cwd });
  assert.not.match(stdout, /^\s*# (?:✅ CONFIRMED|Confirmed)/m);
  const outsideCode = stdout.replace(/^ *```text$[\s\S]*?^ *```$/gm, '').replace(/`[^`]*`/g, '');
  assert.not.match(outsideCode, /(?<!\\)<(?:img|script)/);
});

const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--runner', 'codeks'], /--runner codeks is not a known coding agent; did you mean codex\?/],
  [['--checklist', 'iso'], /--checklist is "iso"/],
  [['--format', 'pdf'], /--format is "pdf"/],
  [['--fail-on', 'high'], /--fail-on is "high"/],
  [['--settings', 'missing.json'], /--settings missing\.json does not exist/],
  [['--settings', '.'], /--settings \. is not a regular file/],
  [['--settings', 'README.md'], /--settings README\.md cannot be read as settings: /],
  [['--settings', 'twice.json'], /--settings twice\.json cannot be read as settings: .*disableAllHooks/],
  [['--transcripts', 'policy.yaml'], /--transcripts policy\.yaml is not a directory/],
  [['--output', 'missing/r.md'], /cannot be written/],
  [['--output', 'json='], /needs a file name/],
];
writeFileSync(join(guarded, 'README.md'), '# Readme\n');
writeFileSync(join(guarded, 'twice.json'), '{ "disableAllHooks": false, "disableAllHooks": true }\n');
for (const [args, says] of mistakes)
  test(`audit ${args.join(' ')}: exit 3 and one sentence`, () => {
    const { status, stderr } = policy(['audit', ...args], { cwd: guarded });
    assert.is(status, 3);
    assert.match(stderr, says);
  });

test('a policy with a mistake: exit 3, with its place', () => {
  const { status, stderr } = policy([...AUDIT], { cwd: projectWith(HOOK, { 'policy.yaml': 'version: 1\npreset: sfae\n' }) });
  assert.is(status, 3);
  assert.match(stderr, /policy\.yaml:2:9/);
});

test.run();
