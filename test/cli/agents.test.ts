// `policy agents list` and `show` over the agents, skills and commands of every runner.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateAgentInventory } from '../../src/generated/validators/agent-inventory.js';
import { findFiles } from '../../src/lint/files/read-files.js';
import { fileKind } from '../../src/lint/places/file-kind.js';
import { CLEAN_REPOSITORY, policy, scratch } from './spawned.js';

const test = suite('agents');

const markdown = (name: string, ...keys: readonly string[]) => `---\nname: ${name}\n${keys.join('\n')}\n---\n\nBody.\n`;
const nameless = (...keys: readonly string[]) => `---\n${keys.join('\n')}\n---\n\nBody.\n`;

/** One file in each place where a runner looks below a project, and what is called so there. */
const PLANTED: Readonly<Record<string, string>> = {
  '.claude/agents/reviewer.md': markdown('reviewer', 'description: Reviews changes', 'tools: Read, Grep', 'model: opus'),
  '.claude/agents/team/deep.md': markdown('deep', 'description: In a subfolder'),
  '.codex/agents/helper.toml': 'name = "helper"\ndescription = "Helps"\ndeveloper_instructions = "x"\n',
  '.codex/agents/code-reviewer.md': markdown(
    'code-reviewer',
    'description: Reviews staged Git changes for issues',
    'tools: [git, cargo, npm]',
  ),
  '.codex/agents/planner.yaml': 'name: planner\ngoal: Plans\ntools: {mcp: [search]}\n',
  '.agent/agents/scout.md': markdown('scout', 'description: Scouts', 'include_tools: [Grep]'),
  '.github/agents/reviewer.agent.md': nameless('description: Of Copilot', 'tools: [read]'),
  '.opencode/agent/reviewer.md': nameless('description: Of OpenCode', 'mode: subagent'),
  '.opencode/agents/second.md': nameless('description: Second folder', 'mode: subagent'),
  '.gemini/agents/gem.md': markdown('gem', 'description: Of Gemini', 'tools: [read_file]'),
  '.qwen/agents/qw.md': markdown('qw', 'description: Of Qwen'),
  '.cursor/agents/cur.md': markdown('cur', 'description: Of Cursor'),
};
const repository = scratch({
  ...CLEAN_REPOSITORY,
  ...PLANTED,
  '.claude/agents/README.md': '# Our agents\n',
  '.claude/agents/broken.md': markdown('broken', 'tools: Read'),
  '.claude/agents/off.md': markdown('off', 'description: d', 'enabled: false'),
  '.claude/agents/twin-a.md': markdown('twin', 'description: d', 'tools: Read, Bash'),
  '.claude/agents/twin-b.md': markdown('twin', 'description: d', 'tools: Read'),
  'plugins/kit/.claude-plugin/plugin.json': '{"name":"kit"}',
  'plugins/kit/agents/plug.md': markdown('plug', 'description: Of a plugin'),
  'plugins/kit/skills/one/SKILL.md': markdown('one', 'description: S', 'allowed-tools: Bash(git add:*), Read'),
  '.claude/skills/two/SKILL.md': `${nameless('description: T', 'allowed-tools: [Read]')}!\`git status\`\n`,
  '.claude/commands/ship.md': nameless('description: Ships', 'allowed-tools: Bash(git push:*)'),
  '.gemini/commands/git/commit.toml': 'description = "Commits"\nprompt = "x"\n',
});
const user = scratch({
  '.claude/agents/reviewer.md': markdown('reviewer', "description: The user's"),
  '.claude/agents/broken.md': markdown('broken', 'description: A good one', 'tools: Bash'),
  '.claude/agents/mine.md': markdown('mine', 'description: Mine'),
  '.config/opencode/agent/global.md': nameless('description: Global', 'mode: subagent'),
  '.copilot/agents/cop.agent.md': nameless('description: Copilot of the user'),
  '.codex/config.toml': '[subagents]\ndefault_model = "gpt-5-codex"\n',
});
const HOME = { HOME: user };
const ask = (...args: readonly string[]) => policy(['agents', ...args], { cwd: repository, env: HOME });

