/** The agent stage: what a definition lets through, as a ceiling over the policy. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Dialect } from '../../src/agent/agent.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { permissionsFromToml } from '../../src/agent/permissions-toml.js';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { decideIn, type World } from './world.js';

const agent = (text: string, dialect: Dialect = 'agent-code', file = '.agent/agents/a.md') =>
  parseAgent(text, { file, dialect, scope: 'project' });
const claude = (front: string) =>
  agent(`---\nname: helper\ndescription: Helps\n${front}---\nBody\n`, 'claude-code', '.claude/agents/helper.md');
const seed = (front: string) =>
  agent(`---\nname: helper\ndescription: Helps\n${front}---\nBody\n`, 'codex-markdown', '.codex/agents/helper.md');

interface Row {
  readonly why: string;
  readonly agents: World['agents'];
  readonly name?: string;
  readonly world?: World;
  readonly tool: string;
  readonly input: string | Record<string, unknown>;
  readonly expect: string;
  readonly message?: string;
}

const searchOnly = [agent(SEARCH_ONLY)];
const rows: readonly Row[] = [
  {
    why: 'seed 003: searching is allowed',
    agents: searchOnly,
    name: 'search-only',
    tool: 'Grep',
    input: 'x',
    expect: 'agent allow',
  },
  {
    why: 'seed 003: reading in src is allowed',
    agents: searchOnly,
    name: 'search-only',
    tool: 'FileRead',
    input: 'src/a.ts',
    expect: 'agent allow',
  },
  {
    why: 'seed 003: reading elsewhere is denied, also for read-only tools',
    agents: searchOnly,
    name: 'search-only',
    tool: 'FileRead',
    input: '/etc/passwd',
    expect: 'agent deny',
  },
  {
    why: 'seed 003: dots do not leave src',
    agents: searchOnly,
    name: 'search-only',
    tool: 'FileRead',
    input: 'src/../secret',
    expect: 'agent deny',
  },
  { why: 'seed 003: rm is denied', agents: searchOnly, name: 'search-only', tool: 'Bash', input: 'rm x', expect: 'agent deny' },
  {
    why: 'seed 003: git is asked although include_tools omits Bash',
    agents: searchOnly,
    name: 'search-only',
    tool: 'Bash',
    input: 'git status',
    expect: 'agent ask',
  },
  {
    why: 'seed 003: anything else in the shell is denied',
    agents: searchOnly,
    name: 'search-only',
    tool: 'Bash',
    input: 'ls',
    expect: 'agent deny',
  },
  {
    why: 'seed 003: a tool that is not included is denied',
    agents: searchOnly,
    name: 'search-only',
    tool: 'WebFetch',
    input: 'https://example.com',
    expect: 'agent deny',
  },
  {
    why: 'the name is looked up in its normal form',
    agents: searchOnly,
    name: 'Search Only',
    tool: 'Grep',
    input: 'x',
    expect: 'agent allow',
  },
  {
    why: 'an unknown agent is at most asked',
    agents: searchOnly,
    name: 'ghost',
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent ask',
  },
  {
    why: 'an unknown agent keeps what the policy denies',
    agents: searchOnly,
    name: 'ghost',
    world: { deny: ['Read(src/**)'] },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'policy deny',
  },
  {
    why: 'an agent never raises what the policy says',
    agents: [claude('tools: Bash\n')],
    world: { preset: 'readOnly' },
    tool: 'Bash',
    input: 'git status',
    expect: 'policy deny',
  },
  {
    why: 'without tools a Claude agent inherits',
    agents: [claude('')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent allow',
  },
  {
    why: 'missingTools deny overrides the dialect',
    agents: [claude('')],
    world: { preset: 'safe', policy: { agents: { missingTools: 'deny' } } },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent deny',
  },
  {
    why: 'without tools an agent of the originals has none, with their text',
    agents: [seed('')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent deny',
    message: "🚫 Agent 'helper' has no tools allowlisted. Add a 'tools' field to the agent definition to grant tool access.",
  },
  {
    why: 'missingTools inherit lets it inherit',
    agents: [seed('')],
    world: { preset: 'safe', policy: { agents: { missingTools: 'inherit' } } },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent allow',
  },
  {
    why: 'empty tools are none in every dialect',
    agents: [claude('tools: []\n')],
    world: { preset: 'safe' },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent deny',
  },
  {
    why: 'a listed tool passes',
    agents: [claude('tools: Read, Grep\n')],
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent allow',
  },
  {
    why: 'a tool that is not listed is denied with the text of the original',
    agents: [seed('tools: [git, npm]\n')],
    tool: 'docker',
    input: {},
    expect: 'agent deny',
    message:
      "🚫 Agent 'helper' is not allowed to use tool 'docker'. Allowed tools: [git, npm]. Update the agent's 'tools' field to grant access.",
  },
  {
    why: 'a listed program passes the agent stage and is asked',
    agents: [seed('tools: [git, npm]\n')],
    tool: 'git',
    input: {},
    expect: 'policy ask',
  },
  ...(['git status', 'git log && npm test'] as const).map((input) => ({
    why: `it may ask for a program that it lists: ${input}`,
    agents: [seed('tools: [git, npm]\n')],
    world: { preset: 'safe' } as const,
    tool: 'Bash',
    input,
    expect: 'agent ask',
  })),
  {
    why: 'for no other program, not even after a listed one',
    agents: [seed('tools: [git, npm]\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status && ls',
    expect: 'agent deny',
  },
  {
    why: 'and the policy may deny it',
    agents: [seed('tools: [git, npm]\n')],
    world: { preset: 'safe', deny: ['Bash(git push *)'] },
    tool: 'Bash',
    input: 'git push origin',
    expect: 'policy deny',
  },
  {
    why: 'a pattern in the tool list is enforced',
    agents: [claude('tools: Bash(git diff:*), Read\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent deny',
  },
  {
    why: 'and grants what it covers',
    agents: [claude('tools: Bash(git diff:*), Read\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git diff HEAD',
    expect: 'agent allow',
  },
  {
    why: 'disallowed tools are denied',
    agents: [claude('disallowedTools: Bash\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent deny',
  },
  {
    why: 'read_only always wins (R181)',
    agents: [agent('---\nname: helper\ndescription: d\nread_only: true\npermission_mode: allow\n---\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent deny',
  },
  {
    why: 'an invalid definition blocks its calls',
    agents: [claude('tools: {bad: map}\npolicy: {permission_mode: wild}\n')],
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent deny',
  },
  {
    why: 'no permission fields: the parent decides (R195)',
    agents: [agent('---\nname: helper\ndescription: d\n---\n')],
    world: { preset: 'safe' },
    tool: 'Bash',
    input: 'git status',
    expect: 'agent allow',
  },
  {
    why: 'a missing mode asks (R194)',
    agents: [agent('---\nname: helper\ndescription: d\nallow: ["Grep"]\n---\n')],
    world: { preset: 'safe' },
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent ask',
  },
  {
    why: 'seed 004: shell that is not granted',
    agents: [
      agent('name: helper\ngoal: g\ntools:\n  mcp: [codex_shell]\n  shell: []\n', 'codex-yaml', '.codex/agents/helper.yaml'),
    ],
    world: { allow: ['Bash(*)', 'codex_shell'] },
    tool: 'codex_shell',
    input: { command: 'rm x' },
    expect: 'agent deny',
  },
  {
    why: 'seed 004: a tool that is not listed, with the text of the original',
    agents: [agent('name: helper\ngoal: g\ntools:\n  mcp: [codex_read_file]\n', 'codex-yaml', '.codex/agents/helper.yaml')],
    world: { allow: ['*'] },
    tool: 'codex_shell',
    input: { command: 'ls' },
    expect: 'agent deny',
    message: "Codex MCP tool 'codex_shell' is not permitted for this agent",
  },
  {
    why: 'seed 004: files are granted beside an empty list of MCP tools',
    agents: [
      agent('name: helper\ngoal: g\ntools:\n  mcp: []\n  fs: { read: true }\n', 'codex-yaml', '.codex/agents/helper.yaml'),
    ],
    tool: 'Read',
    input: 'src/a.ts',
    expect: 'agent allow',
  },
  {
    why: 'seed 004: reading includes searching',
    agents: [
      agent('name: helper\ngoal: g\ntools:\n  mcp: []\n  fs: { read: true }\n', 'codex-yaml', '.codex/agents/helper.yaml'),
    ],
    tool: 'Grep',
    input: 'x',
    expect: 'agent allow',
  },
  {
    why: 'seed 004: and nothing that is not granted',
    agents: [
      agent('name: helper\ngoal: g\ntools:\n  mcp: []\n  fs: { read: true }\n', 'codex-yaml', '.codex/agents/helper.yaml'),
    ],
    world: { allow: ['*'] },
    tool: 'Write',
    input: 'src/a.ts',
    expect: 'agent deny',
  },
];

for (const row of rows) {
  test(`${row.why}: ${row.tool} ${JSON.stringify(row.input)} → ${row.expect}`, () => {
    const decision = decideIn({ ...row.world, agents: row.agents ?? [] }, row.tool, row.input, { agent: row.name ?? 'helper' });
    assert.is(`${decision.stage} ${decision.decision}`, row.expect, decision.message);
    if (row.message) assert.is(decision.message, row.message);
  });
}

const overlay = (text: string) => {
  const read = permissionsFromToml(text, 'overlay.toml');
  if (read.permissions === null) throw new Error(read.problems.map((problem) => problem.message).join());
  return read.permissions;
};

test('an overlay is a further ceiling: it tightens', () => {
  const denying = overlay('[permissions]\ndefault_mode = "deny"\n');
  assert.is(decideIn({ preset: 'safe', overlay: denying }, 'Bash', 'git status').decision, 'deny');
});

test('an overlay that allows everything raises nothing', () => {
  const loose = overlay('[permissions]\ndefault_mode = "allow"\n');
  assert.is(decideIn({ preset: 'readOnly', overlay: loose }, 'Bash', 'git status').decision, 'deny');
  assert.is(decideIn({ overlay: loose }, 'Bash', 'make').decision, 'ask');
});

test('the stage that is named is the first that gave the answer', () => {
  const decision = decideIn({ agents: searchOnly, deny: ['Bash(rm *)'] }, 'Bash', 'rm x', { agent: 'search-only' });
  assert.is(decision.stage, 'agent');
  assert.equal(
    decision.stages.map((stage) => `${stage.stage} ${stage.decision}`),
    ['agent deny', 'policy deny', 'budget allow'],
  );
});

test.run();
