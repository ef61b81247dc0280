// Expansions under preset safe: texts that are known, or harmless where the command takes them for a text, need no question; every
// neighbour whose value names a file, a command, an option or a secret does.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const SAFE: World = { preset: 'safe' };

/** Allowed in every shell. */
const ALLOWED: readonly string[] = [
  'ls | wc -l; echo ${PIPESTATUS[0]}',
  'ls | wc -l; echo "exit ${PIPESTATUS[0]} ${PIPESTATUS[1]}"',
  'ls | cat; echo "${PIPESTATUS[@]}"; exit ${PIPESTATUS[0]}',
  'x=$(ls); [[ "$x" == a ]] && ls',
  'git commit -m "$(cat <<\'EOF\'\nmsg\nEOF\n)"',
  'for f in a b; do echo "$f"; wc -l "$f"; done',
  'for f in src/*.ts; do head -5 "$f"; done',
  'for c in node npm; do command -v $c || echo "$c missing"; done',
  'for c in node npm; do command -V "$c"; done',
  'MB=$(git merge-base HEAD main) && git diff --name-only $MB HEAD',
  'echo "exit: $?"',
  'ls; echo $?',
  'x=$(git rev-parse HEAD); echo "$x"',
  'while read -r l; do echo "$l"; done < a.txt',
  'cat {a,b}.ts',
  'grep x <<< "abc"',
  "cat <<'EOF'\nhello\nEOF",
  "cat <<'EOF' > notes.md\nhi\nEOF",
  'for f in *; do cat "$f"; done',
  'for f in *; do head "$f"; done',
  'for f in a b; do cat x > "$f"; done',
  'for f in $(ls); do echo $f; done',
  'x=$(ls); grep -e "$x" a',
  'x=$(ls); grep -- "$x" a',
  'x=$(ls); git commit -m "$x"',
  'x=$(ls); git commit --message="$x"',
  'x=$(ls); timeout 5 echo "$x"',
  'x=$(ls); printf \'%s\\n\' "$x"',
  'x=$(ls); [ "$x" = a ] && ls',
  "git commit -m \"$(cat <<'EOF'\ndon't\nEOF\n)\"",
  "git commit -m \"$(cat <<'EOF'\nfeat(x): don't (ok)\nEOF\n)\" && git push",
  'ls {a,.env}',
  'cat {1..3}.txt',
  'echo {a,b}',
  'cat {.git/config,x}',
  'cat {-,a}',
  'while IFS= read -r l; do echo "$l"; done < a',
  'cat a | while read -r l; do echo "$l"; done',
  'jq --arg v "$(git rev-parse HEAD)" \'.x\' a.json',
  'gh pr create --title "$(git log -1 --format=%s)" --body "$(cat <<\'EOF\'\nb\nEOF\n)"',
  'echo "$(date): ok"',
  'echo "$PWD" $USER $$ $#',
  'echo "$HOME/x"',
  'x=5; [ "$x" -gt 3 ] && echo y',
  '[ $? -eq 0 ] && ls',
  'if [ $? -ne 0 ]; then echo "failed: $?"; fi',
  'for i in 1 2 3; do echo "$i"; sleep 1; done',
  'for i in {1..5}; do git status; done',
  'for d in src test; do (cd "$d" && ls); done',
  'for f in a b; do echo "== $f"; sed -n 1,5p "$f"; done',
  'f=src/a.ts; cat "$f"; wc -l "$f"',
  'f=src/a.ts && cat "$f" && head -3 $f',
  'echo "branch: $(git branch --show-current)"',
  'for f in $(git ls-files); do echo $f; done',
  'x=$(ls | wc -l); echo "n=$x"',
  'BRANCH=$(git branch --show-current); echo "$BRANCH"',
  'x=3; head -$x a',
  'x=3; head "-$x" a',
  'git log --format=%H -5 | while read h; do git show --stat "$h" | head -3; done',
  'git log --format=%h -5 | head -2 | while read -r h; do git show --stat $h; done',
  'git log --oneline origin/$(git branch --show-current)..HEAD',
  'git log HEAD.."origin/$(git rev-parse --abbrev-ref HEAD)"',
  'b=$(git branch --show-current); git log --oneline main..$b',
  'b=$(git symbolic-ref --short HEAD); git diff --stat "main...$b"',
];

