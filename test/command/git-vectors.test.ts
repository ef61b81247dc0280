/** The recorded `safe-git` decisions: each row that grammars alone can settle gets at least the answer that was recorded. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, answerOf, readLine } from './invocation.js';

interface Row {
  readonly kind: string;
  readonly cmd: string;
  readonly expect: Answer;
  readonly why: string;
}

const rows = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Row => JSON.parse(line))
  .filter(({ kind }) => kind === 'safe-git');
const settled = rows.filter(({ cmd }) => isForGrammars(cmd));

/** Assignment prefixes, wrappers, other programs and opaque lines are settled elsewhere. */
function isForGrammars(line: string): boolean {
  const { invocations, opaque } = readLine(line);
  const plain = invocations.every(({ argv, assignments }) => assignments.length === 0 && /^(git|gh)$/.test(argv[0]?.value ?? ''));
  return plain && opaque.length === 0;
}

test('most rows are for grammars', () => assert.ok(settled.length >= 110, `${settled.length} of ${rows.length}`));

for (const { cmd, expect, why } of settled)
  test(`${expect}: ${cmd} (${why})`, () => {
    const answer = answerOf(cmd);
    if (expect === 'ask') assert.is.not(answer, 'allow');
    else assert.is(answer, expect);
  });

test.run();
