/** Skills and slash commands run commands of their own when they are loaded: their call is answered as those commands would be. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findRemedyDry } from '../../../src/author/remedy.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../../hook/world.js';
import { GIT, openIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const SKILL = 'project/.claude/skills/one/SKILL.md';
const skill = (body: string) => ({ [SKILL]: `---\nname: one\ndescription: d\n---\n${body}\n` });

/** A skill in a folder of this name, with these lines in its front matter. */
const head = (folder: string, lines: string, body = '!`touch x`') => ({
  [`project/.claude/skills/${folder}/SKILL.md`]: `---\n${lines}\n---\n${body}\n`,
});
/** The one file of an installed plugin `kit`. */
const plugin = (file: string, text: string, manifest?: unknown) => ({
  [`.claude/plugins/cache/kit/${file}`]: text,
  '.claude/plugins/installed_plugins.json':
    '{"version":2,"plugins":{"kit@market":[{"installPath":"@HOME@/.claude/plugins/cache/kit"}]}}',
  ...(manifest !== undefined && { '.claude/plugins/cache/kit/.claude-plugin/plugin.json': JSON.stringify(manifest) }),
});

type Verdict = 'allow' | 'ask' | 'deny';
type Row = readonly [why: string, files: Readonly<Record<string, string>>, name: string, verdict: Verdict];
const ROWS: readonly Row[] = [
  ['no command', skill('Say hello.'), 'one', 'allow'],
  ['an allowed command', skill('Now: !`git status`'), 'one', 'allow'],
  ['code that is only shown', skill('Type `git push` yourself.'), 'one', 'allow'],
  ['a command that asks', skill('Now: !`git push origin main`'), 'one', 'ask'],
  ['a denied command', skill('Now: !`rm -rf ~`'), 'one', 'deny'],
  ['a denied one behind an allowed one', skill('!`git status`\n\n!`touch x`'), 'one', 'deny'],
  ['a fenced block', skill('```!\ngit status\ntouch x\n```'), 'one', 'deny'],
  ['a fenced block that is allowed', skill('```!\ngit status\n```'), 'one', 'allow'],
  ['an ordinary fenced block', skill('```sh\ntouch x\n```'), 'one', 'allow'],
  ['glued to a word', skill('x!`touch x`'), 'one', 'deny'],
  ['arguments in the command', skill('!`git log $ARGUMENTS`'), 'one', 'ask'],
  ['one argument in the command', skill('!`git log "$1"`'), 'one', 'ask'],
  ['a secret', skill('!`cat .env`'), 'one', 'ask'],
  ["a user's skill", { '.claude/skills/two/SKILL.md': '!`touch x`' }, 'two', 'deny'],
  ['a slash command', { 'project/.claude/commands/three.md': '!`touch x`' }, 'three', 'deny'],
  ['a slash command in a folder', { 'project/.claude/commands/a/b/three.md': '!`touch x`' }, 'three', 'deny'],
  ['with its folder and a slash', { 'project/.claude/commands/a/three.md': '!`touch x`' }, '/a:three', 'deny'],
  ['one of two of that name', { ...skill('!`git status`'), 'project/.claude/commands/one.md': '!`touch x`' }, 'one', 'deny'],
  ['a command for another shell', head('one', 'shell: powershell', '!`git status`'), 'one', 'ask'],
  ['a command for bash, which is named', head('one', 'shell: bash', '!`git status`'), 'one', 'allow'],
  ['no file', {}, 'nowhere', 'ask'],
  ['a path for a name', skill('hello'), '../one', 'ask'],
  ['a block without an end', skill('```!\ntouch x'), 'one', 'deny'],
  ['blocks without an end', skill('```!'.repeat(60_000)), 'one', 'deny'],
  ['too large', skill('x'.repeat(300_000)), 'one', 'ask'],
  ['many commands', skill('!`git status`\n'.repeat(60)), 'one', 'ask'],
  ['a command that begins in what is none', skill('x!`git status !`touch x`'), 'one', 'deny'],
  ['a block that begins in what is no command', skill('!` ```!\ntouch x\n```'), 'one', 'deny'],
  ['an exclamation mark in front of a word of code', skill('Hello! Say `git status`.'), 'one', 'allow'],
  ['a file of the project', skill('Read @src/a.ts, @README.md and @"src/b c.ts".'), 'one', 'allow'],
  ['words that are no files', skill('Ask @alice or a@b.example about @Override, @types/node or @src/a.ts:12.'), 'one', 'allow'],
  ['a secret file', skill('See @.env.'), 'one', 'ask'],
  ['a secret file, in quotes', skill('See @".env"'), 'one', 'ask'],
  ['lines of a secret file', skill('@.env#L1-2'), 'one', 'ask'],
  ['a secret file behind a Chinese mark', skill('看。@.env'), 'one', 'ask'],
  ["the person's key", skill('Use @~/.ssh/id_rsa, please'), 'one', 'ask'],
  ['a file elsewhere', skill('@/etc/hostname'), 'one', 'ask'],
  ['a file that is denied', skill('@private/plan.md'), 'one', 'deny'],
  ['a file that a command prints the name of', skill('!`echo @.env`'), 'one', 'ask'],
  ['a file below a variable of the client', skill('@${CLAUDE_PROJECT_DIR}/src/a.ts'), 'one', 'ask'],
  ['a file beside the skill', skill('@${CLAUDE_SKILL_DIR}/more.md'), 'one', 'allow'],
  ['a secret beside the skill', skill('@${CLAUDE_SKILL_DIR}/../../../.env'), 'one', 'ask'],
  ['a resource of a server', skill('@probe:file:///etc/passwd'), 'one', 'ask'],
  ['another name in its front matter', head('other', 'name: one'), 'one', 'deny'],
  ['another name, in quotes', head('other', 'name: "one"'), 'one', 'deny'],
  ['another name, on the next line', head('other', 'name: >-\n  one'), 'one', 'deny'],
  ['another name, escaped', head('other', '"n\\u0061me": one'), 'one', 'deny'],
  ['another name of two words', head('other', 'name: one two'), 'one two', 'deny'],
  ['a skill that is not asked about', { ...skill('hello'), ...head('other', 'name: other') }, 'one', 'allow'],
  ['tools that it allows itself', head('one', 'name: one\nallowed-tools: Bash, Write', 'hello'), 'one', 'allow'],
  ['hooks of its own', head('one', 'name: one\nhooks:\n  PreToolUse: []', 'hello'), 'one', 'ask'],
  ['hooks under an escaped name', head('one', '"h\\x6foks": {}', 'hello'), 'one', 'ask'],
  ['hooks in a description', head('one', 'name: one\ndescription: about hooks and git hooks', 'hello'), 'one', 'allow'],
  ['a front matter that is too long', head('one', `name: one\n${'x'.repeat(9_000)}`, 'hello'), 'one', 'ask'],
  ['an argument by its name', head('one', 'arguments: [thing]', '!`git log "$thing"`'), 'one', 'ask'],
  ['carried out by an agent that may not run', head('one', 'context: fork\nagent: digger', 'hello'), 'one', 'deny'],
  ['not carried out by an agent', head('one', 'agent: digger', 'hello'), 'one', 'allow'],
  ['a folder of commands that is one', { 'project/.claude/commands/one/SKILL.md': '!`touch x`' }, 'one', 'deny'],
  ["a person's skill of the same name", { '.claude/skills/one/SKILL.md': '!`touch x`', ...skill('hello') }, 'one', 'deny'],
  ["a plugin's skill", plugin('skills/one/SKILL.md', 'hello'), 'kit:one', 'allow'],
  ["a plugin's skill with a denied command", plugin('skills/one/SKILL.md', '!`touch x`'), 'kit:one', 'deny'],
  ["a plugin's skill without its name", plugin('skills/one/SKILL.md', '!`touch x`'), 'one', 'deny'],
  ["a plugin's command", plugin('commands/deep/one.md', '!`touch x`'), 'kit:deep:one', 'deny'],
  ["a plugin's command that is allowed", plugin('commands/one.md', '!`git status`'), 'kit:one', 'allow'],
  ["a program of the plugin's own", plugin('commands/one.md', '!`${CLAUDE_PLUGIN_ROOT}/run.sh`'), 'kit:one', 'ask'],
  ["a plugin's skill that is not there", plugin('skills/one/SKILL.md', 'hello'), 'kit:two', 'ask'],
  ['where the manifest says', plugin('own/one/SKILL.md', '!`touch x`', { skills: './own' }), 'kit:one', 'deny'],
  [
    'one skill that the manifest names',
    plugin('own/SKILL.md', '---\nname: one\n---\n!`touch x`', { skills: ['./own'] }),
    'kit:one',
    'deny',
  ],
  ['a manifest that nobody can read', plugin('skills/one/SKILL.md', 'hello', { commands: { one: {} } }), 'kit:one', 'ask'],
  ['a manifest that leads out of the plugin', plugin('skills/one/SKILL.md', 'hello', { skills: '../../x' }), 'kit:one', 'ask'],
  [
    'a skill that no plugin has, beside one',
    { ...plugin('skills/two/SKILL.md', '!`touch x`'), ...skill('hello') },
    'one',
    'allow',
  ],
];
const POLICY = {
  '.config/policy/policy.yaml':
    "version: 1\npreset: safe\nallow: [Skill]\ndeny: ['Bash(touch *)', 'Read(private/**)', Agent(digger)]\n",
};