interface ToldAgent {
  readonly name: string;
  readonly label: string;
  readonly runner: string;
  readonly status: string;
  readonly inherited: boolean;
  readonly effective_tools: readonly string[];
  readonly effective_model: string | null;
  readonly overrides: boolean;
  readonly definition: { readonly source_path: string; readonly validation_errors: readonly string[] };
  readonly of_other_runners: readonly ToldAgent[];
}
interface Text {
  readonly name: string;
  readonly pre_approves: readonly string[];
  readonly runs_commands: number;
  readonly plugin: { readonly installed: boolean } | null;
}
interface Inventory {
  readonly enabled: boolean;
  readonly subagents: Readonly<{ [name: string]: ToldAgent }>;
  readonly unusable: readonly ToldAgent[];
  readonly not_installed: readonly ToldAgent[];
  readonly conflicts: readonly {
    readonly name: string;
    readonly losing_scope: string;
    readonly reason: string;
    readonly both_apply: boolean;
  }[];
  readonly skills: readonly Text[];
  readonly commands: readonly Text[];
  readonly discovery_events: readonly { readonly code: string; readonly message: string; readonly ts: string }[];
}

function inventory(stdout: string): Inventory {
  const data: unknown = JSON.parse(stdout);
  assert.ok(validateAgentInventory(data), JSON.stringify(validateAgentInventory.errors?.slice(0, 3)));
  return data as Inventory;
}

const whole = inventory(ask('list', '--json').stdout);

test('what lint takes for definitions in the folders of runners, the inventory has, and nothing else of the project', () => {
  const agents = findFiles(repository, { kindOf: fileKind, isNamed: () => false }).files.filter(
    ({ kind }) => kind.kind === 'agent',
  );
  const linted = agents.map(({ path }) => path).filter((path) => path.startsWith('.') && !path.endsWith('README.md'));
  const all = [...Object.values(whole.subagents).flatMap((one) => [one, ...one.of_other_runners]), ...whole.unusable];
  const told = all.map(({ definition }) => definition.source_path).filter((path) => path.startsWith(repository));
  const hidden = ['.claude/agents/twin-b.md'];
  assert.equal([...new Set(told.map((path) => path.slice(repository.length + 1))), ...hidden].sort(), linted.sort());
  assert.equal(
    whole.not_installed.map(({ name }) => name),
    ['kit:plug'],
  );
});

test('the list has the lines of the original (R044), and marks what overrides (R169)', () => {
  const { stdout, status } = ask('list', '--runner', 'codex');
  assert.is(status, 0);
  assert.is(
    stdout,
    [
      'Available subagents:',
      '- code-reviewer: Reviews staged Git changes for issues',
      '  Tools: [git, cargo, npm]',
      '  Source: .codex/agents/code-reviewer.md',
      '- helper: Helps',
      '  Tools: inherited',
      '  Source: .codex/agents/helper.toml',
      '- planner: Plans',
      '  Tools: [search]',
      '  Source: .codex/agents/planner.yaml',
      '',
    ].join('\n'),
  );
  const claude = ask('list', '--runner', 'claude-code').stdout;
  assert.match(
    claude,
    /^- reviewer: Reviews changes \(overrides user\)\n {2}Tools: \[Read, Grep\]\n {2}Source: \.claude\/agents\/reviewer\.md$/m,
  );
  assert.match(claude, /^In plugins of this repository, once they are installed:\n- kit:plug: Of a plugin$/m);
});

/** Arguments of `list`, and the names in its order. */
const lists: readonly (readonly [args: readonly string[], names: readonly string[]])[] = [
  [
    ['--runner', 'opencode'],
    ['global', 'reviewer', 'second'],
  ],
  [
    ['--runner', 'opencode', '--scope', 'project'],
    ['reviewer', 'second'],
  ],
  [
    ['--scope', 'user'],
    ['cop', 'global', 'mine'],
  ],
  [
    ['--runner', 'copilot-cli'],
    ['cop', 'reviewer'],
  ],
  [['--invalid'], ['broken', 'off']],
  [['--invalid', '--runner', 'codex'], []],
];
for (const [args, names] of lists)
  test(`list ${args.join(' ')}`, () => {
    const { stdout, status } = ask('list', ...args);
    assert.is(status, 0);
    assert.equal(
      [...stdout.matchAll(/^- ([^:\n]*(?::[^: \n]+)?):/gm)].map(([, name]) => name).filter((name) => name !== 'kit:plug'),
      [...names],
    );
  });

