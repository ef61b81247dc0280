import { readdirSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalTools, describeTool, runnerAgents, runnerTools } from '../../src/call/catalogue.js';
import { RUNNERS, type RunnerId } from '../../src/call/tool-call.js';
import { data, dataNames } from '../../src/generated/data.js';
import { validateToolCatalogue } from '../../src/generated/validators/tool-catalogue.js';
import { knownToolsCovered, toolsCovered } from '../../src/rule/pattern/tool-coverage.js';

for (const name of dataNames().filter((one) => one.startsWith('tools/')))
  test(`rules/${name}.yaml follows its schema`, () => {
    assert.is(validateToolCatalogue(data(name)), true, JSON.stringify(validateToolCatalogue.errors?.slice(0, 3)));
  });

test('a catalogue entry with an unknown key is refused by the schema', () => {
  assert.is(validateToolCatalogue({ tools: [{ name: 'X', tier: 'safe', access: 'read', colour: 'red' }] }), false);
});

test('every runner has a file', () => {
  const files = readdirSync('rules/tools').sort();
  assert.equal(files, ['canonical.yaml', ...RUNNERS.map((runner) => `${runner}.yaml`)].sort());
});

test('no name stands twice, and every name leads to a canonical tool', () => {
  const canonical = new Set(canonicalTools().map((tool) => tool.name));
  const seen = new Map<string, string>();
  for (const tool of canonicalTools())
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      assert.not.ok(seen.has(name.toLowerCase()), name);
      seen.set(name.toLowerCase(), tool.name);
    }
  for (const runner of RUNNERS) {
    const own = new Set<string>();
    for (const tool of runnerTools(runner)) {
      const target = tool.canonical ?? tool.name;
      assert.ok(canonical.has(target), `${runner}: ${tool.name} leads to ${target}`);
      assert.not.ok(own.has(tool.name.toLowerCase()), `${runner}: ${tool.name} twice`);
      own.add(tool.name.toLowerCase());
      // One name for two tools would make a rule's text ambiguous.
      assert.is(seen.get(tool.name.toLowerCase()) ?? target, target, `${runner}: ${tool.name}`);
      seen.set(tool.name.toLowerCase(), target);
    }
  }
});

test('what coveredBy names exists', () => {
  const canonical = new Set(canonicalTools().map((tool) => tool.name));
  for (const tool of canonicalTools())
    for (const name of [...(tool.coveredBy?.any ?? []), ...(tool.coveredBy?.restrict ?? [])])
      assert.ok(canonical.has(name), name);
});

test('seed 004: three tools are safe, and nothing that only keeps books reaches anything (R228, R261)', () => {
  const codex = canonicalTools().filter((tool) => tool.name.startsWith('codex_'));
  const names = (tier: string) =>
    codex.filter((tool) => tool.tier === tier && tool.status !== 'planned').map((tool) => tool.name);
  assert.equal(names('safe'), ['codex_read_file', 'codex_grep', 'codex_codebase_search']);
  assert.equal(names('moderate'), ['codex_apply_patch']);
  assert.equal(names('dangerous'), ['codex_shell']);
  assert.equal(
    codex.filter((tool) => tool.status === 'planned').map((tool) => tool.name),
    ['codex_write_file', 'codex_delete_file'],
  );
  for (const tool of canonicalTools()) if (tool.harmless) assert.is(tool.access, 'none', tool.name);
});

interface Row {
  readonly name: string;
  readonly runner?: RunnerId;
  readonly canonical: string;
  readonly known?: false;
  readonly harmless?: true;
  readonly mcp?: string;
  readonly why?: string;
}

