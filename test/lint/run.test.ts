// Levels, accepted findings, comments, corrections: what surrounds the rules.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ruleOfProblem } from '../../src/lint/files/problem-codes.js';
import { findSecrets, maskSecrets } from '../../src/lint/secrets/secret-text.js';
import type { Fix } from '../../src/lint/text/finding.js';
import { applyFixes, fixText } from '../../src/lint/text/fix.js';
import type { LintIgnore } from '../../src/policy/policy.js';
import { rules } from '../../src/runner/lint/rules.js';
import { CLAUDE, definition, lintTexts, POLICY, policyText } from './linted.js';

const test = suite('lint run');
const DUPLICATE = { [CLAUDE]: definition('tools: Read, LS, Read') };
const idsOf = (options: Parameters<typeof lintTexts>[1], texts: Readonly<Record<string, string>> = DUPLICATE) =>
  lintTexts(texts, options).findings.map(({ ruleId, severity }) => `${ruleId} ${severity}`);

test('rules have levels of their own, and a setting changes them', () => {
  assert.equal(idsOf({}), ['tools/legacy-name info', 'tools/duplicate info']);
  assert.equal(idsOf({ levels: { 'tools/duplicate': 'error', 'tools/legacy-name': 'off' } }), ['tools/duplicate error']);
});

test('what a rule reports is not told again by the schema, also when that rule is switched off or accepted', () => {
  const texts = { [CLAUDE]: definition('tools: Read', 'permissionMode: plam') };
  assert.equal(idsOf({}, texts), ['schema/invalid-value warning']);
  assert.equal(idsOf({ levels: { 'schema/invalid-value': 'off' } }, texts), []);
  assert.equal(idsOf({ ignores: [{ rule: 'schema/invalid-value' }] }, texts), []);
});

const FIXTURE = 'tests/fixtures/plugin/.claude-plugin/plugin.json';
const SHELL = '{"permissions": {"allow": ["Bash"]}}';
const REFUSED = '{"name": "a", "agents": "./agents/"}';
const inFolders: readonly (readonly [say: string, texts: Readonly<Record<string, string>>, shown: readonly string[]])[] = [
  ['a plugin', { [FIXTURE]: REFUSED }, []],
  ['a plugin in testdata', { 'pkg/testdata/.claude-plugin/plugin.json': REFUSED }, []],
  ['an agent', { 'test/fixtures/.claude/agents/a.md': '---\nname: a\n---\nRead.\n' }, []],
  ['a plugin elsewhere', { 'tests/.claude-plugin/plugin.json': REFUSED }, ['plugins/refused']],
  [
    'one that a marketplace names',
    {
      [FIXTURE]: REFUSED,
      '.claude-plugin/marketplace.json':
        '{"name": "m", "owner": {"name": "a"}, "plugins": [{"name": "a", "source": "./tests/fixtures/plugin"}]}',
    },
    ['plugins/refused'],
  ],
  [
    'hidden characters',
    { 'tests/fixtures/.claude/agents/a.md': `${definition('tools: Read')}a\u200bb\n` },
    ['content/hidden-characters'],
  ],
  ['settings', { 'tests/fixtures/.claude/settings.json': SHELL }, []],
  ['a backup', { '.tool/backup/1/.claude/settings.json': SHELL }, []],
  ['an archive of skills', { '.claude/skills/.archived/a/SKILL.md': definition() }, []],
  ['a skill called archive', { '.claude/skills/archive/SKILL.md': `${definition()}!\`rm -rf ~\`\n` }, ['skills/runs-command']],
  [
    'agents in a folder of their own',
    { '.claude/agents/archive/a.md': '---\nname: a\n---\nRead.\n' },
    ['schema/missing-description'],
  ],
  ['an unpacked archive', { 'a-main/README.md': '', 'a-main/LICENSE': '', 'a-main/.claude/settings.json': SHELL }, []],
  ['a folder of that name', { 'a-main/.claude/settings.json': SHELL }, ['permissions/all-bash']],
  ['instructions', { 'tests/fixtures/CLAUDE.md': 'a\u200bb\n' }, ['content/hidden-characters']],
];
for (const [say, texts, expected] of inFolders)
  test(`what no client reads: ${say} → ${expected.join(', ') || 'for auditors'}`, () => {
    const report = lintTexts(texts, { persona: 'reviewer' });
    assert.equal([...new Set(report.findings.map(({ ruleId }) => ruleId))], expected);
    if (expected.length === 0) assert.ok(lintTexts(texts).findings.length > 0, 'auditors see it');
  });