test('an invalid definition of the project never gives way to the valid one of the user (R157)', () => {
  const { stdout, stderr } = ask('list');
  assert.not.match(stdout, /broken|A good one/);
  assert.match(
    stderr,
    /warning: broken \(claude-code\): \.claude\/agents\/broken\.md is invalid, and \S+ does not replace it \(invalid definition\)/,
  );
  assert.match(
    ask('list', '--invalid').stdout,
    /^- broken: \(overrides user\)\n(?:.*\n)*? {2}Status: invalid\n {2}Error: description is required$/m,
  );
  const [broken] = whole.unusable;
  assert.equal(
    [broken?.name, broken?.status, broken?.effective_tools, broken?.definition.validation_errors],
    ['broken', 'invalid', [], ['description is required']],
  );
});

test('two files of one scope are a warning, and only what both allow applies (R151)', () => {
  assert.match(
    ask('list').stderr,
    /warning: twin \(claude-code\): \.claude\/agents\/twin-a\.md and \.claude\/agents\/twin-b\.md define the same agent; only what both allow applies/,
  );
  assert.equal(whole.subagents.twin?.effective_tools, ['Read']);
  assert.equal(
    whole.conflicts.filter(({ name }) => name === 'twin').map(({ reason, both_apply }) => [reason, both_apply]),
    [['duplicate definition', true]],
  );
});

test('of one name each runner has its own agent (R148)', () => {
  const { reviewer } = whole.subagents;
  assert.equal(
    [reviewer, ...(reviewer?.of_other_runners ?? [])].map((one) => one?.runner),
    ['claude-code', 'copilot-cli', 'opencode'],
  );
  assert.equal(
    whole.conflicts.filter(({ name }) => name === 'reviewer').map(({ losing_scope, reason }) => [losing_scope, reason]),
    [['user', 'project override']],
  );
  const { stdout } = ask('show', 'Reviewer');
  assert.equal(stdout.match(/^ {2}runner .*$/gm), [
    '  runner       claude-code',
    '  runner       copilot-cli',
    '  runner       opencode',
  ]);
});

test('JSON tells effective tools and models, statuses and events (R147, R149, R153 to R155)', () => {
  const { reviewer, mine, helper } = whole.subagents;
  assert.equal([reviewer?.label, reviewer?.effective_model, reviewer?.overrides], ['reviewer · model: opus', 'opus', true]);
  assert.equal([mine?.inherited, mine?.effective_tools.includes('Bash'), mine?.effective_model], [true, true, null]);
  assert.equal([helper?.effective_model, helper?.label], ['gpt-5-codex', 'helper · model: gpt-5-codex']);
  assert.equal(
    whole.unusable.map(({ name, status }) => [name, status]),
    [
      ['broken', 'invalid'],
      ['off', 'disabled'],
    ],
  );
  const codes = new Set(whole.discovery_events.map(({ code }) => code));
  for (const code of ['agent.override', 'agent.duplicate', 'agent.invalid', 'agent.disabled', 'agents.root-missing'])
    assert.ok(codes.has(code), code);
  assert.ok(whole.discovery_events.every(({ ts }) => !Number.isNaN(Date.parse(ts))));
});

test('skills and commands, with what they let run without a prompt', () => {
  assert.equal(
    whole.skills.map(({ name, pre_approves, runs_commands, plugin }) => [
      name,
      pre_approves,
      runs_commands,
      plugin?.installed ?? null,
    ]),
    [
      ['kit:one', ['Bash(git add:*)', 'Read'], 0, false],
      ['two', ['Read'], 1, null],
    ],
  );
  assert.equal(
    whole.commands.map(({ name, pre_approves }) => [name, pre_approves]),
    [
      ['git:commit', []],
      ['ship', ['Bash(git push:*)']],
    ],
  );
  const { stdout } = ask('list', '--skills', '--commands');
  assert.match(
    stdout,
    /^Skills:\n- kit:one: S\n {2}Pre-approves: \[Bash\(git add:\*\), Read\]\n {2}Plugin: kit, not installed\n {2}Source: plugins\/kit\/skills\/one\/SKILL\.md\n- two: T\n {2}Pre-approves: \[Read\]\n {2}Runs when loaded: 1 command\n/,
  );
  assert.match(stdout, /\nCommands:\n- git:commit: Commits\n/);
});

