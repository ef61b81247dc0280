/** Every surprise of bash by name: the engine allows none of them, not even where a person allowed the builtin that springs it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../decide/world.js';
import { SURPRISES } from './lines/surprises.js';

const worlds: Readonly<Record<string, World>> = {
  'preset safe': { preset: 'safe' },
  'preset safe with generous rules': {
    preset: 'safe',
    allow: [
      'eval',
      'trap',
      'declare',
      'printf',
      'read',
      'unset',
      'export',
      'let',
      'alias',
      'hash',
      'set',
      'awk',
      'sed',
      'sort',
      'bash',
      'sh',
    ]
      .concat(['mapfile', 'compgen', 'complete', 'exec', 'env', 'find'])
      .map((name) => `Bash(${name} *)`),
  },
};

/** Under the generous rules a person said yes to what these programs do with a text or a file of their own. */
const SAID_YES = /^(?:awk|sed|sort|bash|sh|env -u HOME sh) /;

for (const [name, lines] of Object.entries(SURPRISES)) {
  test(`there are at least ten cases of: ${name}`, () => {
    assert.ok(new Set(lines).size >= 10);
  });
  for (const [where, world] of Object.entries(worlds))
    for (const line of lines) {
      if (world.allow !== undefined && SAID_YES.test(line)) continue;
      test(`${name}, ${where}: ${JSON.stringify(line)} is not allowed`, () => {
        const decision = decideIn(world, 'Bash', line);
        assert.is.not(decision.decision, 'allow', decision.message);
      });
    }
}

test.run();