const described: readonly Row[] = [
  { name: 'Bash', canonical: 'Bash' },
  { name: 'bash', canonical: 'Bash', why: 'names compare without case' },
  { name: 'FileRead', canonical: 'Read' },
  { name: 'Task', canonical: 'Agent' },
  { name: 'run_shell_command', canonical: 'Bash' },
  { name: 'TodoWrite', canonical: 'TodoWrite', harmless: true },
  { name: 'TodoWrite', runner: 'claude-code', canonical: 'TodoWrite', harmless: true },
  { name: 'todo_write', runner: 'qwen-code', canonical: 'TodoWrite', harmless: true },
  { name: 'todo_write', canonical: 'TodoWrite', why: 'a name of one runner proves nothing without the runner' },
  {
    name: 'todo_write',
    runner: 'opencode',
    canonical: 'mcp__todo__write',
    known: false,
    mcp: 'todo/write',
    why: 'in OpenCode this is the tool write of a server named todo',
  },
  { name: 'TodoWrite', runner: 'codex', canonical: 'TodoWrite', why: 'Codex ships no tool of that name' },
  { name: 'exec_command', runner: 'codex', canonical: 'Bash' },
  { name: 'apply_patch', runner: 'codex', canonical: 'ApplyPatch' },
  { name: 'collaborationspawn_agent', runner: 'codex', canonical: 'Agent' },
  { name: 'view', runner: 'copilot-cli', canonical: 'Read' },
  { name: 'view_image', runner: 'codex', canonical: 'Read' },
  { name: 'replace', runner: 'gemini-cli', canonical: 'Edit' },
  { name: 'monitor', runner: 'qwen-code', canonical: 'Monitor' },
  { name: 'webfetch', runner: 'opencode', canonical: 'WebFetch' },
  { name: 'Shell', runner: 'cursor', canonical: 'Bash' },
  { name: 'KillBash', runner: 'claude-code', canonical: 'TaskStop', harmless: true },
  { name: 'mcp__srv__tool', canonical: 'mcp__srv__tool', known: false, mcp: 'srv/tool' },
  { name: 'mcp__srv__tool', runner: 'codex', canonical: 'mcp__srv__tool', known: false, mcp: 'srv/tool' },
  { name: 'mcp__srv__a__b', canonical: 'mcp__srv__a__b', known: false, mcp: 'srv/a__b' },
  { name: 'mcp_srv_tool', runner: 'gemini-cli', canonical: 'mcp__srv__tool', known: false, mcp: 'srv/tool' },
  { name: 'mcp_srv_tool', runner: 'claude-code', canonical: 'mcp_srv_tool', known: false, why: 'no MCP name in this runner' },
  { name: 'mcp_my_srv_tool', runner: 'gemini-cli', canonical: 'mcp_my_srv_tool', known: false, mcp: 'my/srv_tool' },
  { name: 'srv_echo', runner: 'opencode', canonical: 'mcp__srv__echo', known: false, mcp: 'srv/echo' },
  { name: 'srv-echo', runner: 'copilot-cli', canonical: 'mcp__srv__echo', known: false, mcp: 'srv/echo' },
  { name: 'MCP:echo', runner: 'cursor', canonical: 'mcp__?__echo', known: false, mcp: '?/echo' },
  { name: 'mcp__codex__codex_shell', canonical: 'codex_shell', mcp: 'codex/codex_shell' },
  { name: 'mcp__evil__codex_read_file', canonical: 'mcp__evil__codex_read_file', known: false, mcp: 'evil/codex_read_file' },
  {
    name: 'mcp__Read__Read',
    canonical: 'mcp__Read__Read',
    known: false,
    mcp: 'Read/Read',
    why: 'a server may name its tools like ours',
  },
  { name: 'mcp__', canonical: 'mcp__', known: false },
  { name: 'mcp__srv', canonical: 'mcp__srv', known: false },
  { name: '__proto__', canonical: '__proto__', known: false },
  { name: 'constructor', canonical: 'constructor', known: false },
  { name: 'toString', canonical: 'toString', known: false },
  { name: '', canonical: '', known: false },
  { name: ' Bash', canonical: ' Bash', known: false },
  { name: 'git', canonical: 'git', known: false, why: 'a program is no tool' },
];

for (const row of described)
  test(`describe ${JSON.stringify(row.name)}${row.runner ? ` of ${row.runner}` : ''}: ${row.why ?? row.canonical}`, () => {
    const tool = describeTool(row.name, row.runner);
    assert.is(tool.canonical, row.canonical);
    assert.is(tool.known, row.known ?? true);
    assert.is(tool.harmless, row.harmless ?? false);
    assert.is(tool.mcp === null ? undefined : `${tool.mcp.server}/${tool.mcp.tool}`, row.mcp);
    if (!tool.known) assert.is(tool.tier, 'dangerous');
  });

