/** Several definitions over one call: an intersection, and a child inside running agents, are never looser than any of them. */
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AgentDefinition, Dialect } from '../../src/agent/agent.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { intersectDefinitions } from '../../src/agent/intersection.js';
import { todaysRuns } from '../sweep.js';
import { decideIn } from './world.js';

const RANK = { allow: 0, ask: 1, deny: 2 } as const;

const ENTRIES = [
  'Read',
  'Edit',
  'Bash',
  'Bash(git diff:*)',
  'Bash(git *)',
  'Grep',
  'Task',
  'mcp__db__query',
  'mcp__db',
  'WebFetch',
];
const RULES = ['Read', 'Edit(src/**)', 'Edit', 'Bash(git *)', 'Bash(ls *)', 'Bash', 'mcp__db', 'Grep'];
const CALLS: readonly (readonly [tool: string, input: string | Record<string, unknown>])[] = [
  ['Bash', 'git diff HEAD'],
  ['Bash', 'git log -1'],
  ['Bash', 'ls -l'],
  ['Bash', 'git diff; ls -l'],
  ['Read', 'src/a.ts'],
  ['Edit', 'src/a.ts'],
  ['Edit', 'docs/a.md'],
  ['Grep', 'x'],
  ['WebFetch', 'https://example.com/'],
  ['mcp__db__query', { sql: 'select 1' }],
  ['TodoWrite', {}],
];

const FILE = { file: 'x.md', scope: 'user' } as const;

const some = (from: readonly string[]) => fc.subarray([...from], { maxLength: 3 });
const list = (key: string, values: readonly string[]) => `${key}: [${values.map((one) => JSON.stringify(one)).join(', ')}]\n`;

/** A definition of a random dialect, with a random part of what one can say. */
const definition = fc
  .record({
    dialect: fc.constantFrom<Dialect>('claude-code', 'codex-markdown', 'agent-code', 'codex-yaml'),
    tools: fc.option(some(ENTRIES)),
    excluded: some(['Edit', 'Bash', 'mcp__db']),
    allow: some(RULES),
    ask: some(RULES),
    deny: some(RULES),
    mode: fc.constantFrom('allow', 'ask', 'deny', 'plan', null),
  })
  .map(({ dialect, tools, excluded, allow, ask, deny, mode }): AgentDefinition => {
    const file = { file: `x.${dialect === 'codex-yaml' ? 'yaml' : 'md'}`, dialect, scope: 'user' as const };
    if (dialect === 'codex-yaml') {
      const text = `name: x\ndescription: d\ntools:\n  mcp: ${JSON.stringify(allow.filter((one) => one.startsWith('mcp')))}\n  fs: { read: ${mode !== 'deny'}, write: ${mode === 'allow'} }\n  shell: ${JSON.stringify(ask.length > 1 ? ['git'] : [])}\n`;
      return parseAgent(text, file);
    }
    const own = dialect === 'agent-code';
    const front = [
      'name: x\ndescription: d\n',
      tools === null ? '' : list(own ? 'include_tools' : 'tools', tools),
      excluded.length === 0 ? '' : list(own ? 'exclude_tools' : 'disallowedTools', excluded),
      ...(own
        ? [list('allow', allow), list('ask', ask), list('deny', deny), mode === null ? '' : `permission_mode: ${mode}\n`]
        : []),
    ];
    return parseAgent(`---\n${front.join('')}---\n`, file);
  });

/** What the policy and these agents say of a call; the policy itself allows everything. */
function said(agents: readonly AgentDefinition[], [tool, input]: (typeof CALLS)[number], more: Record<string, unknown>): number {
  const world = { agents, allow: ['Bash(*)', 'Read', 'Edit', 'Grep', 'WebFetch', 'mcp__db'] };
  return RANK[decideIn(world, tool, input, more).decision];
}

test('an intersection is never looser than one of its parts', () => {
  fc.assert(
    fc.property(fc.array(definition, { minLength: 2, maxLength: 3 }), fc.constantFrom(...CALLS), (parts, call) => {
      const both = parts.reduce(intersectDefinitions);
      const alone = parts.map((one) => said([one], call, { agent: 'x' }));
      assert.ok(said([both], call, { agent: 'x' }) >= Math.max(...alone));
    }),
    { numRuns: todaysRuns(500, 3) },
  );
});

