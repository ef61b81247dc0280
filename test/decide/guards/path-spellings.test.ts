/** Paths that a runner reads otherwise than they are spelled: what it would open is what counts. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const GENEROUS = { preset: 'safe', allow: ['Read(**)', 'Grep(**)', 'Edit(**)'], secrets: ['/repo/.env'] } as const;

const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>, why: string])[] = [
  ['Grep', { pattern: 'x', path: '.env ' }, 'Claude Code cuts off blanks'],
  ['Read', { file_path: '\t.env' }, 'also in front'],
  ['Read', { file_path: '.\\env' }, 'Qwen Code takes out backslashes'],
  ['Write', { file_path: '@policy.yaml' }, 'Gemini CLI takes off an @'],
  ['Write', { file_path: '@/.gemini/settings.json' }, 'and the slash behind it'],
  ['Edit', { file_path: '.%67emini/settings.json' }, 'Gemini CLI undoes percent escapes'],
  ['Write', { file_path: '.g\\it/hooks/pre-commit' }, 'a backslash in the name of a folder'],
  ['Read', { file_path: '../x ' }, 'outside the project, with a blank'],
];
for (const [tool, input, why] of CALLS)
  test(`${tool} ${JSON.stringify(input)}: ${why}`, () => assert.is.not(decideIn(GENEROUS, tool, input).decision, 'allow'));

test('a rule about a composed name meets the decomposed one', () => {
  const world = { ...GENEROUS, deny: ['Read(caf\u00e9/**)'] };
  assert.is(decideIn(world, 'Read', { file_path: 'cafe\u0301/x' }).decision, 'deny');
});

const edit = (file_path: string, missing: readonly string[]) =>
  decideIn({ ...GENEROUS, missing }, 'replace', { file_path, old_string: 'a', new_string: 'b' }, { runner: 'gemini-cli' });

test('Gemini CLI edits a file of that name elsewhere where there is none', () => {
  assert.is(edit('settings.json', ['settings.json']).decision, 'ask');
  assert.is(edit('settings.json', []).decision, 'allow');
  assert.is(edit('/repo/settings.json', ['settings.json']).decision, 'allow');
});

test('plain odd names are as allowed as others', () => {
  assert.is(decideIn(GENEROUS, 'Read', { file_path: '@types/x.d.ts' }).decision, 'allow');
  assert.is(decideIn(GENEROUS, 'Read', { file_path: 'docs/100%.md' }).decision, 'allow');
});

test.run();
