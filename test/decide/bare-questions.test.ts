// Questions that tell next to nothing: whether a variable is empty, and what a program says of itself; and their neighbours, which ask.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from './world.js';

/** Allowed whatever shell reads them. */
const ALLOWED: readonly string[] = [
  '[ -n "$X" ]',
  '[ -z "${X}" ]',
  'test -n "$SECRET_TOKEN"',
  '[ ! -n "$X" ]',
  '! [ -z "$X" ]',
  '[ -z "$X" ] && echo none',
  'if [ -z "$X" ]; then echo none; fi',
  '[ -n "$X" ] && [ -z "$Y" ]',
  'git -h',
  'git --help',
  'env --help',
  'env --version',
];

for (const line of ALLOWED)
  test(`preset safe allows ${line}`, () => {
    const { decision, message } = decideIn({ preset: 'safe' }, 'Bash', line);
    assert.is(decision, 'allow', message);
  });

const NOT_ALLOWED: readonly string[] = [
  '[ -n $X ]',
  '[ -n "$X$Y" ]',
  '[ -n "a$X" ]',
  '[ -n "$X" -a -f x ]',
  '[ "$Y" = -n "$X" ]',
  '[ "$X" -eq 1 ]',
  '[ -f "$X" ]',
  '[ -n "$1" ]',
  '[ -n "$@" ]',
  '[ -n "${!X}" ]',
  '[ -n "${X[0]}" ]',
  '[ -n "${X[$(id)]}" ]',
  '[ -n "${X:=y}" ]',
  '[ -v "$X" ]',
  '[[ -n "$X" ]]',
  'test -n "$X" ]',
  '[ -n "$X"',
  'command [ -n "$X" ]',
  './[ -n "$X" ]',
  'xargs [ -n "$X" ]',
  'echo -n "$X"',
  'declare -n X=\'a[$(id)]\'; [ -n "$X" ]',
  'declare -n X=y; [ -n "$X" ]',
  '[() { rm x; }; [ -n "$X" ]',
  '[ -n "$X" ] && other',
  'git -h x',
  'git -p -h',
  'git -C x -h',
  'git status -h',
  'git help',
  'env -i --help',
  'env A=1 --help',
  'env --help x',
];

for (const line of NOT_ALLOWED)
  test(`preset safe does not allow ${line}`, () => {
    assert.is.not(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow');
  });

test.run();