test('a known tool is described without making anything new', () => {
  assert.is(describeTool('Bash', 'claude-code'), describeTool('Bash', 'claude-code'));
});

/** [rule tool, canonical name, reached by allow, reached by deny, why] */
const covered: readonly (readonly [string, string, boolean, boolean, string?])[] = [
  ['*', 'Bash', true, true],
  ['*', 'mcp__a__b', true, true],
  ['*', 'whatever', true, true],
  ['Bash', 'Bash', true, true],
  ['bash', 'Bash', true, true],
  ['run_shell_command', 'Bash', true, true],
  ['Bash', 'Monitor', true, true, 'the same shell runs its command'],
  ['Bash', 'PowerShell', false, true, 'another language'],
  ['Bash', 'WriteStdin', false, true],
  ['Bash', 'codex_shell', false, true, 'R230: the shell of a server is no back door'],
  ['Monitor', 'Bash', false, false],
  ['Read', 'Read', true, true],
  ['FileRead', 'Read', true, true],
  ['Read', 'Grep', false, true],
  ['Read', 'Glob', false, true],
  ['Read', 'LS', false, true],
  ['Read', 'NotebookRead', false, true],
  ['Read', 'codex_read_file', false, true],
  ['Read', 'Write', false, false],
  ['Grep', 'Read', false, false],
  ['Edit', 'Write', true, true, 'as Edit(path) of Claude Code'],
  ['Edit', 'MultiEdit', true, true],
  ['Edit', 'NotebookEdit', true, true],
  ['Edit', 'ApplyPatch', true, true],
  ['FileEdit', 'Write', true, true],
  ['Write', 'Write', true, true],
  ['Write', 'Edit', false, false],
  ['Write', 'ApplyPatch', false, true],
  ['Edit', 'codex_write_file', false, true],
  ['Task', 'Agent', true, true],
  ['Agent', 'Agent', true, true],
  ['WebFetch', 'WebFetch', true, true],
  ['WebFetch', 'WebSearch', false, false],
  ['codex_*', 'codex_grep', true, true],
  ['codex_*', 'mcp__x__codex_grep', false, false],
  ['codex_shell', 'codex_shell', true, true],
  ['mcp__codex__codex_shell', 'codex_shell', true, true],
  ['mcp__codex', 'codex_shell', true, true],
  ['mcp__srv', 'mcp__srv__tool', true, true],
  ['mcp__srv__*', 'mcp__srv__tool', true, true],
  ['mcp__srv__t*', 'mcp__srv__tool', true, true],
  ['mcp__srv__x*', 'mcp__srv__tool', false, false],
  ['mcp__srv', 'mcp__srv2__tool', false, false],
  ['mcp__srv__tool', 'mcp__srv__tool', true, true],
  ['mcp__srv', 'MCP__srv__tool', false, true],
  ['mcp__srv__tool', 'mcp__SRV__tool', false, true, 'servers with names that differ in case are two servers'],
  ['mcp__a__*', 'mcp__a__b__c', false, true, 'this may be the tool c of a server a__b'],
  ['mcp__my__srv_tool', 'mcp_my_srv_tool', false, true, 'where the server ends cannot be told'],
  ['mcp__my_srv__tool', 'mcp_my_srv_tool', false, true],
  ['mcp__my_srv', 'mcp_my_srv_tool', false, true],
  ['mcp_my_srv_tool', 'mcp_my_srv_tool', true, true],
  ['mcp__srv__echo', 'mcp__?__echo', false, true, 'Cursor does not tell the server'],
  ['mcp__srv', 'mcp__?__echo', false, true],
  ['mcp__srv__other', 'mcp__?__echo', false, false],
  ['mcp__*', 'mcp__a__b', true, true],
  ['mcp__*', 'Bash', false, false],
  ['B*', 'Bash', true, true],
  ['B*', 'PowerShell', false, true],
  ['Task*', 'TaskCreate', true, true],
  ['Task*', 'Agent', false, true, 'Task is its old name'],
  ['Notebook*', 'NotebookEdit', true, true],
  ['*Edit', 'Write', false, true, 'an ask or deny by glob reaches what Edit reaches'],
  ['frobnicate', 'frobnicate', true, true],
  ['frobnicate', 'Frobnicate', true, true],
  ['frob*', 'frobnicate', true, true],
  ['frob*', 'mcp__frob__x', false, false],
  ['__proto__', 'Bash', false, false],
  ['', 'Bash', false, false],
  ['Bash(', 'Bash', false, false],
];

