// Appending: nothing torn, nothing lost, no stranger's file written to, and an error when a record is not whole.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendRecord, logFileName } from '../../src/log/append.js';
import { digestKey } from '../../src/log/files/digest-key.js';
import { defaultStateDirectory } from '../../src/log/files/directory.js';
import { LogError } from '../../src/log/files/log-error.js';
import { NOON, sample, stateDirectory, withInput } from './sample.js';

const test = suite('append');
const DAY = 'decisions-2026-01-31.jsonl';
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n');
const modules = Object.fromEntries(
  ['append', 'files/digest-key', 'record/record-id'].map((name) => [
    basename(name),
    pathToFileURL(resolve(`build/src/log/${name}.js`)).href,
  ]),
);
const sampleModule = pathToFileURL(resolve('build/test/log/sample.js')).href;

/** Runs `what` and gives the code of the LogError that it throws. */
function refusal(what: () => unknown): string {
  try {
    what();
  } catch (error) {
    assert.instance(error, LogError);
    assert.match(String(error), /^LogError: .*[.]$/);
    return error instanceof LogError ? error.code : '';
  }
  return 'nothing thrown';
}

test('the first record makes the directories (700) and the file of its day (600)', () => {
  const state = stateDirectory();
  const file = appendRecord(state, sample());
  assert.is(file, join(state, 'log', DAY));
  assert.equal([mode(state), mode(dirname(file)), mode(file)], ['700', '700', '600']);
  appendRecord(state, sample({ time: NOON + 86_400_000 }));
  assert.equal(readdirSync(dirname(file)).sort(), [DAY, 'decisions-2026-02-01.jsonl']);
});

test('a record is one line that parses back to it, whatever it holds', () => {
  const state = stateDirectory();
  const record = sample(withInput({ command: 'a\nb\r\u001b[2J\u0085\u202e\u2028\u2029\u{e0041}\ufeff\ud800\0' }));
  const text = readFileSync(appendRecord(state, record), 'utf8');
  assert.match(text, /^[^\n]*\n$/);
  assert.not.match(text.slice(0, -1), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.equal(JSON.parse(text), record);
});

test('a full file is followed by the next part of the day', () => {
  const state = stateDirectory();
  for (let count = 0; count < 4; count += 1) appendRecord(state, sample(), 1_500);
  const found = readdirSync(join(state, 'log')).sort();
  assert.equal(found, ['decisions-2026-01-31-1.jsonl', DAY]);
  for (const file of found) assert.is(lines(join(state, 'log', file)).length, 2);
});

test('names of parts', () => {
  assert.equal([logFileName('2026-01-31', 0), logFileName('2026-01-31', 12)], [DAY, 'decisions-2026-01-31-12.jsonl']);
});

const spoilt: readonly (readonly [what: string, spoil: (state: string) => void, code: string])[] = [
  [
    'a state directory that is a link',
    (state) => {
      mkdirSync(`${state}-real`, { recursive: true });
      symlinkSync(`${state}-real`, state);
    },
    'log/directory',
  ],
  [
    'a log directory that is a link',
    (state) => {
      mkdirSync(join(state, 'elsewhere'), { recursive: true, mode: 0o700 });
      symlinkSync(join(state, 'elsewhere'), join(state, 'log'));
    },
    'log/directory',
  ],
  [
    'a state directory that others may write',
    (state) => {
      mkdirSync(state, { recursive: true });
      chmodSync(state, 0o777);
    },
    'log/directory',
  ],
  [
    'a log directory that the group may write',
    (state) => {
      mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
      chmodSync(join(state, 'log'), 0o770);
    },
    'log/directory',
  ],
  [
    'a file where the state directory should be',
    (state) => {
      mkdirSync(dirname(state), { recursive: true });
      writeFileSync(state, '');
    },
    'log/directory',
  ],
  [
    'a link in place of the log',
    (state) => {
      mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
      writeFileSync(join(state, 'target'), '');
      symlinkSync(join(state, 'target'), join(state, 'log', DAY));
    },
    'log/file',
  ],
  [
    'a log that others may write',
    (state) => {
      chmodSync(appendRecord(state, sample()), 0o666);
    },
    'log/file',
  ],
  [
    'a directory in place of the log',
    (state) => {
      mkdirSync(join(state, 'log', DAY), { recursive: true, mode: 0o700 });
    },
    'log/file',
  ],
  [
    'a pipe in place of the log (and it does not wait for a reader)',
    (state) => {
      mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
      spawnSync('mkfifo', ['-m', '600', join(state, 'log', DAY)]);
    },
    'log/file',
  ],
];
for (const [what, spoil, code] of spoilt)
  test(`refused: ${what}`, () => {
    const state = stateDirectory();
    spoil(state);
    assert.is(
      refusal(() => appendRecord(state, sample())),
      code,
    );
  });

const isRoot = process.getuid?.() === 0;
if (isRoot)
  for (const what of ['state directory', 'log'])
    test(`refused: the ${what} of another user`, () => {
      const state = stateDirectory();
      const file = appendRecord(state, sample());
      chownSync(what === 'log' ? file : state, 4_321, 4_321);
      assert.is(
        refusal(() => appendRecord(state, sample())),
        what === 'log' ? 'log/file' : 'log/directory',
      );
    });

/** A script that appends `count` records of its own to `state`. */
const writer = (state: string, count: number, largest: number) => `
  import { appendRecord } from ${JSON.stringify(modules.append)};
  import { digestKey } from ${JSON.stringify(modules['digest-key'])};
  import { sample, withInput } from ${JSON.stringify(sampleModule)};
  const key = digestKey(${JSON.stringify(state)});
  for (let count = 0; count < ${count}; count += 1)
    appendRecord(${JSON.stringify(state)}, sample({ key, ...withInput({ command: process.pid + ':' + count + ' ' + 'x'.repeat((count % 200) * 9) }) }), ${largest});
  console.log(Buffer.from(key).toString('hex'));
`;

/** `LOG_WRITERS=64 LOG_RECORDS=1000 node .ci/test.mjs log/append` is the whole measure. */
const WRITERS = Number(process.env.LOG_WRITERS ?? 16);
const RECORDS = Number(process.env.LOG_RECORDS ?? 200);

test(`${WRITERS} processes with ${RECORDS} records each: nothing torn, nothing lost, one key`, async () => {
  const state = stateDirectory();
  const largest = (WRITERS * RECORDS * 2_000) / 10;
  const keys = await Promise.all(
    Array.from({ length: WRITERS }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer(state, RECORDS, largest)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return new Promise<string>((done) => {
        let text = '';
        child.stdout.on('data', (chunk) => {
          text += chunk;
        });
        child.on('close', (status) => done(`${text.trim()} ${status}`));
      });
    }),
  );
  assert.is(new Set(keys).size, 1, keys.join('\n'));
  assert.match(keys[0] ?? '', /^[0-9a-f]{64} 0$/);
  const folder = join(state, 'log');
  const records = readdirSync(folder).flatMap((file) => lines(join(folder, file)).map((line) => JSON.parse(line)));
  assert.is(records.length, WRITERS * RECORDS);
  assert.is(new Set(records.map(({ id }) => id)).size, WRITERS * RECORDS);
  assert.ok(readdirSync(folder).length > 1, 'the log was rotated while all wrote');
  assert.equal(readdirSync(state).sort(), ['digest.key', 'log']);
});

