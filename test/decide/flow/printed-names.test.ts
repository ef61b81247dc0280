/** Words that stand for names of files which other commands of the line print: `$(git ls-files)`, the variable of a loop over it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

const WORLD: World = { preset: 'safe' };
const decision = (world: World, line: string, shell: 'bash' | 'sh' | 'zsh' | 'bash-or-zsh' | 'union' = 'bash') =>
  decideIn(world, 'Bash', line, { shell }).decision;

const passes = [
  'wc -l $(git ls-files)',
  "wc -l $(git ls-files '*.ts') | sort -n | tail -3",
  'cd src && wc -l $(git ls-files)',
  "head -3 $(find src -name '*.ts' | sort | head -5)",
  "grep -n TODO $(git ls-files '*.ts') | head",
  'cat $(rg -l foo src)',
  'ls -la $(git ls-files -- scripts)',
  "git log --oneline -- $(git ls-files '*.md')",
  "stat -c '%s %n' $(git ls-files)",
  'md5sum $(find src -type f 2>/dev/null)',
  "files=$(git ls-files '*.ts'); wc -l $files",
  "files=$(git ls-files '*.ts') && wc -l $files",
  'FILES=$(find src); for f in $FILES; do echo "== $f"; sed -n 1,5p "$f"; done',
  'for f in $(git ls-files); do wc -l "$f"; done',
  'for f in $(git ls-files); do wc -l $f; done',
  'for f in $(find src -name \'*.ts\'); do head -5 "$f"; done',
  'for f in $(git ls-files) README.md; do head -3 "$f"; done',
  'for f in $(git diff --name-only); do git log -1 --format=%h -- $f; done',
  'for f in $(rg -l foo src); do echo "$f: $(grep -c foo "$f")"; done',
  'for f in $(git ls-files); do if [ -f "$f" ]; then wc -l "$f"; fi; done',
  'for f in $(git ls-files); do n=$(wc -l < "$f"); [ "$n" -gt 300 ] && echo "$f $n"; done',
  'find src -name x.ts | while read -r f; do wc -l "$f"; done',
  'find src | sort | while read -r f; do echo "== $f"; sed -n 1,5p "$f"; done',
  'find src | while IFS= read -r f; do grep -n x "$f" | head -3; done | sort',
  'find src | while read f; do echo "$f: $(wc -l < "$f")"; done',
  'git ls-files | while read f; do git log -1 --format=%ad -- "$f"; done',
  'while read -r f; do wc -l "$f"; done < <(git ls-files)',
  'find src | while read -r f; do jq -r .name "$f"; diff "$f" x; rg -c y "$f"; done',
  'find src | while read -r f; do sed -n 1p a.txt; cat < b.txt; wc -l "$f"; done',
  'find src | while read -r f; do wc -l "$f"; done 2>/dev/null | sort -n',
  'cat "$(find src -name x.ts | head -1)"',
  'find src -print0 | while IFS= read -r -d \'\' f; do wc -l "$f"; done',
  'find src -type f -print0 | sort -z | while IFS= read -d \'\' -r f; do grep -c x "$f"; done',
  'while IFS= read -r -d \'\' f; do head -1 "$f"; done < <(git ls-files -z)',
  'rg --files src | rg \'\\.ts$\' | while read -r f; do wc -l "$f"; done',
  'f=$(git ls-files | grep x | head -n 1); head -20 "$f"; wc -l "$f"',
];
for (const line of passes) test(`passes: ${line}`, () => assert.is(decision(WORLD, line), 'allow'));

const refused: readonly (readonly [line: string, why: string])[] = [
  ['wc -l "$(git ls-files)"', 'all of it is one word'],
  ['wc -l $(git ls-files) x', 'what stands behind several may stand elsewhere'],
  ['grep $(git ls-files) x', 'the first name is a pattern'],
  ['sort -o $(git ls-files)', 'the first name would be written'],
  ['uniq $(git ls-files)', 'the second name would be written'],
  ['sed -i s/a/b/ $(git ls-files)', 'edits'],
  ['rm $(git ls-files)', 'deletes'],
  ['python3 $(git ls-files)', 'runs the first'],
  ['bash $(find src -name x)', 'runs the first'],
  ['source $(find src -name x)', 'runs the first'],
  ['$(find src -name x)', 'runs the first'],
  ['timeout 5 sh $(git ls-files)', 'runs the first'],
  ['git log $(git ls-files)', 'a name may be a revision'],
  ['git checkout -- $(git ls-files)', 'changes files'],
  ['find $(git ls-files) -delete', 'deletes'],
  ['wc -l $(find /etc)', 'outside'],
  ['wc -l $(find ..)', 'outside'],
  ['cd src; wc -l $(cd ..; find .)', 'names of another folder'],
  ['wc -l $(cd lib && find .)', 'names of another folder'],
  ['wc -l $(git -C sub ls-files)', 'names of another folder'],
  ['git -C sub log -- $(git ls-files)', 'names of another folder'],
  ['x=$(find src); cd lib; wc -l $x', 'names of another folder'],
  ['x=$(find src) && cd lib && wc -l $x', 'names of another folder'],
  ['cd lib && for f in $(cd .. && find src); do wc -l "$f"; done', 'names of another folder'],
  ['for f in $(find src); do cd lib; wc -l "$f"; done', 'names of another folder'],
  ['wc -l $(find src; echo /etc/passwd)', 'any text beside the names'],
  ['wc -l $(echo /etc/passwd)', 'any text'],
  ['wc -l $(cat names.txt)', 'any text'],
  ['wc -l $(find src -print0)', 'no end between the names'],
  ['wc -l $(find src | sed s,^,/etc/,)', 'changes the names'],
  ['wc -l $(find src 2>&1)', 'messages are names too'],
  ['wc -l $(if true; then find src; fi)', 'not known to print only that'],
  ['wc -l $( (find src) )', 'not known to print only that'],
  ['IFS=/; wc -l $(find src)', 'taken apart elsewhere'],
  ['IFS=/; for f in $(find src); do wc -l "$f"; done', 'taken apart elsewhere'],
  ['x=$(find src); x=/etc/passwd; wc -l $x', 'another value'],
  ['x=$(find src); wc -l "$x"', 'all of it is one word'],
  ['x=$(find src); wc -l $x.bak', 'more than the name'],
  ['for f in $(find src); do rm "$f"; done', 'deletes'],
  ['for f in $(find src); do sh < "$f"; done', 'runs it'],
  ['for f in $(find src); do echo x > "$f"; done', 'writes it'],
  ['for f in $(find src); do f=/etc/passwd; wc -l "$f"; done', 'another value'],
  ['for f in $(find src); do wc -l "/$f"; done', 'more than the name'],
  ['for f in $(find src); do wc -l "../$f"; done', 'more than the name'],
  ['for f in $(find src); do wc -l < "/$f"; done', 'more than the name'],
  ['for f in $(find src); do wc -l "${f#src}"; done', 'less than the name'],
  ['for f in $(find src) /etc/passwd; do wc -l "$f"; done', 'one is outside'],
  ['for f in $(find src /etc); do wc -l "$f"; done', 'some are outside'],
  ['for f in $(find /etc); do wc -l < "$f"; done', 'outside'],
  ['wc -l < $(git ls-files a)', 'not known to be one'],
  ['find src | while read -r f; do head -3; wc -l "$f"; done', 'takes lines apart that the loop reads'],
  ['find src | while read -r f; do wc -l "$f"; cat; done', 'the same behind it'],
  ['find src | while read -r f; do wc -l "$f" -; done', 'reads what the loop reads'],
  ['find src | while read -r f; do grep -f - "$f"; done', 'reads what the loop reads'],
  ['find src | while read -r f; do wc --files0-from=-; wc -l "$f"; done', 'reads what the loop reads'],
  ['find src | while read -r f; do x=$(head -c 3); wc -l "$f"; done', 'the same in a substitution'],
  ['find src | while read -r f; do read -r g; wc -l "$g"; done', 'two read'],
  ['find src | while read -r f; do rg x; wc -l "$f"; done', 'ripgrep may search its input'],
  ['find src | while read -r f; do xargs echo; wc -l "$f"; done', 'xargs reads its input'],
  ['find src | while read -r f; do git log --stdin; wc -l "$f"; done', 'git reads its input'],
  ['find src | while read -r f; do awk 1 x=1; wc -l "$f"; done', 'awk is given no file'],
  ['find src | while read -r f; do sed -f "$f"; done', 'the file is the script'],
  ['find src | while read -r f; do sed -n 1p; wc -l "$f"; done', 'no file'],
  ['find src | while read -r f; do grep -f "$f"; done', 'the file holds the patterns'],
  ['find src | while read -r f; do jq --slurpfile x "$f" .; done', 'another input besides'],
  ['find src | while read -r f; do jq --args . "$f"; done', 'the file is a text'],
  ['find src | while read -r f; do tree --fromfile .; wc -l "$f"; done', 'a point is its input'],
  ['cat "$(find src | head -2)"', 'two are one word'],
  ['cat "$(find src | head -1; echo x)"', 'any text beside it'],
  ['grep -rn x /etc $(find src | head -1)', 'outside'],
  ['find src | while read -r f; do zz; wc -l "$f"; done', 'nobody knows what that reads'],
  ['find src | { head -c 3; while read -r f; do wc -l "$f"; done; }', 'the loop gets what is left'],
  ['find src | while head -1; read -r f; do wc -l "$f"; done', 'the loop gets what is left'],
  ['find src | while read -r f g; do wc -l "$f"; done', 'a part of a line'],
  ['find src | while read -n 3 f; do wc -l "$f"; done', 'a part of a line'],
  ['find src | while IFS=/ read -r f; do wc -l "$f"; done', 'a part of a line'],
  ['find src | while read -r f || true; do wc -l "$f"; done', 'perhaps nothing was read'],
  ['find src | until read -r f; do wc -l "$f"; done', 'nothing was read'],
  ['find src | while read -r f; do f=/etc/passwd; wc -l "$f"; done', 'another value'],
  ['find src | while IFS= read -r -d \'\' f; do wc -l "$f"; done', 'no NUL behind the names'],
  ['find src -print0 | while read -r -d \'\' f; do wc -l "$f"; done', 'blanks around a name vanish'],
  ['find src -print0 | while IFS= read -d \'\' f; do wc -l "$f"; done', 'backslashes vanish'],
  ['find src -print0 | while IFS= read -r -d x f; do wc -l "$f"; done', 'parts of names'],
  ['find src -print0 | while IFS= read -r -d \'\' f; do head -c 3; wc -l "$f"; done', 'a part of a name'],
  ['find src | rg -n x | while read -r f; do wc -l "$f"; done', 'figures before the names'],
  ['find src | rg -o x | while read -r f; do wc -l "$f"; done', 'a part of a name'],
  ['find src | rg x lib | while read -r f; do wc -l "$f"; done', 'searches another folder'],
  ['find src | rg x -r /etc/passwd | while read -r f; do wc -l "$f"; done', 'other names'],
  ['find src | while read -r f; do wc -l "$f"; done < names.txt', 'another file'],
  ['find src | while read -r f; do wc -l "$f"; done 2>/dev/null < names.txt', 'another file'],
  ['find src | while read -r f; do wc -l "$f"; done <<< /etc/passwd', 'another text'],
  ['find src | while read -r f; do wc -l "$f"; done 0>&3', 'another input'],
  ['find src | while read -r f; do wc -l "$f"; done 0<> names.txt', 'another input'],
  ['find src |& while read -r f; do wc -l "$f"; done', 'messages are names too'],
  ['find src -print0 | while read -r f; do wc -l "$f"; done', 'no line ends'],
  ['find src | sed s,^,/etc/, | while read -r f; do wc -l "$f"; done', 'changes the names'],
  ['echo /etc/passwd | while read -r f; do wc -l "$f"; done', 'any text'],
  ['while read -r f; do wc -l "$f"; done < names.txt', 'any text'],
  ['while read -r f; do wc -l "$f"; done < <(cat names.txt)', 'any text'],
  ['while read -r f; do wc -l "$f"; done < <(find src) < names.txt', 'another file'],
  ['while read -r f; do wc -l "$f"; done 3< <(find src)', 'not its input'],
];
for (const [line, why] of refused) test(`not allowed: ${line}: ${why}`, () => assert.is.not(decision(WORLD, line), 'allow'));

/** What the facts say of the names, and which lines that concerns. */
const facts: readonly (readonly [what: string, world: World, asked: readonly string[], allowed: readonly string[]])[] = [
  [
    'a blank or a quote',
    { preset: 'safe', names: { odd: true } },
    [
      'wc -l $(git ls-files)',
      'for f in $(find src); do wc -l "$f"; done',
      'find src | while read f; do wc -l "$f"; done',
      'for f in $(find src); do wc -l < "$f"; done',
      "find src -print0 | while IFS= read -r -d '' f; do wc -l $f; done",
    ],
    ['find src -print0 | xargs -0 wc -l', 'find src -print0 | while IFS= read -r -d \'\' f; do wc -l "$f"; done'],
  ],
  [
    'a blank inside of a name',
    { preset: 'safe', names: { odd: true, torn: false } },
    [
      'wc -l $(git ls-files)',
      'git ls-files | xargs wc -l',
      'for f in $(find src); do wc -l "$f"; done',
      'find src | while read -r f; do wc -l $f; done',
      'find src | while read -r f; do sh -c \'wc -l $0\' "$f"; done',
      'find src | while read -r f; do sh -c "wc -l $f"; done',
      'find src | while read -r f; do echo "$f" | xargs wc -l; done',
      'find src | while read -r f; do for x in $f; do wc -l "$x"; done; done',
      'find src | while read -r f; do g=$f; wc -l $g; done',
      'find src | while read -r f g; do wc -l "$f"; done',
      'IFS=" "; find src | while read -r f; do wc -l $f; done',
    ],
    [
      'git ls-files | while read -r f; do wc -l "$f"; done',
      'find src | sort | while read f; do wc -l "$f"; done',
      'while IFS= read -r f; do wc -l < "$f"; done < <(git ls-files)',
      'wc -l "$(git ls-files | head -1)"',
    ],
  ],
  [
    'a blank at the end of a name, a line end or a backslash',
    { preset: 'safe', names: { odd: true, torn: true } },
    ['git ls-files | while read -r f; do wc -l "$f"; done', 'wc -l "$(git ls-files | head -1)"'],
    ['git ls-files | while read -r f; do echo "$f"; done', 'git ls-files -z | xargs -0 wc -l'],
  ],
  [
    'a wildcard',
    { preset: 'safe', names: { wild: true } },
    [
      'wc -l $(git ls-files)',
      'for f in $(find src); do wc -l "$f"; done',
      'for f in $(find src); do wc -l < "$f"; done',
      'find src | while read f; do wc -l $f; done',
    ],
    ['git ls-files | xargs wc -l', 'find src | while read f; do wc -l "$f"; done'],
  ],
  [
    'a leading hyphen',
    { preset: 'safe', names: { leading: true } },
    [
      'wc -l $(git ls-files)',
      'for f in $(git ls-files); do wc -l "$f"; done',
      // Of a file with that name cat would read what the loop reads.
      'git ls-files | while read -r f; do cat -- "$f"; done',
    ],
    [
      'wc -l $(find src)',
      'wc -l -- $(git ls-files)',
      'for f in $(git ls-files); do cat "$f"; done',
      'find src | while read -r f; do cat "$f"; done',
    ],
  ],
  [
    'nothing',
    { preset: 'safe', facts: { names: { trees: {}, indexes: {}, folders: {} } } },
    ['wc -l $(git ls-files)', 'find src | while read -r f; do wc -l "$f"; done', 'for f in $(find src); do wc -l < "$f"; done'],
    ['for f in $(git ls-files); do echo "$f"; done'],
  ],
  [
    'a secret below',
    { preset: 'safe', secrets: ['/repo/src/.env'] },
    [
      'cat $(find src -type f)',
      'for f in $(find src); do cat "$f"; done',
      'for f in $(find src); do wc -l < "$f"; done',
      'find src | while read -r f; do cat "$f"; done',
      // Where none is found, all is searched.
      "grep -rn x $(find src -name '*.zz')",
      "grep -rn x $(find src -name '*.zz' | head -1)",
    ],
    [
      "cat $(find src -name '*.ts')",
      'grep -rn x "$(find lib -name \'*.zz\' | head -1)"',
      'find src -name \'*.ts\' | while read -r f; do cat "$f"; done',
      'cat $(find lib)',
    ],
  ],
  [
    "a name in git's index that leads out",
    { preset: 'safe', names: { astray: true } },
    [
      'cat $(git ls-files)',
      'git ls-files -z | xargs -0 cat',
      'git ls-files | while read -r f; do cat "$f"; done',
      'cat $(git diff --name-only)',
      'cat $(git ls-files -o)',
      'git grep x',
    ],
    ['git ls-files', 'cat $(find src)', 'grep -rn x .'],
  ],
  [
    'a link in installed packages that leads out',
    { preset: 'safe', packed: ['/repo/node_modules/a/x.ts'] },
    [
      'cat $(find .)',
      "find . -name '*.ts' -print0 | xargs -0 cat",
      "find . -name '*.ts' -exec head -3 {} +",
      'find . | while read -r f; do cat "$f"; done',
      'for f in $(find .); do wc -l < "$f"; done',
    ],
    ['cat $(find src)', "cat $(find . -name '*.md')", 'cat $(git ls-files)', 'grep -rn x .', 'find .'],
  ],
  [
    'too many installed packages to say',
    { preset: 'safe', facts: { packedLinks: { '/repo/.': null } } },
    ['cat $(find .)', 'find . -print0 | xargs -0 cat'],
    ['cat $(find src)', 'cat $(git ls-files)', 'grep -rn x .'],
  ],
  [
    'a pattern that stands for a link in installed packages',
    { preset: 'safe', facts: { globs: { '/repo/*/a/*.ts': ['/repo/node_modules/a/x.ts', '/etc/x'] } } },
    ['cat */a/*.ts', 'wc -l < */a/*.ts', 'for f in */a/*.ts; do cat "$f"; done'],
    ['ls */a/*.ts', 'cat */*.ts', 'cat src/*/*.ts'],
  ],
  [
    "a secret that is not in git's index, below a folder that may stand in the place of a file which is",
    { preset: 'safe', secrets: ['/repo/sub/.env', '/repo/sub/id_rsa'], names: { secret: false } },
    [
      'for f in $(git ls-files); do grep -rn x "$f"; done',
      'git ls-files | while read -r f; do grep -r x -- "$f"; done',
      'for f in $(git ls-files); do rg x "$f"; done',
    ],
    [
      'for f in $(git ls-files); do grep -n x "$f"; done',
      'for f in $(git ls-files); do git log --oneline -- "$f"; done',
      'cat $(git ls-files)',
    ],
  ],
  [
    'one that ripgrep passes over',
    { preset: 'safe', secrets: ['/repo/sub/.env'], names: { secret: false }, facts: { takenIn: { '/repo/.': [], '/repo': [] } } },
    ['for f in $(git ls-files); do rg --hidden x "$f"; done'],
    ['for f in $(git ls-files); do rg x "$f"; done'],
  ],
  [
    'a link out of the project',
    { preset: 'safe', links: { '/repo/src': '/etc' } },
    ['wc -l $(find src)', 'for f in $(find src); do wc -l < "$f"; done', 'find src | while read -r f; do cat "$f"; done'],
    ['wc -l $(find lib)'],
  ],
  [
    'rules about what is there',
    { preset: 'safe', deny: ['Read(src/private/**)'] },
    ['cat $(find src)', 'for f in $(find src); do cat "$f"; done', 'for f in $(find src); do wc -l < "$f"; done'],
    ['cat $(find lib)'],
  ],
  [
    'rules for commands that change files',
    { preset: 'safe', allow: ['Bash(touch *)', 'Bash(ln *)', 'Bash(zz *)', 'Bash(wc *)', 'Edit(**)'] },
    [
      "touch 'src/x y'; wc -l $(find src)",
      'ln -s other src/x; wc -l $(find src)',
      'for f in $(find src); do wc -l "$f"; zz 1; done',
      'find src | while read -r f; do wc -l "$f"; zz 1; done',
    ],
    ['wc -l $(find src); zz 1', 'wc -l $(find src) > out.txt'],
  ],
];
for (const [what, world, asked, allowed] of facts) {
  for (const line of asked) test(`${what}: not allowed: ${line}`, () => assert.is.not(decision(world, line), 'allow'));
  for (const line of allowed) test(`${what}: allowed: ${line}`, () => assert.is(decision(world, line), 'allow'));
}

test('every shell is told the same names', () => {
  for (const shell of ['bash', 'sh', 'zsh', 'bash-or-zsh', 'union'] as const) {
    assert.is(decision(WORLD, 'wc -l $(git ls-files)', shell), 'allow');
    assert.is(decision(WORLD, 'find src | while read -r f; do wc -l "$f"; done', shell), 'allow');
    assert.is.not(decision(WORLD, 'wc -l $(cat names.txt)', shell), 'allow');
  }
});

test('a line that may run unseen is asked about no more than before', () => {
  const world: World = { allow: ['Bash(*)'], secrets: ['/repo/.env'], names: { secret: false } };
  for (const line of ['make; wc -l $(git ls-files)', 'for f in $(find . -type f); do zz "$f"; wc -l "$f"; done'])
    assert.is(decision(world, line), 'allow');
  assert.is.not(decision(world, 'for f in $(find .); do cat .env; done'), 'allow');
});

test('so many words and commands cost no more than they are', () => {
  const words = `find src | while read -r f; do ${'wc -l "$f" "$f"; '.repeat(800)} done`;
  assert.is.not(decision(WORLD, words), 'deny');
});

test.run();
