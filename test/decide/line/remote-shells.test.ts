/** `ssh host WORDS`: another shell reads the words once more, so a rule about the first of them says little of what was quoted here. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const answer = (line: string, rule = 'Bash(ssh host ls *)') => decideIn({ allow: [rule] }, 'Bash', line).decision;

for (const line of ['ssh host ls src', 'ssh host ls -la -- src', 'ssh host ls "a b"'])
  test(`allowed: ${line}`, () => assert.is(answer(line), 'allow'));

for (const line of [
  "ssh host ls x '&&' rm y",
  "ssh host ls 'x;rm y'",
  "ssh host ls '$(rm y)'",
  "ssh host ls x '>' y",
  "ssh host ls x '|' sh",
])
  test(`asked: ${line}`, () => assert.is(answer(line), 'ask'));

test('a whole command in one word is what the rule about the host covers', () =>
  assert.is(answer("ssh host 'cd /srv && ls | wc -l'", 'Bash(ssh host *)'), 'allow'));

test('a line that is written out is covered as it stands', () =>
  assert.is(answer("ssh host ls x '&&' ls y", 'Bash(ssh host ls x && ls y)'), 'allow'));

test.run();
