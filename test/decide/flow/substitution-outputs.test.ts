// Words of which nobody knows the text, but where it comes from: numbers, folders, names of commits, pipes, parts of known values. What
// passes under preset safe, and its nearest neighbours that must not.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = { preset: 'safe' };

/** Allowed in every shell. */
const EVERYWHERE: readonly string[] = [
  // arithmetic
  'echo $((3 + 4))',
  'echo "$((2 * (3 + 4)))"',
  'i=0; i=$((i + 1)); echo $i',
  'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i + 1)); done',
  'n=$(wc -l < a.txt); echo "$n lines, $((n / 2)) pages"',
  'n=$(git log --oneline | wc -l); if [ $n -gt 3 ]; then echo many; fi',
  's=$(date +%s); ls; e=$(date +%s); echo "$((e - s))s"',
  'for i in 1 2 3; do echo $((i * 10)); done',
  'for i in $(seq 1 3); do echo "$((i * 2))"; done',
  'head -n $((2 + 3)) a.txt',
  'a=1; b=2; echo $((a < b && b != 3 ? a : b))',
  'echo $(($? + 1))',
  'ls || exit $?',
  'git status; exit $?',
  // the value of a variable, changed
  'for f in a.ts b.ts; do echo "${f%.ts}"; done',
  'for f in src/a.ts; do cat "${f%.ts}.js"; done',
  'for f in src/a.ts; do echo "${f##*/} in ${f%/*}"; done',
  'for f in src/*.ts; do echo "${f#src/}: ${#f}"; done',
  'x=$(git rev-parse HEAD); echo "${x:0:7}"',
  'x=$(ls); echo "${x:-none}" "${x:+some}"',
  // what a pattern stands for, in a longer word
  'for f in src/*.ts; do echo "== $f"; done',
  'for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done',
  'for d in packages/*/; do cat "$d/package.json"; done',
  'for d in packages/*; do ls "$d/src"; done',
  'for f in src/*.ts; do head -3 < "$f"; done',
  // substitutions without quotes, for a command that takes any texts
  'echo $(git branch --show-current)',
  'echo -- $(ls)',
  "printf '%s\\n' $(git diff --name-only)",
  // several words of a variable
  'grep -rn x --include={a,b}.ts src',
  // folders
  'cat "$PWD/src/a.ts"',
  'cat $PWD/src/a.ts',
  'cat "$(pwd)/src/a.ts"',
  'cat "$(git rev-parse --show-toplevel)/package.json"',
  'ls $(git rev-parse --show-toplevel)',
  'cd "$(git rev-parse --show-toplevel)" && ls',
  'cd "$(git rev-parse --show-toplevel)/src" && cat a.ts',
  'cd $(git rev-parse --show-toplevel) && git status',
  'root=$(git rev-parse --show-toplevel); cat "$root/package.json"',
  'd="$PWD"; cd src && cat "$d/package.json"',
  'cd src && cat "$PWD/a.ts"',
  'git log --oneline -- "$PWD/src"',
  'grep -rn x --include="*.ts" "$(pwd)/src"',
  // names of commits
  'git log --oneline $(git merge-base HEAD main)..HEAD',
  'git diff $(git merge-base main HEAD) --stat',
  'git diff "$(git merge-base main HEAD)" -- src',
  'base=$(git merge-base main HEAD); git diff $base --stat',
  'base=$(git merge-base main HEAD 2>/dev/null); git log "$base..HEAD"',
  'for c in $(git log --format=%h -3); do git show --stat $c; done',
  'for c in $(git rev-list --max-count=3 HEAD); do git log -1 "$c"; done',
  'git show $(git rev-parse HEAD)',
  'git show "$(git rev-parse --verify main)"',
  'git show $(git rev-parse HEAD):src/a.ts',
  'git diff $(git log --format=%H | tail -1)..HEAD~1',
  'echo "on $(git rev-parse --short HEAD)"',
  // what an environment tells everybody
  'echo $NODE_ENV "$CI" $GOPATH',
  // compound commands in substitutions
  'x=$(for f in a b; do echo $f; done); echo "$x"',
  'echo "$(if git status; then cat a.txt; fi)"',
  'echo "$(cat a.txt | while read -r l; do echo "$l"; done)"',
  // what echo prints
  'echo "--- a"',
  'for f in a b; do echo "--- $f"; done',
];

