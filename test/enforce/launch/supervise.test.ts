/** Programs under watch: when they begin, and that nothing of them is left. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { markedProcesses } from '../../../src/enforce/launch/descendants.js';
import { type Program, type ProgramEnd, supervise, type Takers } from '../../../src/enforce/launch/supervise.js';
import { isRunning, until } from '../../cli/run-world.js';

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-supervise-')));
  folders.push(folder);
  return folder;
}

let count = 0;

/** A shell script in a folder of its own. */
function script(text: string, more: Partial<Program> = {}): Program {
  const cwd = scratch();
  const file = join(cwd, 'program');
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  count += 1;
  const mark = `test-${process.pid}-${count}@x`;
  return { file, arguments: [], cwd, environment: { PATH: process.env.PATH }, isInteractive: false, mark, ...more };
}

const UNREAD: Takers = { output: async () => {}, errors: async () => {} };

async function endOf(program: Program): Promise<ProgramEnd & { readonly output: string }> {
  const child = await supervise(program);
  let output = '';
  child.read?.({
    ...UNREAD,
    output: async (chunk) => {
      output += chunk.toString();
    },
  });
  child.begin();
  return { ...(await child.ended), output };
}

const numberIn = (file: string) => Number(readFileSync(file, 'utf8'));

test('it gets its words, its folder and its variables, and its end is told', async () => {
  const program = script('echo "$1|$2|$PWD|$NAME"; exit 7', {
    arguments: ['a b', "c'd"],
    environment: { PATH: '/usr/bin:/bin', NAME: 'x' },
  });
  const { code, signal, output } = await endOf(program);
  assert.equal([code, signal, output], [7, null, `a b|c'd|${program.cwd}|x\n`]);
  assert.is((await endOf(script('kill -9 $$'))).signal, 'SIGKILL');
  assert.is((await endOf({ ...script(''), file: join(scratch(), 'none') })).code, 127);
});

test('a folder that is gone is an error with a message', async () => {
  try {
    await supervise({ ...script(''), cwd: join(scratch(), 'none') });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /could not be started \(spawn \/bin\/sh ENOENT\)/);
  }
});

test('nothing begins before `begin`, and its number and its beginning stay those that were told', async () => {
  const program = script('echo "$$" > begun');
  const child = await supervise(program);
  child.read?.(UNREAD);
  await new Promise((done) => {
    setTimeout(done, 300);
  });
  assert.not(existsSync(join(program.cwd, 'begun')));
  child.begin();
  await child.ended;
  assert.is(numberIn(join(program.cwd, 'begun')), child.identity.pid);
  assert.is.not(child.identity.began, '');
});

test('stopped before it began, it never begins', async () => {
  const program = script('echo x > begun');
  const child = await supervise(program);
  child.read?.(UNREAD);
  child.stop();
  child.begin();
  await child.ended;
  assert.not(existsSync(join(program.cwd, 'begun')));
});

test('what it leaves behind in its group ends with it, and does not keep its end from being told', async () => {
  const program = script('sleep 300 & echo $! > left; exit 0');
  assert.is((await endOf(program)).code, 0);
  await until('the end of what was left', () => !isRunning(numberIn(join(program.cwd, 'left'))));
});

const MUCH = 3_000_000;

test('a program that writes more than is taken has to wait, and nothing is lost', async () => {
  const program = script(`head -c ${MUCH} /dev/zero; echo x > written; head -c 40000 /dev/zero`);
  const child = await supervise(program);
  let read = 0;
  let goOn = () => {};
  const slow = new Promise<void>((done) => {
    goOn = done;
  });
  child.read?.({
    ...UNREAD,
    output: async (chunk) => {
      read += chunk.length;
      await slow;
    },
  });
  child.begin();
  await until('its first words', () => read > 0);
  await new Promise((done) => {
    setTimeout(done, 500);
  });
  assert.ok(read < 200_000, `${read} bytes were read though nobody took them`);
  assert.not(existsSync(join(program.cwd, 'written')));
  goOn();
  await child.ended;
  assert.is(read, MUCH + 40_000);
});

