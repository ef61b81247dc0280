/** Every allowed row of the safe-git vectors, varied by machine: what must lose the allow, and what must keep the answer. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type SafeGitRow, seedRows } from '../vectors.js';
import { decideIn } from '../world.js';

const allowed = seedRows<SafeGitRow>('safe-git').filter((row) => row.expect === 'allow' && !/[&|;>]/.test(row.cmd));
const verdict = (command: string) => decideIn({ preset: 'safe' }, 'Bash', command).decision;

/** `git` → `g"i"t`, `\git`, `'git'`: the same word in other clothes. */
const disguises: readonly (readonly [string, (word: string) => string])[] = [
  ['g"i"t', (word) => `${word.charAt(0)}"${word.charAt(1)}"${word.slice(2)}`],
  ['\\git', (word) => `\\${word}`],
  ["'git'", (word) => `'${word}'`],
];

for (const { cmd } of allowed) {
  const [program = '', ...rest] = cmd.split(' ');
  // Behind `--` every word is a path, however it looks.
  const tail = cmd.includes(' -- ') ? [] : [`${cmd} --zz-unknown`];
  test(`${cmd}: an unknown option takes the allow away at the end and after the subcommand`, () => {
    for (const form of tail) assert.is.not(verdict(form), 'allow');
    assert.is.not(verdict(`${program} ${rest[0]} --zz-unknown ${rest.slice(1).join(' ')}`), 'allow');
  });
  test(`${cmd}: requoting changes nothing`, () => {
    for (const [form, dress] of disguises) assert.is(verdict(`${dress(program)} ${rest.join(' ')}`), 'allow', form);
    for (const [form, dress] of disguises)
      assert.is(verdict(`${program} ${dress(rest[0] ?? '')} ${rest.slice(1).join(' ')}`.trim()), 'allow', form);
  });
  test(`${cmd}: a second command, a substitution, an assignment or a redirection takes the allow away`, () => {
    for (const form of [
      `${cmd}; rm x`,
      `${cmd} && rm x`,
      `${cmd} | sh`,
      `${cmd}\nrm x`,
      `${cmd} $(touch x)`,
      `${cmd} \`touch x\``,
      `GIT_SSH_COMMAND=x ${cmd}`,
      `${cmd} > /tmp/x`,
      `${cmd} &`,
    ]) {
      assert.is.not(verdict(form), 'allow', form);
    }
  });
}

test.run();