/** Line, and one of the reasons. */
const NOT_ALLOWED: readonly (readonly [line: string, code: string])[] = [
  ['for f in a b; do if ls; then f=.env; fi; cat "$f"; done', 'secret/unknown'],
  ['for f in a b; do ls && f=.env; cat "$f"; done', 'secret/unknown'],
  ['for f in a b; do (f=.env; cat "$f"); done', 'secret/unknown'],
  ['for f in a b; do ls | read -r f; cat "$f"; done', 'secret/unknown'],
  ['TOKEN=a; cat "$TOKEN"', 'shell/parameter-expansion'],
  ['npm_config_x=a; cat "$npm_config_x"', 'shell/parameter-expansion'],
  ['for f in src/*.ts; do cat "../$f"; done', 'secret/unknown'],
  ['for f in src/*.ts; do cat "$f/../../x"; done', 'secret/unknown'],
  ['for f in src/*.ts; do cat a > "$f"; done', 'shell/parameter-expansion'],
  ['x=ls; $x', 'shell/dynamic-command'],
  ['x=git; "$x" status', 'shell/dynamic-command'],
  ['x=s; l$x', 'shell/dynamic-command'],
  ['x=$(ls); head -n "$x" a', 'word/dynamic'],
  ['x=$(ls); sleep "$x"', 'word/dynamic'],
  ['x=$(ls); sed -n "$x" a', 'word/may-become-option'],
  ['x=$(ls); nice -n "$x" ls', 'shell/parameter-expansion'],
  ['x=$(ls); timeout -k "$x" 5 ls', 'shell/parameter-expansion'],
  ['x=$(ls); ls | xargs -n "$x" echo', 'shell/parameter-expansion'],
  ['x=$(ls); stdbuf --output="$x" ls', 'shell/parameter-expansion'],
  ['x=$(ls); env a="$x" ls', 'shell/parameter-expansion'],
  // bash 3.2 goes on to the parenthesis in the last quotes, and runs P.
  ["git commit -m \"$(cat <<'EOF'\ndon't\nEOF\n)\"; echo '\n) \" ; P ; echo \"'", 'shell/command-substitution'],
  ['git commit -m "$(cat <<\'EOF\'\n1) a\nEOF\n)"', 'shell/command-substitution'],
  ["git commit -m \"$(cat <<'EOF'\n'(' )\nEOF\n)\"", 'shell/command-substitution'],
  ['git commit -m "$(cat <<\'EOF\'\n\\\\( )\nEOF\n)"', 'shell/command-substitution'],
  ['x=$(cat .env); echo "$x" ', 'secret/path'],
  ['x=$(rm a); echo "$x" ', 'default/ask'],
  ['echo "$(rm a)" ', 'default/ask'],
  ['echo "$(cat .env)" ', 'secret/path'],
  ['echo $SECRET ', 'shell/parameter-expansion'],
  ['echo "$TOKEN" ', 'shell/parameter-expansion'],
  ['echo "${TOKEN}" ', 'shell/parameter-expansion'],
  ['echo "$x" ', 'shell/parameter-expansion'],
  ['echo "$x"; x=1 ', 'shell/parameter-expansion'],
  ['false && x=1; echo "$x" ', 'shell/parameter-expansion'],
  ['true || x=1; echo "$x" ', 'shell/parameter-expansion'],
  ['if ls; then x=1; fi; echo "$x" ', 'shell/parameter-expansion'],
  ['(x=1); echo "$x" ', 'shell/parameter-expansion'],
  ['x=1 | cat; echo "$x" ', 'shell/parameter-expansion'],
  ['x=1 ls; echo "$x" ', 'assignment/unlisted'],
  ['x=a; eval y; cat "$x" ', 'secret/unknown'],
  ['x=a; read x; cat "$x" ', 'secret/unknown'],
  ['x=a; unset x; echo "$x" ', 'shell/parameter-expansion'],
  ['x=a; . ./f; echo "$x" ', 'shell/dynamic-script'],
  ['x=a; x+=b; cat "$x" ', 'secret/unknown'],
  ['for f in a b; do f=.env; cat "$f"; done ', 'secret/unknown'],
  ['for f in a b; do read -r f; cat "$f"; done ', 'secret/unknown'],
  ['for f in a .env; do cat "$f"; done ', 'secret/path'],
  ['for f in a ../b; do cat "$f"; done ', 'path/outside-project'],
  ['for f in -delete .; do find "$f"; done ', 'path/replaced'],
  ['for f in a b; do rm "$f"; done ', 'path/replaced'],
  ['for f in *; do rm -- "$f"; done ', 'protected/path'],
  ['for f in a b; do $f; done ', 'shell/parameter-expansion'],
  ['for f in rm ls; do "$f" a; done ', 'shell/parameter-expansion'],
  ['for PATH in a; do ls; done ', 'shell/compound-command'],
  ['for path in a; do ls; done ', 'shell/compound-command'],
  ['for IFS in a; do ls; done ', 'shell/compound-command'],
  ['for f in "a .env"; do cat $f; done ', 'secret/path'],
  ['for f in "*"; do cat $f; done ', 'secret/unknown'],
  ['for f in a; do command -p read f; cat "$f"; done ', 'secret/unknown'],
  ['for f in a; do command -v x; builtin read f; cat "$f"; done ', 'secret/unknown'],
  ['for c in node; do command $c --version; done ', 'shell/dynamic-command'],
  ['PREV=$(cat a); git show $PREV ', 'secret/unknown'],
  ['for f in a b; do cat "$f" > .git/config; done ', 'protected/path'],
  ['for f in config hooks/x; do echo x > ".git/$f"; done ', 'protected/path'],
  ['for f in a; do cat "$f:h"; done ', 'secret/unknown'],
  ['for f in a; do cat "$f[1]"; done ', 'secret/unknown'],
  ['for f in a; do cat ${f:-.env}; done ', 'secret/unknown'],
  ['for f in a; do cat ${!f}; done ', 'secret/unknown'],
  ['for f in $(cat .env); do echo "$f"; done ', 'secret/path'],
  ['for f in $(rm a); do echo "$f"; done ', 'default/ask'],
  ['for f in $(ls); do cat "$f"; done ', 'secret/unknown'],
  ['for f in $(ls); do rm "$f"; done ', 'protected/unknown'],
  ['x=$(git rev-parse main); git log "$x" ', 'secret/unknown'],
  // A branch may be called `--output=x` in a repository that came from elsewhere, or like a file.
  ['git log $(git branch --show-current)', 'secret/unknown'],
  ['b=$(git branch --show-current); git log "$b..HEAD"', 'secret/unknown'],
  ['git log origin/$(git branch --show-current)', 'secret/unknown'],
  ['git show main..$(git branch --show-current):.env', 'secret/path'],
  ['cat main..$(git branch --show-current)', 'secret/unknown'],
  ['git log main..$(git describe --tags)', 'secret/unknown'],
  ['git log main..$(cat x)', 'secret/unknown'],
  ['git log --format=%s -5 | while read h; do git show "$h"; done', 'secret/unknown'],
  ['git log --format=%H -5 | while read h; do cat "$h"; done', 'secret/unknown'],
  ['git log --format=%H -5 |& while read h; do git show "$h"; done', 'secret/unknown'],
  ['(git log --format=%H -5; echo x) | while read h; do git show "$h"; done', 'secret/unknown'],
  ['x=$(git describe --tags); git show $x ', 'secret/unknown'],
  ['x=$(ls); cat "$x" ', 'secret/unknown'],
  ['x=$(ls); $x ', 'shell/parameter-expansion'],
  ['x=$(ls); echo a > "$x" ', 'protected/unknown'],
  ['x=$(ls); find . -name a $x ', 'word/may-become-option'],
  ['x=$(ls); find "$x" -name a ', 'word/may-become-option'],
  ['x=$(ls); grep "$x" a ', 'word/may-become-option'],
  ['x=$(ls); git commit -m $x ', 'word/dynamic'],
  ['x=$(ls); git commit "-m$x" ', 'secret/unknown'],
  ['x=$(ls); git commit "$x" -m a ', 'secret/unknown'],
  ['x=$(ls); git push "$x" ', 'word/may-become-option'],
  ['x=$(ls); git -c "$x" status ', 'git/config'],
  ['x=$(ls); git "$x" ', 'word/may-become-option'],
  ['x=$(ls); env "$x" ls ', 'shell/dynamic-command'],
  ['x=$(ls); timeout "$x" ls ', 'shell/dynamic-word'],
  ['x=$(ls); xargs "$x" < a ', 'shell/dynamic-command'],
  ['x=$(ls); sh -c "$x" ', 'shell/dynamic-word'],
  ['x=$(ls); echo "$x" | sh ', 'shell/dynamic-script'],
  ['x=$(ls); printf "$x" ', 'shell/parameter-expansion'],
  ['x=$(ls); printf \'%d\\n\' "$x" ', 'shell/parameter-expansion'],
  ['x=$(ls); printf \'%n\' "$x" ', 'shell/parameter-expansion'],
  ['x=$(ls); [ -v "$x" ] && ls ', 'shell/parameter-expansion'],
  ['x=$(ls); [ "$x" a ] && ls ', 'shell/parameter-expansion'],
  ['x=$(ls); [ $x = a ] && ls ', 'shell/parameter-expansion'],
  ['x=$(ls); [ "$x" -eq 0 ] && ls ', 'shell/parameter-expansion'],
  ['x=$(ls); [[ "$x" -eq 0 ]] && ls ', 'shell/compound-command'],
  ['x=$(ls); test -n "$x" -a -v y ', 'shell/parameter-expansion'],
  ['x=$(ls); ((x)) ', 'shell/arithmetic'],
  ['x=$(ls); echo $((x)) ', 'shell/arithmetic'],
  ['x=$(ls); export PATH="$x" ', 'assignment/executes'],
  ['PATH=$(ls); ls ', 'assignment/executes'],
  ['GIT_DIR=$(ls); git status ', 'assignment/executes'],
  ['LD_PRELOAD=$(ls) ls ', 'assignment/executes'],
  ['http_proxy=$(ls); ls ', 'assignment/executes'],
  ['x=$(ls) git status ', 'assignment/unlisted'],
  ['exit "$x" ', 'shell/parameter-expansion'],
  ['x=$(ls); exit "$x" ', 'shell/parameter-expansion'],
  ['x=$(ls); cd "$x"; ls ', 'path/uncertain'],
  ['cd $HOME; ls ', 'path/uncertain'],
  ['cat $HOME/x ', 'path/outside-project'],
  ['cat "$HOME/.ssh/id_rsa" ', 'secret/path'],
  ['echo `ls` ', 'shell/command-substitution'],
  ['x=`ls` ', 'shell/command-substitution'],
  ['echo "`rm a`" ', 'shell/command-substitution'],
  ['echo "$(ls; rm a)" ', 'default/ask'],
  ['echo "$(ls &)" ', 'shell/background-job'],
  ['echo "$( (ls) )" ', 'shell/compound-command'],
  ['echo "$(cat <<E\n$(rm a)\nE\n)" ', 'shell/here-doc-expansion'],
  ['echo "$(cat <<\'E\'; rm a\nx\nE\n)" ', 'shell/here-doc-in-substitution'],
  ['git commit -m "$(cat <<\'EOF\'\nx) ; P\nEOF\n)" ', 'shell/command-substitution'],
  ["git commit -m \"$(cat <<'EOF'\ndon't\nEOF\n)\" ; echo '\n; ) \" ; P ; echo '\"'\"' ", 'shell/parse-error'],
  ['cat {a,.env} ', 'secret/path'],
  ['cat .en{v,x} ', 'secret/path'],
  ['cat ../{a,b} ', 'path/outside-project'],
  ['rm {a,b} ', 'default/ask'],
  ['cat {a,$(rm b)} ', 'secret/unknown'],
  ['cat {1..100} ', 'secret/unknown'],
  ['git {status,log} ', 'git/unlisted-subcommand'],
  ['{ls,-la} ', 'shell/brace-expansion'],
  ['tee {a,b} < x ', 'default/ask'],
  ['ls -{l,a} ', 'option/unknown'],
  ['find . -{delete,print} ', 'path/replaced'],
  ['while read -r l; do rm "$l"; done < a ', 'protected/unknown'],
  ['while read -r l; do cat "$l"; done < a ', 'secret/unknown'],
  ['while read -r PATH; do ls; done < a ', 'shell/special-variable'],
  ['while read -r path; do ls; done < a ', 'shell/special-variable'],
  ['while IFS= read -r l; do echo "$l"; done < .env ', 'secret/path'],
  ['cat ${PIPESTATUS[0]} ', 'secret/unknown'],
  ['PIPESTATUS=.env; cat ${PIPESTATUS[0]} ', 'secret/unknown'],
  ['echo ${PIPESTATUS[$(P)]} ', 'shell/parameter-expansion'],
  ['IFS=x; echo "$?" ', 'assignment/executes'],
  ['git tag -m "$(date)" v1 ', 'word/dynamic'],
  ["f='a .env'; cat $f ", 'secret/path'],
  ['f=.env; cat "$f" ', 'secret/path'],
  ['f=rm; $f a ', 'shell/parameter-expansion'],
  ['head -$x a ', 'shell/parameter-expansion'],
];