test('show tells runner, scope, tools, conflicts and what lint finds', () => {
  const { stdout, status } = ask('show', 'Code Reviewer');
  assert.is(status, 0);
  assert.match(stdout, /^code-reviewer · model: gpt-5-codex\n/);
  assert.match(
    stdout,
    /^ {2}runner +codex\n {2}scope +project\n {2}tools +git, cargo, npm\n {2}source +\.codex\/agents\/code-reviewer\.md$/m,
  );
  assert.match(stdout, /^ {2}info +\d+:\d+ .*\(codex\/ignored-format\)$/m);
  assert.match(ask('show', 'reviewer', '--runner', 'claude-code').stdout, /^ {2}conflict +\S+ is ignored \(project override\)$/m);
  const json = inventory(ask('show', 'reviewer', '--json').stdout);
  assert.equal([Object.keys(json.subagents), json.conflicts.length], [['reviewer'], 1]);
});

test('every output names agent and model alike (R042, R047)', () => {
  const check = policy(['check', '--agent', 'reviewer', '--runner', 'claude-code', 'Read', 'README.md'], {
    cwd: repository,
    env: HOME,
  });
  assert.match(check.stdout, /\(agent reviewer · model: opus\)/);
  assert.match(ask('show', 'reviewer', '--runner', 'claude-code').stdout, /^reviewer · model: opus$/m);
});

/** What is asked for, and the line on stderr (R178). */
const refusals: readonly (readonly [args: readonly string[], stderr: RegExp])[] = [
  [['show', 'x'], /^No subagent named 'x'\. Run `policy agents list`\.$/m],
  [['show', 'broken'], /^Subagent 'broken' invalid: missing description field\.$/m],
  [['show', 'off'], /^Subagent 'off' is disabled\.$/m],
  [['show', 'gem', '--runner', 'codex'], /^No subagent named 'gem'/m],
  [['show', 'reviewer', '--skills'], /--skills goes with policy agents list/],
  [['list', '--log'], /--log goes with policy agents status/],
  [['list', '--scope', 'team'], /project, user, all/],
];
for (const [args, stderr] of refusals)
  test(`exit 3: agents ${args.join(' ')}`, () => {
    const answer = ask(...args);
    assert.is(answer.status, 3);
    assert.match(answer.stderr, stderr);
  });

/** Tells the folders that are listed and the files that are opened, on stderr. */
const SPY = `
const fs = require('node:fs');
for (const name of ['readdirSync', 'openSync', 'opendirSync', 'readFileSync']) {
  const real = fs[name];
  fs[name] = (path, ...rest) => { process.stderr.write('TOUCHED ' + path + '\\n'); return real(path, ...rest); };
}
require('node:module').syncBuiltinESMExports();
`;
const spy = join(scratch({ 'spy.cjs': SPY }), 'spy.cjs');

function spied(env: Readonly<{ [name: string]: string }>, ...args: readonly string[]) {
  const answer = policy(['agents', ...args], { cwd: repository, env: { ...HOME, ...env, NODE_OPTIONS: `--require ${spy}` } });
  const touched = answer.stderr.split('\n').filter((line) => line.startsWith('TOUCHED '));
  return { ...answer, agents: touched.filter((line) => /\/agents?(?:\/|$)/.test(line)), touched };
}

test('switched off: exit 1, the sentence of the original, and no folder of agents is read (R176, R177)', () => {
  const on = spied({}, 'list');
  assert.ok(on.agents.length > 10, 'the spy sees what is read');
  for (const args of [['list'], ['show', 'reviewer']]) {
    const off = spied({ CODEX_SUBAGENTS_ENABLED: '0' }, ...args);
    assert.is(off.status, 1);
    assert.is(off.stdout, '');
    assert.match(
      off.stderr,
      /^Subagents feature is disabled\. Set subagents\.enabled = true\.\nnote: subagents are switched off in CODEX_SUBAGENTS_ENABLED$/m,
    );
    assert.ok(off.touched.length > 0);
    assert.equal(off.agents, []);
  }
  const json = inventory(spied({ POLICY_SUBAGENTS_ENABLED: 'off' }, 'list', '--json').stdout);
  assert.equal([json.enabled, json.subagents, json.discovery_events.map(({ code }) => code)], [false, {}, ['agents.off']]);
});

test('switched off in the policy: no agent starts, and none is listed', () => {
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    ...PLANTED,
    'policy.yaml': 'version: 1\nagents: { enabled: false }\nallow: [Agent]\n',
  });
  const answer = policy(['agents', 'list'], { cwd, env: { CODEX_SUBAGENTS_ENABLED: '1' } });
  assert.is(answer.status, 1);
  assert.match(answer.stderr, /switched off in \S*policy\.yaml:2/);
  const check = policy(['check', '--trust-project', 'Agent', 'reviewer'], { cwd });
  assert.is(check.status, 1);
  assert.match(check.stdout, /Subagents feature is disabled/);
});