for (const [rule, canonical, allow, deny, why] of covered)
  test(`rule ${rule || '(empty)'} on ${canonical}: allow ${allow}, deny ${deny}${why ? ` (${why})` : ''}`, () => {
    assert.is(toolsCovered(rule, 'allow')(canonical), allow, 'allow');
    assert.is(toolsCovered(rule, 'deny')(canonical), deny, 'deny');
    assert.is(toolsCovered(rule, 'ask')(canonical), deny, 'ask');
    for (const effect of ['allow', 'deny'] as const) {
      const known = knownToolsCovered(rule, effect);
      for (const { name } of canonicalTools()) assert.is(known.has(name), toolsCovered(rule, effect)(name), `${effect} ${name}`);
    }
  });

test('whatever an allow reaches, a deny of the same text reaches', () => {
  const names = [...canonicalTools().map((tool) => tool.name), 'mcp__a__b', 'mcp_a_b_c', 'mcp__?__b', 'unknown'];
  const rules = [...names, 'mcp__a', 'mcp__*', 'mcp__a__*', 'codex_*', 'T*', '*', 'FileRead', 'Task', 'exec_command'];
  for (const rule of rules)
    for (const name of names)
      if (toolsCovered(rule, 'allow')(name)) assert.ok(toolsCovered(rule, 'deny')(name), `${rule} on ${name}`);
});

test('of the tools in the catalogue a rule reaches its own, and those that name it', () => {
  for (const rule of [...canonicalTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]), 'exec_command', 'unknown'])
    for (const { name, coveredBy = {} } of canonicalTools()) {
      const { canonical } = describeTool(rule);
      const always = name === canonical || coveredBy.any?.includes(canonical) === true;
      assert.is(toolsCovered(rule, 'allow')(name), always, `allow ${rule} on ${name}`);
      assert.is(
        toolsCovered(rule, 'deny')(name),
        always || coveredBy.restrict?.includes(canonical) === true,
        `${rule} on ${name}`,
      );
    }
});

test('a glob made of stars is matched in no time', () => {
  assert.is(toolsCovered(`mcp__${'*a'.repeat(1000)}b`, 'deny')(`mcp__x__${'a'.repeat(2000)}`), false);
});

test('predicates are made once per rule text', () => {
  assert.is(toolsCovered('Bash', 'allow'), toolsCovered('Bash', 'allow'));
});

test('the agents of Claude Code and agent-code are there, with their limits', () => {
  assert.equal(runnerAgents('claude-code').find((agent) => agent.name === 'Plan')?.excludes, [
    'Agent',
    'Artifact',
    'ExitPlanMode',
    'Edit',
    'Write',
    'NotebookEdit',
  ]);
  assert.is(runnerAgents('agent-code').find((agent) => agent.name === 'explore')?.readOnly, true);
});

for (const runner of RUNNERS)
  test(`every tool of a shipped agent of ${runner} is one that the runner has`, () => {
    const known = new Set(runnerTools(runner).map(({ name }) => name));
    for (const { name, tools, excludes } of runnerAgents(runner))
      for (const tool of [...(tools ?? []), ...(excludes ?? [])]) assert.ok(known.has(tool), `${name}: ${tool}`);
  });

test('the agents of Qwen Code 0.24.4 are there; those that are other programs have none of its tools', () => {
  const agents = new Map(runnerAgents('qwen-code').map((agent) => [agent.name, agent.tools]));
  assert.equal([...agents.keys()], ['general-purpose', 'Explore', 'statusline-setup', 'review-agent', 'claude-code', 'codex']);
  assert.equal(agents.get('codex'), []);
  assert.is(agents.get('Explore')?.includes('write_file'), false);
  assert.is(agents.get('general-purpose'), undefined);
});

test.run();
