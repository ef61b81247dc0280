/** Which files count as configuration of git: included ones, those of the machine and the user, of submodules and of work trees. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sharedConfigFiles } from '../../../src/disk/git/config-files.js';
import { answer, TOKEN, WITHOUT } from './git/configured-repository.js';

/** A file of settings with a credential, and one without, for the place of `SETTINGS`. */
const SETTINGS = [`[remote "b"]\n\turl = https://me:${TOKEN}@example.com/y.git\n`, '[user]\n\tname = A\n'] as const;

const INCLUDES = '[include]\n\tpath = ../shared.inc\n';
const found: readonly (readonly [
  why: string,
  tool: string,
  input: string,
  files: Readonly<Record<string, string>>,
  variables?: Readonly<Record<string, string>>,
])[] = [
  [
    'an include of the user',
    'Bash',
    'git remote -v',
    { 'home/.gitconfig': '[include]\n\tpath = w.inc\n', 'home/w.inc': 'SETTINGS' },
  ],
  [
    'one with ~',
    'Bash',
    'git config --list',
    { 'home/.gitconfig': '[include]\n\tpath = ~/w/w.inc\n', 'home/w/w.inc': 'SETTINGS' },
  ],
  [
    'one under a condition',
    'Bash',
    'git remote -v',
    { 'home/.gitconfig': '[includeIf "gitdir:~/w/"]\n\tpath = w.inc\n', 'home/w.inc': 'SETTINGS' },
  ],
  [
    'one in an included file, relative to that',
    'Bash',
    'git remote -v',
    {
      'home/.gitconfig': '[include]\n\tpath = a/b.inc\n',
      'home/a/b.inc': '[include]\n\tpath = c.inc\n',
      'home/a/c.inc': 'SETTINGS',
    },
  ],
  [
    'one beside a file that is included twice',
    'Bash',
    'git remote -v',
    { 'home/.gitconfig': '[include]\n\tpath = ~/.gitconfig\n\tpath = w.inc\n\tpath = w.inc\n', 'home/w.inc': 'SETTINGS' },
  ],
  ['XDG_CONFIG_HOME', 'Bash', 'git remote -v', { 'xdg/git/config': 'SETTINGS' }, { XDG_CONFIG_HOME: 'PROJECT/xdg' }],
  ['the file below XDG_CONFIG_HOME', 'Read', 'xdg/git/config', { 'xdg/git/config': 'SETTINGS' }],
  ['the configuration of the machine', 'Bash', 'cat usr/etc/gitconfig', { 'usr/etc/gitconfig': 'SETTINGS' }],
  ['a link of that name', 'Read', 'home/.gitconfig', { 'home/.gitconfig': '-> dot/user', 'home/dot/user': 'SETTINGS' }],
  ['a part of it with a usual name', 'Bash', 'cat dot/gitconfig.local', { 'dot/gitconfig.local': 'SETTINGS' }],
  ['the URL of a submodule', 'Bash', 'cat .gitmodules', { '.gitmodules': 'SETTINGS' }],
  ['a submodule', 'Bash', 'cat .git/modules/m/config', { '.git/modules/m/config': 'SETTINGS' }],
  ['a submodule, searched', 'Bash', 'grep -r url .', { '.git/modules/m/config': 'SETTINGS' }],
  ['a submodule, searched by a tool', 'Grep', '.', { '.git/modules/a/b/config': 'SETTINGS' }],
  ['a linked work tree', 'Bash', 'grep -r url .', { '.git/worktrees/w/config.worktree': 'SETTINGS' }],
  ['the settings of this work tree', 'Bash', 'grep -r url .', { '.git/config.worktree': 'SETTINGS' }],
  [
    'a bare repository',
    'Bash',
    'cat m.git/config',
    { 'm.git/HEAD': 'ref: refs/heads/main\n', 'm.git/objects/': '', 'm.git/refs/': '', 'm.git/config': 'SETTINGS' },
  ],
  ['an include of the repository', 'Read', 'shared.inc', { '.git/config': `${WITHOUT}${INCLUDES}`, 'shared.inc': 'SETTINGS' }],
  [
    'the same by a link',
    'Bash',
    'cat l',
    { '.git/config': `${WITHOUT}${INCLUDES}`, 'shared.inc': 'SETTINGS', l: '-> shared.inc' },
  ],
  ['the same, searched', 'Grep', '.', { '.git/config': `${WITHOUT}${INCLUDES}`, 'shared.inc': 'SETTINGS' }],
  [
    'one that the settings of this work tree include',
    'Read',
    'shared.inc',
    {
      '.git/config': `${WITHOUT}[extensions]\n\tworktreeConfig = true\n`,
      '.git/config.worktree': INCLUDES,
      'shared.inc': 'SETTINGS',
    },
  ],
  [
    'one in .git, searched',
    'Bash',
    'grep -r url .',
    { '.git/config': `${WITHOUT}[include]\n\tpath = info/x\n`, '.git/info/x': 'SETTINGS' },
  ],
];
for (const [why, tool, input, files, variables = {}] of found)
  test(`${why}: ${tool} ${input} asks with a credential there, and is allowed without`, () => {
    const effects = SETTINGS.map((settings) => {
      const filled = Object.entries(files).map(([name, text]) => [name, text === 'SETTINGS' ? settings : text]);
      return answer(WITHOUT, tool, input, Object.fromEntries(filled), { variables }).effect;
    });
    assert.equal(effects, ['ask', 'allow']);
  });

