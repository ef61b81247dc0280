/** What clients say of their flags is asked for once. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { helpText } from '../../../src/enforce/launch/help-text.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-help-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));

let nth = 0;

/** A client that counts how often it was asked. */
function asked(body = 'echo "--flag"') {
  nth += 1;
  const program = join(base, `client-${nth}`);
  const state = join(base, `state-${nth}`);
  const write = (text: string) => {
    writeFileSync(program, `#!/bin/sh\necho x >> ${program}.count\n${text}\n`);
    chmodSync(program, 0o755);
  };
  write(body);
  return {
    program,
    write,
    folder: join(state, 'clients'),
    ask: (...words: string[]) => helpText(program, words.length === 0 ? ['--help'] : words, state, { PATH: '/usr/bin:/bin' }),
    times: () => readFileSync(`${program}.count`, 'utf8').length / 2,
  };
}

test('it is asked once, for each way of asking; the answer is for nobody else to see', () => {
  const { ask, times, folder } = asked();
  assert.equal(
    [ask(), ask(), ask()],
    Array.from({ length: 3 }, () => '--flag\n\n'),
  );
  assert.is(times(), 1);
  ask('exec', '--help');
  assert.is(times(), 2);
  for (const name of readdirSync(folder)) assert.is(statSync(join(folder, name)).mode & 0o077, 0);
});

test('another version is asked again', () => {
  const { ask, times, write } = asked();
  ask();
  write('echo "--other"');
  assert.equal([ask(), ask(), times()], ['--other\n\n', '--other\n\n', 2]);
});

test('what was kept and is damaged, or about another program, does not count', () => {
  const { ask, times, folder, program } = asked();
  ask();
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.json'));
  const file = join(folder, name);
  const good = readFileSync(file, 'utf8');
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    good.slice(0, -20),
    good.replace(program, '/bin/other'),
    good.replace('"--help"', '"--version"'),
    good.replace(/"size":\d+/, '"size":"x"'),
  ]) {
    writeFileSync(file, text);
    assert.is(ask(), '--flag\n\n', text);
  }
  assert.is(times(), 9);
  assert.is(ask(), '--flag\n\n');
  assert.is(times(), 9, 'the last answer was kept');
});

test('colours are left out; help on standard error counts, too', () => {
  assert.is(asked('printf "\\033[1m--bold\\033[0m\\n" >&2').ask(), '\n--bold\n');
});

test('it is asked in an empty folder of its own, not where the project is', () => {
  const { ask, folder } = asked('echo "--flag $(pwd) $PWD $(ls | wc -l)"');
  assert.is(ask(), `--flag ${folder}/empty ${folder}/empty 0\n\n`);
});

test('what a client says when it fails is told, and not kept', () => {
  const { ask, times, write, folder } = asked('echo "settings.json: Unexpected end, see --help"; exit 52');
  assert.throws(ask, /client-\d+ --help ended with 52 and said: settings\.json: Unexpected end, see --help$/);
  assert.throws(ask, /ended with 52/);
  assert.equal(readdirSync(folder), ['empty']);
  write('echo "Please log in"');
  assert.throws(ask, /--help names no flag and said: Please log in$/);
  write('echo "  -h, --help"');
  assert.equal([ask(), ask(), times()], ['  -h, --help\n\n', '  -h, --help\n\n', 4]);
});

test('a client that takes too long says what it said the last time, else how to go on', () => {
  const { program, write, ask } = asked('exec sleep 30');
  const state = join(base, `state-${nth}`);
  const slowly = () => helpText(program, ['--help'], state, { PATH: '/usr/bin:/bin' }, 100);
  assert.throws(slowly, /client-\d+ --help took longer than 0\.1 s; the machine may be busy: try again, or run it once by hand$/);
  write('echo "--flag"');
  ask();
  write('exec sleep 30');
  assert.is(slowly(), '--flag\n\n');
});

test('a client that prints nothing, or cannot run, is an error with a message', () => {
  assert.throws(() => asked('exit 0').ask(), /client-\d+ --help printed nothing$/);
  const { ask, program } = asked();
  chmodSync(program, 0o644);
  assert.throws(ask, /printed nothing \(spawnSync .* EACCES\)/);
});

test.run();
