/** The lock of commands that change a file: whole from its first moment, taken over from the dead, gone in the end. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withLock } from '../../../src/disk/lock.js';
import { timestampOf } from '../../../src/run/moment.js';
import { identityOf, processTable } from '../../../src/run/process-identity.js';
import { shortName } from '../../../src/run/short-name.js';
import { withFiles } from '../scratch.js';

test('while it is held it names its holder, and nothing stays of it', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    withLock(lock, (held) => {
      assert.ok(held());
      assert.match(readFileSync(lock, 'utf8'), new RegExp(`"pid":${process.pid},`));
      assert.equal(readdirSync(folder), ['lock']);
    });
    assert.equal(readdirSync(folder), []);
  });
});

test('it is let go when the work throws', () => {
  withFiles({}, (folder) => {
    const work = () => {
      throw new TypeError('no');
    };
    assert.throws(() => withLock(join(folder, 'lock'), work), /no/);
    assert.equal(readdirSync(folder), []);
  });
});

test('nobody else gets it meanwhile', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    withLock(lock, () => assert.throws(() => withLock(lock, () => {}, 0), /is held by another/));
  });
});

const TABLE = processTable(process.platform);
/** Asked for when a test begins: the whole run loads this file minutes before. */
const now = () => timestampOf(Date.now(), Number(process.hrtime.bigint() / 1_000_000n));
const self = {
  ...(identityOf(process.pid, TABLE) ?? { pid: process.pid, began: '', where: TABLE.where }),
  host: hostname(),
};
/** A process that has ended. */
const dead = { ...self, pid: spawnSync(process.execPath, ['-e', '0']).pid, began: '0' };
const HOUR = 3_600_000;
let marks = 0;
const lockOf = (holder: object, age = 0) => {
  marks += 1;
  const { at, up, ...when } = now();
  return `${JSON.stringify({ ...holder, when: { ...when, at: at - age, up: up - age }, mark: String(marks) })}\n`;
};

/** A lock of another machine, whose rising clock says nothing here. */
const ofAnotherBoot = (age: number) => lockOf({ ...dead, host: 'elsewhere' }, age).replace(/"boot":"[^"]*"/, '"boot":"another"');

const HELD = 'held';
const TAKEN = 'taken over';
for (const [tell, expected, why] of [
  [() => lockOf(dead), TAKEN, 'its process is gone'],
  [
    () => lockOf({ ...self, began: '1' }),
    TABLE.readable ? TAKEN : HELD,
    'its number was given to another process, which began later',
  ],
  [() => lockOf(self), HELD, 'its process lives'],
  [() => lockOf(self, HOUR), TAKEN, 'no work takes an hour'],
  [() => lockOf({ ...dead, host: 'elsewhere' }), HELD, 'nobody here knows of the processes of another machine'],
  [() => lockOf({ ...dead, where: 'another container' }), HELD, 'nor of those of another container'],
  [() => lockOf({ ...dead, host: 'elsewhere' }, HOUR), TAKEN, 'but age tells'],
  [() => ofAnotherBoot(-2 * HOUR), TAKEN, 'a clock that was hours ahead dated it'],
  [() => ofAnotherBoot(-HOUR / 2), HELD, 'clocks of two machines may differ'],
  [() => lockOf({ ...dead, host: 'elsewhere' }, -2 * HOUR), HELD, 'within one start of the machine the rising clock counts'],
  [() => `${dead.pid} ${hostname()} 1\n`, HELD, 'a lock of an older version tells nothing that is understood'],
  [() => '', HELD, 'an empty one neither'],
  [() => '{"pid":1}', HELD, 'nor half of one'],
] as const)
  test(`a lock that was there before is ${expected}: ${why}`, () => {
    const said = tell();
    withFiles({ lock: said, [`lock.${process.pid}`]: 'a draft that somebody left' }, (folder) => {
      const lock = join(folder, 'lock');
      if (expected === HELD) {
        assert.throws(() => withLock(lock, () => {}, 0), /is held by another/);
        assert.is(readFileSync(lock, 'utf8'), said);
        return;
      }
      assert.is(
        withLock(lock, () => 'mine'),
        'mine',
      );
      assert.equal(readdirSync(folder), []);
    });
  });

test('a lock that says nothing is taken over by the age of its file', () => {
  withFiles({ lock: '' }, (folder) => {
    utimesSync(join(folder, 'lock'), 0, 0);
    assert.is(
      withLock(join(folder, 'lock'), () => 'mine'),
      'mine',
    );
    assert.equal(readdirSync(folder), []);
  });
});

