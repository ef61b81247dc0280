/** Lines that the oracle found allowed although bash did something in them that was not judged; each stays closed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../decide/world.js';

const safe: World = {
  preset: 'safe',
  allow: ['Bash(P *)', 'Bash(export *)', 'Bash(declare *)', 'Bash(printf *)', 'Bash(read *)'],
};

const neverAllowed: readonly (readonly [why: string, line: string])[] = [
  ['a program that is given another name', 'exec -a git P status'],
  ['a program that is given another name, glued', 'exec -ax P'],
  ['a program that is called as a login shell', 'exec -l P'],
  ['an export that bash complains about, after it was done', 'export GIT_EXTERNAL_DIFF=P -x; git diff'],
  ['an export with an option', 'export -n GIT_EXTERNAL_DIFF=P; git diff'],
  ['a declaration that exports', 'declare -x GIT_EXTERNAL_DIFF=P; git diff'],
  ['a declaration that appends', 'declare -x GIT_EXTERNAL_DIFF+=P; git diff'],
  ['an export of what another builtin assigned', 'printf -v GIT_EXTERNAL_DIFF P; export GIT_EXTERNAL_DIFF; git diff'],
  ['an export of what was read', 'read GIT_EXTERNAL_DIFF < a.txt; export GIT_EXTERNAL_DIFF; git diff'],
  ['a loop variable that the body begins by setting', 'for f in a.txt; do f=/etc/passwd >/dev/null; cat "$f"; done'],
  ['a loop variable that the body begins by setting to nothing', 'for f in a.txt; do f= >/dev/null; sort $f -o x; done'],
  ['a loop variable that is appended to', 'for f in a.txt; do f+=/../../etc/passwd; cat "$f"; done'],
  ['a loop variable that is read anew', 'for f in a.txt; do read f < b.txt; cat "$f"; done'],
  ['a loop variable that is read anew, later', 'for f in a.txt; do ls; read f < b.txt; cat "$f"; done'],
  ['a variable of the line that is set again beside a redirection', 'x=a.txt; x=/etc/passwd >/dev/null; cat "$x"'],
  ['an option before a name', 'export -- GIT_EXTERNAL_DIFF=P; git diff'],
];

for (const [why, line] of neverAllowed)
  test(`${why}: ${line} is not allowed`, () => {
    const decision = decideIn(safe, 'Bash', line);
    assert.is.not(decision.decision, 'allow', decision.message);
  });

test('exec alone is as good as what it runs', () => {
  assert.is(decideIn(safe, 'Bash', 'exec P a').decision, 'allow');
});

test.run();
