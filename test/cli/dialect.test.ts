// `policy check --dialect claude-code` as a person calls it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { policy, scratch } from './spawned.js';

const cwd = scratch({});
mkdirSync(join(cwd, '.claude'));
mkdirSync(join(cwd, '.git'));
writeFileSync(join(cwd, '.git/HEAD'), 'ref: refs/heads/main\n');
mkdirSync(join(cwd, 'sub'));
writeFileSync(
  join(cwd, '.claude/settings.json'),
  '{ "permissions": {\n"allow": ["Bash(npm test:*)"],\n"deny": ["Bash(git push:*)"] } }\n',
);
writeFileSync(join(cwd, 'other.json'), '{ "permissions": { "ask": ["Bash(npm:*)"] } }');
writeFileSync(join(cwd, 'lost.json'), '{ "permissions": { "deny": "Bash" } }');

const check = (...args: readonly string[]) => policy(['check', '--dialect', 'claude-code', ...args], { cwd });

test('the rule that decides, with its place, and that it is the answer of the client', () => {
  const { status, stdout } = check('Bash', 'git push origin');
  assert.is(status, 1);
  assert.is(
    stdout,
    'deny  Bash git push origin  · Claude Code by its own rules: .claude/settings.json:3 denies Bash(git push:*).\n',
  );
  assert.is(check('Bash', 'npm test').status, 0);
  assert.is(check('--cwd', 'sub', 'Bash', 'npm test').status, 0, 'in a folder of the project');
  assert.match(check('Bash', 'make').stdout, /^ask {2}Bash make {2}· Claude Code by its own rules: no rule/);
});

test('settings that are named, and settings that the client leaves out', () => {
  assert.is(check('--settings', 'other.json', 'Bash', 'npm test').status, 2);
  const { status, stderr } = check('--settings', 'lost.json', 'Bash', 'npm test');
  assert.is(status, 2);
  assert.match(stderr, /Claude Code leaves out all of lost\.json: permissions\.deny has to be a list/);
  assert.match(check('--settings', 'none.json', 'Bash', 'x').stderr, /none\.json/);
  assert.is(check('--settings', 'none.json', 'Bash', 'x').status, 3);
});

test('a list of thousands of rules hides no other list, and one that is too long is refused', () => {
  const allow = Array.from({ length: 5_000 }, (_, index) => `Bash(a${index} *)`);
  writeFileSync(join(cwd, 'many.json'), JSON.stringify({ permissions: { allow, deny: ['Bash(a1 b*)'] } }));
  assert.is(check('--settings', 'many.json', 'Bash', 'a1 b').status, 1);
  writeFileSync(join(cwd, 'more.json'), JSON.stringify({ permissions: { allow, deny: [...allow, 'Bash(b *)'] } }));
  const { status, stderr } = check('--settings', 'more.json', 'Bash', 'b c');
  assert.is(status, 3);
  assert.match(stderr, /too many rules to read/);
  writeFileSync(join(cwd, 'deep.json'), `{ "permissions": { "deny": ["Bash"] }, "x": ${'['.repeat(60)}${']'.repeat(60)} }`);
  assert.is(check('--settings', 'deep.json', 'Bash', 'b c').status, 3, 'the client reads it');
});

test('as JSON, and line by line', () => {
  const { rule, ...answer } = JSON.parse(check('--json', 'Bash', 'git push').stdout);
  assert.is(answer.dialect, 'claude-code');
  assert.is(answer.decision, 'deny');
  assert.equal(rule, {
    text: 'Bash(git push:*)',
    effect: 'deny',
    scope: 'project',
    file: '.claude/settings.json',
    line: 3,
    column: 11,
  });
  const input = '{"tool":"Bash","input":{"command":"npm test"}}\nno JSON\n';
  const lines = policy(['check', '--dialect', 'claude-code', '--batch'], { cwd, input }).stdout.trim().split('\n');
  assert.equal(
    lines.map((line) => JSON.parse(line).decision),
    ['allow', 'deny'],
  );
});

test('flags of a policy are refused', () => {
  const { status, stderr } = check('--preset', 'safe', 'Bash', 'ls');
  assert.is(status, 3);
  assert.match(stderr, /leave out --preset/);
  assert.is(policy(['check', '--settings', 'other.json', 'Bash', 'ls'], { cwd }).status, 3);
});

test.run();
