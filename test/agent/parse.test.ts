import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type AgentDefinition, DIALECTS, type Dialect } from '../../src/agent/agent.js';
import { parseAgent } from '../../src/agent/dialects/parse.js';
import { SEARCH_ONLY } from './search-only.js';

const parse = (dialect: Dialect, text: string, file = '.x/agents/sample.md') =>
  parseAgent(text, { file, dialect, scope: 'project' });

test('the sample of seed 003 (R185-R192, R209, R210)', () => {
  const agent = parse('agent-code', SEARCH_ONLY);
  assert.equal(agent.errors, []);
  assert.is(agent.status, 'active');
  assert.is(agent.name, 'search-only');
  assert.equal(agent.tools, { state: 'listed', tools: ['Grep', 'Glob', 'FileRead'] });
  assert.is(agent.permissions?.defaultMode, 'deny');
  assert.equal(
    agent.permissions?.rules.map((rule) => `${rule.effect} ${rule.text} ${rule.source.line}:${rule.source.column}`),
    ['allow Grep 6:10', 'allow Glob 6:18', 'allow FileRead(src/**) 6:26', 'deny Bash(rm *) 7:9', 'ask Bash(git *) 8:8'],
  );
  assert.is(agent.body, 'System prompt additions...');
});

/** What a test looks at: status, first error code, and anything else by hand. */
interface Row {
  readonly why: string;
  readonly dialect: Dialect;
  readonly text: string;
  readonly status: AgentDefinition['status'];
  readonly messages?: readonly string[];
  readonly check?: (agent: AgentDefinition) => void;
}

const md = (head: string, body = 'Do it.\n') => `---\n${head}\n---\n${body}`;
const tools = (expected: AgentDefinition['tools']) => (agent: AgentDefinition) => assert.equal(agent.tools, expected);
const listed = (...names: string[]) => tools({ state: 'listed', tools: names });

