/** The `safe-git` rows of the seed vectors under preset safe: allow and deny are exact, ask is a minimum. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type SafeGitRow, seedRows } from '../vectors.js';
import { decideIn } from '../world.js';

for (const [index, row] of seedRows<SafeGitRow>('safe-git').entries()) {
  test(`safe-git ${index + 1}: ${row.cmd} → ${row.expect} (${row.why})`, () => {
    const decision = decideIn({ preset: 'safe' }, 'Bash', row.cmd);
    if (row.expect === 'ask') assert.is.not(decision.decision, 'allow', decision.message);
    else assert.is(decision.decision, row.expect, decision.message);
  });
}

test.run();
