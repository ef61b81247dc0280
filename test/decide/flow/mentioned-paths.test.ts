/** A total rule runs lines unseen, but what a command's words say of protected and secret paths is seen: each way, and its harmless neighbour. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const TOTAL: World = { allow: ['Bash(*)'], secrets: ['/repo/.env', '/home/me/.ssh/id_rsa'] };

const rows: readonly (readonly ['allow' | 'ask' | 'deny', string])[] = [
  // Scripts of sed, awk and editors.
  ['ask', "sed 'w .git/x' a.txt"],
  ['ask', "sed -n 'w.git/x' a.txt"],
  ['ask', "sed 's/a/b/w .git/hooks/pre-commit' a.txt"],
  ['ask', "sed '1e touch .git/x' a.txt"],
  ['ask', "sed -i'.git/*' s/x/y/ a.txt"],
  ['allow', "sed -i 's#.git#x#' README.md"],
  ['allow', "sed -i '/^node_modules$/d' .gitignore"],
  ['allow', "sed 'w out.txt' a.txt"],
  ['ask', `awk '{ print > ".git/x" }' a.txt`],
  ['ask', `awk 'BEGIN { print "x" | "tee .git/x" }'`],
  ['ask', `awk 'BEGIN { while ((getline l < ".env") > 0) print l }'`],
  ['ask', `awk 'BEGIN { system("cat .env") }'`],
  ['allow', `awk '{ print > "out.txt" }' a.txt`],
  ['allow', `awk '$1 == ".git" { next } { print }' a.txt`],
  ['ask', "ex -sc 'w .git/x|q' a.txt"],
  ['allow', "ex -sc 'w out.txt|q' a.txt"],
  // Options that the grammar does not know, or knows for doing more.
  ['ask', 'cp --target-dir .git a.txt'],
  ['ask', 'tar cf a.tar --index-file=.git/x -v a.txt'],
  ['ask', 'sort --outp .git/x a.txt'],
  ['ask', "gawk -d.git/x 'BEGIN {}'"],
  ['ask', 'openssl rand -out .git/x 8'],
  ['ask', 'history -w .git/x'],
  ['ask', 'sort --output=$HOME/.bashrc a.txt'],
  ['ask', 'sort -o${HOME}/.bashrc a.txt'],
  ['ask', 'git log --output=$HOME/.ssh/authorized_keys'],
  ['ask', 'rsync -a --log-file=$HOME/.claude/x a b'],
  ['ask', 'rsync -a --link-dest=$HOME/.claude a b'],
  ['allow', 'sort --output=$HOME/sorted.txt a.txt'],
  ['allow', 'rsync -a --link-dest=$HOME/backup a b'],
  ['allow', 'git log --output=$HOMEPAGE/.bashrc.txt'],
  ['ask', 'git config -f .git/config a.b c'],
  ['ask', "make --eval='x:;touch .git/x' x"],
  ['deny', 'curl file://$PWD/.env'],
  ['ask', 'history -r .env'],
  ['allow', 'openssl rand -out out.bin 8'],
  ['allow', 'git config user.name x'],
  ['allow', 'git remote add origin git@github.com:me/x.git'],
  ['allow', 'git clone --new-option https://github.com/me/x.git'],
  ['allow', 'git clean -fd -e node_modules'],
  ['allow', 'curl https://example.com/x.git'],
  // Variables that make a program read or run another file.
  ['ask', 'BASH_ENV=.env bash -c env'],
  ['ask', 'GIT_DIR=.git git config a.b c'],
  ['allow', 'BASH_ENV=x.sh bash -c ls'],
  ['allow', "node -e 'console.log(process.env.HOME)'"],
  // What xargs, parallel and find hand on.
  ['deny', 'xargs tee <<< .git/x'],
  ['deny', 'xargs -I{} tee {} <<< .git/x'],
  ['deny', 'parallel touch ::: .git/x'],
  ['ask', 'xargs cat <<< .env'],
  ['deny', 'find .git -type f -exec rm {} +'],
  ['deny', 'grep -rl ref .git | xargs rm'],
  ['allow', 'xargs tee <<< out.txt'],
  ['allow', 'parallel touch ::: a b'],
  ['allow', "find . -name '*.ts' -print0 | xargs -0 rm -f"],
  ['allow', "find src -name '*.o' -exec rm {} +"],
  // What programs leave behind goes without the project.
  ['allow', "find . -name '*.orig' -delete"],
  ['allow', "find . -type f -iname '*.pyc' -mtime +3 -delete"],
  ['ask', "find . -delete -name '*.orig'"],
  ['ask', "find . -name '*.orig' -o -delete"],
  ['ask', "find . ! -name '*.orig' -delete"],
  ['ask', "find . -name '*.ts' -delete"],
  ['ask', "find . -name '*.yaml' -delete"],
  ['ask', 'find . -type f -delete'],
  ['deny', "find .git -name '*.log' -delete"],
  // A link is a way to write its target.
  ['deny', 'ln -s .git g; touch g/x'],
  ['deny', 'ln .git/HEAD g'],
  ['ask', 'cp -al .git g'],
  ['ask', 'cp -l .git/HEAD g'],
  ['allow', 'ln -s ../common/lib lib'],
  ['allow', 'cp -al src copy'],
  // Folders that a variable of the line may hold.
  ['deny', 'X=$PWD/.git; cd $X; rm -rf x'],
  ['deny', 'X=$PWD/.git && cd "$X/hooks" && touch x'],
  ['ask', 'X=$PWD/build; X=$PWD/.git; cd $X; rm -rf x'],
  ['ask', 'OLDPWD=$PWD/.git; cd -; rm -rf x'],
  ['ask', 'HOME=$PWD/.git; cd; rm -rf x'],
  ['ask', 'HOME=$PWD/.git; rm -rf ~/hooks'],
  ['ask', 'D=~/.aws; cd $D; cat credentials'],
  ['allow', 'X=$PWD/build; cd $X; rm -rf x'],
  ['allow', 'X=$PWD/.git; cd $X; cat HEAD'],
  ['allow', 'D=$(mktemp -d); cd $D; rm -rf x; touch y'],
  ['allow', 'D=/tmp/x; cd "$D" && rm -rf out && git clone https://example.com/y.git'],
  ['allow', 'HOME=/tmp/x; rm -rf ~/cache'],
  // Configuration that puts other programs in the place of protected ones.
  ['ask', 'git config core.hooksPath x'],
  ['ask', 'git config --add core.fsmonitor x'],
  ['allow', 'git config core.hooksPath'],
  ['allow', 'git config core.autocrlf input'],
  ['ask', "tar -xf a.tar --transform='s,^,.git/hooks/,'"],
  ['allow', "tar -czf a.tgz --transform='s,^src,app,' src"],
  ['deny', 'zip -m a.zip .git/HEAD'],
  ['allow', 'zip -m a.zip out.txt'],
  // What a container is given.
  ['deny', 'docker run -v $PWD/node_modules:/x alpine cp y /x/a'],
  ['ask', 'docker run -v $PWD/node_modules:/x alpine rm -rf /x/a'],
  ['ask', 'docker run --mount type=bind,source=$PWD/.git,target=/x alpine sh'],
  ['ask', 'docker run -v.git:/x alpine sh'],
  ['ask', 'docker run -v $PWD/.env:/x:ro alpine cat /x'],
  ['allow', 'docker run -v $PWD/node_modules:/x alpine true'],
  ['allow', 'docker run -v "$PWD/node_modules:/x:ro" node:20 npm test'],
  ['allow', 'docker run -v $PWD:/app -v /app/node_modules node:20 npm test'],
  ['allow', 'docker run -v node_modules:/app/node_modules node:20 npm test'],
  // Wildcards that may also stand for `..`.
  ['deny', 'rm -rf .[!.]*'],
  ['deny', 'rm -rf .g*'],
  ['ask', 'cat .*'],
  ['ask', 'cat .[a-z]*'],
  ['ask', 'cat sub/../.e*'],
  ['allow', 'rm -f .*.swp'],
  ['allow', 'cat .[a-z]*rc'],
  ['allow', 'ls .*'],
];

for (const [expected, line] of rows)
  test(`${expected}: ${line}`, () => assert.is(decideIn(TOTAL, 'Bash', line).decision, expected));

test('a rule for ln does not cover a link to a hook, through which a later call would write it', () => {
  assert.is(decideIn({ allow: ['Bash(ln *)'] }, 'Bash', 'ln .git/hooks/pre-commit g').decision, 'deny');
  assert.is(decideIn({ allow: ['Bash(ln *)'] }, 'Bash', 'ln -s /usr/bin/x y').decision, 'allow');
});

test('without a total rule the same question has its usual reason', () => {
  const { decision, reasons } = decideIn({ allow: ['Bash(sed *)'] }, 'Bash', "sed 'w .git/x' a.txt");
  assert.is(decision, 'ask');
  assert.not.ok(reasons.some(({ code }) => code === 'protected/said'));
});

test.run();
