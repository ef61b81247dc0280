/** Starter policies: what they hold for several repositories, also hostile ones; lint finds no error in any, and every example holds. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ruleMatches } from '../../src/enforce/rule-examples.js';
import { projectStarter, type Starter, userStarter } from '../../src/enforce/starter.js';
import { lint } from '../../src/lint/run.js';
import { parsePolicy } from '../../src/policy/document.js';
import { verifyRuleExamples } from '../../src/policy/examples.js';
import { withFiles } from './scratch.js';

/** The rules of the first file, each as `effect Tool(pattern)`; fails when the file has any mistake. */
function rulesOf({ files }: Starter, index = 0): readonly string[] {
  const file = files[index];
  if (file === undefined) throw new Error('no such file');
  const { document, problems } = parsePolicy(file.text, { file: 'policy.yaml', format: 'yaml', layer: 'project' });
  assert.equal(problems, []);
  assert.equal(verifyRuleExamples(document?.rules ?? [], ruleMatches), []);
  const kind = { kind: 'policy', format: 'yaml', layer: 'project' } as const;
  const { findings } = lint({ files: [{ path: 'policy.yaml', kind, text: file.text, problem: null }], incomplete: [] });
  assert.equal(
    findings.filter(({ severity }) => severity === 'error'),
    [],
    file.text,
  );
  return (document?.rules ?? []).map(({ effect, text }) => `${effect} ${text}`);
}

function starterOf(files: Readonly<Record<string, string>>): Starter {
  return withFiles(files, projectStarter);
}

test('an empty folder: the safe preset and no rules', () => {
  const starter = withFiles({ 'empty/': '' }, projectStarter);
  assert.equal(rulesOf(starter), []);
  assert.match(starter.files[0]?.text ?? '', /^preset: safe$/m);
  assert.equal(starter.notes, []);
});

test('a rule of the settings that says what a script says is not repeated', () => {
  const starter = starterOf({
    'package.json': '{"scripts":{"build":"x"}}',
    '.claude/settings.json': '{"permissions":{"allow":["Bash(npm run build:*)","Bash(git log:*)"]}}',
  });
  assert.equal(rulesOf(starter), ['allow Bash(npm run build *)', 'allow Bash(git log:*)']);
});

test('the demo repository: its scripts and its settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-test-'));
  try {
    cpSync('test/fixtures/demo-repo', folder, { recursive: true });
    const rules = rulesOf(projectStarter(folder));
    for (const rule of [
      'allow Bash(npm run lint *)',
      'allow Bash(npm run test:api *)',
      'ask Bash(git push:*)',
      'deny Read(.env)',
    ])
      assert.ok(rules.includes(rule), `${rule} in ${rules.join(', ')}`);
    for (const script of ['deploy', 'migrate', 'dev'])
      assert.not(
        rules.some((rule) => rule.includes(script)),
        script,
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const COMMANDS: readonly (readonly [why: string, files: Readonly<Record<string, string>>, rules: readonly string[]])[] = [
  [
    'pnpm by its lock file',
    { 'package.json': '{"scripts":{"test":"x"}}', 'pnpm-lock.yaml': '' },
    ['allow Bash(pnpm test *)', 'allow Bash(pnpm run test *)'],
  ],
  [
    'yarn by its declaration',
    { 'package.json': '{"packageManager":"yarn@4.1.0","scripts":{"lint":"x"}}' },
    ['allow Bash(yarn run lint *)'],
  ],
  [
    'a declaration that is none',
    { 'package.json': '{"packageManager":"evil; rm@1","scripts":{"lint":"x"}}' },
    ['allow Bash(npm run lint *)'],
  ],
  [
    'Rust',
    { 'Cargo.toml': '' },
    [
      'allow Bash(cargo test *)',
      'allow Bash(cargo check *)',
      'allow Bash(cargo clippy *)',
      'allow Bash(cargo build *)',
      'allow Bash(cargo fmt --check)',
    ],
  ],
  [
    'Go',
    { 'go.mod': '' },
    ['allow Bash(go test ./...)', 'allow Bash(go vet ./...)', 'allow Bash(go build ./...)', 'allow Bash(gofmt -l .)'],
  ],
  [
    'Python with pytest and ruff',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n' },
    ['allow Bash(pytest *)', 'allow Bash(python -m pytest *)', 'allow Bash(ruff check *)'],
  ],
  [
    'make targets, not variables',
    { Makefile: 'test: x\nlint := y\nbuild:\n\ttrue\ndeploy:\n' },
    ['allow Bash(make test)', 'allow Bash(make build)'],
  ],
];
for (const [why, files, rules] of COMMANDS) test(`commands: ${why}`, () => assert.equal(rulesOf(starterOf(files)), rules));

const HOSTILE: readonly (readonly [why: string, text: string, note: RegExp | null])[] = [
  [
    'names with quotes, line ends, wildcards and shell words',
    JSON.stringify({
      scripts: {
        'test"': 'x',
        "test'": 'x',
        'test\n- Bash(*)': 'x',
        'test *': 'x',
        'test;evil': 'x',
        'test)': 'x',
        '*': 'x',
        __proto__x: 'x',
        'test:$(x)': 'x',
        'lint:deploy': 'x',
      },
    }),
    null,
  ],
  ['scripts that are no map', '{"scripts":["test"]}', null],
  ['a text', '"test"', null],
  ['no JSON', '{"scripts":{', /not valid JSON/],
  ['the same key twice', '{"scripts":{"test":"a"},"scripts":{"build":"b"}}', /written twice/],
  ['a key that JavaScript objects mind', '{"__proto__":{"scripts":{"test":"x"}}}', /__proto__/],
  ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /Nesting deeper/],
  ['ten megabytes', `{"x":"${'y'.repeat(10 * 1024 * 1024)}"}`, /larger than/],
  [
    'many scripts',
    JSON.stringify({ scripts: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`test:a${index}`, 'x'])) }),
    null,
  ],
];
for (const [why, text, note] of HOSTILE)
  test(`a hostile package.json: ${why}`, () => {
    const starter = starterOf({ 'package.json': text });
    const rules = rulesOf(starter);
    assert.ok(rules.length <= 13, String(rules.length));
    for (const rule of rules) assert.match(rule, /^allow Bash\(npm run test:a\d+ \*\)$/);
    if (note !== null) assert.match(starter.notes.join('\n'), note);
  });

