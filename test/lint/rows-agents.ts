// What the rules about agents of any format find beyond their tool lists, with exact spans.
import { AGENT_CODE, CLAUDE, CODEX, COPILOT, CURSOR, definition, OPENCODE, POLICY, ROLE, type Row, role, row } from './linted.js';

const named = (name: string) => definition('tools: Read').replace('reviewer', name);
const MCP = JSON.stringify({ mcpServers: { github: { command: 'github-mcp' }, 'my.docs': { command: 'docs-mcp' } } });
const withMcp = (say: string, text: string, ...places: readonly string[]): Row => ({
  rule: 'tools/mcp-server-unknown',
  say,
  texts: { [CLAUDE]: text, '.mcp.json': MCP },
  places,
});
const copies = (say: string, texts: Row['texts'], ...places: readonly string[]): Row => ({
  rule: 'discovery/divergent-copies',
  say,
  texts,
  places,
});

export const agentRows: readonly Row[] = [
  row('tools/wildcard-mixed', 'a name beside it', CLAUDE, definition('tools: ["*", Read]'), '4:10-4:11 warning'),
  row('tools/wildcard-mixed', 'alone', CLAUDE, definition('tools: "*"')),
  row('tools/wildcard-mixed', 'all tools of a server', CLAUDE, definition('tools: Read, mcp__github__*')),
  row(
    'tools/unavailable-to-subagents',
    'two of them',
    CLAUDE,
    definition('tools: Read, AskUserQuestion, ExitPlanMode'),
    '4:14-4:29 info',
  ),
  row('tools/unavailable-to-subagents', 'taken away, not given', CLAUDE, definition('disallowedTools: AskUserQuestion')),
  row('tools/spawns-any-agent', 'by its old name', CLAUDE, definition('tools: Read, Task'), '4:14-4:18 info'),
  row('tools/spawns-any-agent', 'one agent by name', CLAUDE, definition('tools: Read, Agent(tester)')),
  withMcp('a slip of the pen', definition('tools: Read, mcp__githb__get_issue'), '4:14-4:35 warning'),
  withMcp('perhaps one of the person', definition('tools: Read, mcp__linear__list, mcp__linear__get'), '4:14-4:31 info'),
  withMcp('configured', definition('tools: Read, mcp__github, mcp__my_docs__find')),
  withMcp('of a plugin', definition('tools: Read, mcp__plugin_a_b__find')),
  withMcp('of its own', definition('tools: mcp__own__find', 'mcpServers: {own: {command: x}}')),
  row('tools/mcp-server-unknown', 'nothing is configured here', CLAUDE, definition('tools: Read, mcp__linear__list')),

  row('naming/confusable', 'a Cyrillic е', CLAUDE, named('r\u0435viewer'), '2:7-2:15 warning'),
  row('naming/confusable', 'behind a hyphen', CLAUDE, named('reviewer-\u0430'), '2:7-2:17 warning'),
  row('naming/confusable', 'one alphabet, and a symbol', CLAUDE, named('ревьюер')),
  row('naming/confusable', 'a symbol', CLAUDE, named('λ-runner')),
  row('naming/reserved-prefix', 'like an MCP tool', CLAUDE, named('mcp__github__reviewer'), '2:7-2:28 info'),
  row('naming/reserved-prefix', 'about MCP', CLAUDE, named('mcp-reviewer')),
  row('naming/kebab-case', 'a version', CLAUDE, named('powershell-5.1-expert')),
  row('naming/kebab-case', 'what Copilot shows', COPILOT, named('🧪 Test Engineer')),
  row('naming/illegal-name', 'an emoji of several parts', COPILOT, named('"👩‍💻 Dev: all"')),
  row('naming/illegal-name', 'a hidden space', COPILOT, named('dev\u200bops'), '2:7-2:14 warning'),
  row('naming/filename-mismatch', 'OpenCode goes by the file', OPENCODE, named('tester'), '2:7-2:13 info'),
  row('naming/filename-mismatch', 'Copilot shows the name', COPILOT, named('tester')),

  {
    rule: 'discovery/case-collision',
    say: 'two spellings',
    texts: { '.claude/agents/Reviewer.md': named('a'), '.claude/agents/reviewer.md': named('b') },
    places: ['1:1-1:4 warning'],
  },
  {
    rule: 'discovery/case-collision',
    say: 'two folders',
    texts: { '.claude/agents/x/reviewer.md': named('a'), '.claude/agents/Y/reviewer.md': named('b') },
    places: [],
  },
  row('discovery/hidden-agent', 'a dot file', '.claude/agents/.reviewer.md', definition(), '1:1-1:4 warning'),
  row('discovery/hidden-agent', 'in a hidden folder', '.claude/agents/.x/reviewer.md', definition(), '1:1-1:4 warning'),
  row('discovery/hidden-agent', 'hidden notes', '.claude/agents/.notes.md', 'Our agents.\n'),
  row('discovery/hidden-agent', 'the folder of the runner itself', CLAUDE, definition()),
  copies(
    'one reads, one may do all',
    { [CLAUDE]: definition('tools: Read, Grep'), [CURSOR]: definition(), [COPILOT]: definition('tools: [read, edit]') },
    '2:7-2:15 warning',
    '2:7-2:15 warning',
  ),
  copies('both read', {
    [CLAUDE]: definition('tools: Read, Grep'),
    [CURSOR]: definition('readonly: true'),
    [ROLE]: role('sandbox_mode = "read-only"'),
    [OPENCODE]: definition('permission: {edit: deny, bash: deny}'),
  }),
  copies('the Codex format gives none without a list', { [CLAUDE]: definition('tools: Read'), [CODEX]: definition() }),
  copies('both may write', { [CLAUDE]: definition('tools: Read, Edit'), [COPILOT]: definition() }),
  copies('in two packages', {
    'a/.claude/agents/reviewer.md': definition('tools: Read'),
    'b/.github/agents/reviewer.agent.md': definition(),
  }),
  row('discovery/ignored-extension', 'an agent in YAML', '.claude/agents/a.yaml', 'name: a\ndescription: b\n', '1:1-1:8 error'),
  row('discovery/ignored-extension', 'an index in JSON', '.claude/agents/index.json', '{"agents": []}\n'),
  row('schema/no-front-matter', 'notes in a folder of their own', '.claude/agents/docs/usage.md', '# How to use them\n'),

  row('schema/field-case', 'Name', CLAUDE, definition().replace('name:', 'Name:'), '2:1-2:5 error'),
  row(
    'schema/field-case',
    'both',
    CODEX,
    definition().replace('name:', 'NAME:').replace('desc', 'Desc'),
    '2:1-2:5 error',
    '3:1-3:12 error',
  ),
  row('schema/field-case', 'a second one', CLAUDE, definition('Name: x')),
  row('schema/missing-name', 'in another case', CLAUDE, definition().replace('name:', 'Name:')),
  row('schema/misspelled-field', 'in another case', CLAUDE, definition().replace('name:', 'Name:')),
  row(
    'schema/misspelled-field',
    'what others keep there',
    CLAUDE,
    definition('category: x', 'emoji: 🧪', 'vibe: calm', 'version: 1', 'tags: [a]'),
  ),
  row(
    'schema/literal-backslash-n',
    'two in a plain value',
    CLAUDE,
    definition().replace('changes.', 'changes.\\n\\nExamples:\\n<example>'),
    '3:1-3:12 info',
  ),
  row('schema/literal-backslash-n', 'in double quotes', CLAUDE, definition().replace('Reviews changes.', '"Reviews\\nchanges."')),
  row('schema/literal-backslash-n', 'a path', CLAUDE, definition().replace('changes.', 'C:\\new and D:\\notes.')),
  row('schema/body-too-long', 'over 30,000', COPILOT, `${definition()}${'x'.repeat(30_000)}\n`, '5:1-5:21 warning'),
  row('schema/body-too-long', 'Claude Code has no such limit', CLAUDE, `${definition()}${'x'.repeat(30_000)}\n`),
  row('schema/missing-name', 'Cursor takes the file', CURSOR, '---\ndescription: b\n---\nRead.\n', '2:1-2:12 info'),
  {
    rule: 'schema/missing-name',
    say: 'a role that the configuration names',
    texts: {
      [ROLE]: 'developer_instructions = "Read."\n',
      '.codex/config.toml': '[agents.reviewer]\ndescription = "Reviews."\nconfig_file = "./agents/reviewer.toml"\n',
    },
    places: [],
  },
  row('dialect/agent-code-read-only', 'Python’s word', AGENT_CODE, definition('read_only: True'), '4:12-4:16 error'),
  row('dialect/agent-code-read-only', 'exactly true', AGENT_CODE, definition('read_only: true')),
  row('dialect/agent-code-read-only', 'no definition', POLICY, 'version: 1\nallow: []\n'),
];
