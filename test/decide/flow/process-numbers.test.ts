/** Numbers of processes that other commands print, where only numbers are taken: `lsof -ti :3000 | xargs kill`. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const WORLD: World = { preset: 'safe', allow: ['Bash(kill *)', 'Bash(kill -9 *)', 'Bash(sleep *)', 'Bash(echo *)', 'Bash(P *)'] };

const ALLOWED = [
  'lsof -ti :3000 | xargs kill',
  'lsof -ti:3000 | xargs -r kill -9 2>/dev/null || true',
  'lsof -nP -iTCP:3000 -sTCP:LISTEN -t | xargs kill',
  'lsof -ti tcp:3000 2>/dev/null | xargs kill',
  'kill $(lsof -ti:3000)',
  'kill -9 "$(lsof -t -i :3000)" 2>/dev/null',
  'kill -9 $(lsof -ti:3000 | head -1)',
  'pgrep -f vite | xargs kill',
  'kill $(pgrep -x node)',
  'kill $(pidof node)',
  "ps aux | grep vite | grep -v grep | awk '{print $2}' | xargs kill",
  "ps -ef | grep '[v]ite' | awk '{ print $2 }' | sort -u | xargs kill -9",
  'P & sleep 1; kill $!',
  'P & kill "$!"',
];

const ASKED: readonly (readonly [line: string, why: string])[] = [
  ['lsof -i:3000 | xargs kill', 'it prints names, too'],
  ['lsof -F -ti:3000 | xargs kill', 'fields with letters before them'],
  ['pgrep -l vite | xargs kill', 'names beside the numbers'],
  ['pgrep -d " -9 " vite | xargs kill', 'a text between them'],
  ['echo 1 | xargs kill', 'any text'],
  ['cat a.txt | xargs kill', 'what is in a file'],
  ['kill $(cat a.txt)', 'what is in a file'],
  ['kill -$(pgrep x)', 'a signal'],
  ['kill $((1-10))', 'a number with a sign'],
  ['kill -s $(pgrep x) 1', 'the value of an option'],
  ['lsof -ti:3000 | xargs rm', 'names of files'],
  ['rm $(lsof -ti:3000)', 'names of files'],
  ['head -n $(pgrep x) a.txt', 'one of them would be a file'],
  ['lsof -ti:3000 2>&1 | xargs kill', 'messages, too'],
  ['X=1 pgrep x | xargs kill', 'a variable may change what it prints'],
  ["ps aux | grep -o vite | awk '{print $2}' | xargs kill", 'parts of lines'],
  ["ps aux | awk '{print $11}' | xargs kill", 'another column'],
  ["ps -o args | awk '{print $2}' | xargs kill", 'arguments of programs'],
  ["ps aux | sed s/a/b/ | awk '{print $2}' | xargs kill", 'changed lines'],
  ['lsof -ti:3000 | xargs -a a.txt kill', 'a file instead'],
  ['lsof -ti:3000 | xargs kill -HUP', 'a signal that no rule names'],
  ['lsof -ti:3000 | tee a.txt | xargs kill', 'another program between them'],
];

for (const line of ALLOWED)
  test(`${line} is allowed`, () => {
    const { decision, reasons } = decideIn(WORLD, 'Bash', line, { shell: 'bash-or-zsh' });
    assert.is(decision, 'allow', JSON.stringify(reasons));
  });

for (const [line, why] of ASKED)
  test(`${line} asks: ${why}`, () => {
    assert.is.not(decideIn(WORLD, 'Bash', line, { shell: 'bash-or-zsh' }).decision, 'allow');
  });

test.run();
