// Who may do what without a question: the table is what the engine decides, for every agent in it, and says who may do the most.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PermissionCall, PermissionCell, PermissionRow, PermissionTable } from '../../src/audit/model/table.js';
import { BRINGS, capabilities } from '../../src/audit/permissions/corpus.js';
import { rowOf as permissionRow } from '../../src/audit/permissions/row.js';
import { MOST_SETS, permissionTable } from '../../src/audit/subject/judge-permissions.js';
import { canonicalTools, describeTool } from '../../src/call/catalogue.js';
import { RUNNERS, type RunnerId, type ToolCall } from '../../src/call/tool-call.js';
import { enforceDry } from '../../src/enforce/enforce.js';
import { data } from '../../src/generated/data.js';
import { validateCapabilities } from '../../src/generated/validators/capabilities.js';
import { openWorkspace, type Workspace } from '../../src/project/workspace.js';
import { permissionsSection } from '../../src/report/audit/permissions.js';
import { asMarkdown } from '../../src/report/printing/markdown.js';
import { shellOf } from '../../src/runner/hook/runner.js';
import { runnerNamed } from '../../src/runner/runners.js';
import { CLEAN_REPOSITORY, scratch } from '../cli/spawned.js';

interface Opened {
  readonly project: string;
  readonly open: (runner?: RunnerId) => Workspace;
  readonly table: (...runners: readonly RunnerId[]) => PermissionTable;
}

