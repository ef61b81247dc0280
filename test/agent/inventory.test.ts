import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentDefinition, Dialect } from '../../src/agent/agent.js';
import { builtInAgents, withBuiltIns } from '../../src/agent/built-in.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { buildInventory, findAgent, type Scope } from '../../src/agent/inventory.js';
import { RUNNERS } from '../../src/call/tool-call.js';

interface File {
  readonly name: string;
  readonly scope?: Scope;
  readonly file?: string;
  readonly dialect?: Dialect;
  readonly tools?: string;
  readonly extra?: string;
  readonly description?: string;
}

function agent({ name, scope = 'project', dialect = 'codex-markdown', ...rest }: File): AgentDefinition {
  const { file = `${scope}/${name}.md`, description = 'description: d\n', tools = '[git]', extra = '' } = rest;
  const text = `---\nname: ${name}\n${description}tools: ${tools}\n${extra}---\nbody\n`;
  return parseAgent(text, { file, dialect, scope });
}

const BAD = { description: '' };

interface Row {
  readonly why: string;
  readonly files: readonly File[];
  readonly winner: string;
  readonly status?: AgentDefinition['status'];
  readonly reasons: readonly string[];
  readonly events: readonly string[];
}

const rows: readonly Row[] = [
  { why: 'one file', files: [{ name: 'a' }], winner: 'project/a.md', reasons: [], events: [] },
  {
    why: 'the project hides the user, and says so (R143, R150)',
    files: [{ name: 'a', scope: 'user' }, { name: 'a' }],
    winner: 'project/a.md',
    reasons: ['user project override'],
    events: ['agent.override'],
  },
  {
    why: 'in Claude Code managed comes first',
    files: [
      { name: 'a', dialect: 'claude-code' },
      { name: 'a', scope: 'managed', dialect: 'claude-code' },
    ],
    winner: 'managed/a.md',
    reasons: ['project managed override'],
    events: ['agent.override'],
  },
  {
    why: "a broken project file does not bring the user's back (R157)",
    files: [
      { name: 'a', scope: 'user' },
      { name: 'a', ...BAD },
    ],
    winner: 'project/a.md',
    status: 'invalid',
    reasons: ['user invalid definition'],
    events: ['agent.invalid', 'agent.override'],
  },
  {
    why: "a disabled project file does not bring the user's back",
    files: [
      { name: 'a', scope: 'user' },
      { name: 'a', extra: 'enabled: false\n' },
    ],
    winner: 'project/a.md',
    status: 'disabled',
    reasons: ['user disabled subagent'],
    events: ['agent.disabled', 'agent.override'],
  },
  {
    why: 'none that could be used',
    files: [
      { name: 'a', scope: 'user', ...BAD },
      { name: 'a', ...BAD },
    ],
    winner: 'project/a.md',
    status: 'invalid',
    reasons: ['user no active definition available'],
    events: ['agent.invalid', 'agent.invalid', 'agent.override'],
  },
  {
    why: 'two files of one scope: the path decides (R151)',
    files: [
      { name: 'a', file: 'z.md' },
      { name: 'a', file: 'b.md' },
    ],
    winner: 'b.md',
    reasons: ['project duplicate definition'],
    events: ['agent.duplicate'],
  },
  {
    why: 'names that differ in writing only are one name',
    files: [
      { name: 'A B', file: 'x.md' },
      { name: 'a-b', file: 'y.md' },
    ],
    winner: 'x.md',
    reasons: ['project duplicate definition'],
    events: ['agent.duplicate'],
  },
  {
    why: 'one broken of two in one scope blocks the name',
    files: [
      { name: 'a', file: 'b.md' },
      { name: 'a', file: 'c.md', ...BAD },
    ],
    winner: 'b.md',
    status: 'invalid',
    reasons: ['project duplicate definition'],
    events: ['agent.invalid', 'agent.duplicate'],
  },
  {
    why: 'Claude Code and Codex may both have an agent of a name',
    files: [{ name: 'a' }, { name: 'a', dialect: 'claude-code', file: 'c.md' }],
    winner: 'c.md',
    reasons: [],
    events: [],
  },
];

