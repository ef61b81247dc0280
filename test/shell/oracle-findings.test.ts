/** Lines that the oracle found allowed although bash did something in them that was not judged; each stays closed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../decide/world.js';

const safe: World = { preset: 'safe', allow: ['Bash(P *)'] };

const neverAllowed: readonly (readonly [why: string, line: string])[] = [
  ['a program that is given another name', 'exec -a git P status'],
  ['a program that is given another name, glued', 'exec -ax P'],
  ['a program that is called as a login shell', 'exec -l P'],
];

for (const [why, line] of neverAllowed)
  test(`${why}: ${line} is not allowed`, () => {
    const decision = decideIn(safe, 'Bash', line);
    assert.is.not(decision.decision, 'allow', decision.message);
  });

test('exec alone is as good as what it runs', () => {
  assert.is(decideIn(safe, 'Bash', 'exec P a').decision, 'allow');
});

test.run();