test('skills with the same mistake in folders of their own are told of once', () => {
  const texts = {
    '.gemini/skills/a/SKILL.md': '---\nname: a\n---\nA.\n',
    '.gemini/skills/b/SKILL.md': '---\nname: b\n---\nB.\n',
  };
  const [finding, ...others] = lintTexts(texts).findings.filter(({ ruleId }) => ruleId === 'skills/missing-description');
  assert.equal(others, []);
  assert.match(finding?.message ?? '', /The same goes for 1 other file of this folder\.$/);
});

const ignores: readonly (readonly [say: string, ignore: LintIgnore, accepted: boolean])[] = [
  ['the rule alone', { rule: 'tools/duplicate' }, true],
  ['another rule', { rule: 'tools/absent' }, false],
  ['a path', { rule: 'tools/duplicate', path: '.claude/agents/*' }, true],
  ['another path', { rule: 'tools/duplicate', path: 'web/**' }, false],
  ['the text that it is about', { rule: 'tools/duplicate', match: 'Read' }, true],
  ['another text', { rule: 'tools/duplicate', match: 'Grep' }, false],
  ['the place by pointer', { rule: 'tools/duplicate', pointer: '/tools' }, true],
  ['another place', { rule: 'tools/duplicate', pointer: '/name' }, false],
  ['a place that is not there', { rule: 'tools/duplicate', pointer: '/a/b' }, false],
  ['until the day itself', { rule: 'tools/duplicate', expires: '2026-03-01' }, true],
  ['not after it', { rule: 'tools/duplicate', expires: '2026-02-28' }, false],
];
for (const [say, ignore, accepted] of ignores)
  test(`lint.ignores: ${say} → ${accepted ? 'accepted' : 'told'}`, () => {
    const report = lintTexts(DUPLICATE, { ignores: [ignore], today: '2026-03-01' });
    assert.is(
      report.findings.some(({ ruleId }) => ruleId === 'tools/duplicate'),
      !accepted,
    );
    assert.is(report.summary.suppressed, accepted ? 1 : 0);
  });

const comments: readonly (readonly [say: string, path: string, text: string, expected: readonly string[]])[] = [
  [
    'YAML',
    CLAUDE,
    definition('# policy-disable-next-line tools/duplicate, tools/legacy-name -- both are meant', 'tools: Read, LS, Read'),
    [],
  ],
  [
    'two lines above',
    CLAUDE,
    definition('# policy-disable-next-line tools/duplicate', '', 'tools: Read, Read'),
    ['policy/unused-suppression warning', 'tools/duplicate info'],
  ],
  [
    'Markdown',
    CLAUDE,
    `${definition('tools: Read')}<!-- policy-disable-next-line codex/dangerous-flag -->\nRun codex --yolo\n`,
    [],
  ],
  ['a policy', POLICY, policyText('# policy-disable-next-line permissions/all-bash', 'allow: [Bash]'), []],
  [
    'behind a value it is no comment line',
    POLICY,
    policyText('default: ask # policy-disable-next-line permissions/all-bash', 'allow: [Bash]'),
    ['permissions/all-bash error'],
  ],
];
for (const [say, path, text, expected] of comments)
  test(`a comment: ${say}`, () => {
    assert.equal(idsOf({}, { [path]: text }), expected);
  });

test('comments of strangers are not heeded when one says so', () => {
  const texts = { [POLICY]: policyText('# policy-disable-next-line permissions/all-bash', 'allow: [Bash]') };
  assert.equal(idsOf({ comments: false }, texts), ['permissions/all-bash error']);
});