for (const row of rows)
  test(`inventory: ${row.why}`, () => {
    for (const files of [row.files, [...row.files].reverse()]) {
      const inventory = buildInventory(files.map(agent));
      const [record] = [...inventory.records.values()];
      assert.is(record?.definition.source.file, row.winner);
      assert.is(record?.status, row.status ?? 'active');
      assert.equal(
        inventory.conflicts.map((one) => `${one.losingScope} ${one.reason}`),
        [...row.reasons],
      );
      assert.equal(inventory.events.map((one) => one.code).sort(), [...row.events].sort());
      assert.is(inventory.agents.size, 1);
    }
  });

test('two formats of Codex in one scope: both hold (C19)', () => {
  const yaml = parseAgent('name: a\ngoal: g\ntools: {mcp: [npm]}', { file: 'a.yaml', dialect: 'codex-yaml', scope: 'project' });
  const inventory = buildInventory([agent({ name: 'a', tools: '[git, npm]' }), yaml]);
  assert.is(inventory.conflicts[0]?.reason, 'cross-format');
  assert.equal(inventory.agents.get('a')?.tools, { state: 'listed', tools: ['npm'] });
  assert.equal(inventory.agents.get('a')?.capabilities?.mcp, ['npm']);
});

test('two files of one scope: only what both list counts', () => {
  const inventory = buildInventory([
    agent({ name: 'a', file: 'b.md', tools: '[git, npm]' }),
    agent({ name: 'a', file: 'c.md', tools: '[npm, make]' }),
  ]);
  assert.equal(inventory.agents.get('a')?.tools, { state: 'listed', tools: ['npm'] });
});

test('agent-code lets the user win, its document the project: both hold (C20)', () => {
  const make = (scope: Scope, mode: string, deny: string) =>
    parseAgent(`---\nname: a\npermission_mode: ${mode}\ndeny: [${deny}]\n---\n`, { file: scope, dialect: 'agent-code', scope });
  const both = buildInventory([make('project', 'allow', 'Bash'), make('user', 'ask', 'Write')]).agents.get('a');
  assert.is(both?.permissions?.defaultMode, 'ask');
  assert.equal(
    both?.permissions?.rules.map((rule) => rule.text),
    ['Bash', 'Write'],
  );
});

test('switched off: empty, with one event (R176, C23)', () => {
  const inventory = buildInventory([agent({ name: 'a' })], { enabled: false });
  assert.is(inventory.agents.size, 0);
  assert.equal(
    inventory.events.map((one) => one.message),
    ['Subagents feature is disabled. Set subagents.enabled = true.'],
  );
});

/** Definition, then default, then session. */
const models: readonly (readonly [string, string | null, string | null, string | null])[] = [
  ['model: m\n', 'd', 's', 'm'],
  ['', 'd', 's', 'd'],
  ['', null, 's', 's'],
  ['model: ""\n', null, null, null],
];
for (const [extra, defaultModel, sessionModel, expected] of models)
  test(`effective model of ${JSON.stringify([extra, defaultModel, sessionModel])}`, () => {
    const inventory = buildInventory([agent({ name: 'a', extra })], { defaultModel, sessionModel });
    assert.is(inventory.records.get('a')?.effectiveModel, expected);
  });

