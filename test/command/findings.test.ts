/** Ways around the grammars and wrappers that a review found, each held closed: what the words do must be told. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEffect } from '../../src/command/model/command.js';
import { verdictOf } from './invocation.js';
import { commandsOf, see } from './leaves.js';

const showEffect = ({ action, path, recursive }: CommandEffect): string =>
  [
    action,
    path === null ? '-' : (path.value ?? (path.origin === undefined ? '?' : `top${path.origin.after}`)),
    ...(recursive ? ['recursive'] : []),
  ].join(' ');

/** Command line; code of an issue it must have. */
const ISSUES: readonly (readonly [line: string, code: string, why: string])[] = [
  ['tree -Lo 2 out.txt', 'option/unknown', 'tree takes the next word as the value of a cluster'],
  ['tree -aR', 'option/unknown', 'a cluster hides -R'],
  ['strings @list', 'strings/arguments', 'names of files come out of a file'],
  ['strings -n @list a', 'strings/arguments', 'so does a value'],
  ['ps auxe', 'ps/secret', 'e among BSD letters'],
  ['ps -ef -ax', 'ps/secret', 'what is no SysV option makes ps read all words in BSD style'],
  ['ps -o environ', 'ps/secret', 'the column of the environment'],
  ['rg --ignore-file list x', 'rg/ignore-file', 'a file says what is searched'],
  ['rg -L x', 'rg/follow', 'links lead out of the folder'],
  ['grep -R x .', 'grep/dereference-recursive', 'links lead out of the folder'],
  ['find -L .', 'find/L', 'links lead out of the folder'],
  ['cp -rL a b', 'cp/dereference', 'links lead out of the folder'],
  ["sed 's/a/b/w .git/config' x", 'sed/script', 'a flag of s writes a file'],
  ["sed 's/[/]/g;s/w out/x/' a", 'sed/script', 'BSD sed reads brackets first, and then this writes'],
  ["sed -e 'p;p;w out' a", 'sed/script', 'after other commands'],
  ['git config -l', 'git/config/secret', 'values may hold passwords'],
  ['git config --get remote.origin.url', 'git/config/secret', 'an address may hold a token'],
  ['git config --global user.name', 'git/config/global', "the user's own file"],
];
for (const [line, code, why] of ISSUES) {
  test(`issue of ${line}: ${why}`, () => {
    const codes = verdictOf(line).issues.map((issue) => issue.code);
    assert.ok(codes.includes(code), `${code} is not among ${codes.join(' ')}`);
  });
}

/** Command line; all effects of its first command. */
const EFFECTS: readonly (readonly [line: string, effects: readonly string[], why: string])[] = [
  ['git add -A', ['write -', 'read top recursive'], 'the whole repository goes into history, also from a folder of it'],
  ["git add ':!x'", ['write -', 'read top recursive'], 'all but one file does'],
  ['git add :/src', ['write -', 'read top/src recursive'], 'a folder at the top does'],
  ["git grep x -- ':!y'", ['read .', 'read . recursive'], 'all but one file is searched'],
  ['git grep x HEAD', ['read .', 'read . recursive'], 'a revision leaves all files'],
  ['git add .', ['write -', 'read . recursive'], 'the whole folder does'],
  ['git add src', ['write -', 'read src recursive'], 'a folder does'],
  ['git add -u', ['write -'], 'only what is tracked already'],
  ['diff -r a b', ['read a recursive', 'read b recursive'], 'whole trees are compared'],
  ['mktemp', ['write -'], 'a file of a name that it makes up'],
  ['mktemp x.XXX', ['write -', 'write x.XXX'], 'a file of a name like this'],
  ['sed -i s/a/b/ f', ['read f', 'write f'], 'in place every file is written'],
  ['sed -ni.bak 1p f g', ['write -', 'read f', 'read g', 'write f', 'write g'], 'in a cluster too'],
  ["sed 's/a/b/w .git/config' x", ['write -', 'execute -', 'read x'], 'a script may write any file'],
  ["sed 's/a/b/;1d' x", ['read x'], 'a script that only prints'],
  ['jq --rawfile a .env . x', ['read a', 'read .env', 'read x'], 'the second word is a file'],
  ['dd if=a of=b', ['read a', 'write b'], 'files behind NAME='],
  ['rsync -a src dst', ['network -', 'publish -', 'read src recursive', 'write dst recursive'], 'trees are copied'],
  ['install -m 755 a b', ['read a', 'write a', 'write b'], 'the last one is written'],
  ['mv ~/a b', ['read ~/a', 'delete ~/a', 'write b'], 'a file of the home folder'],
  ['curl https://a.example', ['network -', 'network https://a.example'], 'rules about domains need the address'],
  ['curl --url https://a.example', ['network -', 'network https://a.example'], 'also in an option'],
  [
    'wget https://a.example',
    ['network -', 'write . recursive', 'network https://a.example'],
    'rules about domains need the address',
  ],
  ['git clone https://a.example', ['network -', 'write -', 'network https://a.example'], 'also behind a subcommand'],
];
for (const [line, effects, why] of EFFECTS)
  test(`effects of ${line}: ${why}`, () => assert.equal(commandsOf(line)[0]?.verdict.effects.map(showEffect), effects));

