/**
 * `npm run interop`: another ecosystem checks our seals. Go's golang.org/x/mod/sumdb (Debian: golang-go, golang-golang-x-mod-dev) reads
 * our keys, checkpoints and proofs, makes the same proofs from our stored hashes, and refuses what was changed; we check a note that it
 * signed with our key. Without Go it says so and ends with 0.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sealAndArchive } from '../../src/enforce/change-log.js';
import { appendRecord } from '../../src/log/append.js';
import { proveConsistency, proveRecord } from '../../src/log/tree/prove.js';
import { openNote, parseVerifier } from '../../src/log/tree/signed-note.js';
import { NOON, sample, withInput } from '../log/sample.js';

/** Where Debian puts the sources of Go packages. */
const GO_SOURCES = '/usr/share/gocode';
/** Records at each seal: trees of one leaf, of a power of two, and of odd sizes. */
const SEALS = [1, 3, 4, 5, 64, 100];

const why = missing();
if (why === null) process.exitCode = run();
else console.log(`skipped: ${why} (apt-get install golang-go golang-golang-x-mod-dev)`);

function missing(): string | null {
  if (spawnSync('go', ['version']).status !== 0) return 'there is no Go here';
  return existsSync(join(GO_SOURCES, 'src/golang.org/x/mod/sumdb/tlog')) ? null : 'there is no golang.org/x/mod here';
}

function run(): number {
  const scratch = mkdtempSync(join(tmpdir(), 'policy-interop-'));
  try {
    const folder = fill(scratch);
    const { status, stdout, stderr } = spawnSync('go', ['run', resolve('test/interop/verify.go'), folder], {
      encoding: 'utf8',
      env: {
        ...process.env,
        GO111MODULE: 'off',
        GOPATH: GO_SOURCES,
        GOFLAGS: '',
        GOCACHE: join(tmpdir(), 'policy-interop-go-cache'),
      },
    });
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    const verifier = parseVerifier(readFileSync(join(folder, 'verifier'), 'utf8'));
    const text = verifier && status === 0 ? openNote(readFileSync(join(folder, 'signed-by-go'), 'utf8'), verifier) : null;
    const isRead = text === 'written by Go\n';
    console.log(`${isRead ? 'ok ' : 'BAD'} a note that Go signed with our key`);
    const count = stdout.split('\n').filter((line) => line.startsWith('ok ')).length;
    console.log(status === 0 && isRead ? `${count + 1} checks, all ok` : 'NOT OK');
    return status === 0 && isRead ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A sealed log, and beside it a folder with everything that it proves. */
function fill(scratch: string): string {
  const [state, folder] = [join(scratch, 'state'), join(scratch, 'proved')];
  const ids: string[] = [];
  const tree = join(state, 'tree');
  mkdirSync(folder);
  for (const size of SEALS) {
    while (ids.length < size) {
      const record = sample({ time: NOON + ids.length, ...withInput({ command: `echo ${ids.length} Ünïcödé \u202e` }) });
      appendRecord(state, record);
      ids.push(record.id);
    }
    sealAndArchive(state, { patience: 10_000, time: 60_000 }, () => {});
    copyFileSync(join(tree, 'checkpoint'), join(folder, `checkpoint-${size}`));
  }
  for (const name of ['verifier', 'signer.key', 'hashes']) copyFileSync(join(tree, name), join(folder, name));
  for (const index of [0, 1, 2, 3, 31, 32, 63, 64, 98, 99])
    writeFileSync(join(folder, `record-${index}.tlog-proof`), proveRecord(state, ids[index] ?? ''));
  for (const old of [1, 2, 3, 4, 5, 32, 64, 65, 99, 100])
    writeFileSync(join(folder, `consistency-${old}.json`), JSON.stringify(proveConsistency(state, old)));
  return folder;
}
