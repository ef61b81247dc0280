/** Skills of folders below the project: Claude Code calls them `folder:name`, and by their bare name where that is free. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCertain, nestedNames, nestedSkillFolders } from '../../../src/enforce/agents/nested-skills.js';
import { skillFiles } from '../../../src/enforce/agents/skill-files.js';
import { payload, verdictOf, withHookWorld } from '../../hook/world.js';
import { GIT } from '../opened.js';
import { withFiles } from '../scratch.js';

type Files = Readonly<Record<string, string>>;
type Verdict = 'allow' | 'ask' | 'deny';

const TOUCHES = '!`touch x`';
/** A skill in a folder of the project, the project itself where that is empty. */
const skill = (folder: string, body: string, lines = '', name = 'one'): Files => ({
  [join('project', folder, '.claude/skills', name, 'SKILL.md')]: `---\nname: ${name}\ndescription: d\n${lines}---\n${body}\n`,
});
/** One that is shown by another name than that of its folder. */
const called = (folder: string, shown: string, body = TOUCHES): Files => ({
  [join('project', folder, '.claude/skills/aaa/SKILL.md')]: `---\nname: "${shown}"\ndescription: d\n---\n${body}\n`,
});
const plugin = (body: string): Files => ({
  '.claude/plugins/cache/kit/skills/one/SKILL.md': body,
  '.claude/plugins/installed_plugins.json':
    '{"version":2,"plugins":{"kit@market":[{"installPath":"@HOME@/.claude/plugins/cache/kit"}]}}',
});
const ofFolder = (manifest: string): Files => ({
  'project/.claude/skills/sub/.claude-plugin/plugin.json': manifest,
  'project/.claude/skills/sub/skills/one/SKILL.md': TOUCHES,
});
const HOOKS = 'hooks:\n  PreToolUse: []\n';
const ROWS: readonly (readonly [why: string, files: Files, name: string, verdict: Verdict])[] = [
  ['a skill of a folder', skill('sub', 'hello'), 'sub:one', 'allow'],
  ['of a folder in a folder', skill('sub/deep', 'hello'), 'sub/deep:one', 'allow'],
  ['by its bare name, which is free', skill('sub', 'hello'), 'one', 'allow'],
  ['with a denied command', skill('sub', TOUCHES), 'sub:one', 'deny'],
  ['of a folder in a folder, with a denied command', skill('sub/deep', TOUCHES), 'sub/deep:one', 'deny'],
  ['by its bare name, with a denied command', skill('sub/deep', TOUCHES), 'one', 'deny'],
  ['with hooks of its own', skill('sub', 'hello', HOOKS), 'sub:one', 'ask'],
  ['a harmless one in the project', { ...skill('', 'hello'), ...skill('sub', TOUCHES) }, 'sub:one', 'deny'],
  ['a harmless one in the project, hooks in the folder', { ...skill('', 'hello'), ...skill('sub', '', HOOKS) }, 'sub:one', 'ask'],
  ['a denied one in the project', { ...skill('', TOUCHES), ...skill('sub', 'hello') }, 'sub:one', 'allow'],
  ['that of the project by its bare name', { ...skill('', 'hello'), ...skill('sub', TOUCHES) }, 'one', 'allow'],
  ['one of the project alone', skill('', 'hello'), 'sub:one', 'ask'],
  ['one of another folder', skill('other', 'hello'), 'sub:one', 'ask'],
  ['a slash command of the project', { 'project/.claude/commands/one.md': 'hello' }, 'sub:one', 'ask'],
  ['a slash command in a folder of that name', { 'project/.claude/commands/sub/one.md': 'hello' }, 'sub:one', 'allow'],
  ['a path out of the project', skill('', 'hello'), 'sub/..:one', 'ask'],
  ['a folder with a blank', skill('my sub', 'hello'), 'my sub:one', 'allow'],
  ['a name with a blank', { ...called('', 'o n e', 'hello'), ...skill('sub', TOUCHES, '', 'o n e') }, 'o n e', 'deny'],
  ['a folder with a colon', skill('a:b', TOUCHES), 'a:b:one', 'deny'],
  [
    'another that is shown by the full name',
    { ...skill('', 'hello'), ...skill('sub', 'hello'), ...called('other', 'sub:one') },
    'sub:one',
    'deny',
  ],
  ['another that is shown by the bare name', called('other', 'one'), 'one', 'deny'],
  // Those of the project that do not, or not certainly, have the bare name.
  ['one that waits for files', { ...skill('', 'hello', 'paths: none/**\n'), ...skill('sub', TOUCHES) }, 'one', 'deny'],
  ['one with odd front matter', { ...skill('', 'hello', 'x: &y [z]\n'), ...skill('sub', TOUCHES) }, 'one', 'deny'],
  ['one that is only shown by it', { ...called('', 'one', 'hello'), ...skill('sub', TOUCHES) }, 'one', 'deny'],
  ['a command in a folder', { 'project/.claude/commands/a/one.md': 'hello', ...skill('sub', TOUCHES) }, 'one', 'deny'],
  ['a command', { 'project/.claude/commands/one.md': 'hello', ...skill('sub', TOUCHES) }, 'one', 'allow'],
  [
    'one that settings switch off',
    { ...skill('', 'hello'), ...skill('sub', TOUCHES), 'project/.claude/settings.json': '{"skillOverrides":{"one":"off"}}' },
    'one',
    'deny',
  ],
  [
    'one that is a plugin',
    { ...skill('', 'hello'), 'project/.claude/skills/one/.claude-plugin/plugin.json': '{}', ...skill('sub', TOUCHES) },
    'one',
    'deny',
  ],
  ["a plugin's", plugin('hello'), 'kit:one', 'allow'],
  ["a plugin's, and a folder of its name", { ...plugin('hello'), ...skill('kit', TOUCHES) }, 'kit:one', 'deny'],
  ["a denied one of a plugin's, and a folder of its name", { ...plugin(TOUCHES), ...skill('kit', 'hello') }, 'kit:one', 'deny'],
  ["a plugin's, and one that is shown by its name", { ...plugin('hello'), ...called('sub', 'kit:one') }, 'kit:one', 'allow'],
  [
    "a plugin's that the project switches off, and one that is shown by its name",
    {
      ...{ ...plugin('hello'), ...called('sub', 'kit:one') },
      'project/.claude/settings.json': '{"enabledPlugins":{"kit@market":false}}',
    },
    'kit:one',
    'deny',
  ],
  ['a plugin among the skills', { ...skill('sub', 'hello'), ...ofFolder('{"name":"sub"}') }, 'sub:one', 'deny'],
  ['one without a name', { ...skill('sub', 'hello'), ...ofFolder('{}') }, 'sub:one', 'deny'],
  ['one of another name', { ...skill('sub', 'hello'), ...ofFolder('{"name":"kit"}') }, 'sub:one', 'allow'],
  ['one that lists its skills oddly', { ...skill('sub', 'hello'), ...ofFolder('{"name":"sub","skills":5}') }, 'sub:one', 'ask'],
];
const POLICY = { '.config/policy/policy.yaml': "version: 1\npreset: safe\nallow: [Skill, Agent]\ndeny: ['Bash(touch *)']\n" };

