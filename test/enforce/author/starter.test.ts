/** Starter policies: what they hold for several repositories, also hostile ones; lint finds no error in any, and every example holds. */
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ruleMatches } from '../../../src/enforce/author/rule-examples.js';
import { projectStarter, proposeStarter, type Starter, userStarter } from '../../../src/enforce/author/starter.js';
import { schemaFor } from '../../../src/enforce/author/starter-schema.js';
import { PYTHON_TOOLS, SCRIPT_TOOLS, STACKS } from '../../../src/enforce/author/starter-stacks.js';
import { lint } from '../../../src/lint/run.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { verifyRuleExamples } from '../../../src/policy/examples.js';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

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

/** With all that there is to take. */
function starterIn(folder: string): Starter {
  return projectStarter(proposeStarter(folder));
}

function starterOf(files: Readonly<Record<string, string>>): Starter {
  return withFiles(files, starterIn);
}

test('an empty folder: the safe preset and no rules', () => {
  const starter = withFiles({ 'empty/': '' }, starterIn);
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
    const rules = rulesOf(starterIn(folder));
    for (const rule of [
      'allow Bash(npm run lint *)',
      'allow Bash(npm run test:api *)',
      'ask Bash(git push:*)',
      'deny Read(.env)',
    ])
      assert.ok(rules.includes(rule), `${rule} in ${rules.join(', ')}`);
    for (const script of ['deploy', 'migrate'])
      assert.not(
        rules.some((rule) => rule.startsWith('allow') && rule.includes(script)),
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
    ['allow Bash(yarn lint *)', 'allow Bash(yarn run lint *)'],
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
      'allow Bash(cargo fmt)',
      'allow Bash(cargo fmt --all)',
      'allow Bash(cargo fmt --check)',
      'allow Bash(cargo fmt --all --check)',
    ],
  ],
  [
    'Go',
    { 'go.mod': '' },
    [
      'allow Bash(go test *)',
      'allow Bash(go vet *)',
      'allow Bash(go build *)',
      'allow Bash(go fmt ./...)',
      'allow Bash(gofmt -l .)',
    ],
  ],
  [
    'Python with pytest and ruff',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n' },
    [
      'allow Bash(pytest *)',
      'allow Bash(python -m pytest *)',
      'allow Bash(python3 -m pytest *)',
      'allow Bash(ruff check *)',
      'allow Bash(ruff format --check *)',
    ],
  ],
  [
    'every lock file, and packages below with their own',
    {
      'package.json': '{"scripts":{"build":"x"}}',
      'package-lock.json': '',
      'pnpm-lock.yaml': '',
      'web/package.json': '{"scripts":{"dev":"vite","test:unit":"x","deploy":"x","start:prod":"x"}}',
      'web/yarn.lock': '',
      'node_modules/x/package.json': '{"scripts":{"test":"x"}}',
      'a/b/c/d/e/package.json': '{"scripts":{"lint":"x"}}',
    },
    [
      'allow Bash(pnpm build *)',
      'allow Bash(pnpm run build *)',
      'allow Bash(npm run build *)',
      'allow Bash(yarn test:unit *)',
      'allow Bash(yarn run test:unit *)',
      'allow Bash(yarn dev *)',
      'allow Bash(yarn run dev *)',
    ],
  ],
  [
    'tools by their configuration and by the dependencies',
    {
      'package.json':
        '{"devDependencies":{"typescript":"5","vitest":"3"},"scripts":{"x":"NODE_OPTIONS=--experimental-vm-modules jest"}}',
      'packages/a/eslint.config.mjs': '',
      'jest.config.js': '',
    },
    [
      'allow Bash(npx tsc --noEmit *)',
      'allow Bash(npx eslint *)',
      'allow Bash(npx jest *)',
      'allow Bash(NODE_OPTIONS=--experimental-vm-modules npx jest *)',
      'allow Bash(npx vitest *)',
    ],
  ],
  [
    'the programs of the project, by folder; those that reach out are asked about',
    {
      'bin/tool': '',
      'scripts/a.js': '',
      'scripts/deploy.sh': '',
      'scripts/test-deploy.js': '',
      'src/deep/er/main.py': '',
      'docs/x.js': '',
      'dist/x.js': '',
      'server.js': '',
      'uninstall.sh': '',
      'vite.config.js': '',
    },
    [
      'allow Bash(./bin/*)',
      'allow Bash(./scripts/*)',
      'allow Bash(node scripts/*)',
      'allow Bash(bash scripts/*)',
      'allow Bash(python3 src/*)',
      'allow Bash(python src/*)',
      'allow Bash(node server.js *)',
      'ask Bash(./scripts/deploy.sh *)',
      'ask Bash(bash scripts/deploy.sh *)',
    ],
  ],
  [
    'what package.json names, where it is there',
    {
      'package.json':
        '{"bin":{"x":"./dist/cli.js","y":"../evil.js"},"scripts":{"x":"node --loud tools2/run.js && node gone/y.js"}}',
      'dist/cli.js': '',
      'tools2/run.js': '',
    },
    ['allow Bash(node tools2/*)', 'allow Bash(node dist/*)'],
  ],
  [
    'a package below, from its own top',
    { 'pkg/a/package.json': '{}', 'pkg/a/cli.mjs': '', 'pkg/a/lib/x.js': '' },
    ['allow Bash(node pkg/a/*)'],
  ],
  [
    'nothing of what git ignores, of another repository or behind a link',
    {
      '.gitignore': 'tmp-*\n/scripts/\n',
      'tmp-1/package.json': '{"scripts":{"test":"x"}}',
      'scripts/a.js': '',
      'other/.git/HEAD': '',
      'other/package.json': '{"scripts":{"test":"x"}}',
      bin: '-> other',
    },
    [],
  ],
  [
    'folders and files of odd names',
    { 'a b/package.json': '{"scripts":{"test":"x"}}', 'scripts/x y.js': '', 'scripts(*)/a.js': '', '$x/cli.js': '' },
    [],
  ],
  [
    'a justfile',
    { justfile: 'test *args:\n  x\nbuild: test\ndeploy:\nlint := "y"\n' },
    ['allow Bash(just test)', 'allow Bash(just build)'],
  ],
  [
    'Gradle and Maven by their wrappers, without further arguments',
    { gradlew: '', mvnw: '' },
    [
      'allow Bash(./gradlew test)',
      'allow Bash(./gradlew check)',
      'allow Bash(./gradlew build)',
      'allow Bash(./gradlew assemble)',
      'allow Bash(./mvnw test)',
      'allow Bash(./mvnw verify)',
      'allow Bash(./mvnw compile)',
    ],
  ],
  [
    'make targets, not variables',
    { Makefile: 'test: x\nlint := y\nbuild:\n\ttrue\ndeploy:\n' },
    ['allow Bash(make test)', 'allow Bash(make build)'],
  ],
];
for (const [why, files, rules] of COMMANDS) test(`commands: ${why}`, () => assert.equal(rulesOf(starterOf(files)), rules));

