// The words of the front page and of the help: no sentence is so long that a reader has to start it again.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { nameOf } from '../../src/cli/words/command.js';
import { declaredBy } from '../../src/cli/words/declared.js';

const test = suite('plain sentences');
const MOST_WORDS = 30;
/** Words of the text are counted, not its punctuation. */
const WORD = /[\p{L}\p{N}]/u;

/** The sentences of a text without those of its code: a command line or a pattern counts as one word. */
function sentencesOf(text: string): readonly string[] {
  const plain = text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\{"[^\n]*"\}+/g, 'code');
  return plain.split(/(?<=[.!?]["*)]*)\s+/).map((sentence) => sentence.trim());
}

/** Sentences with more words than a reader keeps in mind. */
function tooLong(text: string): readonly string[] {
  return sentencesOf(text).filter((sentence) => sentence.split(/\s+/).filter((word) => WORD.test(word)).length > MOST_WORDS);
}

/** The prose of a Markdown document: every paragraph, item and table cell, without blocks of code. */
function proseOf(document: string): readonly string[] {
  return document
    .replaceAll(/^```[\s\S]*?^```$/gm, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .split(/\n\s*\n|\n(?=- |#|\|)/)
    .flatMap((part) => (part.startsWith('|') ? part.split('|') : [part]))
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '');
}

test('a sentence of more than thirty words is found, in code and out of it', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
  assert.is(tooLong(`${words(30)}. ${words(30)}.`).length, 0);
  assert.is(tooLong(`${words(31)}.`).length, 1);
  assert.is(tooLong(`${words(29)} \`${words(9)}\`.`).length, 0);
  assert.equal(proseOf(`One.\n\n\`\`\`sh\n${words(40)}\n\`\`\`\n\n- two\n- three\n| four | five |`), [
    'One.',
    '- two',
    '- three',
    'four',
    'five',
  ]);
});

test('README has no long sentence', () => {
  const prose = proseOf(readFileSync('README.md', 'utf8'));
  assert.ok(prose.length > 50, 'the prose is found');
  assert.equal(prose.flatMap(tooLong), []);
});

for (const entry of commands)
  test(`the help of ${nameOf(entry)} has no long sentence`, async () => {
    const file = await entry.load();
    const declared = declaredBy(entry, file);
    const [, ...paragraphs] = entry.help().usage.split('\n\n');
    assert.ok(paragraphs.length > 0, 'the help says what the command does');
    const texts = [
      entry.describe,
      ...paragraphs.map((paragraph) => paragraph.replaceAll('\n', ' ')),
      ...[...declared.arguments, ...declared.options].map(({ describe }) => describe),
      ...entry.help().exitCodes.map(([, meaning]) => meaning),
      ...entry.help().files.map(([, meaning]) => meaning),
      ...entry.help().examples.map(({ says }) => says),
    ];
    assert.equal(texts.flatMap(tooLong), []);
  });

test.run();