for (const [why, files, name, verdict] of ROWS)
  test(`${why}: ${verdict}`, () => {
    withHookWorld({ ...POLICY, ...files }, (world) => {
      for (const [file, text] of Object.entries(files)) world.write(file, text.replaceAll('@HOME@', world.home));
      assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: name }))), verdict);
    });
  });

/** Links in the project, to where, beside a harmless skill and a nested one with a denied command. */
const LINK_ROWS: readonly (readonly [why: string, files: Files, links: Files, name: string, verdict: Verdict])[] = [
  ['to another skill', skill('', 'hello', '', 'two'), { '.claude/skills/one': 'two' }, 'one', 'deny'],
  ['to the skill itself', skill('', 'hello'), { '.claude/skills/aaa': 'one' }, 'one', 'deny'],
  ['to its file', skill('', 'hello'), { '.claude/skills/aaa/SKILL.md': '../one/SKILL.md' }, 'one', 'deny'],
  ['of a command to its file', skill('', 'hello'), { '.claude/commands/one.md': '../skills/one/SKILL.md' }, 'one', 'allow'],
  ['to the folder', skill('', 'hello'), { other: 'sub' }, 'other:one', 'deny'],
  ['to the folder, by the bare name', {}, { other: 'sub' }, 'one', 'deny'],
  ['to a folder elsewhere', {}, { 'other/.claude': '/usr' }, 'other:one', 'ask'],
];
for (const [why, files, links, name, verdict] of LINK_ROWS)
  test(`a link ${why}: ${verdict}`, () => {
    withHookWorld({ ...POLICY, ...files, ...skill('sub', TOUCHES) }, (world) => {
      for (const [link, to] of Object.entries(links)) {
        mkdirSync(dirname(join(world.project, link)), { recursive: true });
        symlinkSync(to, join(world.project, link));
      }
      assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: name }))), verdict);
    });
  });