for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const)
  for (const line of ALLOWED)
    test(`${shell} may run ${JSON.stringify(line)}`, () => {
      const { decision, reasons } = decideIn(SAFE, 'Bash', line, { shell });
      assert.is(decision, 'allow', JSON.stringify(reasons));
    });

for (const [line, code] of NOT_ALLOWED)
  test(`${JSON.stringify(line)} is not allowed: ${code}`, () => {
    const { decision, reasons } = decideIn(SAFE, 'Bash', line, { shell: 'union' });
    assert.is.not(decision, 'allow');
    assert.ok(
      reasons.some((reason) => reason.code === code),
      JSON.stringify(reasons.map((reason) => reason.code)),
    );
  });

/** Ask and deny rules meet every value; where a value is not known they may meet it, which asks. */
const DENIED: readonly (readonly [rule: string, line: string])[] = [
  ['Bash(rm *)', 'for f in a b; do rm "$f"; done'],
  ['Bash(rm b)', 'for f in a b; do rm "$f"; done'],
  ['Bash(cat b)', 'for f in a b; do cat "$f"; done'],
  ['Bash(rm *)', 'x=rm; $x a'],
  ['Bash(git push *)', 'x=push; git "$x" origin'],
  ['Bash(rm *)', 'echo "$(rm a)"'],
  ['Bash(rm *)', 'x=$(rm a)'],
  ['Read(b)', 'for f in a b; do cat "$f"; done'],
];

