/** What the engine says of the lines that exports are made of: nothing in them is a guess. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PRESETS } from '../../../src/policy/policy.js';
import { EXACT_LINES, READING_PREFIXES, refusedPrefixes } from '../../../src/runner/native/lines.js';
import { partsOf, refusedWithin, sensitivePatterns } from '../../../src/runner/native/parts.js';
import { decideIn } from '../../decide/world.js';

const exact = Object.values(EXACT_LINES).flat();

for (const preset of ['safe', 'all'] as const)
  test(`${preset} allows every line that exports name exactly`, () => {
    for (const line of exact) assert.is(decideIn({ preset }, 'Bash', line).decision, 'allow', line);
  });

test('every exact line begins with the words of a rule of safe', () => {
  const words = new Set(partsOf('safe').shell.map((rule) => rule.words));
  for (const [rule, lines] of Object.entries(EXACT_LINES)) {
    assert.ok(words.has(rule), rule);
    for (const line of lines) assert.ok(line === rule || line.startsWith(`${rule} `), line);
  }
});

for (const preset of PRESETS)
  test(`${preset} allows nothing that begins with a refused prefix`, () => {
    for (const { words, example } of refusedPrefixes(preset)) {
      assert.is(example.split(' ').slice(0, words.length).join(' '), words.join(' '));
      assert.is.not(decideIn({ preset }, 'Bash', example).decision, 'allow', example);
    }
  });

test('the refused prefixes that a rule of safe covers are those of git push and gh auth', () => {
  assert.equal(refusedWithin(partsOf('safe')), ['git push --force', 'git push -f', 'git push --mirror', 'git push --delete']);
  assert.equal(refusedWithin(partsOf('readOnly')), []);
});

test('a preset without shell has no words for it', () => {
  assert.equal(partsOf('readOnly').shell, []);
  assert.equal(partsOf('readOnly').reading, []);
  assert.equal(partsOf('inspect').reading, READING_PREFIXES);
});

test('an asked pattern below a denied one says nothing and is left out', () => {
  const { askedWrites, deniedWrites } = sensitivePatterns();
  for (const kind of ['anywhere', 'home', 'absolute'] as const)
    for (const asked of askedWrites[kind])
      assert.not(
        deniedWrites[kind].some((denied) => asked.startsWith(`${denied}/`)),
        asked,
      );
  assert.ok(askedWrites.anywhere.includes('.mcp.json') && deniedWrites.anywhere.includes('.git'));
});

test.run();
