/** Paths that a line names by way of the folder it stands in are guarded like those that are written out; their harmless neighbours pass. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

/** A folder in a folder of the home. */
const REPO = '/home/me/dev/repo';
const TOTAL: World = { allow: ['Bash(*)'], facts: { project: REPO } };

const rows: readonly (readonly ['allow' | 'ask' | 'deny', string])[] = [
  // What the project lies in.
  ['ask', 'rm -rf "$(dirname "$PWD")"'],
  ['ask', 'rm -rf $(dirname $(pwd))/'],
  ['ask', 'rm -rf `dirname $PWD`'],
  ['ask', 'rm -rf "${PWD%/*}"'],
  ['ask', 'rm -rf ${PWD%/*}/repo'],
  ['ask', 'rm -rf "${PWD%/*}"/*'],
  ['ask', 'rm -rf $(cd .. && pwd)'],
  ['ask', 'rm -rf "$(cd ..; pwd -P)"'],
  ['ask', 'rm -rf $(realpath ..)'],
  ['ask', 'rm -rf "$(readlink -f ../repo)"'],
  ['ask', 'mv "$(dirname "$PWD")" /tmp/x'],
  ['ask', 'find "$(dirname "$PWD")" -delete'],
  ['ask', 'd=$(dirname "$PWD"); rm -rf "$d"'],
  ['allow', 'ls "$(dirname "$PWD")"'],
  ['allow', 'rm -rf "$(dirname "$PWD")/other/build"'],
  ['allow', 'rm -rf "${PWD%/*}/other"/*'],
  ['allow', 'rm -rf $(realpath ../other)'],
  ['allow', 'rm -rf "$(dirname "$PWD")/$NAME"'],
  ['allow', 'd=$(dirname "$PWD"); rm -rf "$d/other"'],
  // The project itself.
  ['ask', 'rm -rf `pwd`'],
  ['ask', 'rm -rf "${PWD:?}"'],
  ['ask', 'rm -rf "$PWD"/*'],
  ['ask', 'rm -rf "$(realpath .)"'],
  ['ask', 'rm -rf `git rev-parse --show-toplevel`'],
  ['ask', 'rm -rf $(dirname package.json)'],
  ['allow', 'rm -rf "$PWD/build"'],
  ['allow', 'rm -rf "${PWD:?}/build"'],
  ['allow', 'rm -rf "$PWD/build"/*'],
  ['allow', 'rm -rf `git rev-parse --show-toplevel`/build'],
  ['allow', 'rm -rf $(basename "$PWD")'],
  ['allow', 'rm -rf "$(git rev-parse --show-cdup)build"'],
  // All that is in it.
  ['ask', 'rm -rf $(ls -A)'],
  ['ask', 'rm -rf `ls -1a .`'],
  ['ask', 'rm -rf $(find .)'],
  ['ask', 'rm -rf "$(find . -maxdepth 1)"'],
  ['ask', 'rm -rf $(ls)'],
  ['ask', 'rm -rf `ls | grep -v keep`'],
  ['ask', 'for f in $(ls); do rm -rf "$f"; done'],
  ['ask', 'ls | while read f; do rm -rf "$f"; done'],
  ['ask', 'rm -f $(find . -type f)'],
  ['ask', 'rm -rf $(ls -d ./*)'],
  ['deny', 'rm -rf $(ls -d .g*)'],
  ['deny', 'ls -d .g* | xargs rm -rf'],
  ['ask', 'ls -d .* | xargs rm -rf'],
  ['ask', 'xargs rm -rf <<< "$PWD"'],
  ['ask', 'xargs rm -rf < <(find . -type f)'],
  ['ask', 'find . -exec rm -rf {} +'],
  ['ask', 'find -type f -exec rm {} \\;'],
  ['ask', 'find . -exec sh -c \'rm -rf "$@"\' _ {} +'],
  ['deny', 'ls | xargs sh -c \'rm -rf "$@"\' _'],
  ['ask', 'find .. -exec rm -rf {} +'],
  ['ask', 'find "$PWD" -mindepth 1 ! -name keep -exec rm -rf {} +'],
  ['ask', 'find . -maxdepth 1 -exec mv {} /tmp \\;'],
  ['ask', 'find . -name .git -prune -exec rm -rf {} +'],
  ['ask', 'find . -print0 | xargs -0 rm -rf'],
  ['ask', 'find -mindepth 1 -maxdepth 1 | xargs rm -rf'],
  ['ask', 'ls -A | xargs rm -rf'],
  ['ask', 'ls -a . | xargs -I{} rm -rf {}'],
  ['deny', 'rm -rf *'],
  ['deny', 'ls | xargs rm -rf'],
  ['deny', 'ls | parallel rm -rf {}'],
  ['ask', 'git ls-files -z | xargs -0 rm -rf'],
  ['ask', 'rm $(git ls-tree -r --name-only HEAD)'],
  ['ask', 'rg --files | xargs rm'],
  ['allow', "find . -name '*.pyc' -not -path './.git/*' -exec rm {} +"],
  ['allow', "find . -name .git -prune -o -name '*.pyc' -exec rm {} +"],
  ['allow', 'find build -exec rm -rf {} +'],
  ['allow', 'find build -exec sh -c \'rm -rf "$@"\' _ {} +'],
  ['allow', 'find . -name x -exec sh -c \'rm -rf "$1"\' _ {} \\;'],
  ['allow', 'git ls-files | xargs wc -l'],
  ['allow', "git ls-files -z | xargs -0 sed -i 's/a/b/'"],
  ['allow', "rg --files | xargs sed -i 's/a/b/'"],
  ['allow', 'git ls-files src | xargs rm -rf'],
  ['allow', 'ls src | parallel rm -rf'],
  ['allow', 'find . -type f -exec chmod 644 {} +'],
  ['allow', "find . -type f -exec sed -i 's/a/b/' {} +"],
  ['allow', 'ls src | xargs rm -rf'],
  ['allow', 'rm -rf $(ls src)'],
  ['allow', 'rm -rf $(ls -t | tail -n +6)'],
  ['allow', 'rm -f $(ls *.log)'],
  ['allow', 'rm -rf $(ls -d releases/*)'],
  ['allow', 'ls -d releases/* | xargs rm -rf'],
  ['allow', 'rm $(find . -name "*.orig")'],
  ['allow', 'for f in $(ls); do mv "$f" "$f.bak"; done'],
  ['allow', 'for d in $(ls packages); do rm -rf "packages/$d/dist"; done'],
  ['allow', 'git ls-files -o --exclude-standard | xargs rm'],
  ['allow', 'xargs rm -rf <<< "$PWD/build"'],
  ['allow', 'rm -rf $(ls -A build)'],
  ['allow', 'ls -A build | xargs rm -rf'],
  ['allow', 'find build | xargs rm -rf'],
  ['allow', "find . -name '*.pyc' | xargs rm"],
  ['allow', 'find . -type d -empty | xargs rmdir'],
  ['allow', 'ls -A | wc -l'],
  ['allow', 'ls -A | xargs echo'],
  ['allow', 'wc -l $(find . -maxdepth 1)'],
  ['allow', 'ls *.log | xargs rm'],
  // In a text that the line has the shell read, and by the name of who calls.
  ['ask', 'x=rm; $x -rf ..'],
  ['ask', "x='rm -rf ..'; $x"],
  ['ask', 'a=r b=m; $a$b -rf ..'],
  ['ask', 'x=\'cd ..; rm -rf repo\'; eval "$x"'],
  ['ask', 'rm -rf ~me/dev/repo'],
  ['ask', 'bash -c "rm -rf $PWD"'],
  ['ask', 'sudo sh -c "cd $PWD/..; rm -rf repo"'],
  ['allow', 'bash -c "rm -rf $PWD/build"'],
  ['allow', 'bash -lc "cd $PWD && make"'],
  ['allow', "x='rm -rf build'; $x"],
  ['allow', 'cmd="npm test"; $cmd'],
  ['allow', 'x=\'cd src; rm -rf repo\'; eval "$x"'],
  ['allow', 'rm -rf ~me/dev/repo/build'],
  ['allow', 'rm -rf ~you/dev/repo'],
  // Behind a `cd`.
  ['ask', 'cd ..; rm -rf "$PWD"'],
  ['ask', 'cd src; rm -rf "$(dirname "$PWD")"'],
  ['ask', 'cd src; rm -rf "$OLDPWD"'],
  ['ask', 'cd src && rm -rf ~-'],
  ['ask', 'cd .. && rm -rf "$(basename "$OLDPWD")"'],
  ['allow', 'cd src; rm -rf "$(dirname "$PWD")/build"'],
  ['allow', 'cd src; rm -rf "$OLDPWD/build"'],
  ['allow', 'cd "$(mktemp -d)" && touch a && rm -rf "${PWD:?}"'],
  // In a folder that is entered by way of another one.
  ['deny', 'cd "$(dirname "$PWD")" && rm -rf *'],
  ['deny', 'cd -- "$(dirname "$PWD")"; rm -rf *'],
  ['deny', 'pushd `dirname $PWD` && rm -rf *'],
  ['deny', '(cd "${PWD%/*}" && rm -rf -- *)'],
  ['deny', 'cd "$OLDPWD" && rm -rf *'],
  ['deny', 'd=$(dirname "$PWD"); cd "$d" && rm -rf *'],
  ['deny', 'cd "$(git rev-parse --git-dir)" && touch hooks/pre-commit'],
  ['deny', "bash -c 'cd ..; rm -rf *'"],
  ['deny', 'cd "$dir" && rm -rf *'],
  ['ask', 'cd "$(dirname "$PWD")"; rm -rf repo'],
  ['ask', 'cd "$(dirname "$0")" && rm -rf ..'],
  ['ask', 'cd "${PWD%/*}" && find . -delete'],
  ['ask', 'cd src && cd tests && cd "$OLDPWD" && rm -rf ..'],
  ['ask', "bash -c 'cd ..; rm -rf repo'"],
  ['ask', 'cd; rm -rf dev/repo'],
  ['ask', 'builtin cd ..; rm -rf repo'],
  ['ask', 'command cd ..; rm -rf repo'],
  ['ask', 'cd src/../..; rm -rf repo'],
  ['ask', 'cd src/../.. && rm -rf repo'],
  ['allow', 'builtin cd src; rm -rf build'],
  ['allow', 'cd src/../build; rm -rf repo'],
  ['allow', 'cd "$(dirname "$PWD")" && ls'],
  ['allow', 'cd "$(dirname "$PWD")" && rm -rf other'],
  ['allow', '(cd "${PWD%/*}/other" && rm -rf build)'],
  ['allow', 'cd "$OLDPWD" && rm -rf build'],
  ['allow', 'cd "$(dirname "$0")/.." && rm -rf other/build'],
  ['allow', 'cd src; cd tests; cd "$OLDPWD" && rm -rf ../build'],
  ['allow', 'cd "$(git rev-parse --git-dir)" && cat HEAD'],
  ['allow', "bash -c 'cd src; rm -rf build'"],
  ['allow', 'cd "$dir" && rm -rf build'],
  ['allow', 'cd "$(mktemp -d)" && rm -rf *'],
  ['allow', 'd=$(mktemp -d); cd "$d" && rm -rf *'],
  // What a folder lies in that nobody knows.
  ['ask', 'cd "$X" && rm -rf ..'],
  ['ask', 'cd "$X"; rm -rf ../*'],
  ['ask', 'cd "$X" && find ../.. -delete'],
  ['allow', 'cd "$X" && rm -rf build'],
  ['allow', 'cd "$X" && rm -rf ../build'],
  ['allow', 'cd "$X" && cp a ..'],
  ['allow', 'cd "$X" && ls ..'],
  // The repository's own folder.
  ['deny', 'rm -rf $(git rev-parse --git-dir)'],
  ['deny', 'cp x "$(git rev-parse --git-dir)/hooks/pre-commit"'],
  ['deny', 'echo x > "$(git rev-parse --git-common-dir)/config"'],
  ['deny', 'echo x >> "$(git rev-parse --git-path hooks)/pre-commit"'],
  ['allow', 'cat "$(git rev-parse --git-dir)/HEAD"'],
  ['allow', 'cp x "$(git rev-parse --show-toplevel)/hooks/pre-commit"'],
  // Through a pipe, a container and a program without a grammar.
  ['ask', 'pwd | xargs rm -rf'],
  ['ask', 'dirname "$PWD" | xargs rm -rf'],
  ['ask', 'git rev-parse --show-toplevel | xargs rm -rf'],
  ['ask', 'echo "$PWD" | xargs -I{} rm -rf {}/..'],
  ['ask', 'docker run -v "$PWD:/w" alpine rm -rf /w'],
  ['ask', 'docker run -v "$(dirname "$PWD"):/w" alpine rm -rf /w/repo'],
  ['ask', 'docker run --mount type=bind,src=..,dst=/w alpine rm -rf /w'],
  ['deny', 'docker run -v "$PWD:/w" alpine rm -rf /w/.git'],
  ['ask', 'npx rimraf ..'],
  ['ask', 'npx rimraf "$(dirname "$PWD")"'],
  ['ask', 'trash "$PWD"'],
  ['ask', 'shx rm -rf ..'],
  ['ask', 'npx shx rm -rf .'],
  ['allow', 'npx shx rm -rf dist'],
  ['allow', 'mytool rm ..'],
  ['allow', 'pwd | xargs ls'],
  ['allow', 'pwd | xargs -I{} rm -rf {}/build'],
  ['allow', 'echo "$PWD/build" | xargs rm -rf'],
  ['allow', 'docker run -v "$PWD:/w" alpine rm -rf /w/build'],
  ['allow', 'docker run -v "$PWD:/w" -w /w node:20 npm test'],
  ['allow', 'docker run -v "$PWD:/w" linter /w/a.txt'],
  ['allow', 'npx rimraf dist "$OUT"'],
  ['allow', 'trash "$PWD/build"'],
  // Emptied by what is copied over it.
  ['ask', 'rsync -a --delete /tmp/empty/ ./'],
  ['ask', 'rsync -a --delete /tmp/empty/ ..'],
  ['ask', 'rsync -a --delete-after x/ "$(dirname "$PWD")/"'],
  ['allow', 'rsync -a --delete dist/ docs/'],
  ['allow', 'rsync -a --delete dist/ host:/srv/www/'],
  ['allow', 'rsync -a --delete dist/ "$PWD/out/"'],
  // By the folder of the line itself, which a runner gives to a shell: it has none.
  ['ask', 'rm -rf "$(dirname "$0")"'],
  ['ask', 'rm -rf $(cd "$(dirname "$0")/.." && pwd)'],
  ['ask', 'rm -rf "$(dirname "${BASH_SOURCE[0]}")/.."'],
  ['ask', 'rm -rf "$(cd -P "$(dirname "${BASH_SOURCE[0]:-$0}")" >/dev/null 2>&1 && pwd)"'],
  ['ask', 'here="$(cd "$(dirname "$0")" && pwd)"; rm -rf "$here"'],
  ['allow', 'rm -rf "$(dirname "$0")/build"'],
  ['allow', 'rm -rf "$(cd "$(dirname "$0")" && pwd)/../other"'],
  ['allow', 'here="$(cd "$(dirname "$0")" && pwd)"; rm -rf "$here/build"'],
  ['allow', 'cd "$(dirname "$0")" && ls -la'],
  ['allow', 'echo "usage: $0 FILE"'],
];