/** Allowed where bash or zsh runs the line; what dash makes of them is another thing. */
const BASH_AND_ZSH: readonly string[] = [
  'diff <(sort a.txt) <(sort b.txt)',
  'diff <(git show HEAD:a.ts) a.ts | head -5',
  'comm -13 <(git ls-files | sort) <(find . -type f | sort)',
  'while read -r l; do echo "$l"; done < <(git ls-files)',
  'wc -l < <(ls)',
  'grep -f <(cat a.txt) b.txt',
];

const COUNTING: readonly string[] = [
  'i=0; ((i++)); echo $i',
  'i=0; while ((i < 3)); do echo $i; ((i += 1)); done',
  'n=0; for f in src/*.ts; do ((n++)); done; echo $n',
  'for ((i = 0; i < 3; i++)); do echo $i; done',
  'for ((i=0;i<3;i++)); do git status; done',
  'i=3; if (( i > 2 )); then ls; fi',
  'for i in {1..3}; do echo $((i % 2)); done',
];

/** zsh does not split a variable. */
const NOT_ZSH: readonly string[] = [
  'files="src/a.ts src/b.ts"; wc -l $files',
  'files="src/a.ts src/b.ts"; for f in $files; do echo $f; done',
];

function holds(line: string, shells: readonly ('bash' | 'sh' | 'zsh' | 'bash-or-zsh' | 'union')[]): void {
  for (const shell of shells)
    test(`${shell} may run ${JSON.stringify(line)}`, () => {
      const { decision, reasons } = decideIn(SAFE, 'Bash', line, { shell });
      assert.is(decision, 'allow', JSON.stringify(reasons));
    });
}