test('once it has ended all that it wrote is read, taken or not', async () => {
  const child = await supervise(script(`head -c ${MUCH} /dev/zero`));
  let read = 0;
  child.read?.({
    ...UNREAD,
    output: (chunk) => {
      read += chunk.length;
      return new Promise(() => {});
    },
  });
  child.begin();
  // More than a pipe holds: it waits, is ended, and what the pipe held is read.
  await until('its first words', () => read > 0);
  const taken = read;
  child.stop();
  assert.is((await child.ended).signal, 'SIGTERM');
  assert.ok(read > taken && read < MUCH, `${taken}, then ${read}`);
});

const SETSID = `${process.execPath} -e 'const c = require("child_process").spawn("sleep", ["300"], { detached: true, stdio: "ignore" }); require("fs").writeFileSync("left", String(c.pid)); c.unref()'`;

for (const [how, ending] of [
  ['by itself', 'exit 0'],
  ['when it is stopped', 'sleep 300'],
  ['when it is stopped and does not heed that', "trap '' TERM; sleep 300; sleep 300"],
] as const)
  test(`what has left its group ends with it, ${how}`, async () => {
    if (process.platform !== 'linux') return;
    const program = script(`${SETSID}\necho up > up\n${ending}`);
    const child = await supervise(program);
    child.read?.(UNREAD);
    child.begin();
    await until('its beginning', () => existsSync(join(program.cwd, 'up')));
    if (ending !== 'exit 0') child.stop();
    await child.ended;
    const left = numberIn(join(program.cwd, 'left'));
    await until('the end of what was left', () => !isRunning(left));
    assert.equal(markedProcesses(program.mark), []);
  });

test('what has only left its group and its tree, with a clean environment, ends with it', async () => {
  if (process.platform !== 'linux') return;
  const orphan = '(env -i /usr/bin/timeout 300 /bin/sleep 300 & echo $! > orphan) < /dev/null > /dev/null 2>&1';
  const program = script(`${orphan}\necho up > up\nexit 0`);
  assert.is((await endOf(program)).code, 0);
  await until('the end of what was left', () => !isRunning(numberIn(join(program.cwd, 'orphan'))));
});

test('it ends with this process, also when that is killed; so does what has left its group, cleaned its environment or ran away', async () => {
  const runaway = `(setsid sleep 301 < /dev/null > /dev/null 2>&1 & echo $! > orphan)`;
  const clean = `${process.execPath} -e 'const c = require("child_process").spawn("sleep", ["302"], { detached: true, stdio: "ignore", env: {} }); require("fs").writeFileSync("clean", String(c.pid)); setTimeout(() => {}, 300000)' &`;
  const timed = '(env -i /usr/bin/timeout 303 /bin/sleep 303 < /dev/null > /dev/null 2>&1 & echo $! > timed)';
  const program = script(
    `${SETSID}\n${runaway}\n${timed}\n${clean}\nwhile ! [ -s clean ]; do sleep 0.1; done\necho $$ > up\nsleep 300`,
  );
  const parent = join(program.cwd, 'parent.mjs');
  const url = pathToFileURL(resolve('build/src/enforce/launch/supervise.js')).href;
  writeFileSync(
    parent,
    `import { supervise } from ${JSON.stringify(url)};
const child = await supervise(${JSON.stringify(program)});
child.read({ output: async () => {}, errors: async () => {} });
child.begin();
await child.ended;`,
  );
  const holder = spawn(process.execPath, [parent], { stdio: 'ignore' });
  const up = join(program.cwd, 'up');
  await until('its beginning', () => existsSync(up) && readFileSync(up, 'utf8') !== '');
  const names = ['up', 'left', 'clean', ...(process.platform === 'linux' ? ['orphan', 'timed'] : [])];
  const pids = names.map((name) => numberIn(join(program.cwd, name)));
  assert.ok(pids.every(isRunning), `all run at first: ${pids}`);
  holder.kill('SIGKILL');
  await until('the end of all of them', () => !pids.some(isRunning));
});

test('the mark finds those that carry it, and nobody else', () => {
  if (process.platform !== 'linux') return;
  const child = spawn('/bin/sleep', ['300'], { env: { POLICY_RUN: 'mark-1@x', OTHER: 'POLICY_RUN=mark-2@x' }, stdio: 'ignore' });
  try {
    assert.equal(
      [markedProcesses('mark-1@x'), markedProcesses('mark-2@x'), markedProcesses('mark-1'), markedProcesses('')],
      [[child.pid], [], [], []],
    );
  } finally {
    child.kill('SIGKILL');
  }
});

test.run();