/** What is passed to a skill is put into its text: what may become a command or a file there. */
type ArgumentRow = readonly [why: string, body: string, args: unknown, verdict: Verdict];
const ARGUMENT_ROWS: readonly ArgumentRow[] = [
  ['words', 'Greet $ARGUMENTS!', 'the world', 'allow'],
  ['words with code in them', 'Fix $ARGUMENTS, please.', 'the function `one`', 'allow'],
  ['words that no place is kept for', 'Greet.', 'the `world`', 'allow'],
  ['a file of the project', 'Look at @$ARGUMENTS', 'src/a.ts', 'allow'],
  ['a secret file', 'Look at @$1', 'now .env', 'ask'],
  ['a secret file by its folder', 'Look at @$1/.ssh/id_rsa', '~', 'ask'],
  ['a denied file', 'Look at @$ARGUMENTS[0].', 'private/plan.md', 'deny'],
  ['quotes around a name', 'Look at @$1', '".en""v"', 'ask'],
  ['two of them in a name', 'Look at @$0$1', '.e nv', 'ask'],
  ['the mention itself', 'Look at $ARGUMENTS', '@.env', 'ask'],
  ['a mention that no place is kept for', 'Look.', 'at @~/.ssh/id_rsa', 'ask'],
  ['a mention of a file of the project', 'Look.', 'at @src/a.ts', 'allow'],
  ['the first half of a mention', 'Look at $1/.ssh/id_rsa', '@~', 'ask'],
  ['the folder of a denied file', 'Look at $1/plan.md', '@private', 'deny'],
  ['a command', 'Greet.', '!`touch x`', 'deny'],
  ['the backticks of a command', 'Do !$ARGUMENTS now', '`touch x`', 'ask'],
  ['the last backtick of a command', 'Do !`git log $ARGUMENTS', 'x; touch x`', 'ask'],
  ['the mark of a block', '$1!\ntouch x\n```', '```', 'ask'],
  ['the mark in front of a backtick', 'Do $1`touch x`', '!', 'ask'],
  ['something that is no text', 'Greet.', ['@.env'], 'ask'],
];