/** Command line; innermost commands: what a wrapper hides, ask and deny rules must see. */
const LEAVES: readonly (readonly [line: string, leaves: string])[] = [
  ['setarch x86_64 -R zz a', 'zz'],
  ['setarch -R zz a', 'zz'],
  ['linux32 zz a', 'zz'],
  ['i386 zz', 'zz'],
  ['choom -n 5 -- zz', 'zz'],
  ['choom -n 5 -p 1', 'choom'],
  ['uclampset -m 5 zz', 'zz'],
  ['caffeinate -di zz', 'zz'],
  ['ssh-agent -t 5 zz', 'zz'],
  ["sg root -c 'zz a'", 'zz'],
  ["sg root 'zz a'", 'zz'],
  ['dbus-run-session -- zz', 'zz'],
  ['fakeroot -- zz a', 'zz'],
  ['xvfb-run -a zz', 'zz'],
  ['eatmydata zz', 'zz'],
  ['cpulimit -l 50 -- zz a', 'zz'],
  ['tini -s -- zz a', 'zz'],
  ['dumb-init zz a', 'zz'],
  ['runcon ctx zz a', 'zz'],
  ['systemd-inhibit --what=idle zz', 'zz'],
  ['systemd-run --user -u x zz', 'zz'],
  ['/lib64/ld-linux-x86-64.so.2 /bin/zz a', 'zz'],
  ['git bisect run zz a', 'zz'],
  ['git -C x bisect run zz', 'zz'],
  ['git bisect start', 'git'],
  ["git submodule foreach --recursive 'zz a'", 'zz'],
  ['git submodule update', 'git'],
  ["git rebase -x 'zz a' main", 'zz'],
  ["git rebase main --exec='zz a'", 'zz'],
  ['git rebase --onto a b c', 'git'],
  ["git filter-branch --tree-filter 'zz a' HEAD", 'zz'],
  ["git difftool -y -x 'zz a'", 'zz'],
  ["git commit -m 'bisect run'", 'git'],
];
for (const [line, leaves] of LEAVES) test(`${line} runs ${leaves}`, () => assert.is(see(line).leaves, leaves));

/** What reads its commands from elsewhere is never taken for understood. */
for (const line of ['at now <<< "zz a"', 'batch <<< zz', '. /dev/stdin <<< zz', 'source /dev/stdin <<< zz']) {
  test(`${line} is not understood`, () => {
    const seen = see(line);
    const unknown = commandsOf(line).some(({ verdict }) => !verdict.known || verdict.issues.length > 0);
    assert.ok(seen.opaque !== '' || unknown, JSON.stringify(seen));
  });
}

test.run();