const rows: readonly Row[] = [
  // Front matter
  {
    why: 'a byte order mark',
    dialect: 'claude-code',
    text: `\uFEFF${md('name: a\ndescription: b')}`,
    status: 'invalid',
    messages: ['The file starts with a byte order mark, behind which some runners see no front matter; save it without.'],
  },
  { why: 'a blank line first', dialect: 'claude-code', text: `\n${md('name: a\ndescription: b')}`, status: 'invalid' },
  { why: 'four hyphens', dialect: 'claude-code', text: '----\nname: a\ndescription: b\n----\n', status: 'invalid' },
  { why: 'TOML', dialect: 'codex-markdown', text: '+++\nname = "a"\n+++\n', status: 'invalid' },
  { why: 'no end', dialect: 'claude-code', text: '---\nname: a\n', status: 'invalid' },
  { why: 'nothing at all', dialect: 'claude-code', text: '', status: 'invalid' },
  {
    why: 'a page without front matter',
    dialect: 'claude-code',
    text: '# Title\n',
    status: 'invalid',
    messages: ['There is no front matter: a definition starts with a line --- followed by name and description.'],
  },
  { why: 'code that other parsers would run', dialect: 'claude-code', text: '---js\nprocess.exit()\n---\n', status: 'invalid' },
  {
    why: 'three hyphens inside a value end nothing',
    dialect: 'claude-code',
    text: md('name: a\ndescription: x --- y\ntools: Read'),
    status: 'active',
    check: listed('Read'),
  },
  { why: 'too large', dialect: 'claude-code', text: md('name: a\ndescription: b', 'x'.repeat(1_100_000)), status: 'invalid' },
  {
    why: 'too deep',
    dialect: 'claude-code',
    text: md(`name: a\ndescription: b\nx: ${'['.repeat(200)}${']'.repeat(200)}`),
    status: 'invalid',
  },
  { why: 'a list as the whole', dialect: 'claude-code', text: md('- a'), status: 'invalid' },
  { why: 'an empty head', dialect: 'claude-code', text: md(''), status: 'invalid' },

  // Required fields.
  {
    why: 'no name',
    dialect: 'codex-markdown',
    text: md('description: b'),
    status: 'invalid',
    messages: ['name is required'],
    check: (agent) => assert.is(agent.name, 'sample'),
  },
  {
    why: 'no description',
    dialect: 'codex-markdown',
    text: md('name: a'),
    status: 'invalid',
    messages: ['description is required'],
  },
  {
    why: 'a blank name',
    dialect: 'codex-markdown',
    text: md('name: " "\ndescription: b'),
    status: 'invalid',
    messages: ['frontmatter is missing a non-empty `name` field'],
  },
  {
    why: 'a number for a description',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: 5'),
    status: 'invalid',
    messages: ['frontmatter is missing a non-empty `description` field'],
  },
  {
    why: 'a name of which nothing is left',
    dialect: 'codex-markdown',
    text: md('name: 日本語\ndescription: b'),
    status: 'invalid',
    messages: ['normalized name is empty'],
  },
  {
    why: 'an empty tool',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\ntools: [git, ""]'),
    status: 'invalid',
    messages: ['`tools` entries must be non-empty strings'],
  },
  {
    why: 'a tool that is no text',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\ntools: [git, 5]'),
    status: 'invalid',
    messages: ['`tools` entries must be non-empty strings'],
  },
  {
    why: 'no body',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b', '  \n'),
    status: 'invalid',
    messages: ['subagent definition must include a Markdown instructions body'],
  },
  {
    why: 'no body',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b', ''),
    status: 'active',
    check: (agent) => assert.is(agent.body, null),
  },
  {
    why: 'several mistakes at once',
    dialect: 'codex-markdown',
    text: md('tools: [""]', ''),
    status: 'invalid',
    check: (agent) => assert.is(agent.errors.length, 4),
  },

  // Tool lists: absent, empty, listed
  {
    why: 'no tools',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b'),
    status: 'active',
    check: tools({ state: 'absent' }),
  },
  {
    why: 'an empty list',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\ntools: []'),
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  {
    why: 'trimmed, once each, in order',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\ntools: [" npm", git, npm]'),
    status: 'active',
    check: listed('npm', 'git'),
  },
  {
    why: 'a text with commas',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools: Read, Bash(git log, git diff) Grep'),
    status: 'active',
    check: listed('Read', 'Bash(git log, git diff)', 'Grep'),
  },
  {
    why: 'a parenthesis that is not closed grants nothing',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools: Bash(git:*, Read'),
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  {
    why: 'a map of tools is none',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools:\n  Read: true'),
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  {
    why: 'null is none',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools:'),
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  {
    why: 'disallowed tools',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ndisallowedTools: Write, Bash'),
    status: 'active',
    check: (agent) => assert.equal(agent.excludedTools, ['Write', 'Bash']),
  },
  {
    why: 'a misspelt key restricts nothing in the runner, nor here',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\nallowedTools: [Read]'),
    status: 'active',
    check: tools({ state: 'absent' }),
  },
  {
    why: 'include_tools absent',
    dialect: 'agent-code',
    text: md('name: a'),
    status: 'active',
    check: tools({ state: 'absent' }),
  },
  {
    why: 'include_tools empty',
    dialect: 'agent-code',
    text: md('name: a\ninclude_tools: []'),
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  {
    why: 'exclude_tools',
    dialect: 'agent-code',
    text: md('name: a\nexclude_tools: [Bash]'),
    status: 'active',
    check: (agent) => assert.equal(agent.excludedTools, ['Bash']),
  },
  {
    why: '`tools` means nothing to agent-code',
    dialect: 'agent-code',
    text: md('name: a\ntools: [Bash]'),
    status: 'active',
    check: tools({ state: 'absent' }),
  },

  // Claude Code's second try
  {
    why: 'a colon in a description',
    dialect: 'claude-code',
    text: md('name: a\ndescription: when: you review\ntools: [Read, Grep]'),
    status: 'active',
    check: (agent) => {
      assert.is(agent.description, 'when: you review');
      assert.equal(agent.tools, { state: 'listed', tools: ['Read', 'Grep'] });
      assert.is(agent.errors[0]?.code, 'agent/yaml-needs-quotes');
      assert.is(agent.errors[0]?.source.line, 3);
    },
  },
  {
    why: 'a colon in a description',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: when: you review'),
    status: 'invalid',
  },
  {
    why: 'a key written twice',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools: Read\ntools: Bash'),
    status: 'invalid',
  },
  {
    why: 'a merge key',
    dialect: 'claude-code',
    text: md('base: &b {tools: Read}\nname: a\ndescription: b\n<<: *b'),
    status: 'invalid',
  },
  {
    why: 'a model that is no text',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\nmodel: 5'),
    status: 'active',
    check: (agent) => assert.is(agent.model, null),
  },
  { why: 'a name that starts with a hyphen', dialect: 'claude-code', text: md('name: -a\ndescription: b'), status: 'invalid' },
  { why: 'switched off', dialect: 'codex-markdown', text: md('name: a\ndescription: b\nenabled: false'), status: 'disabled' },
  {
    why: 'switched off by a word is a mistake',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\nenabled: "no"'),
    status: 'invalid',
  },
  {
    why: 'a scope of its own is ignored (R140)',
    dialect: 'codex-markdown',
    text: md('name: a\ndescription: b\nscope: user'),
    status: 'active',
    check: (agent) => {
      assert.is(agent.scope, 'project');
      assert.is(agent.errors[0]?.severity, 'warning');
    },
  },

  // agent-code
  {
    why: 'no name: the file gives it',
    dialect: 'agent-code',
    text: md('description: b'),
    status: 'active',
    check: (agent) => assert.is(agent.name, 'sample'),
  },
  {
    why: 'no permission keys: it inherits (R195, R211)',
    dialect: 'agent-code',
    text: md('name: a'),
    status: 'active',
    check: (agent) => assert.is(agent.permissions, null),
  },
  {
    why: 'rules without a mode: ask (R194, R208)',
    dialect: 'agent-code',
    text: md('allow: [Grep]'),
    status: 'active',
    check: (agent) => assert.is(agent.permissions?.defaultMode, 'ask'),
  },
  {
    why: 'an unknown mode denies (C7)',
    dialect: 'agent-code',
    text: md('permission_mode: yolo'),
    status: 'invalid',
    check: (agent) => assert.is(agent.permissions?.defaultMode, 'deny'),
  },
  {
    why: 'a mode that is no text denies',
    dialect: 'agent-code',
    text: md('permission_mode: [allow]'),
    status: 'invalid',
    check: (agent) => assert.is(agent.permissions?.defaultMode, 'deny'),
  },
  {
    why: 'a mode only',
    dialect: 'agent-code',
    text: md('permission_mode: plan'),
    status: 'active',
    check: (agent) => assert.equal(agent.permissions?.rules, []),
  },
  {
    why: 'a rule that is none',
    dialect: 'agent-code',
    text: md('deny: ["Bash(rm *"]'),
    status: 'invalid',
    check: (agent) => assert.is(agent.errors[0]?.code, 'rule/missing-paren'),
  },
  {
    why: 'a deny written as a block list counts (upstream loses it)',
    dialect: 'agent-code',
    text: md('deny:\n  - Bash(rm *)\n  - Write'),
    status: 'active',
    check: (agent) => assert.is(agent.permissions?.rules.length, 2),
  },
  {
    why: 'a deny written as one text',
    dialect: 'agent-code',
    text: md('deny: Bash(rm a, b), Write'),
    status: 'active',
    check: (agent) =>
      assert.equal(
        agent.permissions?.rules.map((rule) => rule.text),
        ['Bash(rm a, b)', 'Write'],
      ),
  },
  { why: 'a deny that is a map', dialect: 'agent-code', text: md('deny: {Bash: rm}'), status: 'invalid' },
  {
    why: 'read only',
    dialect: 'agent-code',
    text: md('read_only: true\npermission_mode: allow'),
    status: 'active',
    check: (agent) => assert.is(agent.readOnly, true),
  },
  {
    why: 'read only by a word is a mistake, and holds',
    dialect: 'agent-code',
    text: md('read_only: "yes"'),
    status: 'invalid',
    check: (agent) => assert.is(agent.readOnly, true),
  },

  // `policy:` in every dialect
  {
    why: 'policy in Claude Code',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\npolicy:\n  permission_mode: deny\n  allow: [Read]\n  deny: ["Bash(rm *)"]'),
    status: 'active',
    check: (agent) => {
      assert.is(agent.permissions?.defaultMode, 'deny');
      assert.is(agent.permissions?.rules.length, 2);
      assert.is(agent.permissions?.rules[1]?.source.line, 7);
    },
  },
  {
    why: 'policy narrows the tool list',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\ntools: Read, Bash\npolicy: {include_tools: [FileRead, Grep]}'),
    status: 'active',
    check: (agent) => assert.equal(agent.tools, { state: 'listed', tools: ['Read', 'FileRead'] }),
  },
  {
    why: 'policy alone gives a tool list',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\npolicy: {include_tools: [Grep]}'),
    status: 'active',
    check: listed('Grep'),
  },
  {
    why: 'a misspelt key in policy is no rule lost in silence',
    dialect: 'claude-code',
    text: md('name: a\ndescription: b\npolicy: {denny: [Bash]}'),
    status: 'invalid',
  },
  { why: 'policy that is no map', dialect: 'claude-code', text: md('name: a\ndescription: b\npolicy: deny'), status: 'invalid' },
  {
    why: 'policy and top level both hold',
    dialect: 'agent-code',
    text: md('permission_mode: allow\npolicy: {permission_mode: deny, deny: [Write]}\ndeny: [Bash]'),
    status: 'active',
    check: (agent) => {
      assert.is(agent.permissions?.defaultMode, 'deny');
      assert.equal(
        agent.permissions?.rules.map((rule) => rule.text),
        ['Bash', 'Write'],
      );
    },
  },

  // codex-yaml (seed 004)
  {
    why: 'the sample',
    dialect: 'codex-yaml',
    text: 'name: code-reviewer\ngoal: Review\ntools:\n  mcp:\n    - codex_read_file # one\n    - codex_grep\n',
    status: 'active',
    check: (agent) => {
      assert.equal(agent.tools, { state: 'listed', tools: ['codex_read_file', 'codex_grep'] });
      assert.equal(agent.capabilities, { mcp: ['codex_read_file', 'codex_grep'], read: false, write: false, net: [], shell: [] });
      assert.is(agent.description, 'Review');
      assert.equal(agent.settings, {
        maxTokens: 16_000,
        retention: 'job',
        redactSecrets: false,
        successCriteria: [],
        artifacts: [],
      });
    },
  },
  {
    why: 'all of it',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: [x], fs: {read: true, write: [./out]}, net: {allow: ["https://x/*"]}, shell: {exec: [npm]}}\npolicies: {context: {max_tokens: 5, retention: session}, secrets: {redact: true}}\nsuccess_criteria: [c]\nartifacts: [d]',
    status: 'active',
    check: (agent) => {
      assert.equal(agent.capabilities, { mcp: ['x'], read: true, write: ['./out'], net: ['https://x/*'], shell: ['npm'] });
      assert.equal(agent.settings, {
        maxTokens: 5,
        retention: 'session',
        redactSecrets: true,
        successCriteria: ['c'],
        artifacts: ['d'],
      });
    },
  },
  {
    why: 'a list for a shell',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {shell: [npm, cargo]}',
    status: 'active',
    check: (agent) => assert.equal(agent.capabilities?.shell, ['npm', 'cargo']),
  },
  {
    why: 'nothing granted is nothing had',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b',
    status: 'active',
    check: tools({ state: 'empty' }),
  },
  { why: 'no goal', dialect: 'codex-yaml', text: 'name: a', status: 'invalid', messages: ['description is required'] },
  { why: 'tools that are no map', dialect: 'codex-yaml', text: 'name: a\ngoal: b\ntools: [x]', status: 'invalid' },
  {
    why: 'net as a map under policies (upstream cannot read it)',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\npolicies: {net: {allow: [x]}}',
    status: 'invalid',
  },
  {
    why: 'an unknown retention is a warning (R273)',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\npolicies: {context: {retention: forever}}',
    status: 'active',
    check: (agent) => assert.is(agent.settings?.retention, 'job'),
  },
  {
    why: 'tokens that are no number',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\npolicies: {context: {max_tokens: many}}',
    status: 'invalid',
  },
  {
    why: 'a chain whose links are listed (R269)',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: [codex_grep, codex_read_file, "codex_grep → codex_read_file"]}',
    status: 'active',
    check: listed('codex_grep', 'codex_read_file'),
  },
  {
    why: 'a chain that smuggles a shell in',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: [codex_grep, "codex_grep -> codex_shell"]}',
    status: 'invalid',
  },
  {
    why: 'a custom tool, declared (R268)',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: ["codex_custom:my_analyzer"], custom: ["codex_custom:my_analyzer"]}',
    status: 'active',
  },
  {
    why: 'a custom tool, not declared',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: ["codex_custom:my_analyzer"]}',
    status: 'invalid',
  },
  {
    why: 'a custom tool, written wrong',
    dialect: 'codex-yaml',
    text: 'name: a\ngoal: b\ntools: {mcp: ["x:y z"], custom: ["x:y z"]}',
    status: 'invalid',
  },
];

for (const row of rows)
  test(`${row.dialect}: ${row.why}`, () => {
    const agent = parse(row.dialect, row.text);
    assert.is(agent.status, row.status, JSON.stringify(agent.errors));
    const messages = agent.errors.map((error) => error.message);
    for (const message of row.messages ?? []) assert.ok(messages.includes(message), messages.join(' | '));
    if (agent.status === 'invalid') assert.ok(agent.errors.length > 0);
    row.check?.(agent);
  });

test('whatever the text, a definition comes back, and nothing is thrown', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '---',
      'name: a',
      'description: b: c',
      'tools: [Read',
      'policy:',
      '  deny: [x',
      '&a *a',
      '<<: *a',
      '\t- x',
      '__proto__: {}',
      '? [a]: b',
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...DIALECTS), fc.array(line, { maxLength: 12 }), fc.boolean(), (dialect, lines, head) => {
      const agent = parse(dialect, `${head ? '---\n' : ''}${lines.join('\n')}`);
      assert.ok(agent.status === 'active' || agent.errors.length > 0 || agent.status === 'disabled');
    }),
    { numRuns: 400 },
  );
});

test('a line of a megabyte of spaces is read in no time', () => {
  const agent = parse('claude-code', md(`name: a\ndescription: b: ${' '.repeat(900_000)}x`));
  assert.is(agent.name, 'a');
});

test.run();