for (const [why, files, name, verdict] of ROWS)
  test(`${why}: ${verdict}`, () => {
    withHookWorld({ ...POLICY, ...files }, (world) => {
      for (const [file, text] of Object.entries(files)) world.write(file, text.replaceAll('@HOME@', world.home));
      assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: name }))), verdict);
    });
  });

for (const [why, body, args, verdict] of ARGUMENT_ROWS)
  test(`arguments: ${why}: ${verdict}`, () => {
    withHookWorld({ ...POLICY, ...skill(body) }, (world) => {
      assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: 'one', args }))), verdict);
    });
  });

/** The skills that the front matter of an agent names are loaded with it. */
const AGENT_ROWS: readonly (readonly [why: string, lines: string, body: string, verdict: Verdict])[] = [
  ['no skill', 'tools: Read', '!`touch x`', 'allow'],
  ['a skill without commands', 'skills: one', 'hello', 'allow'],
  ['an allowed command', 'skills: [one]', '!`git status`', 'allow'],
  ['a denied command', 'skills: one', '!`touch x`', 'deny'],
  ['one of several', 'skills: two, one', '!`touch x`', 'deny'],
  ['in brackets', 'skills: ["two", "one"]', '!`touch x`', 'deny'],
  ['in a list of lines', 'skills:\n  - two\n  - one', '!`touch x`', 'deny'],
  ['none', 'skills: []', 'hello', 'allow'],
  ['with a remark', 'skills: two # and no other', '!`touch x`', 'allow'],
  ['a list of lines with a remark in it', 'skills:\n  - two\n  # and\n  - one', '!`touch x`', 'ask'],
  ['a value of two lines', 'skills: two\n  one', '!`touch x`', 'ask'],
  ['between other keys', 'skills: two\ntools: Read', 'hello', 'allow'],
  ['a list that goes on', 'skills: [two,\n  one]', '!`touch x`', 'ask'],
  ['a name of a value', 'skills: *x', 'hello', 'ask'],
  ['a mention, which is not read then', 'skills: one', 'See @.env', 'allow'],
];
for (const [why, lines, body, verdict] of AGENT_ROWS)
  test(`skills of an agent: ${why}: ${verdict}`, () => {
    const agent = `---\nname: rev\ndescription: d\n${lines}\n---\nLook.\n`;
    const policy = { '.config/policy/policy.yaml': "version: 1\npreset: safe\nallow: [Agent]\ndeny: ['Bash(touch *)']\n" };
    const files = { 'project/.claude/agents/x.md': agent, ...skill(body), 'project/.claude/skills/two/SKILL.md': 'hello' };
    withHookWorld({ ...policy, ...files }, (world) => {
      const input = { description: 'd', prompt: 'p', subagent_type: 'rev' };
      assert.is(verdictOf(world.run(payload(world, 'Agent', input))), verdict);
      // Another agent loads none of them.
      assert.is(
        verdictOf(world.run(payload(world, 'Agent', { ...input, subagent_type: 'Explore' }, { session_id: 'b' }))),
        'allow',
      );
    });
  });

