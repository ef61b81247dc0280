// The lists of wrappers.yaml are taken apart at single blanks: any other white space would make a word that nobody wrote.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { data } from '../../src/generated/data.js';

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const texts = textsIn(data('commands/wrappers'));

test('the words of every text are parted by single blanks', () => {
  assert.ok(texts.length > 100);
  assert.equal(
    texts.filter((text) => /[^\S ]| {2}|^ | $/.test(text)),
    [],
  );
});

test.run();
