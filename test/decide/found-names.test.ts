/** What facts must tell of names of files: those that one command finds and another is given, those of a glob, and those of settings. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from './world.js';

const WORLD: World = { preset: 'safe' };
const decision = (world: World, line: string) => decideIn(world, 'Bash', line).decision;

const passes = [
  "find src -name '*.ts' | xargs wc -l",
  "find src -name '*.ts' -print0 | xargs -0 grep -n x",
  'find src docs -type f | xargs -n 1 head -5',
  'find src | sort | head -5 | xargs ls -la',
  'find src | grep -v test | xargs -r grep -l TODO | xargs sed -n 1p',
  'find . -type f 2>/dev/null | xargs md5sum',
  'find src -print0 | sort -z | xargs -0 -P 4 -n 10 cat',
  'find src | xargs -I{} grep -c x {}',
  'find src | xargs -I% grep -H x % /dev/null',
  "find src | xargs -d '\\n' cat",
  'find src | cat | xargs cat',
  'timeout 10 find src | nice xargs cat',
  'find src | xargs timeout 5 cat',
  'find src -exec grep -n x {} +',
  'find src -exec head -5 {} \\;',
  'find src -exec grep -H x {} /dev/null \\;',
  'find src -exec grep -l x {} + | xargs wc -l',
  'find src lib -exec sort {} +',
  'find -name x.ts -exec cat {} +',
  'find src -exec echo found {} here \\;',
  'git ls-files | xargs find',
  'git ls-files | xargs wc -l',
  "git ls-files -z -- '*.ts' | xargs -0 wc -l",
  'git ls-files | xargs grep -n x',
  'git ls-files | xargs -n1 dirname | sort -u',
  'git grep -l foo | xargs sed -n 1p',
  'git diff --name-only | xargs cat',
  'rg -l x src | xargs sed -n 1p',
  'rg --files | xargs wc -l',
  'rg -l x src -0 | xargs -0 sort',
  'grep -rl x src | xargs cat',
  'grep -rlZ x src | xargs -0 cat',
  'fd -e ts . src | xargs wc -l',
  'fd -0 -e ts | xargs -0 cat --',
  'cd src && find . -name a.ts | xargs cat',
  'seq 1 5 | xargs -n1 echo',
  'ls src | xargs -I{} basename {} .ts',
  'ls | xargs',
  'find src | xargs -I{} git log -1 --format=%h -- {}',
];
for (const line of passes) test(`passes: ${line}`, () => assert.is(decision(WORLD, line), 'allow'));

const refused: readonly (readonly [line: string, why: string])[] = [
  ['find src | xargs sh -c \'cat "$@"\'', 'a shell gets them as code'],
  ['find src | xargs sh', 'as scripts'],
  ['find src | xargs -I{} sh -c {}', 'as code'],
  ['find src | xargs -I{} {}', 'as programs'],
  ['find src | xargs rm', 'deletes'],
  ['find src | xargs -I{} rm {}', 'deletes'],
  ['find src | xargs -I{} cp {} /tmp', 'writes elsewhere'],
  ['find src | xargs -I{} cp a.txt {}', 'writes each'],
  ['find src | xargs tee', 'writes each'],
  ['find src | xargs sort -o', 'the first name would be written'],
  ['find src | xargs sort -o out', 'writes'],
  ['find src | xargs uniq', 'the second name would be written'],
  ['find src -exec uniq {} +', 'the second name would be written'],
  ['find src | xargs sed -i s/a/b/', 'edits'],
  ['find src -exec sed -i s/a/b/ {} +', 'edits'],
  ['find src | xargs sed', 'the first name would be the script'],
  ['find src | xargs awk', 'the first name would be the program'],
  ['find src | xargs sed -n', 'the first name would be the script'],
  ['find src | xargs grep -f', 'the first name would hold the patterns'],
  ['find src | xargs python3', 'runs them'],
  ['find src | xargs node', 'runs them'],
  ['find src | xargs env', 'a name may be the program'],
  ['find src | xargs timeout', 'a name may be the program'],
  ['find src | xargs zz', 'an unknown command'],
  ['find src | xargs curl -T', 'sends them'],
  ['find src | xargs git add', 'changes the index'],
  ['find src | xargs chmod +x', 'changes them'],
  ['find src | xargs xargs cat', 'what the second reads nobody knows'],
  ['find src -exec rm {} +', 'deletes'],
  ['find src -exec cat {} + -exec rm {} +', 'the second deletes'],
  ['find src -execdir cat {} +', 'names of another folder'],
  ['find src -delete | xargs cat', 'deletes'],
  ['find src -fprint out | xargs cat', 'writes'],
  ["find src -printf '/etc/passwd\\n' | xargs cat", 'prints what it likes'],
  ["find src -exec cat {} + -printf '/etc/passwd\\n' | xargs cat", 'prints what it likes'],
  ['find src -ls | xargs cat', 'prints more than names'],
  ['find -L src | xargs cat', 'follows links'],
  ['find src -follow -exec cat {} +', 'follows links'],
  ['find / | xargs cat', 'outside'],
  ['find / -exec cat {} +', 'outside'],
  ['find .. -exec cat {} +', 'outside'],
  ['find ../x | xargs cat', 'outside'],
  ['find src /etc | xargs wc', 'the second is outside'],
  ['find ~ -exec cat {} +', 'outside'],
  ['find -files0-from x -exec cat {} +', 'starting points from a file'],
  ['find -- /etc -exec cat {} +', 'outside'],
  ['find $X | xargs cat', 'starting points that nobody knows'],
  ["find 'a b' | xargs cat", 'a starting point that is taken apart'],
  ['find src | tee x | xargs cat', 'writes'],
  ['find src | sed s,^,/etc/, | xargs cat', 'changes the names'],
  ["find src | awk '{print $1}' | xargs cat", 'changes the names'],
  ['find src | cut -c 3- | xargs cat', 'changes the names'],
  ['find src | head -c 2 | xargs cat', 'cuts a name off'],
  ['find src | uniq -c | xargs cat', 'adds words'],
  ['find src | grep -o x | xargs cat', 'takes parts'],
  ['find src | grep -n x | xargs cat', 'adds figures'],
  ['find src | grep -A1 x | xargs cat', 'adds --'],
  ['find src | grep -v x names.txt | xargs cat', 'another file'],
  ['find src | cat - names.txt | xargs cat', 'another file'],
  ['find src | sort names.txt | xargs cat', 'another file'],
  ['find src -print0 | tac | xargs -0 cat', 'a name with a line end would be turned round'],
  ['find src -print0 | grep -v x | xargs -0 cat', 'a filter of lines'],
  ['find src -print0 | xargs cat', 'two ends'],
  ['find src | xargs -0 cat', 'two ends'],
  ['find src -print0 -o -print | xargs -0 cat', 'two ends'],
  ['find src | xargs -d , cat', 'parts of names'],
  ['find src | xargs -a names.txt cat', 'the names come from a file'],
  ['find src | xargs --arg-file=names.txt cat', 'the names come from a file'],
  ['find src | xargs cat < names.txt', 'the names come from a file'],
  ['find src | xargs -J % cat %', 'only BSD'],
  ['find src |& xargs cat', 'messages are names too'],
  ['find src 2>&1 | xargs cat', 'messages are names too'],
  ['find src > x | xargs cat', 'writes; nothing is read'],
  ['cat names.txt | xargs cat', 'the names come from a file'],
  ['xargs cat < names.txt', 'the names come from a file'],
  ['xargs -a names.txt wc -l', 'the names come from a file'],
  ['xargs -a /etc/passwd echo', 'xargs itself reads outside'],
  ['xargs -a ../x basename', 'xargs itself reads outside'],
  ['xargs -a .env echo', 'xargs itself reads a secret'],
  ['find / -exec echo {} +', 'find itself looks outside'],
  ['find /etc -exec echo {} \\;', 'find itself looks outside'],
  ['find ~ -exec basename {} \\;', 'find itself looks outside'],
  ['find .. | xargs dirname', 'find itself looks outside'],
  ['cd /etc && find . -exec echo {} +', 'find itself looks outside'],
  ['echo /etc/passwd | xargs cat', 'any text'],
  ["printf '%s\\n' /etc/passwd | xargs cat", 'any text'],
  ['{ find src; echo /etc/passwd; } | xargs cat', 'any text beside the names'],
  ['(find src && echo /etc/passwd) | xargs cat', 'any text beside the names'],
  ['find src; echo /etc/passwd | xargs cat', 'another command feeds it'],
  ['find src | { read x; xargs cat; }', 'not known to be fed by it'],
  ['find src | env -C /etc xargs cat', 'another folder'],
  ['find src | xargs env -C /etc cat', 'another folder'],
  ['find src -exec env -C /etc cat {} +', 'another folder'],
  ['ls src | xargs cat', 'names without their folder'],
  ['ls | xargs cat', 'ls prints other things too'],
  ['git diff --name-only main | xargs cat', 'names of another commit'],
  ['git diff --cached --name-only | xargs cat', 'names of another commit'],
  ['git log --name-only | xargs cat', 'more than names'],
  ['git ls-files ../x | xargs cat', 'outside of the folder'],
  ["git ls-files ':/' | xargs cat", 'outside of the folder'],
  ['git ls-files -s | xargs cat', 'more than names'],
  ['git ls-files --full-name | xargs cat', 'relative to the top'],
  ['git -C sub ls-files | xargs cat', 'relative to another folder'],
  ['git grep -l foo main | xargs cat', 'names with a revision'],
  ['cd src && git diff --name-only | xargs cat', 'relative to the top'],
  ['rg x src | xargs cat', 'prints contents'],
  ['rg -l --pre evil x src | xargs cat', 'runs a program'],
  ['rg -l --path-separator / x src | xargs cat', 'changes the names'],
  ['rg -c x src | xargs cat', 'more than names'],
  ['grep -l x - src/a.ts | xargs cat', 'standard input has another name'],
  ['grep -l --label=/etc/passwd x - | xargs cat', 'a name of choice'],
  ['fd -l . src | xargs cat', 'more than names'],
  ['fd -a | xargs cat', 'the way to the project may hold a blank'],
  ['ln -s /etc src/x && find src | xargs cat', 'a link that the line makes'],
  ['find src | parallel cat', 'parallel reads words in its own way'],
  ['for d in src docs; do find $d | xargs cat; done', 'which of them feeds it'],
];
for (const [line, why] of refused) test(`not allowed: ${line}: ${why}`, () => assert.is.not(decision(WORLD, line), 'allow'));

const worlds: readonly (readonly [what: string, world: World, asked: readonly string[], allowed: readonly string[]])[] = [
  [
    'a name with a blank or a quote',
    { preset: 'safe', names: { odd: true } },
    [
      'find src | xargs cat',
      "find src | xargs -d '\\n' cat",
      'find src | xargs -I{} cat {}',
      'rg -l x src | xargs wc -l',
      'git ls-files | xargs cat --',
    ],
    [
      'find src -print0 | xargs -0 cat',
      'find src -exec cat {} +',
      'rg -0l x src | xargs -0 wc -l',
      'find src | xargs -n1 echo',
      'find src | xargs dirname',
    ],
  ],
  [
    'a name that begins with a hyphen',
    { preset: 'safe', names: { leading: true } },
    [
      'git ls-files | xargs grep -n x',
      'git ls-files | xargs find',
      'git ls-files -z | xargs -0 wc -l',
      'rg -l x | xargs sort',
      'rg --files -0 | xargs -0 sort',
      'fd -0 | xargs -0 find --',
    ],
    [
      'find . | xargs sort',
      'git ls-files -z | xargs -0 wc -l --',
      'rg -l x | xargs sort --',
      'rg -l x . | xargs sort',
      'rg -l x src | xargs sort',
      'git ls-files | xargs dirname --',
    ],
  ],
  [
    'a secret in the tree',
    { preset: 'safe', secrets: ['/repo/src/.env'] },
    [
      'find src | xargs cat',
      'find . -exec cat {} +',
      'rg -l x src | xargs cat',
      'git ls-files | xargs cat',
      'find src -exec head -1 {} \\;',
    ],
    ['find docs | xargs cat', 'find src | xargs dirname'],
  ],
  [
    'a link out of the project that a starting point is',
    { preset: 'safe', links: { '/repo/src': '/etc' } },
    ['find src | xargs cat', 'find src -exec cat {} +', 'find src -exec ls {} +'],
    ['find docs | xargs cat'],
  ],
  [
    'rules about what is there',
    { preset: 'safe', deny: ['Read(src/private/**)'], ask: ['Read(docs/x.md)'] },
    ['find src | xargs cat', 'find src -exec cat {} +', 'find docs | xargs cat'],
    ['find lib | xargs cat'],
  ],
  [
    'no facts about names',
    { preset: 'safe', facts: { names: { trees: {}, indexes: {}, folders: {} } } },
    ['find src | xargs cat', 'git ls-files | xargs cat'],
    ['find src -print0 | xargs -0 cat', 'find src | xargs dirname'],
  ],
  [
    'rules for commands that change files',
    {
      preset: 'safe',
      allow: [
        'Bash(touch *)',
        'Bash(ln *)',
        'Bash(git add *)',
        'Bash(mkdir *)',
        'Edit(**)',
        'Bash(zz *)',
        'Bash(rm *)',
        'Bash(cat *)',
      ],
    },
    [
      "touch 'src/x y' && find src | xargs cat",
      'git add . && git ls-files | xargs wc -l',
      'ln -s other src/x && find src -exec cat {} +',
      'ln -s other src/x; find src -print0 | xargs -0 cat',
      "echo x > 'src/x y'; find src | xargs cat",
      'zz 1; find src | xargs cat',
      'find src | xargs cat | zz 1',
      "echo > '-x'; git ls-files -o | xargs wc",
      'find src | xargs rm',
      'echo /etc/x | xargs cat',
    ],
    ['find src | xargs wc -l > out.txt', 'echo x > a.txt; find src | xargs wc -l', 'find src | xargs wc -l; zz 1'],
  ],
];
const globs: readonly (readonly [line: string, plain: 'allow' | 'ask', hyphen: 'allow' | 'ask', why: string])[] = [
  ['wc -l *.ts', 'allow', 'ask', 'a file may be called like an option (`--files0-from=x`)'],
  ['sort *', 'allow', 'ask', 'or `-oX`'],
  ['grep -n x *', 'allow', 'ask', 'or `-f`'],
  ['cd src && wc -l *.md', 'allow', 'ask', 'in the folder that the command runs in'],
  ['du -sh * | sort -rh', 'allow', 'ask', 'in a pipeline'],
  ['sort -- *', 'allow', 'allow', 'behind -- there is no option'],
  ['sort ./*', 'allow', 'allow', 'nor behind ./'],
  ['wc -l src/*.ts', 'allow', 'allow', 'nor behind a folder'],
  ['cat *', 'allow', 'allow', 'no option of cat matters'],
  ['uniq *', 'ask', 'ask', 'the second name would be written'],
  ['sort -o *', 'ask', 'ask', 'the first name would be written'],
  ['sed *', 'ask', 'ask', 'the first name would be the script'],
  ['rm *', 'ask', 'ask', 'deletes'],
  ['cp * out', 'ask', 'ask', 'writes'],
  ['git log *', 'ask', 'ask', 'a name may be a revision'],
  ['zz *', 'ask', 'ask', 'an unknown command'],
  ['touch -- -o && sort *', 'ask', 'ask', 'the line itself makes such a file'],
];
for (const [line, plain, hyphen, why] of globs) {
  test(`glob: ${line}: ${why}`, () => {
    const gives = (world: World) => (decision(world, line) === 'allow' ? 'allow' : 'ask');
    assert.is(gives({ preset: 'safe', allow: ['Bash(touch *)'] }), plain);
    assert.is(gives({ preset: 'safe', allow: ['Bash(touch *)'], names: { leading: true } }), hyphen);
    assert.is(
      gives({ preset: 'safe', facts: { names: { trees: {}, indexes: {}, folders: {} } } }),
      hyphen === 'allow' ? plain : 'ask',
    );
  });
}

const RC = ['.ackrc', '_ackrc', '.shellcheckrc', 'shellcheckrc'];
const settings: readonly (readonly [line: string, without: 'allow' | 'ask', why: string])[] = [
  ['ack foo', 'allow', 'takes options from .ackrc'],
  ['ack foo src', 'allow', 'of a folder or one above'],
  ['shellcheck scripts/a.sh', 'allow', 'takes options from .shellcheckrc'],
  ['shellcheck scripts/*.sh', 'allow', 'of the folder of each script'],
  ['shellcheck */*.sh', 'ask', 'which folders nobody knows'],
  ['shellcheck $X', 'ask', 'which folder nobody knows'],
  ['find src | xargs shellcheck', 'ask', 'which folders nobody knows'],
  ['shellcheck --rcfile=x a.sh', 'ask', 'another file of options'],
  ['shellcheck --norc --rcfile=x a.sh', 'ask', 'another file of options'],
  ['shellcheck ../a.sh', 'ask', 'outside'],
];
for (const [line, without, why] of settings) {
  test(`settings: ${line}: ${why}`, () => {
    assert.is(decision({ preset: 'safe', missing: RC }, line), without);
    assert.is(decision(WORLD, line), 'ask');
    assert.is(decision({ preset: 'safe', facts: { paths: {} } }, line), 'ask');
  });
}
test('settings: a folder that is a link has other folders above it', () => {
  const links = { '/repo/scripts': '/repo/other', '/repo/scripts/.shellcheckrc': '/repo/other/.shellcheckrc' };
  assert.is(decision({ preset: 'safe', missing: RC, links }, 'shellcheck scripts/a.sh'), 'ask');
});

for (const [what, world, asked, allowed] of worlds) {
  for (const line of asked) test(`${what}: not allowed: ${line}`, () => assert.is.not(decision(world, line), 'allow'));
  for (const line of allowed) test(`${what}: allowed: ${line}`, () => assert.is(decision(world, line), 'allow'));
}

test.run();