/** Starts of agents that no rule names: silence is an allow that leaves the runner its own dialog. */
const START_ROWS: readonly (readonly [why: string, agent: string | null, input: object, verdict: string])[] = [
  ['one that the client ships', null, { subagent_type: 'Explore' }, 'silence'],
  ['the usual one', null, {}, 'silence'],
  ['a plain definition', 'tools: Read, Bash\nmodel: haiku\ncolor: blue', { subagent_type: 'rev' }, 'silence'],
  ['a text of several lines', 'tools:\n  - Read', { subagent_type: 'rev', run_in_background: true }, 'silence'],
  ['one of which nothing is known', null, { subagent_type: 'rev' }, 'ask'],
  ['other permissions in the call', null, { subagent_type: 'Explore', mode: 'bypassPermissions' }, 'ask'],
  ['another place', null, { subagent_type: 'Explore', isolation: 'remote' }, 'ask'],
  ['a member of a team', null, { subagent_type: 'Explore', team_name: 't' }, 'ask'],
  ['hooks of its own', 'hooks:\n  PreToolUse: []', { subagent_type: 'rev' }, 'ask'],
  ['servers of its own', 'mcpServers: [x]', { subagent_type: 'rev' }, 'ask'],
  ['permissions of its own', 'permissionMode: bypassPermissions', { subagent_type: 'rev' }, 'ask'],
  ['a key in quotes', '"permissionMode": bypassPermissions', { subagent_type: 'rev' }, 'ask'],
  ['a key behind a line that only YAML ends', 'tools: Read\rhooks: {}', { subagent_type: 'rev' }, 'ask'],
  ['a merged map', '<<: *x', { subagent_type: 'rev' }, 'ask'],
];
for (const [why, lines, input, verdict] of START_ROWS)
  test(`the start of an agent: ${why}: ${verdict}`, () => {
    const agent =
      lines === null ? {} : { 'project/.claude/agents/x.md': `---\nname: rev\ndescription: d\n${lines}\n---\nLook.\n` };
    withHookWorld({ '.config/policy/policy.yaml': 'version: 1\npreset: safe\n', ...agent }, (world) => {
      assert.is(verdictOf(world.run(payload(world, 'Agent', { description: 'd', prompt: 'p', ...input }))), verdict);
    });
  });

test('a definition that takes the name of an agent that the client ships counts', () => {
  const agent = '---\nname: Explore\ndescription: d\nhooks: {}\n---\nLook.\n';
  const files = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\n', 'project/.claude/agents/x.md': agent };
  withHookWorld(files, (world) => assert.is(verdictOf(starting(world, 'Explore')), 'ask'));
});