test('a rule with a star does not run what another file or folder names', () => {
  const commands = [...STACKS, ...PYTHON_TOOLS].flatMap((one) => one.commands);
  const open = [...commands, ...SCRIPT_TOOLS.flatMap((one) => one.commands.map((command) => `npx ${command}`))].filter(
    (command) => command.endsWith(' *'),
  );
  assert.ok(open.length > 20, String(open.length));
  for (const command of open) {
    const judge = judgeUnder(`version: 1\npreset: safe\nallow: ["Bash(${command})"]\n`);
    withFiles({ 'a.txt': '' }, (project) => {
      for (const tail of [
        '--config /tmp/x',
        '--config=/tmp/x',
        '--frobnicate /tmp/x',
        '--require /tmp/x',
        '--rcfile /tmp/x',
        '; rm x',
      ])
        assert.is.not(judge(project, command.replace('*', tail)).decision, 'allow', command.replace('*', tail));
      assert.is(judge(project, command.slice(0, -2)).decision, 'allow', command);
    });
  }
});

test('programs that take any code, and scripts that lose data, are not among what may run', () => {
  withFiles(
    {
      'pyproject.toml': '[tool.pytest.ini_options]\n',
      'manage.py': '',
      'bin/rails': '',
      'bin/run': '',
      'scripts/db_reset.py': '',
      'scripts/a.py': '',
    },
    (folder) => {
      chmodSync(join(folder, 'manage.py'), 0o755);
      const text = starterIn(folder).files[0]?.text ?? '';
      assert.not.match(text, /manage\.py/);
      assert.match(text, /ask:[\s\S]*Bash\(\.\/bin\/rails \*\)/);
      assert.match(text, /ask:[\s\S]*Bash\(python3 scripts\/db_reset\.py \*\)/);
    },
  );
});