for (const [expected, line] of rows)
  test(`${expected}: ${line}`, () => assert.is(decideIn(TOTAL, 'Bash', line, { cwd: REPO }).decision, expected));

test('what find runs on the files that it finds reads none of them by deleting them', () => {
  const world: World = { ...TOTAL, secrets: [`${REPO}/.env`] };
  const answer = (line: string) => decideIn(world, 'Bash', line, { cwd: REPO }).decision;
  for (const line of ['find . -type d -name __pycache__ -exec rm -rf {} +', 'find . -type d -name dist -prune -exec rm -rf {} +'])
    assert.is(answer(line), 'allow', line);
  for (const line of [
    'find . -type f -exec cat {} +',
    'find . -type f -exec sed -n p {} +',
    'find . -type f -exec cp {} /tmp/x \\;',
    'find . -type f -exec sh -c "$X" {} \\;',
  ])
    assert.is(answer(line), 'ask', line);
});

test('what a pattern stands for in the whole project is all of it, whatever that is now', () => {
  const facts = {
    project: REPO,
    globs: { [`${REPO}/*`]: [`${REPO}/src`], [`${REPO}/./*`]: [], [`${REPO}/build/*`]: [`${REPO}/build/a`] },
  };
  const answer = (line: string) => decideIn({ ...TOTAL, facts }, 'Bash', line, { cwd: REPO }).decision;
  for (const line of ['rm -rf *', 'rm -rf ./*', 'ls | xargs rm -rf']) assert.is(answer(line), 'ask', line);
  for (const line of ['rm -rf build/*', 'rm *', 'mv * build', 'ls *']) assert.is(answer(line), 'allow', line);
});