test('files that git does not take for its configuration are read as ever', () => {
  const [credential] = SETTINGS;
  for (const name of ['shared.inc', 'x/config', 'config', 'gitconfigs.txt'])
    assert.is(answer(WITHOUT, 'Read', name, { [name]: credential }).effect, 'allow', name);
  // Not in the syntax of git, so that it holds no setting.
  assert.is(answer(WITHOUT, 'Read', 'gitconfig.tmpl', { 'gitconfig.tmpl': `{{ x }}\n${credential}` }).effect, 'allow');
});

test('more includes than are read, and those of other users, may hold a credential', () => {
  const many = Array.from({ length: 80 }, (_, at) => `\tpath = ${at}.inc\n`);
  for (const includes of [many.join(''), '\tpath = ~somebody/x\n', '\tpath = %(prefix)/x\n'])
    assert.is(answer(WITHOUT, 'Bash', 'git remote -v', { 'home/.gitconfig': `[include]\n${includes}` }).effect, 'ask');
  assert.is(answer(WITHOUT, 'Bash', 'git remote -v', { 'home/.gitconfig': '[include]\n\tpath = missing\n' }).effect, 'allow');
});

test('work trees and submodules beyond what is read may hold a credential', () => {
  const trees = Array.from({ length: 201 }, (_, at) => [`.git/worktrees/${at}/HEAD`, '']);
  const modules = Array.from({ length: 201 }, (_, at) => [`.git/modules/${at}/config`, '']);
  for (const files of [trees, modules, [['.git/modules/m', '-> ../..']]]) {
    assert.is(answer(WITHOUT, 'Bash', 'grep -r url .', Object.fromEntries(files)).effect, 'ask');
    assert.is(answer(WITHOUT, 'Bash', 'grep -r url .', Object.fromEntries(files.slice(1))).effect, 'allow');
  }
});

test('the configuration of the machine and of the user is where their packages and variables put it', () => {
  const variables = { XDG_CONFIG_HOME: '/x', GIT_CONFIG_GLOBAL: '/g', GIT_CONFIG_SYSTEM: '/dev/null' };
  const files = sharedConfigFiles({ home: '/h', environment: variables });
  for (const file of [
    '/etc/gitconfig',
    '/opt/homebrew/etc/gitconfig',
    '/h/.gitconfig',
    '/h/.config/git/config',
    '/x/git/config',
    '/g',
  ])
    assert.ok(files.includes(file), file);
  assert.not.ok(files.includes('/dev/null'));
});

test.run();
