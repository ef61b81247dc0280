/** The bundles of the hook are minified and take the data of rules/ from a pack: whatever they are asked, they answer as the sources do. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { RUNNERS } from '../../src/call/tool-call.js';
import { makeLine } from '../fuzz/inputs.js';
import { readSeeds } from '../fuzz/seeds.js';
import { fixedLines } from '../oracle/lines/corpus.js';
import { generate } from '../oracle/lines/generate.js';
import { seed } from '../seed.js';
import { todaysShare } from '../sweep.js';
import { answeredOtherwise, bundled } from './in-process.js';
import { payload, withHookWorld } from './world.js';

const check = bundled ? test : test.skip;

const linesOf = (name: string) =>
  readFileSync(join('test/fixtures', name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));

const LINES = [
  ...[
    'dangerous-commands.txt',
    'denied-program.txt',
    'read-only-asking.txt',
    'read-only-commands.txt',
    'read-only-exceptions.txt',
  ].flatMap(linesOf),
  ...linesOf('vectors/seed-vectors.jsonl').flatMap((line) => {
    const { cmd } = JSON.parse(line) as { readonly cmd?: unknown };
    return typeof cmd === 'string' ? [cmd] : [];
  }),
];

const POLICIES: readonly (readonly [name: string, text: string])[] = [
  ['the preset for reading', 'version: 1\npreset: safe\n'],
  [
    'a rule for every command',
    'version: 1\nallow: ["Bash(*)", Read, "Edit(src/**)"]\nask: ["Bash(git push *)"]\ndeny: ["Read(.env)"]\n',
  ],
];

/** In so many days every line is judged below every policy. */
const LINES_IN = 5;

/** Command lines to which the bundles give another answer than the sources, below a policy. */
function linesAnsweredOtherwise(policy: string, lines: readonly string[]): readonly string[] {
  const files = { '.config/policy/policy.yaml': policy, 'project/.env': 'A=b\n', 'project/src/a.ts': 'a\n' };
  return withHookWorld(files, (world) =>
    answeredOtherwise(
      world,
      lines.map((command) => payload(world, 'Bash', { command })),
    ),
  );
}

for (const [name, policy] of POLICIES)
  check(`command lines of the fixtures below ${name}`, () => {
    const lines = todaysShare(LINES, LINES_IN);
    assert.ok(lines.length > 500);
    assert.equal(linesAnsweredOtherwise(policy, lines), []);
  });

/** As many lines as nobody wrote by hand, half of them from each generator. */
const DRAWN = 200;

/** Lines that the oracle and the fuzzer draw: of whole commands put together, and damaged ones. */
function drawn(): readonly string[] {
  const fixed = fixedLines();
  const seeds = readSeeds();
  return Array.from({ length: DRAWN }, (_, index) =>
    index % 2 === 0 ? generate(seed, index, fixed).line : makeLine(seed, index, seeds),
  );
}

for (const [name, policy] of POLICIES)
  check(`${DRAWN} command lines that are drawn by chance below ${name}`, () => {
    assert.equal(linesAnsweredOtherwise(policy, drawn()), [], `seed ${seed}`);
  });

/** Every payload on record, whoever it was recorded from. */
function recorded(): readonly string[] {
  const base = 'test/fixtures/payloads';
  return readdirSync(base, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    return entry.name.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text];
  });
}

for (const runner of RUNNERS)
  check(`every payload on record, told to the hook of ${runner}`, () => {
    withHookWorld({ '.config/policy/policy.yaml': POLICIES[0]?.[1] ?? '' }, (world) => {
      const texts = [...recorded(), '', '{', '[]', 'null', '{"tool_name":1}', '{}', 'x'.repeat(100_000)];
      assert.ok(texts.length > 20);
      assert.equal(answeredOtherwise(world, texts, { words: [runner] }), []);
    });
  });

test.run();