test('it is no permission: without a total rule such a folder is asked about, wherever it leads', () => {
  const narrow: World = { allow: ['Bash(rm -rf *)', 'Bash(cat *)', 'Bash(dirname *)', 'Bash(pwd)'], facts: { project: REPO } };
  for (const line of ['rm -rf "$(dirname "$PWD")/repo/build"', 'cat `pwd`/a.txt', 'cd "$(dirname "$PWD")/repo" && rm -rf build'])
    assert.is(decideIn(narrow, 'Bash', line, { cwd: REPO }).decision, 'ask');
});

test("a folder's own name may hold whatever a shell would read", () => {
  for (const project of ['/home/me/my dev/$(x) repo', "/home/me/it's {a,b}/`repo`"]) {
    const world: World = { allow: ['Bash(*)'], facts: { project } };
    const answer = (line: string) => decideIn(world, 'Bash', line, { cwd: project }).decision;
    assert.is(answer('rm -rf "$(dirname "$PWD")"'), 'ask', project);
    assert.is(answer('rm -rf "${PWD%/*}/other"'), 'allow', project);
  }
});

test('in a directory that nobody knows nothing is said of what lies around it', () => {
  assert.is(decideIn(TOTAL, 'Bash', 'cd "$X"; rm -rf "$(dirname "$PWD")"', { cwd: REPO }).decision, 'allow');
});

test.run();