for (const [rule, line] of DENIED)
  test(`${rule} meets ${JSON.stringify(line)}`, () => {
    assert.is(decideIn({ preset: 'safe', deny: [rule] }, 'Bash', line).decision, 'deny');
  });

for (const [rule, line] of [
  ['Bash(git commit * wip*)', 'git commit -m "$(ls)"'],
  ['Bash(echo secret)', 'x=$(ls); echo "$x"'],
  ['Bash(*artisan*)', 'echo "$HOME"'],
] as const)
  test(`${rule} may meet ${JSON.stringify(line)}`, () => {
    const { decision, reasons } = decideIn({ preset: 'safe', deny: [rule] }, 'Bash', line);
    assert.is(decision, 'ask');
    assert.ok(reasons.some(({ code }) => code === 'rule/uncertain'));
  });

test('a number is no word of a pattern', () => {
  assert.is(decideIn({ allow: ['Bash(*)'], deny: ['Bash(*artisan*)'] }, 'Bash', 'echo $((1+2))').decision, 'allow');
});

/** A rule for a command without a grammar covers no text that nobody knows. */
for (const line of [
  'tool "$(ls)"',
  'x=$(ls); tool "$x"',
  'tool "$HOME"',
  'tool "$?"',
  'x=$(ls); npm run "$x"',
  'x=$(ls); ./run.sh "$x"',
])
  test(`no rule covers the unknown text in ${JSON.stringify(line)}`, () => {
    const allow = ['Bash(tool *)', 'Bash(npm *)', 'Bash(./run.sh *)', 'Bash(ls *)'];
    assert.is(decideIn({ preset: 'safe', allow }, 'Bash', line).decision, 'ask');
  });

for (const [line, allowed] of [
  ['for f in a b; do tool "$f"; done', true],
  ['x=a; tool "$x"', true],
  ['tool {a,b}', true],
  ['for f in a b; do other "$f"; done', false],
] as const)
  test(`a rule covers known values: ${JSON.stringify(line)}`, () => {
    assert.is(decideIn({ preset: 'safe', allow: ['Bash(tool *)'] }, 'Bash', line).decision, allowed ? 'allow' : 'ask');
  });

test('a loop over files that hold secrets is asked about', () => {
  const world: World = { preset: 'safe', secrets: ['/repo/.env'] };
  assert.is(decideIn(world, 'Bash', 'for f in .env*; do cat "$f"; done').decision, 'ask');
});

test.run();