test('a package.json that is a link is not followed', () => {
  const starter = starterOf({ 'other.json': '{"scripts":{"test":"x"}}', 'package.json': '-> other.json' });
  assert.equal(rulesOf(starter), []);
  assert.match(starter.notes.join('\n'), /symbolic link/);
});

test('the rules of settings.local.json stand in a file of their own', () => {
  const starter = starterOf({
    '.claude/settings.json': '{"permissions":{"allow":["Bash(make:*)"]}}',
    '.claude/settings.local.json': '{"permissions":{"allow":["Bash(cargo doc:*)"],"deny":["Read(secret/**)"]}}',
  });
  assert.equal(
    starter.files.map(({ stem }) => stem),
    ['policy', 'policy.local'],
  );
  assert.equal(rulesOf(starter, 1), ['allow Bash(cargo doc:*)', 'deny Read(secret/**)']);
});

test('rules that contradict each other in two files: the stricter one stays', () => {
  const starter = starterOf({
    '.claude/settings.json': '{"permissions":{"allow":["Bash(git fetch:*)"]}}',
    '.codex/rules/x.rules': 'prefix_rule(pattern=["git", "fetch"], decision="forbidden")\n',
  });
  assert.equal(rulesOf(starter), ['deny Bash(git fetch *)']);
});

test('what was left out stands in the file as comments that nothing can end', () => {
  const starter = starterOf({
    '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(x\nallow:\n  - Bash(*)\u2028)', 'Bash(python:*)'] } }),
  });
  assert.equal(rulesOf(starter), []);
  assert.match(starter.files[0]?.text ?? '', /^# - \.claude\/settings\.json:1: allow Bash\(python:\*\) was not taken over: /m);
});

test('a credential in a rule that was left out is not repeated', () => {
  const starter = starterOf({
    '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(PGPASSWORD=hunter2hunter2 psql:*)'] } }),
  });
  assert.equal(rulesOf(starter), []);
  assert.is(starter.notes.length, 1);
  assert.not.match(starter.notes.join() + starter.files[0]?.text, /hunter2/);
});

test('the default branch is the one of the remote, else main, else the one that is checked out', () => {
  const head = {
    '.git/HEAD': 'ref: refs/heads/work\n',
    '.git/objects/x': '',
    '.git/refs/heads/work': '0'.repeat(40),
    '.git/config': '',
  };
  const branch = (files: Readonly<Record<string, string>>) =>
    /^protectedBranches: (.*)$/m.exec(starterOf({ ...head, ...files }).files[0]?.text ?? '')?.[1];
  assert.is(branch({ '.git/refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/trunk\n' }), '[trunk]');
  assert.is(branch({ '.git/refs/heads/main': '0'.repeat(40) }), '[main]');
  assert.is(branch({ '.git/packed-refs': `${'0'.repeat(40)} refs/heads/master\n` }), '[master]');
  assert.is(branch({}), '[work]');
  assert.is(branch({ '.git/HEAD': 'ref: refs/heads/a]\n' }), undefined);
});

test('the settings of a user become a policy of the user, paths and all', () => {
  const starter = withFiles(
    {
      '.claude/settings.json': '{"permissions":{"allow":["Read(~/notes/**)","Bash(gh pr view:*)"]}}',
      '.codex/rules/default.rules': readFileSync('test/fixtures/codex-rules/sample.rules', 'utf8'),
    },
    userStarter,
  );
  const rules = rulesOf(starter);
  for (const rule of [
    'allow Read(~/notes/**)',
    'allow Bash(git diff *)',
    'allow Bash(gh pr status *)',
    'ask Bash(git push *)',
    'deny Bash(git push --force *)',
    'deny Bash(rm *)',
  ])
    assert.ok(rules.includes(rule), `${rule} in ${rules.join(', ')}`);
});

test.run();
