/** Starter policies: what they hold for several repositories, also hostile ones; lint finds no error in any, and every example holds. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectStarter, proposeStarter, type Starter, userStarter } from '../../../src/author/starter.js';
import { schemaFor } from '../../../src/author/starter-schema.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { verifyRuleExamples } from '../../../src/policy/examples.js';
import { ruleMatches } from '../../../src/project/rule-examples.js';
import { lint } from '../../../src/runner/lint/linter.js';
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

test('an empty folder: preset develop and no rules', () => {
  const starter = withFiles({ 'empty/': '' }, starterIn);
  assert.equal(rulesOf(starter), []);
  assert.match(starter.files[0]?.text ?? '', /^preset: develop$/m);
  assert.equal(starter.notes, []);
});

test('a person takes some parts and leaves others', () =>
  withFiles({ '.claude/settings.json': '{"permissions":{"allow":["Bash(git log:*)"]}}' }, (folder) => {
    const proposal = proposeStarter(folder);
    assert.is(proposal.parts.length, 2);
    const [work, settings] = proposal.parts;
    const text = (parts: typeof proposal.parts) => projectStarter(proposal, parts).files[0]?.text ?? '';
    assert.match(text(proposal.parts), /^preset: develop$/m);
    assert.match(text(settings === undefined ? [] : [settings]), /^preset: safe$/m);
    assert.not.match(text(settings === undefined ? [] : [settings]), /build, test/);
    assert.equal(rulesOf(projectStarter(proposal, work === undefined ? [] : [work])), []);
    assert.equal(rulesOf(projectStarter(proposal)), ['allow Bash(git log:*)']);
  }));

test('whatever a repository holds, the policy has at most 15 lines without its settings', () => {
  const files = Object.fromEntries(
    ['package.json', 'go.mod', 'Makefile', 'Cargo.toml', 'bin/x', 'Gemfile'].map((name) => [name, '{}']),
  );
  const lines = (starterOf(files).files[0]?.text ?? '').trimEnd().split('\n');
  assert.ok(lines.length <= 15, lines.join('\n'));
});

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

test.run();