/** A project with these agents of Claude Code (or files by their path), and the policy as the user's own. */
function projectWith(policy: string, agents: Readonly<Record<string, string>> = {}): Opened {
  const home = realpathSync(scratch({ '.config/policy/policy.yaml': policy }));
  const project = realpathSync(scratch({ ...CLEAN_REPOSITORY, 'README.md': 'x\n', 'src/a.ts': 'x\n' }));
  for (const [name, text] of Object.entries(agents)) {
    const file = join(project, name.includes('/') ? name : `.claude/agents/${name}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const open = (runner?: RunnerId) => {
    const opened = openWorkspace({
      ...{ cwd: project, home, platform: process.platform, environment: {}, withAgents: true },
      managedDirectory: join(home, 'managed'),
      ...(runner !== undefined && { runner }),
    });
    if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'));
    return opened.workspace;
  };
  return { project, open, table: (...runners) => permissionTable({ workspace: open(), project, home, runners }) };
}

const agent = (name: string, fields = '') => `---\nname: ${JSON.stringify(name)}\ndescription: d\n${fields}---\nx\n`;

function rowOf({ rows }: PermissionTable, name: string | null, runner = 'claude-code'): PermissionRow {
  const found = rows.find((row) =>
    row.runner !== runner ? false : name === null ? row.agents === null : row.agents?.some((one) => one.name === name),
  );
  if (found === undefined) throw new Error(`no row for ${name}`);
  return found;
}

function cellOf(row: PermissionRow, id: string): PermissionCell {
  const found = row.cells.find((cell) => cell.class === id);
  if (found === undefined) throw new Error(`no cell ${id}`);
  return found;
}

const corpus = capabilities();

test('the corpus follows its schema; about 60 calls in 11 classes, ids used once', () => {
  assert.ok(validateCapabilities(data('capabilities')), JSON.stringify(validateCapabilities.errors));
  const { classes, calls } = corpus;
  assert.is(classes.length, 11);
  assert.ok(calls.length >= 60 && calls.length <= 80, String(calls.length));
  for (const list of [classes, calls]) assert.is(new Set(list.map(({ id }) => id)).size, list.length);
  for (const { id } of classes) assert.ok(calls.filter((call) => call.class === id).length >= 4, id);
  for (const call of calls)
    assert.ok(
      classes.some(({ id }) => id === call.class),
      call.id,
    );
  for (const part of BRINGS)
    assert.ok(
      calls.some(({ brings }) => brings?.length === 1 && brings[0] === part),
      part,
    );
});

test('every call names a tool that there is, and each runner is asked by names of its own', () => {
  const known = new Set(canonicalTools().map(({ name }) => name));
  for (const { id, tool } of corpus.calls) assert.ok(tool === undefined || known.has(tool), id);
  const { calls } = projectWith('version: 1\n').table(...RUNNERS);
  for (const runner of RUNNERS) {
    const own = calls.filter((call) => call.runner === runner);
    assert.ok(own.length >= 55, `${runner} is asked about ${own.length} calls`);
    for (const { id, tool, label } of own) {
      const { known: isKnown, mcp } = describeTool(tool, runner);
      assert.ok(isKnown || mcp !== null, `${runner} ${id}: ${tool}`);
      assert.not.match(label, /[{}]\w/);
    }
  }
  const shells = RUNNERS.map((runner) => calls.find((call) => call.runner === runner && call.id === 'push')?.tool);
  assert.equal(shells, ['Bash', 'Bash', 'run_shell_command', 'bash', 'bash', 'run_shell_command', 'Shell', 'Bash']);
  const reads = RUNNERS.map((runner) => calls.find((call) => call.runner === runner && call.id === 'read-env-file')?.input);
  assert.equal(
    reads.map((input) => Object.keys(input ?? {}).join()),
    ['file_path', 'path', 'file_path', 'path', 'filePath', 'file_path', 'file_path', 'file_path'],
  );
});

test('calls that a runner has no tool for are left out; a class without any does not apply', () => {
  const { answers } = cellOf(rowOf(projectWith('version: 1\n').table('codex'), null, 'codex'), 'write-repository');
  const asked = new Set(answers.map(({ call }) => call));
  assert.equal([asked.has('edit-file'), asked.has('patch-file')], [false, true], 'Codex has apply_patch, and no Edit');
  const answer = { call: 'push', decision: 'ask', rules: [], why: '' } as const;
  const row = permissionRow(corpus, 'codex', null, [answer]);
  assert.equal([cellOf(row, 'publish').verdict, cellOf(row, 'mcp').verdict, row.classes], ['ask', 'not-applicable', 1]);
});

test('an agent is started by the name that the runner knows it by', () => {
  const { table } = projectWith('version: 1\nallow: [Agent(claude), Agent(codebase_investigator)]\n');
  const decisions = (['claude-code', 'gemini-cli', 'codex'] as const).map((runner) => {
    const { answers } = cellOf(rowOf(table(runner), null, runner), 'start-agents');
    return answers.find(({ call }) => call === 'start-agent')?.decision;
  });
  assert.equal(decisions, ['allow', 'allow', 'ask']);
});

/** Definitions of every kind: no list, an empty one, patterns, programs, exclusions, own rules, an own mode, other runners, two of one name. */
const MANY: Readonly<Record<string, string>> = {
  inherits: agent('inherits'),
  empty: agent('empty', 'tools: []\n'),
  reader: agent('reader', 'tools: Read, Grep, Glob\n'),
  'reader-too': agent('reader-too', 'tools: Grep, Glob, Read, TodoWrite\n'),
  shell: agent('shell', 'tools: Bash\n'),
  pattern: agent('pattern', 'tools: Bash(rm:*), Read\n'),
  server: agent('server', 'tools: mcp__github\n'),
  without: agent('without', 'disallowedTools: Bash, WebFetch\n'),
  twice: agent('twice', 'tools: Read\n'),
  'twice-too': agent('twice', 'tools: Bash\n'),
  spent: agent('spent', 'tools: Bash\n'),
  '.agent/agents/own.md':
    '---\nname: own\ndescription: d\ninclude_tools: [FileRead, Bash]\nallow: ["Bash(npx *)"]\ndeny: ["Bash(rm *)"]\n---\nx\n',
  '.codex/agents/a.md': '---\nname: a\ndescription: d\ntools: [git, npx]\n---\nx\n',
  '.codex/agents/b.toml': 'name = "b"\ndescription = "d"\ndeveloper_instructions = "x"\nsandbox_mode = "read-only"\n',
  '.gemini/agents/g.md': '---\nname: g\ndescription: d\ntools: [read_file, run_shell_command]\n---\nx\n',
};
/** The call as the hook reads it from a payload of its runner. */
function asParsed({ runner: id, tool, input }: PermissionCall, project: string): ToolCall {
  const runner = runnerNamed(id);
  if (runner === undefined) throw new Error(id);
  const event = runner.parse(runner.samplePayload({ tool, input }, project, 's'), shellOf(runner, 'union', false));
  if (event.kind !== 'before-call') throw new Error(`${id} ${tool}: ${JSON.stringify(event)}`);
  return event.call;
}

const BROAD =
  'version: 1\npreset: safe\nallow: ["Bash(npx *)", "Bash(rm *)", WebFetch, "mcp__github__*", Read]\nbudget: { perAgentCalls: { spent: 0 } }\n';

test('each answer is the decision that the hook of that runner would make, for every agent of a row', () => {
  const { project, open, table } = projectWith(BROAD, MANY);
  const { rows, calls } = table('claude-code', 'codex', 'gemini-cli', 'agent-code');
  const workspaces = new Map(RUNNERS.map((runner) => [runner as string, open(runner)]));
  let asked = 0;
  for (const row of rows)
    for (const name of row.agents?.map((one) => one.name) ?? [null])
      for (const answer of row.cells.flatMap((cell) => cell.answers)) {
        const call = calls.find((one) => one.id === answer.call && one.runner === row.runner);
        const workspace = workspaces.get(row.runner);
        if (call === undefined || workspace === undefined) throw new Error(`${row.runner} ${answer.call}`);
        const made = { ...asParsed(call, project), headless: false, ...(name !== null && { agent: name }) };
        assert.is(enforceDry(workspace, made).decision, answer.decision, `${row.runner} ${name} ${call.label}`);
        asked += 1;
      }
  assert.ok(asked > 1000);
});

test('agents with the same permissions share a row, however their lists are written', () => {
  const table = projectWith(BROAD, MANY).table('claude-code');
  assert.equal(
    rowOf(table, 'reader').agents?.map(({ name }) => name),
    ['reader', 'reader-too'],
  );
  assert.equal(
    rowOf(table, 'shell').agents?.map(({ name, file }) => [name, file]),
    [['shell', '.claude/agents/shell.md']],
    'spent has a limit of 0 calls',
  );
  assert.is(rowOf(table, 'spent').free, 0);
  assert.is(rowOf(table, 'empty').free, 0);
});

test('who may do more comes first, with the rule behind the worst of it', () => {
  const { rows } = projectWith(BROAD, MANY).table('claude-code');
  const order = rows.map(({ free }) => free);
  assert.equal(
    order,
    [...order].sort((left, right) => right - left),
  );
  const row = rows.find(({ agents }) => agents?.[0]?.name === 'pattern');
  assert.is(row?.worst?.call, 'delete-folder');
  assert.equal(
    row?.worst?.rules.map(({ text, layer, line }) => [text, layer, line]),
    [
      ['Bash(rm *)', 'user', 3],
      ['Bash(rm:*)', 'agent', 2],
    ],
  );
});

test('what a default allows is not said to be granted by the list of the agent', () => {
  const table = projectWith('version: 1\n', { reader: agent('reader', 'tools: Read, Bash(git log:*)\n') }).table('claude-code');
  const toldOf = (permissions: PermissionTable, agent: string | null) => {
    const report = {
      permissions: { ...permissions, rows: [rowOf(permissions, agent)] },
      meta: { mode: 'enforce', runners: [] },
    } as const;
    return /^- (.*)$/m.exec(asMarkdown(permissionsSection(report)))?.[1] ?? '';
  };
  assert.is(
    toldOf(table, 'reader'),
    '`reader`: 1 of 11 classes allowed without a question: `Read ./README.md` is allowed, since `reading inside the project needs no rule`.',
  );
  const written = projectWith('version: 1\nallow: ["Bash(npx *)"]\n').table('claude-code');
  assert.match(
    toldOf(written, null),
    /^the session of claude-code: \d of 11 classes allowed without a question: `Bash\(npx \*\)` \(`.*policy\.yaml:2`\) allows `npx --yes audit-probe`\.$/,
  );
});

const LETHAL = 'version: 1\nallow: ["Bash(npx *)", WebFetch]\n';

for (const { what, policy, whole } of [
  { what: 'fetching and running any package', policy: LETHAL, whole: ['fetch-page', 'run-package', 'run-package'] },
  { what: 'running any package, nothing from outside', policy: 'version: 1\nallow: ["Bash(npx *)"]\n', whole: null },
  { what: 'fetching alone', policy: 'version: 1\nallow: [WebFetch]\n', whole: null },
  { what: 'the preset safe', policy: 'version: 1\npreset: safe\n', whole: null },
  { what: 'the preset readOnly', policy: 'version: 1\npreset: readOnly\n', whole: null },
])
  test(`the lethal combination: ${what}`, () => {
    const { combination } = rowOf(projectWith(policy).table('claude-code'), null);
    assert.equal(combination && [combination.input.call, combination.secrets.call, combination.out.call], whole);
  });

test('an agent that lacks one of the three is not it, though the session is', () => {
  const table = projectWith(LETHAL, { reader: agent('reader', 'tools: Read, WebFetch\n'), inherits: agent('inherits') }).table(
    'claude-code',
  );
  assert.is(rowOf(table, 'reader').combination, null);
  assert.ok(rowOf(table, null).combination !== null);
  assert.ok(rowOf(table, 'inherits').combination !== null);
});

test('agents beyond the limit are named, not passed over', () => {
  const agents = Object.fromEntries(
    Array.from({ length: MOST_SETS + 2 }, (_, index) => [`a${index}`, agent(`a${index}`, `tools: Bash(x${index} *)\n`)]),
  );
  const { rows, unjudged } = projectWith('version: 1\n', agents).table('claude-code');
  assert.is(unjudged.length, 2);
  const told = rows.reduce((sum, row) => sum + (row.agents?.length ?? 0), 0);
  assert.is(told + unjudged.length, MOST_SETS + 2);
});

test('with subagents switched off only the session is told of', () => {
  const { rows } = projectWith('version: 1\nagents: { enabled: false }\n', MANY).table('claude-code');
  assert.equal(
    rows.map(({ agents }) => agents),
    [null],
  );
});

test.run();