test('only what was asked for is told, though all of it is read', () => {
  const named = (name: string) => definition('tools: Read').replace('reviewer', name);
  const texts = { '.claude/agents/a.md': named('b'), '.claude/agents/b.md': named('b') };
  const report = lintTexts(texts, { wanted: (path) => path === '.claude/agents/b.md' });
  assert.equal(report.findings, []);
  const { files, errors, warnings, infos, withFindings } = report.summary;
  assert.equal(files, { agents: 1, policies: 0, configs: 0, texts: 0 });
  assert.equal([errors, warnings, infos, withFindings], [0, 0, 0, 0]);
  assert.is(lintTexts(texts).summary.warnings, 1);
});

test('of a hundred and more of one kind in one file the hundredth says how many follow', () => {
  const rulesOf = (count: number) => policyText('allow:', ...Array.from({ length: count }, () => '  - Bash'));
  const total = (count: number) =>
    lintTexts({ [POLICY]: rulesOf(count) }).findings.filter(({ ruleId }) => ruleId === 'permissions/all-bash');
  assert.is(total(100).length, 100);
  assert.not.match(total(100)[99]?.help ?? '', /more/);
  assert.is(total(130).length, 100);
  assert.match(total(130)[99]?.help ?? '', /There are 30 more of these in this file\./);
});

test('the order of the files changes nothing', () => {
  const texts = { [CLAUDE]: definition('tool: x'), [POLICY]: policyText('allow: [Bash]'), '.claude/agents/z.md': definition() };
  const turned = Object.fromEntries(Object.entries(texts).reverse());
  const plain = (report: ReturnType<typeof lintTexts>) =>
    report.findings.filter(({ ruleId }) => ruleId !== 'discovery/duplicate-name');
  assert.equal(plain(lintTexts(turned)), plain(lintTexts(texts)));
});

test('corrections: the key and the name are written, the rest of the file stays byte for byte', () => {
  const text = '---\r\nname: "Code Reviewer"\r\ndescription: é\r\nallowedTools: Read\r\n---\r\nBody\r\n';
  const { text: fixed, done } = applyFixes(text, lintTexts({ [CLAUDE]: text }).findings);
  assert.is(fixed, '---\r\nname: code-reviewer\r\ndescription: é\r\ntools: Read\r\n---\r\nBody\r\n');
  assert.equal(
    done.map(({ safety }) => safety),
    ['unsafe', 'unsafe'],
  );
  assert.equal(applyFixes(fixed, lintTexts({ [CLAUDE]: fixed }).findings), { text: fixed, done: [] });
});

test('corrections that overlap: the first one counts', () => {
  const [finding] = lintTexts({ [CLAUDE]: definition('tool: Read') }).findings.filter(({ fix }) => fix !== null);
  assert.ok(finding);
  assert.is(applyFixes(definition('tool: Read'), [finding, finding]).text, definition('tools: Read'));
});

const edit = (start: number, end: number, text: string) => ({ file: CLAUDE, start, end, text });
const fixOf = (...edits: readonly ReturnType<typeof edit>[]): Required<Fix> => ({ description: 'x', safety: 'safe', edits });
const applied: readonly (readonly [say: string, text: string, fixes: readonly Required<Fix>[], fixed: string])[] = [
  ['edits of one correction in any order', 'abcdef', [fixOf(edit(4, 5, 'E'), edit(0, 1, 'A'))], 'AbcdEf'],
  [
    'a correction inside of another one waits',
    'abcdef',
    [fixOf(edit(0, 1, 'A'), edit(4, 5, 'E')), fixOf(edit(2, 3, 'C'))],
    'AbcdEf',
  ],
  ['edits of one correction that overlap', 'abcdef', [fixOf(edit(0, 3, 'x'), edit(2, 4, 'y'))], 'abcdef'],
  ['an edit that is said twice', 'abcdef', [fixOf(edit(0, 1, 'A'), edit(0, 1, 'A'))], 'Abcdef'],
  ['beyond the end of the text', 'abc', [fixOf(edit(2, 9, 'x'))], 'abc'],
  ['a byte order mark stays and is not counted', '\uFEFFabc', [fixOf(edit(0, 1, 'A'))], '\uFEFFAbc'],
  ['line ends are those of the text', 'a\r\nb', [fixOf(edit(0, 1, 'x\ny'))], 'x\r\ny\r\nb'],
];
for (const [say, text, fixes, fixed] of applied)
  test(`corrections: ${say}`, () =>
    assert.is(
      applyFixes(
        text,
        fixes.map((fix) => ({ fix })),
      ).text,
      fixed,
    ));