test('a nested skill that an agent loads is judged when the agent starts', () => {
  const agent = '---\nname: rev\ndescription: d\nskills: sub:one\n---\nLook.\n';
  withHookWorld(
    { ...POLICY, ...skill('', 'hello'), ...skill('sub', TOUCHES), 'project/.claude/agents/rev.md': agent },
    (world) => {
      const input = { description: 'd', prompt: 'p', subagent_type: 'rev' };
      assert.is(verdictOf(world.run(payload(world, 'Agent', input))), 'deny');
    },
  );
});

test('the reason names the file, and where one was looked for', () => {
  withHookWorld({ ...POLICY, ...skill('sub', TOUCHES) }, (world) => {
    const said = (name: string) => {
      const { stdout, stderr } = world.run(payload(world, 'Skill', { skill: name }));
      return stdout + stderr;
    };
    assert.match(
      said('sub:one'),
      /the skill sub:one runs a command when it is loaded \(sub\/\.claude\/skills\/one\/SKILL\.md:5\): /,
    );
    assert.match(
      said('a/b:two'),
      /no file of the skill a\/b:two was found, neither a\/b\/\.claude\/skills\/two\/SKILL\.md nor in a plugin, so/,
    );
  });
});

test('where a tree is too large to be searched, only a name that is certainly held needs no question', () => {
  const nothing: Files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`project/many/${at}/x`, '']));
  withFiles({ ...nothing, ...skill('', 'hello'), ...skill('sub', 'hello') }, (folder) => {
    const places = { project: join(folder, 'project'), home: join(folder, 'home'), cwd: join(folder, 'project') };
    const { project } = places;
    assert.equal(nestedSkillFolders(project, 20).complete, false);
    const all = nestedSkillFolders(project);
    assert.equal(all.complete, true);
    assert.equal([...all.folders].sort(), [join(project, '.claude/skills'), join(project, 'sub/.claude/skills')].sort());
    const file = (at: string) => join(project, at, '.claude/skills/one/SKILL.md');
    assert.equal(isCertain('one', [{ file: file(''), within: project, plugin: null }], places), true);
    assert.equal(isCertain('sub:one', [{ file: file('sub'), within: project, plugin: null }], places), false);
    const found = (name: string, most: number) => skillFiles(name, places, most);
    assert.equal(
      [found('one', 20)].flat().map((one) => (typeof one === 'string' ? one : one.file)),
      [file('')],
    );
    assert.match(String(found('sub:one', 20)), /^another skill of that name may be in \S+, which cannot be listed completely/);
    assert.equal(Array.isArray(found('sub:one', 1_000)), true);
  });
});