for (const line of EVERYWHERE) holds(line, ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union']);
for (const line of BASH_AND_ZSH) holds(line, ['bash', 'zsh', 'union']);
for (const line of NOT_ZSH) holds(line, ['bash', 'sh', 'union']);
holds('echo "$({ ls; cat a.txt; })"', ['bash']);
for (const line of COUNTING) holds(line, ['bash', 'zsh']);

/** Never allowed, in any shell. */
const REFUSED: readonly string[] = [
  // arithmetic evaluates the text of a variable again
  'echo $((x))',
  'echo $((x + 1))',
  'x=$(ls); echo $((x))',
  'x=$(cat a.txt); i=0; i=$((i + x)); echo $i',
  "x='a[$(P)]'; echo $((x))",
  'x=a.txt; echo $((x))',
  'read -r x; echo $((x))',
  'while read -r x; do echo $((x + 1)); done < a.txt',
  'for x in a b; do echo $((x)); done',
  'for x in $(ls); do echo $((x)); done',
  'i=0; i=$(ls); echo $((i))',
  'i=0; read -r i; echo $((i))',
  'i=0; i+=x; echo $((i))',
  'i=1 ls; echo $((i))',
  'if ls; then i=0; fi; echo $((i))',
  'ls && i=0; echo $((i))',
  '(i=0); echo $((i))',
  'i=0; declare -n i=x; echo $((i))',
  "i=0; declare i='a[$(P)]'; echo $((i))",
  'i=0; eval y; echo $((i))',
  'i=0; . ./x; echo $((i))',
  'i=0; printf -v i x; echo $((i))',
  'i=0; export i; mapfile i; echo $((i))',
  'i=0; f() { i=x; }; f; echo $((i))',
  "trap 'i=x' DEBUG; i=0; echo $((i))",
  'i=0; : ${i:=x}; echo $((y))',
  'echo $((PATH))',
  'echo $((RANDOM))',
  'echo $((a[0]))',
  'i=0; echo $((a[i]))',
  'echo $((1 + $(ls)))',
  'echo $((1 + `ls`))',
  'echo $((${x}))',
  'echo $((${x:-1}))',
  'echo $((16#ff))',
  'echo $[1 + 1]',
  'echo $((PATH = 1))',
  'i=0; echo $((i = PATH))',
  '((PATH = 1)); ls',
  '((PATH++)); ls',
  '((IFS = 1)); echo $(ls)',
  '((n = 1, PATH = n)); ls',
  'for ((PATH = 0; 1 < 2; PATH = 1)); do ls; done',
  'for ((i = PATH; i < 2; i++)); do ls; done',
  'for ((i = 0; i < x; i++)); do ls; done',
  'for ((i = 0; a[i] < 2; i++)); do ls; done',
  "echo $(('a'))",
  'echo $((1)) $((x))',
  'cat $((1 + 1))',
  'rm $((1 + 1))',
  'ls && exit $x',
  'exit $(cat a.txt)',
  'exit $((x))',
  // the value of a variable, changed
  'echo "${TOKEN:0:4}"',
  'echo "${TOKEN%x}"',
  'echo ${TOKEN:-x}',
  'echo ${#TOKEN}',
  'x=$(ls); cat "${x%.ts}"',
  'x=$(ls); cat ${x:-a.txt}',
  'x=a; cat "${x:-$(P)}"',
  'x=a; cat ${x%$(P)}',
  'x=a; cat ${x/a/$(P)}',
  'x=a; echo ${x:$(P):1}',
  'x=a; echo ${x:y}',
  'x=a; echo ${!x}',
  'x=a; echo ${x@P}',
  'x=a; echo "${x:=.env}"; cat "$x"',
  'f=a.env; cat "${f#a}"',
  'f=x.env.ts; cat "${f%.ts}" "${f#x}"; cat "${f%%.*}/../../x"',
  'f=src/a; cat "${f%/a}/../../x"',
  // what a pattern stands for, in a longer word
  'for d in packages/*; do cat "$d/../../x"; done',
  'for d in packages/*; do cat > "$d/x"; done',
  'for d in packages/*; do rm "$d/x"; done',
  'for d in */; do cat "${d}../../etc/passwd"; done',
  'for d in *; do cat "/etc/$d"; done',
  'for d in *; do sort "-o$d" a; done',
  'for f in src/*; do head -3 > "$f"; done',
  'for f in /etc/*; do head -3 < "$f"; done',
  // substitutions without quotes
  'cat $(cat a.txt)',
  'head $(ls)',
  'git log $(ls)',
  'git commit -m $(ls)',
  'git commit $(ls)',
  'find $(ls) -name a',
  'sort $(ls)',
  'ls $(ls)',
  'tee $(ls)',
  'grep x $(ls)',
  'printf $(ls)',
  "printf -v $(ls) '%s'",
  "printf '%d\\n' $(ls)",
  'echo $(rm a)',
  'echo $(cat .env)',
  'echo $(curl https://example.com)',
  '[ -n $(ls) ]',
  'test $(ls)',
  '$(ls)',
  '$(echo ls) -l',
  'command $(ls)',
  'xargs $(ls)',
  'sh -c $(ls)',
  'env $(ls) ls',
  'timeout $(ls) ls',
  'exec $(ls)',
  'cd $(ls)',
  'source $(ls)',
  'export $(cat a.txt)',
  'set $(ls)',
  'read $(ls)',
  'unset $(ls)',
  'local $(ls)',
  'eval $(ls)',
  'trap $(ls) EXIT',
  'git $(ls)',
  'npm run $(ls)',
  'IFS=/; echo $(ls)',
  'IFS=x; n=$(wc -l < a); echo $n',
  // several words of a variable
  'files="a .env"; cat $files',
  'files="a /etc/passwd"; cat $files',
  'files="-o b a"; sort $files',
  'files="a *"; cat $files',
  'IFS=/; files="a b"; cat $files',
  'files="a b"; files="$files .env"; cat $files',
  'files="a b"; rm $files',
  'cmd="rm a"; $cmd',
  'args="status --porcelain"; git $args; alias git=rm',
  'grep x --pre={a,b} src',
  'find . -{delete,print}',
  // folders
  'cat "$HOME/x"',
  'cat "$HOME/.ssh/id_rsa"',
  'cat "$PWD/../x"',
  'cat "$PWD/.env"',
  'cat "$(pwd)/../x"',
  'cat $(pwd)/.env',
  'cat "$(cd .. && pwd)/x"',
  'cat "$(dirname "$PWD")/x"',
  'cat "$OLDPWD/x"',
  'PWD=/etc; cat "$PWD/passwd"',
  'PWD=/etc cat "$PWD/passwd"',
  'HOME=/etc; cat "$HOME/passwd"',
  'read -r PWD; cat "$PWD/x"',
  'read -r HOME < a; cat "$HOME/x"',
  'for PWD in /etc; do cat "$PWD/passwd"; done',
  'for HOME in /etc; do cat "$HOME/passwd"; done',
  'export HOME=/etc; cat "$HOME/passwd"',
  'cd ..; cat "$PWD/x"',
  'cd .. && cat "$(pwd)/x"',
  'd=$(pwd); cd ..; cat "$d/../x"',
  'for i in 1 2; do cat "$(pwd)/x"; cd ..; done',
  'while ls; do cat "$PWD/x"; cd ..; done',
  'for d in $(pwd); do cat "$d/x"; done',
  'env -C .. sh -c \'cat "$PWD/x"\'',
  'env -C src -C .. cat x',
  'rm -rf "$PWD"',
  'rm -rf "$(git rev-parse --show-toplevel)"',
  'rm -rf "$HOME"',
  'cat a > "$PWD/.git/config"',
  'cp a "$(git rev-parse --show-toplevel)/.git/config"',
  'cd "$HOME" && cat x',
  'cd "$PWD/.." && cat x',
  'cd "$(git rev-parse --show-toplevel)/.." && cat x',
  'cd "$(git rev-parse --show-toplevel)/src/../.." && cat x',
  'cd $(cat a.txt) && cat x',
  'cd "$(git rev-parse --show-toplevel; echo x)" && cat y',
  'cd "$(git -C .. rev-parse --show-toplevel)" && cat x',
  'cat "$(git rev-parse --show-toplevel 2>&1)/x"',
  'cat "$(git rev-parse --git-dir)/config"',
  'cat "$(git rev-parse --show-superproject-working-tree)/x"',
  'GIT_WORK_TREE=/etc; cat "$(git rev-parse --show-toplevel)/passwd"',
  'cat "$(GIT_WORK_TREE=/etc git rev-parse --show-toplevel)/passwd"',
  'git() { echo /etc; }; cat "$(git rev-parse --show-toplevel)/passwd"',
  'pwd() { echo /etc; }; cat "$(pwd)/passwd"',
  'alias pwd="echo /etc"; cat "$(pwd)/passwd"',
  // names of commits
  'git log $(git branch --show-current)',
  'git log $(git describe --tags --abbrev=0)..HEAD',
  'git log $(git rev-parse --abbrev-ref HEAD)',
  'git log $(git rev-parse main)',
  'git log $(git rev-parse x --output=y)',
  'git log $(git log --format=%s -1)',
  'git log $(git log --format=%h%s -1)',
  'git log $(git log --oneline -1)',
  'git log $(git log -p --format=%h)',
  'git log $(git log --format=%h --name-only)',
  'git log $(git rev-list --objects HEAD)',
  'git log $(git merge-base main HEAD; echo --output=x)',
  'git log $(echo --output=x)',
  'git log $(cat a.txt)',
  // with nothing printed, what stands behind it is an option
  'git log $(git merge-base main HEAD)--output=x',
  'git log "$(git rev-parse -q --verify x)"--output=x',
  'git diff $(git merge-base main HEAD)-O/etc/passwd',
  'git log $(git log --format=%h | sed s/^/--output=/)',
  'git log $(git log --format=%h | head -1 a.txt)',
  'git log $(git merge-base main HEAD 2>&1)',
  'git show $(git rev-parse HEAD):.env',
  'git show "$(git rev-parse HEAD):secrets/id_rsa"',
  'git log --output=$(git rev-parse HEAD)',
  'git log -$(git rev-parse HEAD)',
  'git diff $(git rev-parse HEAD)/../../x',
  'git push origin $(git rev-parse HEAD):main',
  'git reset --hard $(git merge-base main HEAD)',
  'git checkout $(git merge-base main HEAD)',
  'cat $(git rev-parse HEAD)',
  'rm $(git rev-parse HEAD)',
  'x=$(git rev-parse HEAD); x=--output=y; git log "$x"',
  'read -r x; git log "$x"',
  // pipes
  'diff <(sort a) <(rm b)',
  'diff <(sort a) <(cat .env)',
  'diff <(sort a) <(cat /etc/passwd)',
  'bash <(echo ls)',
  'sh <(echo ls)',
  'source <(echo ls)',
  '. <(echo ls)',
  'cat a > >(sh)',
  'tee >(sh) < a',
  'cat <(ls)b',
  'cat a<(ls)',
  'cat --x=<(ls)',
  'cat <(true)#x; P',
  'rm <(ls)',
  'node <(echo 1)',
  'python3 <(echo 1)',
  'awk -f <(cat a)',
  'sed -f <(cat a) b',
  'find -files0-from <(printf a)',
  'wc --files0-from <(printf /etc/passwd)',
  'sort --files0-from <(printf /etc/passwd)',
  'xargs -a <(ls) rm',
  'echo x > <(ls)',
  'while read -r l; do rm "$l"; done < <(ls)',
  'while read -r l; do cat "$l"; done < <(cat a)',
  'while read -r l; do ls; done < <(rm a)',
  'x=<(ls); cat "$x"',
  'for f in <(ls); do cat $f; done',
  '$(cat <(echo ls))',
  'cat <(ls &)',
  'cat <(cat <<E\nx\nE\nrm a; ls)',
  // compound commands in substitutions
  'echo "$(for f in a b; do rm $f; done)"',
  'echo "$(if rm a; then ls; fi)"',
  'echo "$({ rm a; })"',
  'echo "$(while read -r l; do cat "$l"; done < a)"',
  'echo "$(case a in a) ls;; esac)"',
  'echo "$( (ls) )"',
  'echo "$(f() { ls; }; f)"',
  'echo "$(select x in a; do ls; done)"',
  'echo "$(for x; do ls; done)"',
  'echo "$(for f in a; do cat <<E\nx\nE\nrm a; done)"',
  'echo "$(coproc ls)"',
];

for (const line of REFUSED)
  for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const)
    test(`${shell} may not run ${JSON.stringify(line)} unasked`, () => {
      assert.is.not(decideIn(SAFE, 'Bash', line, { shell }).decision, 'allow');
    });

