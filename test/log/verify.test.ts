// Verifying: whatever somebody does to a sealed log is found, and the record that it happened to is named.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pruneSealed, sealAndArchive } from '../../src/enforce/change-log.js';
import { appendRecord } from '../../src/log/append.js';
import { LogError } from '../../src/log/files/log-error.js';
import { differencesOf } from '../../src/log/tree/file-differences.js';
import { signNote } from '../../src/log/tree/signed-note.js';
import { openSigner } from '../../src/log/tree/signer.js';
import { readTree } from '../../src/log/tree/state.js';
import { type Verification, verifyLog } from '../../src/log/tree/verify.js';
import { NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('verify');
const DAY = 86_400_000;
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-verify-')));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const seal = (state: string) => sealAndArchive(state, { patience: 10_000, time: 60_000 }, () => {});
const verify = (state: string, kept: { verifier?: string; checkpoint?: string } = {}): Verification =>
  verifyLog(state, Date.now(), { verifier: kept.verifier ?? null, checkpoint: kept.checkpoint ?? null });

/** Three days of twelve records, sealed four at a time, and two more records that are not sealed. */
const original = stateDirectory();
/** The same after the first seal. */
const begun = join(scratch, 'begun');
const DAYS = 3;
const RECORDS = 12;
for (let index = 0; index < RECORDS; index += 1) {
  for (let day = 0; day < DAYS; day += 1)
    appendRecord(original, sample({ time: NOON + day * DAY + index, ...withInput({ command: `echo ${day} ${index}` }) }));
  if (index % 4 === 3) seal(original);
  if (index === 3) cpSync(original, begun, { recursive: true });
}
for (let index = 0; index < 2; index += 1) appendRecord(original, sample({ time: NOON + 2 * DAY + 100 + index }));
const files = readdirSync(join(original, 'log')).sort();
const linesOf = (state: string, file: number) =>
  readFileSync(join(state, 'log', files[file] ?? ''), 'utf8')
    .split('\n')
    .slice(0, -1);

/** The number that a sealed line has: sealed in four rounds, file by file. */
const numberOf = (file: number, line: number) => Math.floor(line / 4) * 12 + file * 4 + (line % 4);

let copies = 0;
/** A copy of the log with the lines of one file changed. */
function spoilt(file: number, change: (lines: string[]) => readonly string[]): string {
  copies += 1;
  const state = join(scratch, String(copies));
  cpSync(original, state, { recursive: true });
  writeFileSync(
    join(state, 'log', files[file] ?? ''),
    change(linesOf(state, file))
      .map((line) => `${line}\n`)
      .join(''),
  );
  return state;
}

const told = ({ problems }: Verification) => problems.map(({ what, record, line }) => ({ what, record, line }));

test('an untouched log has no problems', () => {
  const { problems, sealed, unsealed, checkpoints } = verify(original);
  assert.equal(problems, []);
  assert.equal([sealed, unsealed.records, checkpoints], [36, 2, 3]);
});

test('where sealed lines lie is as the test thinks', () => {
  assert.equal(
    readTree(original)?.files.map(({ runs }) => runs.map(({ first, count }) => [first, count])),
    [0, 1, 2].map((file) => [0, 4, 8].map((line) => [numberOf(file, line), 4])),
  );
});

const place = fc.tuple(fc.nat(DAYS - 1), fc.nat(RECORDS - 1));

test('a changed record is named, whichever byte of it was changed', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 255 }), ([file, line], at, flip) => {
      const state = spoilt(file, (lines) => lines);
      const path = join(state, 'log', files[file] ?? '');
      const bytes = readFileSync(path);
      const start = Buffer.byteLength(
        linesOf(state, file)
          .slice(0, line)
          .map((text) => `${text}\n`)
          .join(''),
      );
      const index = start + (at % Buffer.byteLength(linesOf(state, file)[line] ?? ''));
      bytes[index] = (bytes[index] ?? 0) ^ flip;
      // A new line break cuts the record in two: the first part counts as the changed record, the second as inserted.
      const cuts = bytes[index] === 0x0a;
      writeFileSync(path, bytes);
      const changed = { what: 'changed', record: numberOf(file, line), line: line + 1 } as const;
      const rest = line === RECORDS - 1 && file < 2 ? [] : [{ what: 'inserted', record: null, line: line + 2 } as const];
      const found = told(verify(state));
      assert.equal(found[0], changed);
      assert.ok(found.length === 1 || (cuts && rest.length === found.length - 1), JSON.stringify(found));
      rmSync(state, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

test('a removed record is named', () => {
  fc.assert(
    fc.property(place, ([file, line]) => {
      const state = spoilt(file, (lines) => lines.toSpliced(line, 1));
      const isLast = file === 2 && line === RECORDS - 1;
      // The unsealed line behind it cannot be told from another text of the last sealed record.
      assert.equal(told(verify(state)), [
        isLast
          ? { what: 'changed', record: numberOf(file, line), line: RECORDS }
          : { what: 'removed', record: numberOf(file, line), line: null },
      ]);
      rmSync(state, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

test('an inserted line is named: a new one as well as a copy of a sealed one', () => {
  fc.assert(
    fc.property(place, fc.boolean(), ([file, line], isCopy) => {
      const state = spoilt(file, (lines) => lines.toSpliced(line, 0, isCopy ? (lines[RECORDS - 1] ?? '') : '{"v":1,"id":"x"}'));
      const found = told(verify(state));
      if (isCopy && line === RECORDS - 1) assert.ok(found.every(({ what }) => what === 'inserted'));
      else if (isCopy)
        assert.ok(
          found.some(({ what }) => what === 'inserted' || what === 'moved'),
          JSON.stringify(found),
        );
      else assert.equal(found, [{ what: 'inserted', record: null, line: line + 1 }]);
      rmSync(state, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

test('two records that changed places are named', () => {
  fc.assert(
    fc.property(place, fc.nat(RECORDS - 1), ([file, line], other) => {
      fc.pre(line !== other);
      const state = spoilt(file, (lines) => lines.with(line, lines[other] ?? '').with(other, lines[line] ?? ''));
      const found = told(verify(state));
      assert.ok(found.length > 0 && found.every(({ what }) => what === 'moved'), JSON.stringify(found));
      const both = [numberOf(file, line), numberOf(file, other)];
      assert.ok(found.some(({ record }) => record !== null && both.includes(record)));
      rmSync(state, { recursive: true });
    }),
    { numRuns: 40 },
  );
});

test('any mix of changes within the sealed part is found', () => {
  const edit = fc.record({ kind: fc.constantFrom('remove', 'insert', 'swap', 'change', 'cut'), at: fc.nat(), to: fc.nat() });
  fc.assert(
    fc.property(fc.nat(DAYS - 1), fc.array(edit, { minLength: 1, maxLength: 5 }), (file, edits) => {
      const before = linesOf(original, file);
      let lines = [...before];
      for (const { kind, at, to } of edits) {
        const [line, other] = [at % RECORDS, to % RECORDS];
        if (kind === 'remove') lines = lines.toSpliced(line, 1);
        if (kind === 'insert') lines = lines.toSpliced(line, 0, `inserted ${to}`);
        if (kind === 'swap') [lines[line], lines[other]] = [lines[other] ?? '', lines[line] ?? ''];
        if (kind === 'change') lines[line] = `${lines[line]?.slice(0, -1)}${to}`;
        if (kind === 'cut') lines = lines.slice(0, Math.max(1, line));
      }
      const isSame = before.slice(0, RECORDS).every((text, index) => lines[index] === text);
      const state = spoilt(file, () => lines);
      assert.is(verify(state).problemCount === 0, isSame);
      rmSync(state, { recursive: true });
    }),
    { numRuns: 80 },
  );
});

test('a file that is gone is named with its records', () => {
  const state = spoilt(0, (lines) => lines);
  rmSync(join(state, 'log', files[1] ?? ''));
  assert.equal(
    verify(state).problems.map(({ what, file, record }) => ({ what, file, record })),
    [{ what: 'file', file: files[1] ?? '', record: 4 }],
  );
});

test('two files that changed names are found', () => {
  const state = spoilt(0, (lines) => lines);
  const [first, second] = [join(state, 'log', files[0] ?? ''), join(state, 'log', files[1] ?? '')];
  renameSync(first, `${first}.x`);
  renameSync(second, first);
  renameSync(`${first}.x`, second);
  assert.ok(verify(state).problemCount >= 24);
});

/** Changes to the tree itself by somebody without the key. */
const forged: readonly (readonly [what: string, change: (tree: string) => void, says: RegExp])[] = [
  [
    'a leaf hash',
    (tree) => {
      const bytes = readFileSync(join(tree, 'hashes'));
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      writeFileSync(join(tree, 'hashes'), bytes);
    },
    /at record 1 do not match each other/,
  ],
  [
    'an inner hash',
    (tree) => {
      const bytes = readFileSync(join(tree, 'hashes'));
      bytes[6 * 32] = (bytes[6 * 32] ?? 0) ^ 1;
      writeFileSync(join(tree, 'hashes'), bytes);
    },
    /do not match each other/,
  ],
  [
    'the number of records',
    (tree) => edit(tree, (text) => text.replace(/"size":36/, '"size":35')),
    /covers 36 records, but the log has only 35/,
  ],
  [
    'where a run lies',
    (tree) => edit(tree, (text) => text.replace('"first":4,', '"first":3,')),
    /does not say where record 4 is/,
  ],
  [
    'the root',
    (tree) =>
      edit(tree, (text) =>
        text.replace(/\\n[A-Za-z0-9+/]{4}/, (found) => `${found.slice(0, -1)}${found.endsWith('A') ? 'B' : 'A'}`),
      ),
    /is not signed by/,
  ],
  [
    'the newest checkpoint by an older one',
    (tree) => {
      const [line = ''] = readFileSync(join(tree, 'checkpoints.jsonl'), 'utf8').split('\n');
      edit(tree, (text) =>
        text.replace(/"checkpoint":".*"/, JSON.stringify(JSON.parse(line)).match(/"checkpoint":".*"/)?.[0] ?? ''),
      );
    },
    /newest checkpoint covers 12 records, but the tree says 36/,
  ],
];
function edit(tree: string, change: (text: string) => string): void {
  const [path, text] = [join(tree, 'tree.json'), readFileSync(join(tree, 'tree.json'), 'utf8')];
  assert.is.not(change(text), text);
  writeFileSync(path, change(text));
}
for (const [what, change, says] of forged)
  test(`somebody without the key changes ${what}`, () => {
    const state = spoilt(0, (lines) => lines);
    change(join(state, 'tree'));
    assert.match(
      verify(state)
        .problems.map(({ message }) => message)
        .join('\n'),
      says,
    );
  });

test('a log and tree that were set back as a whole show against a checkpoint that was kept elsewhere, and against the history', () => {
  const state = stateDirectory();
  appendRecord(state, sample({ time: NOON }));
  seal(state);
  const old = join(scratch, 'old');
  cpSync(state, old, { recursive: true });
  appendRecord(state, sample({ time: NOON + 1 }));
  seal(state);
  const kept = readFileSync(join(state, 'tree', 'checkpoint'), 'utf8');
  assert.equal(verify(old).problems, []);
  assert.match(
    verify(old, { checkpoint: kept }).problems[0]?.message ?? '',
    /covers 2 records, but the log has only 1: .* reset/,
  );
  cpSync(join(state, 'tree', 'checkpoints.jsonl'), join(old, 'tree', 'checkpoints.jsonl'));
  assert.match(verify(old).problems[0]?.message ?? '', /reset/);
});

/** What somebody does who deletes what was sealed, and what tells. */
const deleted: readonly (readonly [
  what: string,
  how: (state: string, old: string) => void,
  says: RegExp,
  sealSays: RegExp | null,
])[] = [
  [
    'the tree, and all that was sealed',
    (state) => {
      for (const folder of ['tree', 'log']) rmSync(join(state, folder), { recursive: true });
    },
    /Nothing is sealed here, although 36 records were/,
    /36 records were sealed, and .* is gone; restore it/,
  ],
  [
    'all but an older tree and log',
    (state, old) => {
      for (const folder of ['tree', 'log']) {
        rmSync(join(state, folder), { recursive: true });
        cpSync(join(old, folder), join(state, folder), { recursive: true });
      }
    },
    /last-checkpoint covers 36 records, but the log has only 12: records and tree were reset/,
    /36 records were sealed, and .* knows only 12/,
  ],
  [
    'all checkpoints but the newest',
    (state) => rmSync(join(state, 'tree', 'checkpoints.jsonl')),
    /2 of 3 checkpoints are gone/,
    null,
  ],
  [
    'one checkpoint',
    (state) => {
      const path = join(state, 'tree', 'checkpoints.jsonl');
      writeFileSync(path, readFileSync(path, 'utf8').split('\n').toSpliced(0, 1).join('\n'));
    },
    /1 of 3 checkpoints are gone/,
    null,
  ],
  ['the checkpoint beside the tree', (state) => rmSync(join(state, 'last-checkpoint')), /last-checkpoint is gone/, null],
];
for (const [what, how, says, sealSays] of deleted)
  test(`somebody deletes ${what}`, () => {
    const state = spoilt(0, (lines) => lines);
    how(state, begun);
    const told = () =>
      verify(state)
        .problems.map(({ message }) => message)
        .join('\n');
    assert.match(told(), says);
    if (sealSays === null) return;
    appendRecord(state, sample({ time: NOON + 5 * DAY }));
    assert.throws(
      () => seal(state),
      (error: unknown) => error instanceof LogError && sealSays.test(error.message),
    );
    assert.match(told(), says, 'a seal covers nothing up');
  });

test('a seal that was killed before it wrote its checkpoint down is no deleted checkpoint', () => {
  const state = spoilt(0, (lines) => lines);
  const path = join(state, 'tree', 'checkpoints.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').toSpliced(2, 1).join('\n'));
  assert.equal(verify(state).problems, []);
  appendRecord(state, sample({ time: NOON + 5 * DAY }));
  seal(state);
  assert.equal([verify(state).problems, verify(state).checkpoints], [[], 4]);
});

test('a tree that somebody else signed anew shows against a key that was kept elsewhere', () => {
  const [mine, other] = [stateDirectory(), stateDirectory()];
  for (const state of [mine, other]) {
    appendRecord(state, sample({ time: NOON }));
    seal(state);
  }
  const key = readFileSync(join(mine, 'tree', 'verifier'), 'utf8');
  assert.equal(verify(mine, { verifier: key }).problems, []);
  assert.match(verify(other, { verifier: key }).problems[0]?.message ?? '', /is not signed by/);
  assert.throws(
    () => verify(mine, { verifier: 'x' }),
    (error: unknown) => error instanceof LogError,
  );
});

test('pruned files are told apart from deleted ones; only the owner of the key can say so', () => {
  const state = stateDirectory();
  for (let day = 0; day < 3; day += 1) appendRecord(state, sample({ time: NOON + day * DAY }));
  seal(state);
  const sealed = join(state, 'log', 'sealed');
  mkdirSync(sealed, { mode: 0o700 });
  for (const [index, name] of readdirSync(join(state, 'log'))
    .filter((found) => found.endsWith('.jsonl'))
    .sort()
    .entries())
    renameSync(join(state, 'log', name), join(sealed, name.replace('.jsonl', `.s${index + 1}.jsonl`)));
  assert.equal(verify(state).problems, []);
  assert.is(pruneSealed(state, NOON + DAY), 1);
  assert.equal(readdirSync(sealed).length, 2);
  const pruned = verify(state);
  assert.equal([pruned.problems, pruned.pruned, pruned.sealed], [[], 1, 3]);
  rmSync(join(sealed, readdirSync(sealed)[0] ?? ''));
  assert.is(verify(state).problemCount, 1);
  const stranger = stateDirectory();
  appendRecord(stranger, sample({ time: NOON }));
  seal(stranger);
  const signer = openSigner(stranger, false);
  const note = signNote(`${readFileSync(join(state, 'tree', 'verifier'), 'utf8').split('+')[0]} pruned\nnow\n2 x 1\n`, signer);
  writeFileSync(join(state, 'tree', 'pruned.jsonl'), `${JSON.stringify({ note })}\n`);
  assert.is(verify(state).problemCount, 2);
});

test('differences of a few lines', () => {
  const expected = [...'abcdef'].map((hash, record) => ({ hash, record }));
  const rows: readonly (readonly [lines: string, differences: string])[] = [
    ['abcdef', ''],
    ['abcdefg', ''],
    ['', 'removed 0, removed 1, removed 2, removed 3, removed 4, removed 5'],
    ['abXdef', 'changed 2'],
    ['abdef', 'removed 2'],
    ['abXcdef', 'inserted'],
    ['bacdef', 'moved 1'],
    ['fabcde', 'moved 5'],
    ['aabcdef', 'inserted'],
    ['XYZ', 'changed 0, changed 1, changed 2, removed 3, removed 4, removed 5'],
    ['abXYef', 'changed 2, changed 3'],
  ];
  for (const [lines, differences] of rows) {
    const found = differencesOf(expected, [...lines]).map(({ what, record }) => (record === null ? what : `${what} ${record}`));
    assert.is(found.join(', '), differences, lines);
  }
});

test.run();
