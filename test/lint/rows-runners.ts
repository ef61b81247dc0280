// What the rules about single runners' agents find, with exact spans; and nothing in the same text under another runner.
import { CLAUDE, COPILOT, CURSOR, definition, GEMINI, OPENCODE, ROLE, type Row, role, row } from './linted.js';

const PLUGIN = 'plugin/.claude-plugin/plugin.json';
const permission = (...lines: readonly string[]) =>
  definition('mode: subagent', 'permission:', ...lines.map((line) => `  ${line}`));
const plugin = (say: string, path: string, text: string, ...places: readonly string[]): Row => ({
  rule: 'claude/plugin-agent-field-ignored',
  say,
  texts: { [path]: text, [PLUGIN]: '{"name": "demo"}' },
  places,
});

export const runnerRows: readonly Row[] = [
  row('codex/role-instructions', 'absent', ROLE, 'name = "a"\ndescription = "b"\n', '1:1-1:11 error'),
  row(
    'codex/role-instructions',
    'blank',
    ROLE,
    'name = "a"\ndescription = "b"\ndeveloper_instructions = " "\n',
    '3:1-3:23 error',
  ),
  row('codex/role-instructions', 'there', ROLE, role()),
  {
    rule: 'codex/role-instructions',
    say: 'a layer of settings that the configuration names',
    texts: { [ROLE]: 'model = "gpt-5"\n', '.codex/config.toml': '[agents.reviewer]\nconfig_file = "agents/reviewer.toml"\n' },
    places: [],
  },
  row('codex/role-tools', 'a list', ROLE, role('tools = ["read"]'), '4:1-4:6 error'),
  row('codex/role-tools', 'a table', ROLE, role('[tools]', 'web_search = true')),
  row('codex/role-tools', 'Claude Code has a list', CLAUDE, definition('tools: [Read]')),
  row('codex/role-sandbox', 'read-only', ROLE, role('sandbox_mode = "read-only"'), '4:1-4:13 info'),
  row('codex/role-sandbox', 'no bound', ROLE, role('sandbox_mode = "workspace-write"')),
  row(
    'codex/role-two-sandboxes',
    'both',
    ROLE,
    role('sandbox_mode = "workspace-write"', 'default_permissions = ":workspace"'),
    '5:1-5:20 warning',
  ),
  row('codex/role-two-sandboxes', 'one', ROLE, role('default_permissions = ":workspace"')),

  row('gemini/agent-name', 'a title', GEMINI, definition().replace('reviewer', 'Code Reviewer'), '2:7-2:20 error'),
  row('gemini/agent-name', 'an underscore', GEMINI, definition().replace('reviewer', 'code_reviewer')),
  row('gemini/agent-name', 'Copilot shows it', COPILOT, definition().replace('reviewer', 'Code Reviewer')),
  row('gemini/unknown-key', 'two of Claude Code', GEMINI, definition('color: blue', 'permissionMode: plan'), '4:1-4:6 error'),
  row('gemini/unknown-key', 'a misspelt list', GEMINI, definition('allowedTools: [glob]'), '4:1-4:13 error'),
  row(
    'gemini/unknown-key',
    'all of its own',
    GEMINI,
    definition('kind: local', 'tools: [glob]', 'model: gemini-2.5-pro', 'temperature: 0.2', 'max_turns: 5', 'timeout_mins: 3'),
  ),
  row('gemini/unknown-key', 'Claude Code takes a colour', CLAUDE, definition('color: blue')),
  row('gemini/unknown-tool', 'names of Claude Code', GEMINI, definition('tools: [read_file, Read, Grep]'), '4:20-4:24 error'),
  row('gemini/unknown-tool', 'perhaps one of another version', GEMINI, definition('tools: [save_memories]'), '4:9-4:22 error'),
  row('gemini/unknown-tool', 'an older one', GEMINI, definition('tools: [save_memory]')),
  row('gemini/unknown-tool', 'wildcards', GEMINI, definition('tools: ["*", mcp_github_*, mcp_*, run_shell_command]')),
  row('tools/unknown-tool', 'Gemini CLI has a rule of its own', GEMINI, definition('tools: [Read]')),
  row('schema/wrong-type', 'tools of Gemini CLI as a text', GEMINI, definition('tools: read_file, glob'), '4:1-4:6 error'),

  row('copilot/missing-description', 'absent', COPILOT, '---\nname: Reviewer\n---\nRead.\n', '1:1-1:4 warning'),
  row('copilot/missing-description', 'there', COPILOT, definition()),
  // Copilot CLI 1.0.102 does not load these, and names the field in its log.
  ...(
    [
      ['infer: "true"', '4:8-4:14'],
      ['infer:', '4:1-4:6'],
      ['user-invocable: "no"', '4:17-4:21'],
      ['tools: {read: true}', '4:8-4:20'],
      ['tools: [read, 5]', '4:8-4:17'],
      ['model: 5', '4:8-4:9'],
      ['skills: review', '4:9-4:15'],
      ['mcp-servers: []', '4:14-4:16'],
      ['mcp-servers: {a: x}', '4:14-4:20'],
      ['hooks: []', '4:8-4:10'],
      ['hooks: {preToolUse: x}', '4:8-4:23'],
      // It loads these.
      ['infer: false', ''],
      ['tools: read', ''],
      ['tools: []', ''],
      ['model: [a, b]', ''],
      ['mcp-servers: {}', ''],
    ] as const
  ).map(([line, place]) =>
    row('copilot/malformed-field', line, COPILOT, definition(line), ...(place === '' ? [] : [`${place} error`])),
  ),
  // It writes "unknown field ignored" into its log about each, about target as well, which GitHub reads.
  ...(
    [
      ['maturity: stable', '4:1-4:9 info'],
      ['inferr: true', '4:1-4:7 warning'],
      ['disableModelInvocation: true', '4:1-4:23 warning'],
      ['mcpServers: {}', '4:1-4:11 warning'],
      ['disallowedTools: Bash', '4:1-4:16 warning'],
      ['permissionMode: plan', '4:1-4:15 warning'],
      ['target: vscode', ''],
      ['handoffs: []', ''],
      ['reasoning-effort: high', ''],
    ] as const
  ).map(([line, place]) => row('copilot/unknown-field', line, COPILOT, definition(line), ...(place === '' ? [] : [place]))),
  row('copilot/unknown-tools', 'those of an editor', COPILOT, definition('tools: [codebase, usages]'), '4:1-4:6 info'),
  row('copilot/unknown-tools', 'one is known', COPILOT, definition('tools: [codebase, search]')),
  row('copilot/unknown-tools', 'of a server', COPILOT, definition("tools: ['github/*']")),
  row('copilot/unknown-tools', 'names of Claude Code, which Copilot knows', COPILOT, definition('tools: Read, Bash')),

  ...(
    [
      ['bash: {"git push": deny}', '6:11-6:19 warning'],
      ['bash: {"*": allow, rm: ask}', '6:22-6:24 info'],
      ['bash: {"git push:*": deny}', '6:11-6:21 warning'],
      ['bash: {"Bash(rm *)": deny}', '6:11-6:21 warning'],
      ['bash: {"git push": deny, "git push *": deny}'],
      ['bash: {"*": deny, "git": deny}'],
      ['bash: {"git status": allow, "make": deny}'],
    ] as const
  ).map(([line, ...places]) => row('opencode/dead-pattern', line, OPENCODE, permission(line), ...places)),
  ...[
    ['{"mcp": {"exa": {"type": "remote", "url": "https://a.example"}}, "tools": {"exa": false}}', '1:77-1:80 warning'],
    ['{"mcp": {"exa": {"type": "remote", "url": "https://a.example"}}, "tools": {"exa_*": false}}'],
    ['{"mcp": {"exa": {"type": "remote", "url": "https://a.example"}}, "tools": {"exa": true, "bash": false}}'],
  ].map(([text = '', ...places]) => row('opencode/dead-pattern', text, 'opencode.json', text, ...places)),
  row('opencode/tools-deprecated', 'a map', OPENCODE, definition('tools: {bash: false}'), '4:1-4:6 info'),
  row(
    'opencode/tools-deprecated',
    'in the configuration',
    'opencode.jsonc',
    '{"agent": {"a": {"tools": {"bash": false}}}}',
    '1:19-1:24 info',
  ),
  row('opencode/tools-deprecated', 'permission', OPENCODE, definition('permission: {bash: deny}')),
  row(
    'opencode/star-not-first',
    'a deny above an allow',
    OPENCODE,
    permission('bash:', '  "git push*": deny', '  "*": allow'),
    '8:6-8:7 error',
  ),
  row(
    'opencode/star-not-first',
    'an allow above a deny',
    OPENCODE,
    permission('bash:', '  "git status*": allow', '  "*": deny'),
    '8:6-8:7 warning',
  ),
  row('opencode/star-not-first', 'of all tools', OPENCODE, permission('bash: {"rm *": deny}', '"*": ask'), '7:4-7:5 error'),
  row('opencode/star-not-first', 'first', OPENCODE, permission('bash:', '  "*": allow', '  "git push*": deny')),
  row('opencode/star-not-first', 'the same answer', OPENCODE, permission('bash:', '  "rm *": ask', '  "*": ask')),
  row(
    'opencode/star-not-first',
    'in the configuration, for one agent',
    'opencode.json',
    '{"agent": {"a": {"permission": {"bash": {"rm *": "deny", "*": "allow"}}}}}',
    '1:59-1:60 error',
  ),
  row('opencode/star-not-first', 'Claude Code reads no such map', CLAUDE, permission('bash:', '  "rm *": deny', '  "*": allow')),

  row(
    'permissions/interpreter-wildcard',
    'of OpenCode',
    OPENCODE,
    permission('bash:', '  "*": ask', '  "awk *": allow'),
    '8:6-8:11 error',
  ),
  row(
    'permissions/interpreter-wildcard',
    'of OpenCode, in the configuration',
    'opencode.json',
    '{"permission": {"bash": {"awk *": "allow"}}}',
    '1:27-1:32 error',
  ),
  row('permissions/interpreter-wildcard', 'decided again below', OPENCODE, permission('bash:', '  "awk *": allow', '  "*": ask')),
  row('permissions/interpreter-wildcard', 'asked about', OPENCODE, permission('bash:', '  "*": deny', '  "awk *": ask')),
  row(
    'permissions/git-wildcard',
    'of OpenCode',
    'opencode.json',
    '{"agent": {"a": {"permission": {"bash": {"git *": "allow"}}}}}',
    '1:43-1:48 warning',
  ),

  row(
    'opencode/redirection',
    'edits are denied, and a redirection is none',
    OPENCODE,
    permission('edit: deny', 'bash:', '  "*": ask', '  "git status*": allow'),
    '9:6-9:17 warning',
  ),
  row(
    'opencode/redirection',
    'in the configuration',
    'opencode.json',
    '{"permission": {"edit": "deny", "bash": {"ls *": "allow"}}}',
    '1:43-1:47 warning',
  ),
  row(
    'opencode/redirection',
    'commands that are written out',
    OPENCODE,
    permission('edit: deny', 'bash: {"*": deny, "git status": allow}'),
  ),
  row(
    'opencode/redirection',
    'the first of several',
    OPENCODE,
    permission('edit: deny', 'bash: {"ls *": allow, "git status": allow}'),
    '7:11-7:15 warning',
  ),
  row('opencode/redirection', 'edits are allowed', OPENCODE, permission('bash: {"git status*": allow}')),
  row('opencode/redirection', 'decided again below', OPENCODE, permission('edit: deny', 'bash: {"git *": allow, "*": ask}')),
  row(
    'copilot/hooks-need-trust',
    'a guard',
    '.github/hooks/guard.json',
    '{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./a"}]}}',
    '1:17-1:22 info',
  ),
  row('copilot/hooks-need-trust', 'no hook', '.github/hooks/guard.json', '{"version": 1, "hooks": {}}'),
  row(
    'copilot/hooks-need-trust',
    'of Cursor',
    '.cursor/hooks.json',
    '{"version": 1, "hooks": {"preToolUse": [{"command": "./a"}]}}',
  ),

  row('cursor/readonly-value', 'a text', CURSOR, definition('readonly: "yes"'), '4:11-4:16 warning'),
  row('cursor/readonly-value', 'true', CURSOR, definition('readonly: true')),
  row('cursor/tools-ignored', 'a list', CURSOR, definition('tools: Read'), '4:1-4:6 warning'),
  row('cursor/tools-ignored', 'Claude Code reads it', CLAUDE, definition('tools: Read')),

  plugin('a mode and hooks', 'plugin/agents/reviewer.md', definition('permissionMode: plan', 'hooks: {}'), '5:1-5:6 warning'),
  plugin('an agent of the project', '.claude/agents/reviewer.md', definition('permissionMode: plan')),
  plugin('tools', 'plugin/agents/reviewer.md', definition('tools: Read')),
  row('claude/plugin-agent-field-ignored', 'no plugin', CLAUDE, definition('permissionMode: plan', 'hooks: {}')),
  // OpenCode 1.18.33: the last entry that matches wins.
  row(
    'opencode/shadowed',
    'a wider entry below',
    OPENCODE,
    permission('bash: {"git push *": deny, "git *": allow}'),
    '6:11-6:21 error',
  ),
  row(
    'opencode/shadowed',
    'one that is stricter',
    OPENCODE,
    permission('bash: {"git status": allow, "git *": ask}'),
    '6:11-6:21 warning',
  ),
  row(
    'opencode/shadowed',
    'one in the middle',
    OPENCODE,
    permission('bash: {"*": ask, "npm run build": allow, "npm *": deny}'),
    '6:21-6:34 warning',
  ),
  row(
    'opencode/shadowed',
    'paths',
    'opencode.json',
    '{"permission": {"edit": {"src/secret/*": "deny", "src/*": "allow"}}}',
    '1:27-1:39 error',
  ),
  row(
    'opencode/shadowed',
    'a question mark',
    'opencode.json',
    '{"permission": {"bash": {"ls a": "deny", "ls ?": "allow"}}}',
    '1:27-1:31 error',
  ),
  row('opencode/shadowed', 'the wider one above', OPENCODE, permission('bash: {"git *": allow, "git push *": deny}')),
  row('opencode/shadowed', 'the same answer', OPENCODE, permission('bash: {"git push *": deny, "git *": deny}')),
  row('opencode/shadowed', 'another command', OPENCODE, permission('bash: {"git push *": deny, "npm *": allow}')),
  row('opencode/shadowed', 'the command alone', OPENCODE, permission('bash: {"git": deny, "git *": allow}'), '6:11-6:14 error'),
  row('opencode/shadowed', 'another beginning', OPENCODE, permission('bash: {"git": deny, "gitk *": allow}')),
  row('opencode/shadowed', 'told of * alone', OPENCODE, permission('bash: {"git push *": deny, "*": allow}')),
  // Gemini CLI 0.61.0 registers no tool of its own; Qwen Code 0.24.4 asks for a list that is not empty.
  row('settings/empty-core', 'Gemini CLI', '.gemini/settings.json', '{"tools": {"core": []}}', '1:20-1:22 warning'),
  row('settings/empty-core', 'Qwen Code', '.qwen/settings.json', '{"tools": {"core": []}}', '1:20-1:22 warning'),
  row(
    'settings/empty-core',
    'a name of another client',
    '.gemini/settings.json',
    '{"tools": {"exclude": ["Bash"]}}',
    '1:25-1:29 warning',
  ),
  row(
    'settings/empty-core',
    'its own name with a command',
    '.gemini/settings.json',
    '{"tools": {"exclude": ["run_shell_command(rm)", "ShellTool"]}}',
  ),
  row('settings/empty-core', 'one tool', '.gemini/settings.json', '{"tools": {"core": ["glob"]}}'),
  row('settings/empty-core', 'no list', '.qwen/settings.json', '{"tools": {"exclude": []}}'),
  row('settings/empty-core', 'settings of another', '.claude/settings.json', '{"tools": {"core": []}}'),
  ...(
    [
      ['globs: a/*.ts, b/*.ts', '3:15-3:22'],
      ['globs: **/*.ts, **/*.tsx', '3:16-3:25'],
      ['globs: a,b,  c', '3:12-3:15'],
      ['globs: a/*.{ts,tsx}, b', '3:21-3:23'],
      ['globs: a/*.ts,b/*.ts', ''],
      ['globs: a/*.{ts, tsx}', ''],
      ['globs: ["a", "b"]', ''],
      ['globs:', ''],
    ] as const
  ).map(([line, place]) =>
    row(
      'cursor/glob-space',
      line,
      '.cursor/rules/a.mdc',
      `---\ndescription: Tests\n${line}\nalwaysApply: false\n---\nUse tabs.\n`,
      ...(place === '' ? [] : [`${place} warning`]),
    ),
  ),
  // Claude Code 2.1.332 asked about `git tag x` after skills with the first four, and ran it after those with the others.
  ...(
    [
      ['shell', '4:16-4:21 warning'],
      ['bash', '4:16-4:20 warning'],
      ['run_shell_command', '4:16-4:33 warning'],
      ['execute', '4:16-4:23 info'],
      ['Read, git', '4:22-4:25 info'],
      ['[read_file, Read]', '4:17-4:26 warning'],
      ['Bash(git tag:*)', ''],
      ['Bash(git:*) Read', ''],
      ['mcp__a__b', ''],
      ['"*"', ''],
    ] as const
  ).map(([tools, place]) =>
    row(
      'skills/unknown-tool',
      tools,
      '.claude/skills/reviewer/SKILL.md',
      definition(`allowed-tools: ${tools}`),
      ...(place === '' ? [] : [place]),
    ),
  ),
  row(
    'skills/unknown-tool',
    'a skill of another program',
    '.gemini/skills/reviewer/SKILL.md',
    definition('allowed-tools: shell'),
  ),
];
