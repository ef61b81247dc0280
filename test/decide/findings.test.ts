/** Ways around the policy that a review found open once; each stays closed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from './world.js';

const safe: World = { preset: 'safe' };
const free = (deny: readonly string[]): World => ({ allow: ['Bash(*)'], deny });

const neverAllowed: readonly (readonly [string, World, string])[] = [
  ['a glob with dots behind it', safe, 'cat s*/../../home/.ssh/id_rsa'],
  ['a glob with dots behind it, redirected', safe, 'cat < sr*/../../home/x'],
  ['a glob that may be ..', safe, 'cat src/.*/x'],
  ['a glob over a link to a secret', { ...safe, secrets: ['/repo/src/a.txt'] }, 'cat src/*.txt'],
  ['a glob through a linked folder', { ...safe, secrets: ['/repo/src/d'] }, 'cat src/*/id_rsa'],
  ['cd through a link and up again', safe, 'cd link/../evil && git status'],
  ['a line that makes its own repository', safe, "echo 'ref: refs/heads/main' > x/HEAD && cd x && git status"],
  ['a write through a glob', { ...safe, allow: ['Bash(tee *)'] }, 'tee -a .g*/config'],
  ['a write through a bracket', { ...safe, allow: ['Bash(tee *)'] }, 'tee .[g]it/config'],
  ['a write of names that nobody sees', { ...safe, allow: ['Bash(tee *)'] }, 'echo .git/config | xargs tee'],
  ['a write in a folder that is not certain', { ...safe, allow: ['Bash(tee *)'] }, 'cd .git; tee config'],
  ['a read in a folder that is not certain', { ...safe, allow: ['Bash(cat *)'] }, 'cd; cat .ssh/id_rsa'],
  ['a reader of names that nobody sees', { ...safe, allow: ['Bash(cat *)'] }, 'echo /etc/shadow | xargs cat'],
  ['deleting the project', { ...safe, allow: ['Bash(rm *)'] }, 'rm -rf .'],
  ['in-place editing of a protected file', free([]), 'sed -i s/a/b/ .git/config'],
  ['in-place editing by yq, under a rule for it', { allow: ['Bash(yq -i *)'] }, "yq -i '.allow = 1' policy.yaml"],
  ['in-place editing by yq behind its subcommand', free([]), "yq eval --inplace '.a = 1' policy.yaml"],
  ['in-place editing by awk, under a rule for it', { allow: ['Bash(awk -i inplace *)'] }, 'awk -i inplace 1 policy.yaml'],
  ['a patch of a protected file', { allow: ['Bash(patch *)'] }, 'patch policy.yaml a.patch'],
  ['an older policy out of history', free([]), 'git restore --source=HEAD~3 policy.yaml'],
  ['an older policy out of history, also in the index', free([]), 'git restore -SW -s HEAD~3 -- ./policy.yaml'],
  ['a redirection through a glob', free([]), 'echo x > .g?t/config'],
  ['a protected path behind $PWD', free([]), 'tee $PWD/.git/config'],
  ['a protected path behind ~+', free([]), 'tee ~+/.git/config'],
  ['a protected path in a brace list', free([]), 'tee {.git/config,}'],
  ['deny: options before the subcommand', free(['Bash(git push *)']), 'git --no-pager push origin main'],
  ['deny: options with values before the subcommand', free(['Bash(git push *)']), 'git -C . push'],
  ['deny: a tool without a grammar', free(['Bash(kubectl delete *)']), 'kubectl -n x delete pod y'],
  ['deny: a long option before the subcommand', free(['Bash(terraform apply *)']), 'terraform -chdir=x apply'],
  ['deny: short options in another order', free(['Bash(rm -rf *)']), 'rm -fr x'],
  ['deny: short options apart', free(['Bash(rm -rf *)']), 'rm -r -f x'],
  ['deny: short options behind', free(['Bash(rm -rf *)']), 'rm x -rf'],
  ['deny: more short options', free(['Bash(rm -rf *)']), 'rm -rfv x'],
  ['deny: a glob in command position', free(['Bash(rm *)']), '/bin/r? zz'],
  ['deny: reading through a glob', free(['Read(secrets/**)']), 'cat s?crets/key'],
  ['deny: reading a whole tree', { ...safe, deny: ['Read(secrets/**)'] }, 'grep -r k .'],
  ['deny: reading behind $PWD', free(['Read(secrets/**)']), 'cat $PWD/secrets/key'],
  ['deny: reading by a program without a grammar', free(['Read(secrets/**)']), 'node x secrets/key'],
  ['deny: editing through a glob', { ...safe, deny: ['Edit(src/**)'], allow: ['Bash(tee *)'] }, 'tee s*/a.ts'],
  ['deny: an ending that the glob may name', free(['Read(*.log)']), 'cat logs/*'],
  ['deny: an ending below a folder', free(['Read(*.log)']), 'grep -r k .'],
  ['deny: a file that the glob may name', free(['Edit(package.json)']), 'rm *.json'],
  ['a glob whose second file would be written', safe, 'uniq src/*'],
  ['a glob whose last file would be overwritten', { ...safe, allow: ['Bash(cp *)'] }, 'cp src/*'],
  ['an exact rule with appended arguments', { allow: ['Bash(git push)', 'Bash(cat *)'] }, 'cat f | xargs git push'],
  ['a format that sets PATH', safe, "printf 'docs%n' PATH; git status"],
  ['a format that sets HOME in bash', safe, "printf '%s%n' docs HOME && git status"],
  ['a number that zsh computes', safe, "printf '%d' PATH=5; git status"],
  ['a width that zsh computes', safe, "printf '%*s' HOME=5 x; git status"],
  ['a terminal whose number zsh computes', safe, '[ -t HOME=5 ]; git status'],
  ['a locale in which the shell reads the next line otherwise', safe, 'LC_ALL=ja_JP.SJIS\necho "\u3042\\"; id #"'],
  ['such a locale, exported', safe, 'export LANG=zh_TW.Big5\necho "\u8868\\"; id #"'],
  ['such a locale, behind a declaration', safe, 'declare LC_CTYPE=zh_CN.GBK\necho "\u3042\\"; id #"'],
  ['names that are looked up in the network', safe, 'who --lookup a.txt'],
  ['addresses that are looked up in the network', safe, 'last -d -f a.txt'],
  ['a listing of processes is no project read', { preset: 'inspect' }, 'ps auxe'],
  [
    'a folder in the place of a file, of which node takes what its package.json names',
    { ...safe, facts: { paths: { '/repo/d.js': { real: '/repo/d.js', kind: 'directory' } } } },
    'node --check d.js',
  ],
  ['a file that is given no ending', safe, 'node --check src/a'],
];

