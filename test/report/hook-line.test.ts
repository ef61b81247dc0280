/** The one line in which a hook answers. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hookLine } from '../../src/report/hook-line.js';
import { decideIn } from '../decide/world.js';

test('behind a full stop a new sentence begins', () => {
  const decision = decideIn({ preset: 'safe' }, 'CronCreate', { cron: '* * * * *', prompt: 'go on' });
  assert.match(decision.message, /\.$/);
  assert.is(
    hookLine(decision, '7', 'no rule can allow this'),
    'policy asks about CronCreate: It schedules a prompt that will run when nobody looks. No rule can allow this (decision 7)',
  );
});

test('parts without one are put together', () => {
  const decision = decideIn({ preset: 'safe' }, 'WebSearch', 'x');
  assert.match(
    hookLine(decision, '7', 'policy allow WebSearch'),
    /allows WebSearch; a person can settle it in a terminal: policy allow/,
  );
});

test('a message that stands alone keeps its full stop', () => {
  const decision = decideIn({ preset: 'safe' }, 'CronCreate', { cron: '* * * * *', prompt: 'go on' });
  assert.match(hookLine(decision, '7', null), /when nobody looks\. \(decision 7\)$/);
});

test.run();