/** What a definition may use: its dialect, the keys in it, the policy's `missingTools`, and `inherited` or the tools (R153). */
const effective: readonly (readonly [
  why: string,
  dialect: Dialect,
  keys: string,
  missingTools: 'dialect' | 'deny' | 'inherit',
  inherited: boolean,
  tools: readonly string[],
  excluded: readonly string[],
])[] = [
  ['a list', 'claude-code', 'tools: Read, Grep', 'dialect', false, ['Read', 'Grep'], []],
  ['no list where the runner inherits', 'claude-code', 'model: m', 'dialect', true, [], []],
  ["no list in the original documents' format", 'codex-markdown', 'model: m', 'dialect', false, [], []],
  ['no list, and the policy says none', 'claude-code', 'model: m', 'deny', false, [], []],
  ['no list, and the policy says inherit', 'codex-markdown', 'model: m', 'inherit', true, [], []],
  ['an empty list', 'claude-code', 'tools: []', 'inherit', false, [], []],
  ['all but one', 'claude-code', 'disallowedTools: Bash', 'dialect', true, [], ['Bash']],
  [
    'a listed tool that is excluded',
    'claude-code',
    'tools: Read, Bash(git:*)\ndisallowedTools: Bash',
    'dialect',
    false,
    ['Read'],
    ['Bash'],
  ],
  ['one that is switched off', 'claude-code', 'enabled: false\ntools: Read', 'dialect', false, [], []],
];
for (const [why, dialect, keys, missingTools, inherited, tools, excluded] of effective)
  test(`effective tools: ${why}`, () => {
    const one = parseAgent(`---\nname: a\ndescription: d\n${keys}\n---\nb`, { file: 'a', dialect, scope: 'user' });
    const found = buildInventory([one], { missingTools }).records.get('a')?.effectiveTools;
    assert.equal(found, { inherited, tools, excluded });
  });

test('of two definitions that both hold, one without tools leaves none', () => {
  const without = parseAgent('---\nname: a\ndescription: d\n---\nb', {
    file: 'a.md',
    dialect: 'codex-markdown',
    scope: 'project',
  });
  const role = 'name = "a"\ndescription = "d"\ndeveloper_instructions = "x"\n';
  const toml = parseAgent(role, { file: 'a.toml', dialect: 'claude-code', runner: 'codex', scope: 'project' });
  const inventory = buildInventory([without, toml]);
  assert.equal(
    inventory.conflicts.map(({ reason, both }) => [reason, both]),
    [['cross-format', true]],
  );
  assert.equal(inventory.records.get('a')?.effectiveTools, { inherited: false, tools: [], excluded: [] });
});

const full = buildInventory([
  agent({ name: 'Code Reviewer' }),
  agent({ name: 'bad', ...BAD }),
  agent({ name: 'off', extra: 'enabled: false\n' }),
  agent({ name: '__proto__' }),
]);

/** [query, message of the refusal; null when found] */
const queries: readonly (readonly [string, string | null])[] = [
  ['code-reviewer', null],
  ['Code Reviewer', null],
  ['CODE_REVIEWER', null],
  ['proto', null],
  ['x', "No subagent named 'x'. Run `policy agents list`."],
  ['constructor', "No subagent named 'constructor'. Run `policy agents list`."],
  ['bad', "Subagent 'bad' invalid: missing description field."],
  ['off', "Subagent 'off' is disabled."],
  ['a\u001b[0m', "No subagent named 'a\\u001b[0m'. Run `policy agents list`."],
];
for (const [query, message] of queries)
  test(`find ${JSON.stringify(query)} (R145, R178)`, () => {
    const found = findAgent(full, query);
    assert.is(found.ok ? null : found.message, message);
  });

test('the agents that runners ship are definitions like any other', () => {
  for (const runner of RUNNERS) for (const one of builtInAgents(runner)) assert.is(one.status, 'active');
  const plan = builtInAgents('agent-code').find((one) => one.name === 'plan');
  assert.is(plan?.readOnly, true);
  assert.is(buildInventory(builtInAgents('claude-code')).agents.get('explore')?.excludedTools.includes('Write'), true);
});

test('a written agent takes the place of a built-in one, even a broken one', () => {
  const written = agent({ name: 'Explore', dialect: 'claude-code', ...BAD });
  const agents = withBuiltIns(buildInventory([written]).agents, 'claude-code');
  assert.is(agents.get('explore'), written);
  assert.is(agents.get('plan')?.scope, 'managed');
});

test.run();
