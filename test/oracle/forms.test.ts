/** Every form whose payload really ran although some tool had allowed it: by name, in every shell, and inside what the engine looks into. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SHELLS, type Shell } from '../../src/call/tool-call.js';
import { decideIn, type World } from '../decide/world.js';
import { seed } from '../seed.js';
import { FORMS } from './lines/forms.js';
import { SURPRISES } from './lines/surprises.js';

const SAFE: World = { preset: 'safe' };

/** Places whose commands are judged one by one: what may not run alone may not run there either. */
const AROUND: readonly (readonly [name: string, wrap: (line: string) => string])[] = [
  ['alone', (line) => line],
  ['in a substitution', (line) => `echo "$(${line}\n)"`],
  ['in the value of a variable', (line) => `x=$(${line}\n); echo "$x"`],
  ['in a pipe to be read', (line) => `cat <(${line}\n)`],
  ['in a loop', (line) => `for f in a b; do ${line}\ndone`],
  ['in a loop of a substitution', (line) => `echo "$(for f in a b; do ${line}\ndone)"`],
  ['behind a condition', (line) => `if git status; then ${line}\nfi`],
  ['in a group', (line) => `{ ${line}\n}`],
  ['behind what counts', (line) => `i=0; i=$((i + 1)); ${line}`],
  ['behind a folder that git names', (line) => `cd "$(git rev-parse --show-toplevel)" && ${line}`],
];

/** What these run is the write of a file, which preset safe allows in the project as it allows every edit there. */
const EDITS: ReadonlySet<string> = new Set(['ls >| out/f', 'ls 3<> out/f']);
/** Reads alone. */
const INSPECT: World = { preset: 'inspect' };

/**
 * The shells of one row: alone a form is judged for every shell, in each place for any shell and for one more, another every day. That a
 * line is harmless for one shell and not for another has to do with the form, not with the place.
 */
function shellsOf(row: number, name: string): readonly Shell[] {
  return name === 'alone' ? SHELLS : ['union', ...SHELLS.filter((_, at) => at === (seed + row) % SHELLS.length)];
}

for (const [row, form] of FORMS.entries())
  for (const [at, [name, wrap]] of AROUND.entries())
    test(`${name}, no shell may run ${JSON.stringify(form)} unasked`, () => {
      const isEdit = EDITS.has(form);
      const lines: readonly (readonly [World, string])[] = isEdit
        ? [
            [INSPECT, form],
            [SAFE, form.replace('out/f', '.git/config')],
          ]
        : [[SAFE, form]];
      for (const [world, line] of lines)
        for (const shell of shellsOf(row + at, name))
          assert.is.not(decideIn(world, 'Bash', wrap(line), { shell }).decision, 'allow', shell);
    });

for (const [surprise, lines] of Object.entries(SURPRISES))
  for (const [name, wrap] of AROUND.slice(1))
    test(`${name}, no surprise is allowed: ${surprise}`, () => {
      for (const line of lines)
        for (const shell of ['bash', 'bash-or-zsh', 'union'] as const)
          assert.is.not(decideIn(SAFE, 'Bash', wrap(line), { shell }).decision, 'allow', `${shell}: ${line}`);
    });

test.run();