test('a record that does not fit whole is an error, and so is one that does not fit at all', () => {
  const state = stateDirectory();
  const record = sample();
  const file = appendRecord(state, record);
  // The limit of the shell counts in KiB and the signal that goes with it is ignored: what is left is a short write, then EFBIG.
  const script = `
    import { appendRecord } from ${JSON.stringify(modules.append)};
    import { sample } from ${JSON.stringify(sampleModule)};
    for (let count = 0; count < 20; count += 1)
      try { appendRecord(${JSON.stringify(state)}, sample()); } catch (error) { console.log(error.name + ' ' + error.code); }
  `;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ulimit -f 4; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
    {
      encoding: 'utf8',
    },
  );
  const errors = stdout.trimEnd().split('\n');
  assert.is(errors[0], 'LogError log/short-write', stderr);
  assert.ok(errors.length > 1 && errors.slice(1).every((line) => line === 'LogError log/write'), stdout);
  assert.is(statSync(file).size, 4_096);
});

test('the digest key: 32 bytes of mode 600, the same at every call', () => {
  const state = stateDirectory();
  const key = digestKey(state);
  assert.is(key.length, 32);
  assert.equal(digestKey(state), key);
  assert.is(mode(join(state, 'digest.key')), '600');
  assert.not.equal(digestKey(stateDirectory()), key);
});

const spoiltKeys: readonly (readonly [what: string, spoil: (file: string) => void])[] = [
  ['readable by others', (file) => chmodSync(file, 0o644)],
  ['writable by others', (file) => chmodSync(file, 0o622)],
  ['short', (file) => writeFileSync(file, 'x')],
  ['long', (file) => writeFileSync(file, 'x'.repeat(33))],
  [
    'a link',
    (file) => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
  ],
  [
    'a directory',
    (file) => {
      unlinkSync(file);
      mkdirSync(file);
    },
  ],
];
for (const [what, spoil] of spoiltKeys)
  test(`refused: a digest key that is ${what}`, () => {
    const state = stateDirectory();
    digestKey(state);
    spoil(join(state, 'digest.key'));
    assert.is(
      refusal(() => digestKey(state)),
      'log/key',
    );
  });

test('where the state directory is', () => {
  assert.is(defaultStateDirectory({}, '/home/ann'), '/home/ann/.local/state/policy');
  assert.is(defaultStateDirectory({ XDG_STATE_HOME: '/var/ann' }, '/home/ann'), '/var/ann/policy');
  assert.is(defaultStateDirectory({ XDG_STATE_HOME: 'relative' }, '/home/ann'), '/home/ann/.local/state/policy');
});

test.run();
