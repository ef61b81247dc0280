// The demo repository: what the tour shows, and that its policy file is what decides.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, policy, policyEach, scratch } from './spawned.js';

const test = suite('demo repository');
const desk = copyOfDesk();

/** A fresh copy of the demo repository, as a git repository. */
function copyOfDesk(): string {
  const folder = scratch(Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/'))));
  cpSync('test/fixtures/demo-repo', folder, { recursive: true });
  return folder;
}

const rows: readonly (readonly [args: readonly string[], status: number])[] = [
  [['Bash', 'git status && git diff --stat'], 0],
  [['Bash', 'git push'], 2],
  [['Bash', 'npm test; rm -rf build'], 1],
  [['Bash', 'git log -1 --output=.git/hooks/pre-commit'], 1],
  [['FileRead', '/etc/passwd', '--agent', 'search-only'], 1],
  [['Bash', 'npm test'], 0],
  [['Bash', 'npm run deploy'], 1],
  [['Read', 'src/server.ts'], 0],
  [['Read', '.env'], 1],
  [['Edit', 'package.json'], 2],
  [['WebFetch', 'https://nodejs.org/api/fs.html'], 0],
  [['WebFetch', 'https://example.org/'], 2],
];
const answers = policyEach(rows.map(([args]) => ({ args: ['check', '--trust-project', ...args], cwd: desk })));
for (const [index, [args, status]] of rows.entries())
  test(`${args.join(' ')} → ${status}`, () => {
    const answer = answers[index];
    assert.is(answer?.status, status, `${answer?.stdout}${answer?.stderr}`);
  });

test('changing one rule in policy.yaml changes the printed answer', () => {
  const copy = copyOfDesk();
  const ask = () => policy(['check', '--trust-project', '--explain', 'Bash', 'npm run deploy'], { cwd: copy });
  const before = ask();
  assert.is(before.status, 1);
  assert.match(before.stdout, /Deployments are started by people/);
  const file = join(copy, 'policy.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .replace('rule: Bash(npm run deploy*)', 'rule: Bash(npm run release*)')
      .replace('match: [npm run deploy]', 'match: [npm run release]'),
  );
  const after = ask();
  assert.is(after.status, 2, after.stdout + after.stderr);
  assert.not.match(after.stdout, /Deployments are started by people/);
});

test('without trust the same policy can only tighten: its allow rules are left out, and that is said', () => {
  const allowed = policy(['check', 'Bash', 'npm test'], { cwd: desk });
  assert.is(allowed.status, 2, allowed.stdout + allowed.stderr);
  assert.match(allowed.stderr, /policy\.yaml:\d+:\d+: .*trust/);
  assert.is(policy(['check', 'Bash', 'npm run deploy'], { cwd: desk }).status, 1);
});

test('it holds twelve agents in three dialects, and no repository of its own', () => {
  const agents = ['.claude/agents', '.codex/agents', '.agent/agents'].map(
    (folder) => readdirSync(join('test/fixtures/demo-repo', folder)).length,
  );
  assert.is(
    agents.reduce((sum, count) => sum + count),
    12,
  );
  assert.is(readdirSync('test/fixtures/demo-repo').includes('.git'), false);
});

test('a name that two definitions share is told about', () => {
  const { stderr, status } = policy(['agents', 'list'], { cwd: desk });
  assert.is(status, 0);
  assert.match(
    stderr,
    /^warning: test-writer \(claude-code\): .*test-runner\.md and .*test-writer\.md define the same agent; .*\(duplicate definition\)$/m,
  );
});

test('the rules of the demo policy number about 75', () => {
  const rules =
    readFileSync('test/fixtures/demo-repo/policy.yaml', 'utf8').match(/^ {2}- (?:rule: )?[A-Za-z]\w*(?:\(|$)/gm) ?? [];
  assert.ok(rules.length >= 70 && rules.length <= 80, String(rules.length));
});

test.run();
