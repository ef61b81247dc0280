// Every rule of lint against accept and reject rows, with the exact stretch of text that it points at.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { data } from '../../src/generated/data.js';
import { validateFinding } from '../../src/generated/validators/finding.js';
import { validateLintRules } from '../../src/generated/validators/lint-rules.js';
import { rules } from '../../src/runner/lint/rules.js';
import { lintTexts, placesOf } from './linted.js';
import { rows } from './tables.js';

const test = suite('lint rules');

for (const { rule, say, texts, places } of rows) {
  test(`${rule}: ${say} → ${places.length === 0 ? 'nothing' : places.join(', ')}`, () => {
    const report = lintTexts(texts);
    assert.equal(placesOf(report, rule), places, JSON.stringify(report.findings, null, 1));
    for (const finding of report.findings) {
      assert.ok(validateFinding(finding), JSON.stringify([finding, validateFinding.errors]));
      assert.match(finding.message, /[.?)]$/, 'a message is a sentence');
      assert.ok((finding.help ?? '').length > 10, `${finding.ruleId} says what to do`);
    }
  });
}

test('the rules of parsers are written as their schema says', () => {
  assert.ok(validateLintRules(data('lint-rules')), JSON.stringify(validateLintRules.errors));
});

/** Rules about what the disk does; files.test.ts has their rows. */
const ON_DISK = [
  'schema/encoding',
  'discovery/symbolic-link',
  'discovery/unreadable',
  'discovery/incomplete',
  'discovery/local-settings-committed',
];

for (const { id, docs } of rules) {
  test(`${id} has a row that it reports, one that it leaves alone, and documentation`, () => {
    if (!ON_DISK.includes(id)) {
      assert.ok(
        rows.some(({ rule, places }) => rule === id && places.length > 0),
        'reported',
      );
      assert.ok(
        rows.some(({ rule, places }) => rule === id && places.length === 0),
        'not reported',
      );
    }
    for (const text of [docs.what, docs.why, docs.fix]) assert.match(text, /^\S.*[.)]$/s);
    assert.not.equal(docs.bad, docs.good);
    assert.match(id, /^[a-z]+\/[a-z-]+$/);
  });
}

test('ids are unique and in order', () => {
  const ids = rules.map(({ id }) => id);
  assert.equal(ids, [...new Set(ids)].sort());
});

test('no rule is about a row of another one only', () => {
  const known = new Set(rules.map(({ id }) => id));
  for (const { rule } of rows) assert.ok(known.has(rule), rule);
});

test.run();