test('a rule that an intersection and one of its parts hold is named once, also by a stored policy', () => {
  const parts = [
    parseAgent('---\nname: x\ndescription: d\nallow: [Edit]\npermission_mode: allow\n---\n', { ...FILE, dialect: 'agent-code' }),
    parseAgent('---\nname: x\ndescription: d\n---\n', { ...FILE, dialect: 'claude-code' }),
  ];
  const world = { agents: [parts.reduce(intersectDefinitions)], allow: ['Edit'] };
  assert.equal(
    decideIn(world, 'Edit', 'docs/a.md', { agent: 'x' }).matched.map(({ layer }) => layer),
    ['agent', 'project'],
  );
});

test('a child is never looser than an agent that it may be running in', () => {
  fc.assert(
    fc.property(fc.array(definition, { minLength: 2, maxLength: 4 }), fc.constantFrom(...CALLS), (definitions, call) => {
      const agents = definitions.map((one, at) => ({ ...one, name: `a${at}` }));
      const [first, ...rest] = agents.map(({ name }) => name);
      const alone = agents.map(({ name }) => said(agents, call, { agent: name }));
      const inside = said(agents, call, { agent: first, within: rest });
      assert.is(inside, Math.max(...alone));
    }),
    { numRuns: todaysRuns(500, 3) },
  );
});

test('inside an agent that nobody knows a child gets at most a question', () => {
  assert.is(said([], ['Read', 'src/a.ts'], { within: ['nobody'] }), RANK.ask);
});

const READS_ONLY: readonly (readonly [tool: string, input: string | Record<string, unknown>, said: keyof typeof RANK])[] = [
  ['Bash', 'ls -l src | head', 'allow'],
  ['Bash', 'git diff HEAD', 'allow'],
  ['Bash', 'touch x', 'deny'],
  ['Bash', 'ls > x', 'ask'],
  ['Bash', 'python x.py', 'deny'],
  ['Read', 'src/a.ts', 'allow'],
  ['Edit', 'src/a.ts', 'deny'],
  ['mcp__db__query', { sql: 'select 1' }, 'deny'],
];
for (const [tool, input, expected] of READS_ONLY)
  test(`an agent that only reads: ${tool} ${JSON.stringify(input)} gets ${expected}`, () => {
    const text = 'name = "x"\ndescription = "d"\nsandbox_mode = "read-only"\n';
    const reader = parseAgent(text, { file: 'x.toml', dialect: 'claude-code', scope: 'user', runner: 'codex' });
    assert.is(said([reader], [tool, input], { agent: 'x' }), RANK[expected]);
  });

test('an agent may end, whatever its list says', () => {
  const text = '---\nname: x\ndescription: d\ntools: []\n---\n';
  const none = parseAgent(text, { file: 'x.md', dialect: 'claude-code', scope: 'user', runner: 'gemini-cli' });
  const more = { agent: 'x', runner: 'gemini-cli' };
  assert.is(said([none], ['complete_task', { result: 'x' }], more), RANK.allow);
  assert.is(said([none], ['read_file', { file_path: 'a' }], more), RANK.deny);
  const claude = parseAgent(text.replace('[]', '[Read]'), { ...FILE, dialect: 'claude-code' });
  const asked = { agent: 'x', runner: 'claude-code' };
  assert.is(said([claude], ['StructuredOutput', { a: 1 }], asked), RANK.allow);
  assert.is(said([claude], ['Bash', 'ls'], asked), RANK.deny);
});

test('the property can fail: definitions differ in what they let through', () => {
  const seen = new Set<number>();
  const look = fc.property(definition, fc.constantFrom(...CALLS), (one, call) => {
    seen.add(said([one], call, { agent: 'x' }));
  });
  fc.assert(look, { numRuns: 1000 });
  assert.equal([...seen].sort(), [RANK.allow, RANK.ask, RANK.deny]);
});

test.run();