test('in a work tree of the project a name is certain where both have a skill of that name', () => {
  const tree = 'project/.claude/worktrees/w';
  const files = {
    ...{ ...skill('', 'hello'), ...skill('', 'hello', '', 'two'), ...skill('.claude/worktrees/w', 'hello') },
    ...{ [`${tree}/.git`]: 'gitdir: ../../../.git/worktrees/w\n', [`${tree}/src/x`]: '' },
  };
  withFiles(files, (folder) => {
    const project = join(folder, 'project');
    const places = { project, home: join(folder, 'home'), cwd: join(folder, tree, 'src') };
    const found = (name: string) =>
      [project, join(folder, tree)].map((within) => ({
        ...{ file: join(within, '.claude/skills', name, 'SKILL.md'), within, plugin: null },
      }));
    assert.equal(
      ['one', 'two'].map((name) => isCertain(name, found(name), places)),
      [true, false],
    );
    assert.is(isCertain('two', found('two'), { ...places, cwd: project }), true);
    assert.is(isCertain('two', found('two'), { ...places, cwd: folder }), false);
  });
});

const PACKAGES: readonly (readonly [why: string, files: Files, isLeftOut: boolean])[] = [
  ['that git ignores', { ...GIT, 'repo/.gitignore': 'dist\nnode_modules/\n' }, true],
  ['that git does not ignore', GIT, false],
  ['outside of a repository', { 'repo/.gitignore': 'node_modules\n' }, false],
  [
    'that a line takes in again',
    { ...GIT, 'repo/.gitignore': 'node_modules\n', 'repo/sub/.gitignore': '!node_modules\n' },
    false,
  ],
  ['of a submodule', { ...GIT, 'repo/.gitignore': 'node_modules\n', 'repo/sub/.git': 'gitdir: ../.git/modules/sub\n' }, false],
];
for (const [why, files, isLeftOut] of PACKAGES)
  test(`packages ${why} are ${isLeftOut ? 'left out' : 'searched'}`, () => {
    withFiles({ ...files, 'repo/sub/node_modules/kit/.claude/skills/one/SKILL.md': 'hello' }, (folder) => {
      const { folders, complete } = nestedSkillFolders(join(folder, 'repo'));
      assert.equal([folders.length, complete], [isLeftOut ? 0 : 1, true]);
    });
  });

test('packages that git keeps are searched, whatever it ignores: the client takes their skills', () => {
  const kept = 'repo/node_modules/kit/.claude/skills/one/SKILL.md';
  withFiles({ [kept]: 'hello', 'repo/.gitignore': 'node_modules\n' }, (folder) => {
    const found = () => nestedSkillFolders(join(folder, 'repo')).folders.length;
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-C', join(folder, 'repo'), ...words], {
        env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      });
    git('init', '-q');
    assert.is(found(), 0);
    git('add', '-f', join(folder, kept));
    assert.is(found(), 1);
    writeFileSync(join(folder, 'repo/.git/index'), 'no index');
    assert.is(found(), 1);
  });
});

test('a folder that nobody can enter holds nothing; one that cannot be listed may', () => {
  withFiles({ 'project/a/x': '' }, (folder) => {
    const project = join(folder, 'project');
    const inMode = (mode: number) => {
      chmodSync(join(project, 'a'), mode);
      const { complete } = nestedSkillFolders(project);
      chmodSync(join(project, 'a'), 0o700);
      return complete;
    };
    // To root nothing is closed.
    const isRoot = process.getuid?.() === 0;
    assert.equal([inMode(0o000), inMode(0o100)], [true, isRoot]);
  });
});

const NAMES: readonly (readonly [name: string, found: readonly string[]])[] = [
  ['one', []],
  ['sub:one', ['sub one']],
  ['a/b:one', ['a/b one']],
  ['a:b:one', ['a b:one', 'a:b one']],
  ['/sub:one', []],
  ['sub/:one', []],
  ['../sub:one', []],
  ['a/./b:one', []],
  ['sub:../one', []],
  [':one', []],
  ['sub:', []],
];
for (const [name, found] of NAMES)
  test(`the folders that ${name} may mean`, () => {
    assert.equal(
      nestedNames(name).map(({ folder, skill: own }) => `${folder} ${own}`),
      found,
    );
  });

test.run();
