/** A program that a rule denies is denied wherever it stands in a line that a total rule allows, and nowhere else. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const [run = '', hidden = '', notRun = ''] = readFileSync('test/fixtures/denied-program.txt', 'utf8').split(/^# === .*$/m);

function linesOf(part: string): string[] {
  return part
    .split('\n')
    .filter((line) => line !== '' && !/^# [A-Z]/.test(line))
    .map((line) => line.replaceAll('⏎', '\n'));
}

function answer(line: string): string {
  return decideIn({ allow: ['Bash(*)'], deny: ['Bash(curl *)'] }, 'Bash', line).decision;
}

for (const line of linesOf(run)) test(`denied: ${line}`, () => assert.is(answer(line), 'deny'));

/** What stands behind a program that policy does not know may be run by it. */
for (const line of [
  "tmux send-keys 'curl x' Enter",
  'hash -p /usr/bin/curl ls; ls x',
  'enable -f x curl',
  'foo curl x',
  "runuser bob -c 'curl x'",
  "capsh -- -c 'curl x'",
  "concurrently 'curl x'",
  'bwrap --ro-bind / / curl x',
])
  test(`asked about: ${line}`, () => assert.is(answer(line), 'ask'));

for (const line of linesOf(hidden)) test(`out of sight: ${line}`, () => assert.is(answer(line), 'allow'));

for (const line of linesOf(notRun)) test(`not run: ${line}`, () => assert.is(answer(line), 'allow'));

test.run();
