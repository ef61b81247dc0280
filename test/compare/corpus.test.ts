/** Our own column of `npm run compare`, and that the tables in README.md and docs/comparison.md speak of the lines as they are now. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { linesOf, readCorpus } from './corpus.js';
import { between, MARKS, measurements, type Result, table } from './page.js';
import type { Verdict } from './peer.js';
import { ownAnswers, policyInit, policySafe } from './peers/policy.js';
import { makeStage } from './stage.js';

/** How many everyday lines preset `safe` asks about, to be lowered when fewer are; one of them only where git answers too late. */
const STOPPED = 21;

const corpus = readCorpus();
const dangerous = linesOf(corpus.dangerous);
const everyday = linesOf(corpus.everyday);

test('there are enough lines, each once', () => {
  assert.ok(dangerous.length >= 200 && everyday.length >= 200);
  assert.is(new Set([...dangerous, ...everyday]).size, dangerous.length + everyday.length);
});

test('preset safe lets no dangerous line run, and stops no more everyday lines than before', () => {
  const stage = makeStage();
  try {
    const answers = ownAnswers([...dangerous, ...everyday], stage, ['--preset', 'safe']);
    const at = (line: number) => answers[line]?.hook.answer;
    assert.equal(
      dangerous.filter((_, index) => at(index) === 'allow'),
      [],
    );
    const stopped = everyday.filter((_, index) => at(dangerous.length + index) !== 'allow');
    assert.ok(stopped.length <= STOPPED, stopped.join('\n'));
    assert.equal(
      everyday.filter((_, index) => at(dangerous.length + index) === 'deny'),
      [],
    );
  } finally {
    stage.remove();
  }
});

test('the tables were made from these lines and this version, and the README says what the page says', () => {
  const [readme, page] = ['README.md', 'docs/comparison.md'].map((file) => {
    const [, text = ''] = readFileSync(file, 'utf8').split(MARKS[0]);
    return (text.split(MARKS[1])[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  });
  assert.ok(readme !== undefined && readme.length > 5 && readme.length <= 2 + 8);
  const head = table([], corpus).split('\n')[0] ?? '';
  assert.is(readme[0], head);
  assert.is(readme[2]?.split('|')[1]?.trim(), `policy ${policyInit.version}`);
  for (const row of readme) assert.ok(page?.includes(row), row);
});

/** A result in which every dangerous line is stopped and every everyday one runs, but for these. */
function resultWith(name: string, others: Readonly<Record<string, Verdict>>): Result {
  const usual = [...dangerous.map((line) => [line, 'stop'] as const), ...everyday.map((line) => [line, 'run'] as const)];
  return { peer: { ...policySafe, name }, verdicts: new Map([...usual, ...Object.entries(others)]), why: '' };
}

test('a tool that was not measured is said, and gets no number', () => {
  const missing: Result = { peer: { ...policySafe, name: 'other' }, verdicts: null, why: 'npm could not install it' };
  const text = measurements([resultWith('policy', {}), missing], corpus, '2026-01-01');
  assert.ok(
    text.includes(`| other ${policySafe.version} | ${policySafe.configuration} | not measured: npm could not install it |  |`),
  );
  assert.not.ok(text.includes('### 2.'));
});

test('lines are counted for each tool, and named where another one does better', () => {
  const [harm = '', plain = ''] = [dangerous[0], everyday[0]];
  const text = measurements(
    [resultWith('policy', { [harm]: 'run', [plain]: 'stop' }), resultWith('other', {})],
    corpus,
    '2026-01-01',
  );
  assert.ok(text.includes(`${policySafe.configuration} | 1 | 1 |`) && text.includes(`${policySafe.configuration} | 0 | 0 |`));
  for (const line of [harm, plain]) assert.ok(text.includes(`- \`${line}\`: other ${policySafe.version}`), line);
});

test('only what stands between the marks is replaced', () => {
  const text = `a ${MARKS[0]} old ${MARKS[1]} b`;
  assert.is(between(text, 'new'), `a ${MARKS[0]}\n\nnew\n\n${MARKS[1]} b`);
  assert.throws(() => between('no marks', 'new'));
});

test.run();
