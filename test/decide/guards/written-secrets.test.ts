/** Files that may hold secrets are asked about before they are written, edited, moved or deleted, by every route. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = { preset: 'safe' };
const WORK: World = { preset: 'develop' };
/** Generous rules do not help: whoever writes such a file may switch a runner's hooks off. */
const GENEROUS: World = { preset: 'develop', allow: ['Bash(*)', 'Edit', 'Write', 'Read(**)'] };

const lines: readonly string[] = [
  ': > .env',
  'echo QWEN_CODE_SIMPLE=1 >> .env',
  'printf x > config/.env.local',
  'echo x | tee -a .env',
  'cp .env.example .env',
  'mv a.txt prod.env',
  'touch .env',
  'sed -i s/a/b/ .env',
  'cp a.txt server.key',
  'cat <<< x > .en"v"',
  'rm .env',
  'mv .env plain.txt',
];
for (const line of lines)
  test(`ask: ${line}`, () => {
    for (const world of [SAFE, WORK, GENEROUS]) assert.is(decideIn(world, 'Bash', line).decision, 'ask');
  });

for (const tool of ['Write', 'Edit', 'MultiEdit', 'Delete'])
  test(`ask: ${tool} of a secret file`, () => {
    for (const path of ['.env', 'prod.env', 'certs/server.pem', 'web/.env.local', '/repo/.env'])
      assert.is(decideIn(GENEROUS, tool, path).decision, 'ask', path);
  });

test('Gemini answers an edit with the new text', () => {
  const replace = (path: string) =>
    decideIn(SAFE, 'replace', { file_path: path, old_string: 'a', new_string: 'b' }, { runner: 'gemini-cli' }).decision;
  assert.equal(['prod.env', 'id_rsa', 'src/a.ts'].map(replace), ['ask', 'ask', 'allow']);
});

test('a rule that keeps a file from being read keeps it from being edited', () => {
  const world: World = { preset: 'safe', deny: ['Read(private/**)'] };
  assert.is(decideIn(world, 'Edit', 'private/a.txt').decision, 'deny');
  assert.is(decideIn(world, 'Write', 'private/a.txt').decision, 'allow', 'nothing of it is shown');
  assert.is(decideIn(world, 'Edit', 'src/a.txt').decision, 'allow');
});

const patches: readonly (readonly [patch: string, safe: string, work: string, why: string])[] = [
  ['*** Update File: .env\n*** Move to: plain.txt', 'ask', 'ask', 'reads the source'],
  ['*** Update File: a.txt\n*** Move to: .env', 'ask', 'ask', 'writes the target'],
  ['rename from .env\nrename to plain.txt', 'ask', 'ask', 'the same in a diff'],
  ['*** Add File: .env\n+A=1', 'ask', 'ask', 'writes it'],
  ['*** Delete File: .env', 'ask', 'ask', 'deletes it'],
  ['*** Delete File: src/a.ts', 'ask', 'allow', 'as rm'],
  ['--- a/src/a.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a', 'ask', 'allow', 'as rm'],
  ['*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-a\n+b', 'allow', 'allow', 'a source that moves'],
  ['*** Add File: src/n.ts\n+x', 'allow', 'allow', 'a new one'],
  ['*** Update File: .env.example\n@@\n-a\n+b', 'allow', 'allow', 'an example holds none'],
];
for (const [text, safe, work, why] of patches)
  test(`patch ${JSON.stringify(text)}: ${why}`, () => {
    const patch = text.startsWith('***') ? `*** Begin Patch\n${text}\n*** End Patch` : text;
    const answers = [SAFE, WORK].map((world) => decideIn(world, 'ApplyPatch', { patch }).decision);
    assert.equal(answers, [safe, work]);
  });

test('what a patch deletes is judged by the rules for rm, and a rule for the tool takes it in', () => {
  const patch = '*** Begin Patch\n*** Delete File: src/a.ts\n*** End Patch';
  const under = (world: World) => decideIn(world, 'ApplyPatch', { patch }).decision;
  assert.is(under({ preset: 'develop', deny: ['Bash(rm *)'] }), 'deny');
  assert.is(under({ preset: 'safe', allow: ['Bash(rm *)'] }), 'allow');
  assert.is(under({ preset: 'safe', allow: ['ApplyPatch'] }), 'allow');
  assert.is(decideIn(SAFE, 'Delete', 'src/a.ts').decision, 'ask');
  assert.is(decideIn(WORK, 'Delete', 'src/a.ts').decision, 'allow');
});

for (const line of ['echo x > src/a.ts', 'cp a.txt .env.example', 'touch src/env.ts', 'mv a.txt b.txt', 'tee notes.txt < a.txt'])
  test(`allow: ${line}`, () => {
    for (const world of [SAFE, WORK]) assert.is(decideIn(world, 'Bash', line).decision, 'allow');
  });

test.run();
