/** What shells print with `export -p` and `env`, as the installed line for macOS hands it to the hook. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hazardousVariables } from '../../../src/enforce/facts/environment.js';
import { exportedEnvironment } from '../../../src/enforce/facts/seen-environment.js';

interface Printed {
  readonly by: string;
  readonly text: string;
  readonly seen: Readonly<Record<string, string>>;
}

const PRINTED: readonly Printed[] = [
  { by: 'dash', text: "export HOME='/root'\nexport PWD", seen: { HOME: '/root', PWD: '' } },
  { by: 'bash', text: 'declare -x HOME="/root"\ndeclare -x OLDPWD', seen: { HOME: '/root', OLDPWD: '' } },
  { by: 'zsh', text: 'export HOME=/root\nexport -i10 SHLVL=1', seen: { HOME: '/root', SHLVL: '1' } },
  { by: 'bash, of a variable that is read-only', text: 'declare -rx GIT_SSH="x"', seen: { GIT_SSH: 'x' } },
  { by: 'zsh, of a variable that is read-only', text: 'export -r LD_PRELOAD=x', seen: { LD_PRELOAD: 'x' } },
  { by: 'zsh, of a tied list', text: 'export -T LD_LIBRARY_PATH list=( /a /b )', seen: { LD_LIBRARY_PATH: '/a:/b' } },
  { by: 'zsh, after `typeset -U PATH path`', text: 'export -UT PATH path=( /bin . )', seen: { PATH: '/bin:.' } },
  { by: 'zsh, of a tied list of one', text: 'export -T A a=( /b )', seen: { A: '/b' } },
  { by: 'zsh, of an empty list', text: 'export -T A a=( )', seen: { A: '' } },
  { by: 'zsh, of a list with a quoted word', text: "export -T A a=( '/x y' /b )", seen: { A: "( '/x y' /b )" } },
  { by: 'zsh, of a list with a separator of its own', text: 'export -T A a=( b c ) ,', seen: { A: '( b c ) ,' } },
  {
    by: 'env, of functions that bash exported',
    text: "export A='1'\nA=1\nBASH_FUNC_git%%=() {  evil\n}\n__BASH_FUNC<ls>()=() { evil; }",
    seen: { A: '1', 'BASH_FUNC_git%%': '() {  evil', '__BASH_FUNC<ls>()': '() { evil; }' },
  },
  { by: 'env, of a variable', text: "export A='1'\nB=2", seen: { A: '1' } },
  { by: 'a line break in a value', text: "export A='x\nexport A=y'", seen: { A: "'x:y'" } },
];

for (const { by, text, seen } of PRINTED) test(`printed by ${by}`, () => assert.equal({ ...exportedEnvironment(text) }, seen));

for (const text of [undefined, '', '\n', 'sh: fork: Resource temporarily unavailable'])
  test(`a shell that printed ${JSON.stringify(text)} may hold anything`, () =>
    assert.equal(hazardousVariables(exportedEnvironment(text), 'linux'), [{ name: '(UNSEEN)', affects: '*' }]));

test.run();