for (const [why, world, command] of neverAllowed) {
  test(`${why}: ${command} is not allowed`, () => {
    const decision = decideIn(world, 'Bash', command);
    assert.is.not(decision.decision, 'allow', decision.message);
  });
}

const stillAllowed: readonly (readonly [string, World, string])[] = [
  ['a plain glob', safe, 'cat src/*.md'],
  ['a glob at the start of a word, where no option does harm', safe, 'cat *.md'],
  ['a glob that does not name the secret beside it', { ...safe, secrets: ['/repo/.env'] }, 'cat ./*.md'],
  ['going up from where the call was made', safe, 'cd src && cd .. && ls docs'],
  ['a deny elsewhere', { ...safe, deny: ['Read(secrets/**)'] }, 'grep -r k src'],
  ['a deny of another subcommand', { ...safe, deny: ['Bash(git push *)'] }, 'git --no-pager log -1'],
  ['a deny of other letters', free(['Bash(rm -rf *)']), 'rm -f x'],
  ['a deny of a secret that the tree does not hold', { ...safe, deny: ['Read(.env)', 'Edit(package.json)'] }, 'grep -rn k src'],
  ['a deny of other endings', { ...safe, deny: ['Read(*.pem)'] }, 'cat docs/*.md && grep -rn k src'],
  ['a deny of a file beside the glob', { ...free(['Edit(package.json)', 'Read(.env)']) }, 'rm src/*.o'],
  ['a deny of a file and the removal of a folder', { ...free(['Edit(package.json)', 'Read(.env)']) }, 'rm -rf build'],
  ['in-place editing by yq', { allow: ['Bash(yq -i *)'] }, "yq -i '.a = 1' config.yaml"],
  ['yq that only reads the policy', safe, 'yq .allow policy.yaml'],
  ['in-place editing by awk', { allow: ['Bash(awk -i inplace *)'] }, 'awk -i inplace 1 a.txt'],
  ['a patch of a file of the project', { allow: ['Bash(patch *)'] }, 'patch src/a.ts a.patch'],
  ['a patch of the policy that is only tried', { allow: ['Bash(patch *)'] }, 'patch --dry-run policy.yaml a.patch'],
  ['files out of history', free([]), 'git restore --source=HEAD~3 src/a.ts'],
  ['all files out of history', free([]), 'git restore .'],
  ['unstaging the policy', safe, 'git restore --staged policy.yaml'],
  ['a total rule over words that only the shell knows', free([]), 'cat $FILE'],
];

for (const [why, world, command] of stillAllowed) {
  test(`${why}: ${command} is allowed`, () => {
    const decision = decideIn(world, 'Bash', command);
    assert.is(decision.decision, 'allow', decision.message);
  });
}

test('an MCP tool of unclear access meets read rules and the secret guard too', () => {
  const world: World = { allow: ['mcp__srv__do'], deny: ['Read(secrets/**)'] };
  assert.is(decideIn(world, 'mcp__srv__do', { path: 'secrets/key' }).decision, 'deny');
  assert.is.not(decideIn(world, 'mcp__srv__do', { path: '.env' }).decision, 'allow');
});

test('Grep over a tree with a secret asks', () => {
  assert.is.not(
    decideIn({ preset: 'safe', secrets: ['/repo/.env'] }, 'Grep', { pattern: 'KEY', glob: '.env' }).decision,
    'allow',
  );
});

test.run();
