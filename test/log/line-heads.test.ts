// How lines begin and how long they are, wherever the chunks end in which a file is read.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { visitLineHeads } from '../../src/log/files/log-files.js';
import { seed } from '../seed.js';
import { stateDirectory } from './sample.js';
import { chance } from './secrets.js';

const test = suite('heads of lines');

test('the first bytes and the length of each line that has ended', () => {
  const roll = chance(seed);
  const file = join(dirname(dirname(stateDirectory())), 'heads.jsonl');
  for (let round = 0; round < 40; round += 1) {
    const lines = Array.from({ length: roll(30) }, (_, index) => 'abcdefghij'.repeat(roll(roll(5) === 0 ? 30_000 : 40)) + index);
    const start = roll(20);
    const text = `${'-'.repeat(start)}${lines.map((line) => `${line}\n`).join('')}${roll(2) === 0 ? '' : 'not ended'}`;
    writeFileSync(file, text);
    for (const most of [0, 7, 100]) {
      const found: string[] = [];
      visitLineHeads(file, start, most, (bytes, from, to, length) => {
        found.push(`${Buffer.from(bytes.subarray(from, to))} ${length}`);
        return true;
      });
      assert.equal(
        found,
        lines.map((line) => `${line.slice(0, most)} ${line.length + 1}`),
      );
    }
  }
});

test('no more lines than are asked for', () => {
  const file = join(dirname(dirname(stateDirectory())), 'heads.jsonl');
  writeFileSync(file, 'a\nb\nc\n');
  let count = 0;
  visitLineHeads(file, 0, 1, () => {
    count += 1;
    return count < 2;
  });
  assert.is(count, 2);
});

test.run();