test('a lock that says nothing and is of a time to come is taken over, too, one of soon is not', () => {
  withFiles({ lock: '' }, (folder) => {
    const lock = join(folder, 'lock');
    const [soon, later] = [HOUR / 2, 2 * HOUR].map((ahead) => (Date.now() + ahead) / 1000);
    utimesSync(lock, soon ?? 0, soon ?? 0);
    assert.throws(() => withLock(lock, () => {}, 0), /is held by another/);
    utimesSync(lock, later ?? 0, later ?? 0);
    assert.is(
      withLock(lock, () => 'mine'),
      'mine',
    );
  });
});

const STALE = lockOf(dead);
const guardOf = (content: string) => `lock-${shortName(content)}`;
for (const [holder, age, expected, why] of [
  [dead, 0, TAKEN, 'its process died over the guard'],
  [{ ...dead, host: 'elsewhere' }, HOUR, TAKEN, 'nobody of another machine holds a guard for an hour'],
  [self, 0, HELD, 'its process removes the lock at this moment'],
  [self, HOUR, HELD, 'a process that stands still keeps its guard: it would go on to remove the lock of the next one'],
] as const)
  test(`a stale lock behind a guard is ${expected}: ${why}`, () => {
    withFiles({ lock: STALE, [guardOf(STALE)]: lockOf(holder, age) }, (folder) => {
      const lock = join(folder, 'lock');
      if (expected === HELD) {
        assert.throws(() => withLock(lock, () => {}, 0), /is held by another/);
        assert.equal(readdirSync(folder), ['lock', guardOf(STALE)]);
        return;
      }
      withLock(lock, () => assert.equal(readdirSync(folder), ['lock']));
      assert.equal(readdirSync(folder), []);
    });
  });

test('a row of guards that dead processes left is cleared', () => {
  const files: Record<string, string> = { lock: STALE };
  for (let depth = 0, last = STALE; depth < 5; depth += 1) {
    const guard = lockOf(dead);
    files[guardOf(last)] = guard;
    last = guard;
  }
  withFiles(files, (folder) => {
    withLock(join(folder, 'lock'), () => {});
    assert.equal(readdirSync(folder), []);
  });
});

test('a lock that somebody else made in the meantime is not let go', () => {
  withFiles({}, (folder) => {
    const lock = join(folder, 'lock');
    const other = lockOf(self);
    withLock(lock, (held) => {
      writeFileSync(lock, other);
      assert.not(held());
    });
    assert.is(readFileSync(lock, 'utf8'), other);
  });
});

/** Takes the lock again and again, and tells of every time it comes in while another living process is inside. */
const WORKER = `
import { appendFileSync, readFileSync } from 'node:fs';
import { withLock } from ${JSON.stringify(new URL('../../../src/disk/lock.js', import.meta.url).href)};
import { procStat } from ${JSON.stringify(new URL('../../../src/run/proc-files.js', import.meta.url).href)};
const [lock, journal] = process.argv.slice(2);
for (let round = 0; round < 40; round += 1)
  withLock(lock, () => {
    const [word, pid] = (readFileSync(journal, 'utf8').trimEnd().split('\\n').at(-1) ?? '').split(' ');
    const stat = word === 'in' ? procStat(Number(pid)) : null;
    if (stat !== null && !'ZX'.includes(stat.state)) appendFileSync(journal, 'TOGETHER ' + pid + ' ' + process.pid + '\\n');
    appendFileSync(journal, 'in ' + process.pid + '\\n');
    appendFileSync(journal, 'out ' + process.pid + '\\n');
  }, 30_000);
`;

test('no two living processes are ever inside, although processes are killed at any moment', async () => {
  if (!TABLE.readable) return;
  const folder = mkdtempSync(join(tmpdir(), 'policy-lock-'));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  writeFileSync(join(folder, 'worker.mjs'), WORKER);
  try {
    let killed = 0;
    const runOne = (fatal: boolean) =>
      new Promise<void>((done) => {
        const child = spawn(process.execPath, [join(folder, 'worker.mjs'), join(folder, 'lock'), journal], { stdio: 'ignore' });
        // Somewhere among its forty rounds.
        const timer = fatal ? setTimeout(() => child.kill('SIGKILL'), 60 + Math.random() * 120) : null;
        child.on('exit', (_code, signal) => {
          if (timer !== null) clearTimeout(timer);
          if (signal !== null) killed += 1;
          done();
        });
      });
    await Promise.all(Array.from({ length: 8 }, (_, at) => runOne(at % 4 !== 0)));
    const lines = readFileSync(journal, 'utf8');
    assert.not.match(lines, /TOGETHER/);
    const rounds = lines.match(/^out /gm)?.length ?? 0;
    assert.ok(rounds >= (8 - killed) * 40, `${rounds} rounds, ${killed} killed`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a folder that is not there is told', () => {
  withFiles({}, (folder) => {
    assert.throws(() => withLock(join(folder, 'none', 'lock'), () => {}), /cannot be made \(ENOENT\)/);
  });
});

test.run();