/** Lints a definition by itself. */
const judge = (text: string) => ({ findings: lintTexts({ [CLAUDE]: text }).findings, parsed: !text.includes('{{') });

test('a correction that brings an error with it is refused, the others are written', () => {
  const text = definition('model: sonnet', 'color: blue');
  const at = (word: string, instead: string) => {
    const start = text.indexOf(word);
    return { ...fixOf(edit(start, start + word.length, instead)), description: instead };
  };
  const refused = new Set<string>();
  const fixes = [at('model', 'allowedTools'), at('blue', 'green')];
  const { text: fixed, done } = fixText(text, fixes, judge, refused);
  assert.is(fixed, text.replace('blue', 'green'));
  assert.equal([done.length, refused.size], [1, 1]);
  assert.is(fixText(text, [at('model', '{{')], judge, new Set()).text, text, 'it could be parsed before');
});

test('errors that a correction brings to light do not count against it', () => {
  const broken = definition('tool: Read').replace('---', '{{');
  const fix = fixOf(edit(0, 2, '---'));
  assert.is(fixText(broken, [fix], judge, new Set()).text, definition('tool: Read'));
});

test('every problem that a parser can name has a rule that tells it', () => {
  const ids = new Set(rules.map(({ id }) => id));
  const sources = ['src/agent', 'src/rule', 'src/policy', 'src/lint/files/read-files.ts'];
  const text = execFileSync('grep', ['-rhoE', "'(agent|rule|file|policy|read)/[a-z0-9-]+'", ...sources], { encoding: 'utf8' });
  const codes = [
    ...new Set(
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.slice(1, -1)),
    ),
  ];
  assert.ok(codes.length > 40, String(codes.length));
  for (const code of codes)
    for (const kind of ['agent', 'policy', 'other'] as const) assert.ok(ids.has(ruleOfProblem(code, kind)), code);
});

test('the pages of docs/rules are what the rules say: else run node .ci/docs.mjs', () => {
  execFileSync(process.execPath, ['.ci/docs.mjs', '--check'], { stdio: ['ignore', 'ignore', 'inherit'] });
});

test('the configuration that the pages show is a valid policy', () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/rules/README.md', 'utf8'))?.[1] ?? '';
  assert.equal(lintTexts({ [POLICY]: `version: 1\n${yaml}` }).findings, []);
});

const secrets: readonly (readonly [text: string, masked: string])[] = [
  ['TOKEN=abcdefgh x', 'TOKEN=•••••••• x'],
  ['https://me:hunter2@host/', 'https://me:•••••••@host/'],
  ['Authorization: Bearer abcdefghijklmnop1234', 'Authorization: Bearer ••••••••••••••••••••'],
  ['password=$SECRET token=<token> API_KEY=your-key', 'password=$SECRET token=<token> API_KEY=your-key'],
  ['max_tokens: 16000', 'max_tokens: 16000'],
  ['a sentence about a token and a password', 'a sentence about a token and a password'],
];
for (const [text, masked] of secrets) test(`masked: ${text}`, () => assert.is(maskSecrets(text), masked));

test('secrets never overlap', () => {
  const found = findSecrets(`API_TOKEN=ghp_${'q7Vw2Xk9'.repeat(4)} PASSWORD=https://a:kT9xWq2Lv8Zr@b/`, 'settings');
  assert.ok(found.length > 0);
  found.reduce((end, secret) => {
    assert.ok(secret.start >= end);
    return secret.end;
  }, 0);
});

test.run();