/** What a person types runs no other hook: only what is denied is refused, in the words that the client listens to there. */
const typed = (world: HookWorld, more: Readonly<Record<string, unknown>> = {}) =>
  payload(
    world,
    'none',
    {},
    {
      hook_event_name: 'UserPromptExpansion',
      expansion_type: 'slash_command',
      command_name: 'one',
      command_args: '',
      command_source: 'projectSettings',
      prompt: '/one',
      ...more,
    },
  );
const REFUSED = /^\{"decision":"block","reason":"policy denied Skill: the skill one runs a command when it is loaded/;
const TYPED_ROWS: readonly (readonly [why: string, body: string, args: string, isRefused: boolean])[] = [
  ['nothing', 'hello', '', false],
  ['an allowed command', '!`git status`', '', false],
  ['a question, which the person has answered', '!`git push origin main` @.env', '', false],
  ['a denied command', '!`touch x`', '', true],
  ['a denied command of the arguments', 'hello', '!`touch x`', true],
];
for (const [why, body, args, isRefused] of TYPED_ROWS)
  test(`a person types a skill: ${why}`, () => {
    withHookWorld({ ...POLICY, ...skill(body) }, (world) => {
      const { exitCode, stdout, stderr } = world.run(typed(world, { command_args: args }));
      assert.is(exitCode, isRefused ? 2 : 0);
      if (isRefused) assert.match(stdout, REFUSED);
      else assert.is(`${stdout}${stderr}`, '');
    });
  });

test('a person may type the name of a skill that agents may not use, and in a mode without questions', () => {
  const policy = { '.config/policy/policy.yaml': 'version: 1\npreset: safe\ndeny: [Skill]\n' };
  withHookWorld({ ...policy, ...skill('!`git push origin main`') }, (world) => {
    assert.is(world.run(typed(world, { permission_mode: 'bypassPermissions', agent_type: 'nobody' })).exitCode, 0);
    assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: 'one' }))), 'deny');
  });
});

test('a policy that cannot be used refuses what a person types, in the same words', () => {
  withHookWorld({ '.config/policy/policy.yaml': 'version: 1\nallow: 5\n', ...skill('hello') }, (world) => {
    const { exitCode, stdout } = world.run(typed(world));
    assert.is(exitCode, 2);
    assert.match(stdout, /^\{"decision":"block","reason":"[^"]*the policy cannot be used/);
  });
});

test('a skill of the folder that the session works in counts beside that of the project', () => {
  withHookWorld({ ...POLICY, ...skill('hello'), 'project/src/.claude/skills/one/SKILL.md': '!`touch x`' }, (world) => {
    const cwd = join(world.project, 'src');
    assert.is(verdictOf(world.run(payload(world, 'Skill', { skill: 'one' }, { cwd }))), 'deny');
  });
});

test('hostile texts are read in a moment', () => {
  const texts = [
    ',&a b'.repeat(1_600),
    ', '.repeat(4_000),
    '@!'.repeat(120_000),
    '!`'.repeat(100_000),
    `$1${'!'.repeat(250_000)}x`,
  ];
  for (const text of texts)
    withHookWorld({ ...POLICY, ...head('one', text.slice(0, 8_000), text) }, (world) => {
      const started = performance.now();
      world.run(payload(world, 'Skill', { skill: 'one', args: '@`!' }));
      const took = performance.now() - started;
      assert.ok(took < 2_000, `${text.slice(0, 10)}: ${Math.round(took)} ms`);
    });
});

test('no rule about the skill is offered, neither by the hook nor by a check', () => {
  withFiles(
    {
      ...GIT,
      'repo/.claude/skills/one/SKILL.md': 'See @.env',
      'home/.config/policy/policy.yaml': 'version: 1\nallow: [Skill]\n',
    },
    (folder) => {
      const opened = openIn(folder, { runner: 'claude-code' });
      assert.ok(opened.ok);
      const call = { tool: 'Skill', input: { skill: 'one' }, cwd: join(folder, 'repo'), headless: false, shell: 'bash' } as const;
      const decision = enforceDry(opened.workspace, call);
      assert.is(decision.decision, 'ask');
      assert.match(
        Object(findRemedyDry(opened.workspace, call, decision)).sentence,
        /^no rule about the skill can allow this: .*approve this call$/,
      );
    },
  );
});