test('a person takes some parts and leaves others', () =>
  withFiles({ 'package.json': '{"scripts":{"test":"x","dev":"x"}}', 'go.mod': '' }, (folder) => {
    const proposal = proposeStarter(folder);
    assert.is(proposal.parts.length, 3);
    assert.equal(rulesOf(projectStarter(proposal, proposal.parts.slice(1, 2))), ['allow Bash(npm run dev *)']);
    assert.equal(rulesOf(projectStarter(proposal, [])), []);
  }));

test('editors are told where the schema is; nothing but a plain path is', () =>
  withFiles({ 'node_modules/agent-policy/schemas/policy.schema.json': '{}', 'package.json': '{}' }, (folder) => {
    const first = (schema: string | null) => projectStarter(proposeStarter(folder, schema)).files[0]?.text.split('\n')[0];
    assert.is(
      first(schemaFor(folder, '/home/nobody')),
      '# yaml-language-server: $schema=./node_modules/agent-policy/schemas/policy.schema.json',
    );
    assert.match(first(null) ?? '', /^# What coding agents/);
    assert.match(first('/a b/x.json') ?? '', /^# What coding agents/);
    assert.match(first('/a\n- Bash(*)') ?? '', /^# What coding agents/);
    assert.match(schemaFor(null, '/home/nobody') ?? '', /\/schemas\/policy\.schema\.json$/);
    assert.is(schemaFor('/nowhere', '/'), null, 'a path below the home folder is not for others');
  }));

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
    assert.ok(rules.length <= 25, String(rules.length));
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
  assert.equal(rulesOf(starter, 1), ['allow Bash(cargo doc:*)', 'deny Read(secret/**)', 'deny Edit(secret/**)']);
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

test('scripts that run what they are given, or reach out, are asked about however they are started', () => {
  const entrypoint = '#!/bin/sh\nset -e\nexec "$@"\n';
  const starter = starterOf({
    Gemfile: '',
    'bin/docker-entrypoint': entrypoint,
    'bin/bundle': '#!/usr/bin/env ruby\n',
    'bin/thrust': '#!/usr/bin/env ruby\n',
    'bin/dev': '#!/bin/sh\nforeman start\n',
    'scripts/lint.sh': '#!/bin/bash\neslint src\n',
    'scripts/check.sh': '#!/bin/bash\nnpm test -- "$1"\n',
    'scripts/wait.sh': '#!/bin/bash\nwhile ! nc -z db 5432; do sleep 1; done\n"${@}"\n',
    'scripts/go.sh': '#!/bin/sh\ncmd="$1"; shift\n$cmd "$@"\n',
    'scripts/fixed.sh': '#!/bin/sh\nPYTHON=python3\n$PYTHON a.py\n',
    'scripts/tool.rb': 'system(*ARGV)\n',
    'scripts/run.py': 'import sys, subprocess\nsubprocess.run(sys.argv[1:])\n',
    'scripts/deployProd.sh': 'x\n',
    'scripts/deploy2.sh': 'x\n',
    'scripts/release': 'x\n',
    'scripts/get-secrets.sh': 'x\n',
  });
  const rules = new Set(rulesOf(starter));
  for (const rule of [
    'allow Bash(./bin/*)',
    'allow Bash(./scripts/*)',
    'allow Bash(bash scripts/*)',
    'allow Bash(python3 scripts/*)',
  ])
    assert.ok(rules.has(rule), rule);
  for (const file of ['bin/docker-entrypoint', 'bin/bundle', 'bin/thrust', 'scripts/tool.rb', 'scripts/release'])
    assert.ok(rules.has(`ask Bash(./${file} *)`), file);
  for (const file of ['wait.sh', 'go.sh', 'deployProd.sh', 'deploy2.sh', 'get-secrets.sh', 'release'])
    assert.ok(rules.has(`ask Bash(bash scripts/${file} *)`), file);
  assert.ok(rules.has('ask Bash(python3 scripts/run.py *)'));
  for (const file of ['bin/dev', 'scripts/lint.sh', 'scripts/check.sh', 'scripts/fixed.sh'])
    assert.not.ok(
      [...rules].some((rule) => rule.startsWith('ask') && rule.includes(file)),
      file,
    );
});

test.run();
