/** Random words for every command: the engine never throws, and what it cannot know is never free of issues. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEntry } from '../../src/command/grammar/file.js';
import { grammarFiles, tableOf } from '../../src/command/grammar/lookup.js';
import { judgeInvocation } from '../../src/command/judge/evaluate.js';
import type { Invocation, ShellWord } from '../../src/shell/syntax/types.js';

const SPAN = { start: 0, end: 0 };

/** Commands with their subcommands as word lists, and every option spelling: the vocabulary that reaches deep. */
const paths: string[][] = [];
const vocabulary = new Set([
  '--',
  '-',
  '',
  '.',
  '..',
  '/etc/passwd',
  'HEAD:a',
  ':!x',
  ':(icase)x',
  '+a:b',
  '-1',
  '--zz',
  '=',
  '%G?',
  '😀',
  '__proto__',
]);
for (const [, file] of grammarFiles()) {
  for (const set of Object.values(file.sets ?? {})) collectOptions(set);
  for (const [name, entry] of Object.entries(file.commands)) collect([name], entry);
}

function collect(words: string[], entry: CommandEntry): void {
  paths.push(words);
  collectOptions(entry);
  for (const [name, child] of Object.entries(entry.subcommands ?? {})) collect([...words, name], child);
}

function collectOptions(entry: Pick<CommandEntry, 'flags' | 'options'>): void {
  for (const spelling of entry.flags?.split(' ') ?? []) vocabulary.add(spelling);
  for (const key of Object.keys(entry.options ?? {})) for (const spelling of key.split(' ')) vocabulary.add(spelling);
}

const text = fc.oneof(
  fc.constantFrom(...vocabulary),
  fc.constantFrom(...vocabulary).map((word) => `${word}=x`),
  fc.string({ maxLength: 8 }),
);
const staticWord = text.map(
  (value): ShellWord => ({ text: value, value, span: SPAN, glob: false, tilde: false, literalPrefix: value }),
);
const dynamicWord = fc.tuple(text, fc.boolean()).map(
  ([prefix, glob]): ShellWord => ({
    text: prefix,
    value: glob ? `${prefix}*` : null,
    span: SPAN,
    glob,
    tilde: false,
    literalPrefix: prefix,
  }),
);
const anyWord = fc.oneof({ weight: 4, arbitrary: staticWord }, { weight: 1, arbitrary: dynamicWord });
const command = fc.constantFrom(...paths);

function invocationOf(words: readonly string[], rest: readonly ShellWord[]): Invocation {
  const named = words.map(
    (value): ShellWord => ({ text: value, value, span: SPAN, glob: false, tilde: false, literalPrefix: value }),
  );
  return {
    argv: [...named, ...rest],
    assignments: [],
    redirections: [],
    enclosures: [],
    background: false,
    piped: false,
    directory: [],
    span: SPAN,
  };
}

test('any words: never throws, and every issue and condition points at a word', () => {
  fc.assert(
    fc.property(command, fc.array(anyWord, { maxLength: 6 }), (words, rest) => {
      const invocation = invocationOf(words, rest);
      const verdict = judgeInvocation(invocation, words[0] ?? '');
      for (const { word } of [...verdict.issues, ...verdict.conditions]) assert.ok(word >= -1 && word < invocation.argv.length);
    }),
    { numRuns: 3000 },
  );
});

test('a word that only the shell knows is an issue wherever it stands', () => {
  fc.assert(
    fc.property(command, fc.array(staticWord, { maxLength: 4 }), dynamicWord, fc.nat(4), (words, rest, dynamic, at) => {
      const place = Math.min(at, rest.length);
      const opaque: ShellWord = { ...dynamic, value: null, glob: false };
      const verdict = judgeInvocation(
        invocationOf(words, [...rest.slice(0, place), opaque, ...rest.slice(place)]),
        words[0] ?? '',
      );
      assert.ok(verdict.issues.length > 0 || !verdict.known);
    }),
    { numRuns: 3000 },
  );
});

test('an unknown option before any -- is an issue, whatever follows', () => {
  fc.assert(
    fc.property(command, fc.array(anyWord, { maxLength: 4 }), (words, rest) => {
      const [option] = invocationOf(['--zz-unknown'], []).argv;
      const verdict = judgeInvocation(invocationOf(words, option === undefined ? rest : [option, ...rest]), words[0] ?? '');
      // `echo` prints what is no option of its own; of a few commands only the option that tells their version is known.
      assert.ok(verdict.issues.length > 0 || !verdict.known || tableOf(words[0] ?? '')?.style === 'print');
    }),
    { numRuns: 2000 },
  );
});

test.run();
