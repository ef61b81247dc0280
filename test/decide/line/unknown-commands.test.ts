/** No grant where a word of an unknown command may hold a path that leaves the project. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { payload, verdictOf, withHookWorld } from '../../hook/world.js';

const POLICY = { '.config/policy/policy.yaml': 'version: 1\nallow: ["Bash(mytool *)"]\n' };

for (const [command, verdict] of [
  ['mytool src/a -v --name=x', 'allow'],
  ['mytool -vx run', 'allow'],
  ['mytool -I/etc', 'silence'],
  ['mytool -I../other', 'silence'],
  ['mytool -xvf/etc/passwd', 'silence'],
  ['mytool @/etc/passwd', 'silence'],
  ['mytool a:/etc/passwd', 'silence'],
  ['mytool src/a,../../b', 'silence'],
  ['timeout 5 mytool -I/etc', 'silence'],
] as const)
  test(`${command}: ${verdict}`, () =>
    withHookWorld(POLICY, (world) => assert.is(verdictOf(world.run(payload(world, 'Bash', { command }))), verdict)));

test.run();
