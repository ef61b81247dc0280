/** Skills and slash commands run commands of their own when they are loaded: their call is answered as those commands would be. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { payload, verdictOf, withHookWorld } from '../cli/hook-world.js';

const SKILL = 'project/.claude/skills/one/SKILL.md';
const skill = (body: string) => ({ [SKILL]: `---\nname: one\ndescription: d\n---\n${body}\n` });

type Row = readonly [why: string, files: Readonly<Record<string, string>>, name: string, verdict: 'allow' | 'ask' | 'deny'];
const ROWS: readonly Row[] = [
  ['no command', skill('Say hello.'), 'one', 'allow'],
  ['an allowed command', skill('Now: !`git status`'), 'one', 'allow'],
  ['code that is only shown', skill('Type `git push` yourself.'), 'one', 'allow'],
  ['a command that asks', skill('Now: !`git push origin main`'), 'one', 'ask'],
  ['a denied command', skill('Now: !`rm -rf ~`'), 'one', 'deny'],
  ['a denied one behind an allowed one', skill('!`git status`\n\n!`touch x`'), 'one', 'deny'],
  ['a fenced block', skill('```!\ngit status\ntouch x\n```'), 'one', 'deny'],
  ['a fenced block that is allowed', skill('```!\ngit status\n```'), 'one', 'allow'],
  ['an ordinary fenced block', skill('```sh\ntouch x\n```'), 'one', 'allow'],
  ['glued to a word', skill('x!`touch x`'), 'one', 'deny'],
  ['arguments in the command', skill('!`git log $ARGUMENTS`'), 'one', 'ask'],
  ['one argument in the command', skill('!`git log "$1"`'), 'one', 'ask'],
  ['a secret', skill('!`cat .env`'), 'one', 'ask'],
  ["a user's skill", { '.claude/skills/two/SKILL.md': '!`touch x`' }, 'two', 'deny'],
  ['a slash command', { 'project/.claude/commands/three.md': '!`touch x`' }, 'three', 'deny'],
  ['a slash command in a folder', { 'project/.claude/commands/a/b/three.md': '!`touch x`' }, 'three', 'deny'],
  ['with its folder and a slash', { 'project/.claude/commands/a/three.md': '!`touch x`' }, '/a:three', 'deny'],
  ['one of two of that name', { ...skill('!`git status`'), 'project/.claude/commands/one.md': '!`touch x`' }, 'one', 'deny'],
  ['no file', {}, 'nowhere', 'ask'],
  ['a path for a name', skill('hello'), '../one', 'ask'],
  ['a block without an end', skill('```!\ntouch x'), 'one', 'deny'],
  ['blocks without an end', skill('```!'.repeat(60_000)), 'one', 'deny'],
  ['too large', skill('x'.repeat(300_000)), 'one', 'ask'],
  ['many commands', skill('!`git status`\n'.repeat(60)), 'one', 'ask'],
];
const POLICY = { '.config/policy/policy.yaml': "version: 1\npreset: safe\nallow: [Skill]\ndeny: ['Bash(touch *)']\n" };

for (const [why, files, name, verdict] of ROWS)
  test(`${why}: ${verdict}`, () => {
    withHookWorld({ ...POLICY, ...files }, (world) => {
      assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: name }))), verdict);
    });
  });

test('the reason names the file, the line and the command', () => {
  withHookWorld({ ...POLICY, ...skill('!`touch x`') }, (world) => {
    const { stderr } = world.run(payload(world, 'Skill', { skill: 'one' }));
    assert.match(stderr, /the skill one runs a command when it is loaded \(\.claude\/skills\/one\/SKILL\.md:5\): /);
  });
});

test('a link to a file elsewhere asks, and shows nothing of it', () => {
  withHookWorld({ ...POLICY, 'project/x': '' }, (world) => {
    mkdirSync(join(world.project, '.claude/skills/one'), { recursive: true });
    symlinkSync('/etc/passwd', join(world.project, '.claude/skills/one/SKILL.md'));
    const output = world.run(payload(world, 'Skill', { skill: 'one' }));
    assert.is(verdictOf(output), 'ask');
    assert.not.match(output.stdout, /root:/);
  });
});

test.run();