test('the reason names the file, the line and the command', () => {
  withHookWorld({ ...POLICY, ...skill('!`touch x`') }, (world) => {
    const { stderr } = world.run(payload(world, 'Skill', { skill: 'one' }));
    assert.match(stderr, /the skill one runs a command when it is loaded \(\.claude\/skills\/one\/SKILL\.md:5\): /);
  });
});

test('a link to a file elsewhere asks, and shows nothing of it', () => {
  withHookWorld({ ...POLICY, 'project/x': '' }, (world) => {
    mkdirSync(join(world.project, '.claude/skills/one'), { recursive: true });
    symlinkSync('/etc/passwd', join(world.project, '.claude/skills/one/SKILL.md'));
    const output = world.run(payload(world, 'Skill', { skill: 'one' }));
    assert.is(verdictOf(output), 'ask');
    assert.not.match(output.stdout, /root:/);
  });
});

const DEFINITION = '---\nname: reviewer\ndescription: d\nskills: one\n---\nDo it.\n';
const AGENTS = {
  '.config/policy/policy.yaml': "version: 1\npreset: safe\nallow: [Agent, Skill]\ndeny: ['Bash(touch *)']\n",
  ...skill('!`touch x`'),
};
const starting = (world: HookWorld, name: string) => world.run(payload(world, 'Agent', { subagent_type: name, prompt: 'p' }));
type LinkRow = readonly [why: string, link: string, to: string, files: Readonly<Record<string, string>>, verdict: Verdict];
/** A link in `.claude/agents` of the project, and how the start of the agent behind it is answered, whose skill runs a denied command. */
const LINK_ROWS: readonly LinkRow[] = [
  ['a file of the project', 'reviewer.md', '../../docs/reviewer.md', { 'project/docs/reviewer.md': DEFINITION }, 'deny'],
  ['a folder of the project', 'more', '../../docs', { 'project/docs/reviewer.md': DEFINITION }, 'deny'],
  ['a folder that is called as a file', 'more.md', '../../docs', { 'project/docs/reviewer.md': DEFINITION }, 'deny'],
  ['a file that no client takes for a definition', 'notes', '../../docs/notes.txt', { 'project/docs/notes.txt': 'n' }, 'allow'],
  ['nothing', 'gone', '../../docs/gone', {}, 'allow'],
  ['itself', 'round', '.', {}, 'allow'],
];
for (const [why, link, to, files, verdict] of LINK_ROWS)
  test(`a link to ${why} among the agents: ${verdict}`, () => {
    withHookWorld(
      { ...AGENTS, ...files, 'project/.claude/agents/other.md': '---\nname: other\ndescription: d\n---\nDo.\n' },
      (world) => {
        symlinkSync(to, join(world.project, '.claude/agents', link));
        assert.is(verdictOf(starting(world, 'reviewer')), verdict);
        // One at a time.
        if (verdict !== 'allow') assert.is(verdictOf(starting(world, 'other')), 'allow');
      },
    );
  });

test('a folder of agents that is called as a file holds agents all the same', () => {
  withHookWorld({ ...AGENTS, 'project/.claude/agents/more.md/reviewer.md': DEFINITION }, (world) => {
    assert.is(verdictOf(starting(world, 'reviewer')), 'deny');
  });
});

type UnreadRow = readonly [why: string, make: (world: HookWorld) => void, says: RegExp];
const UNREAD_ROWS: readonly UnreadRow[] = [
  [
    'a link to a folder elsewhere',
    (world) => symlinkSync('/usr', join(world.project, '.claude/agents/more')),
    /: \.claude\/agents\/more is a link to a folder elsewhere; replace it with a folder of agent definitions; no rule can allow this: correct the problem, or let a person approve this call/,
  ],
  [
    'a definition that is too large',
    (world) => world.write('project/.claude/agents/big.md', `${DEFINITION}${'x'.repeat(300_000)}`),
    /: \.claude\/agents\/big\.md is larger than 262144 bytes; shorten or correct it, or move it elsewhere;/,
  ],
];
for (const [why, make, says] of UNREAD_ROWS)
  test(`${why}: the start of an agent asks, and names it`, () => {
    withHookWorld({ ...AGENTS, 'project/.claude/agents/other.md': '---\nname: other\ndescription: d\n---\nDo.\n' }, (world) => {
      make(world);
      const output = starting(world, 'other');
      assert.is(verdictOf(output), 'ask');
      assert.match(output.stdout, says);
    });
  });

test.run();