/** dash takes these for something else, or stops at them. */
for (const line of [...COUNTING, 'i=0; ((P)); echo $i', '((i = 1))'])
  for (const shell of ['sh', 'union'] as const)
    test(`${shell} may not run ${JSON.stringify(line)} unasked`, () => {
      assert.is.not(decideIn(SAFE, 'Bash', line, { shell }).decision, 'allow');
    });

/** Without quotes a folder with a blank in its name is two words. */
const BLANK: World = { preset: 'safe', facts: { home: '/home/a b' } };
for (const [line, allowed] of [
  ['cat "$HOME/.profile"', false],
  ['echo "$HOME/x"', true],
  ['echo $HOME/x', true],
  ['ls $HOME', false],
  ['grep -e "$HOME" a', true],
  ['grep -e $HOME a', false],
] as const)
  test(`with a blank in the home folder: ${line} ${allowed ? 'passes' : 'does not pass'}`, () => {
    assert.is(decideIn(BLANK, 'Bash', line).decision === 'allow', allowed);
  });

test('a place is judged as what it is: a deny rule about the file meets it', () => {
  const world: World = { preset: 'safe', deny: ['Read(src/secret.ts)'] };
  for (const line of ['cat "$PWD/src/secret.ts"', 'cat "$(git rev-parse --show-toplevel)/src/secret.ts"'])
    assert.is(decideIn(world, 'Bash', line).decision, 'deny', line);
});

test('a secret file where a pattern and what stands behind it lead is asked about', () => {
  const world: World = { preset: 'safe', secrets: ['/repo/packages/x/.env'] };
  assert.is(decideIn(world, 'Bash', 'for d in packages/*; do cat "$d/.env"; done').decision, 'ask');
  assert.is(decideIn(world, 'Bash', 'for d in packages/*; do cat "$d/a.ts"; done').decision, 'allow');
});

test('in another repository its top level says nothing', () => {
  const world: World = { preset: 'safe', git: { directories: { '/repo': '/other' } } };
  for (const line of ['cat "$(git rev-parse --show-toplevel)/a"', 'cd "$(git rev-parse --show-toplevel)" && cat a'])
    assert.is.not(decideIn(world, 'Bash', line).decision, 'allow', line);
});

test('outside of any repository there is no top level', () => {
  const world: World = { preset: 'safe', facts: { git: null } };
  for (const line of ['cat "$(git rev-parse --show-toplevel)/a"', 'cd "$(git rev-parse --show-toplevel)" && cat a'])
    assert.is.not(decideIn(world, 'Bash', line).decision, 'allow', line);
});

test.run();