test('hostile names and files: escaped, bounded, and told', () => {
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    '.claude/agents/escape.md': markdown('"\\e[31mred\\e]8;;x\\a"', 'description: "\\e[2J\\u202e | **bold** `code`"'),
    '.claude/agents/long.md': markdown('long', `description: ${'x'.repeat(900_000)}`),
    '.claude/agents/proto.md': markdown('__proto__', 'description: d'),
    '.claude/agents/token.md': markdown('token', 'description: Uses ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R here'),
    '.claude/agents/tools.md': markdown(
      'tools',
      'description: d',
      `tools: [${Array.from({ length: 20_000 }, (_, at) => `T${at}`).join(', ')}]`,
    ),
  });
  spawnSync('mkfifo', [join(cwd, '.claude/agents/fifo.md')]);
  symlinkSync('.', join(cwd, '.claude/agents/loop'));
  symlinkSync('/etc/hostname', join(cwd, '.claude/agents/outside.md'));
  const begun = Date.now();
  const text = policy(['agents', 'list'], { cwd });
  assert.ok(Date.now() - begun < 10_000);
  assert.is(text.status, 3, 'a file that could not be read');
  assert.match(text.stderr, /fifo\.md is not a regular file/);
  assert.match(text.stderr, /outside\.md is a link that leads out of the project/);
  assert.ok(text.stdout.length < 20_000, `${text.stdout.length} characters`);
  for (const printed of [
    text.stdout,
    text.stderr,
    policy(['agents', 'list', '--json'], { cwd }).stdout,
    policy(['agents', 'show', 'red'], { cwd }).stdout,
  ]) {
    assert.not.match(printed, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.not.match(printed, /ghp_0a1B/);
  }
  const json = inventory(policy(['agents', 'list', '--json'], { cwd }).stdout);
  assert.is(json.subagents.tools?.effective_tools.length, 1_000);
  assert.ok(json.discovery_events.some(({ code }) => code === 'agent.unread'));
});

test('definitions that would take long to parse are not all read, which is told', () => {
  const long = (name: string) => markdown(name, `description: ${'x'.repeat(900_000)}`);
  const files = ['a', 'b', 'c', 'd'].map((name) => [`.claude/agents/${name}.md`, long(name)]);
  const cwd = scratch({
    ...CLEAN_REPOSITORY,
    ...Object.fromEntries(files),
    '.qwen/agents/late.md': markdown('late', 'description: d'),
  });
  const { stdout, stderr, status } = policy(['agents', 'list'], { cwd, env: HOME });
  assert.is(status, 3);
  assert.equal(stdout.match(/^- [a-d](?=:)/gm), ['- a', '- b', '- c']);
  assert.not.match(stdout, /^- (?:d|late):/m);
  assert.match(stderr, /\.claude\/agents or the folders before it hold larger agent definitions than are read/);
  assert.match(stdout, /^- mine:/m, "the user's are known all the same");
});

test('more files than are read are told, and the list ends', () => {
  const cwd = scratch(CLEAN_REPOSITORY);
  mkdirSync(join(cwd, '.claude/agents'), { recursive: true });
  for (let at = 0; at < 2_100; at++) writeFileSync(join(cwd, `.claude/agents/a${at}.md`), markdown(`a${at}`, 'description: d'));
  const { stdout, stderr, status } = policy(['agents', 'list'], { cwd });
  assert.is(status, 3);
  assert.is(stdout.match(/^- a/gm)?.length, 2_000);
  assert.match(stderr, /holds more than 2000 agent definitions/);
});

test('in a subfolder: those of the repository; without a repository it is said where there are some', () => {
  const within = scratch({ ...CLEAN_REPOSITORY, ...PLANTED, 'src/deep/a.txt': '' });
  assert.match(policy(['agents', 'list'], { cwd: join(within, 'src/deep'), env: HOME }).stdout, /- reviewer: Reviews changes/);
  const without = scratch({ ...PLANTED, 'src/deep/a.txt': '' });
  const { stdout, stderr } = policy(['agents', 'list', '--scope', 'project'], { cwd: join(without, 'src/deep'), env: HOME });
  assert.is(stdout, 'No subagents found.\n');
  assert.match(stderr, /^note: \S+ has agent definitions; outside a repository/);
  assert.not.match(policy(['agents', 'list'], { cwd: without, env: HOME }).stderr, /outside of a repository/);
});

test.run();
