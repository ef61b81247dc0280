// What clients do not start with, and what they pass over: each row was tried with the client, with exact spans.
import { CLAUDE, definition, GEMINI, OPENCODE, type Row, row } from './linted.js';

const REFUSED = 'settings/refused';

const inOpenCode: readonly (readonly [text: string, ...places: readonly string[]])[] = [
  ['{"permission": {"bash": false}}', '1:25-1:30 error'],
  ['{"permission": {"webfetch": {"*": "deny"}}}', '1:29-1:42 error'],
  ['{"permissions": {"bash": "deny"}}', '1:3-1:14 error'],
  ['{"agent": {"a": {"mode": "sub-agent"}}}', '1:26-1:37 error'],
  ['{"agent": {"a": {"steps": 0}}}', '1:27-1:28 error'],
  ['{"agent": {"a": {"permissions": {}}}}', '1:19-1:30 error'],
  ['{"agents": {"a": {"permission": {}}}}', '1:20-1:30 error'],
  ['{"mcp": {"a": {"type": "local", "command": "b"}}}', '1:44-1:47 error'],
  ['{"mcp": {"a": {"type": "stdio", "command": ["b"]}}}', '1:24-1:31 error'],
  ['{"mcp": {"a": {"command": ["b"]}}}', '1:11-1:12 error'],
  ['{"mcp": {"a": {"type": "local", "command": ["b"], "env": {}}}}', '1:52-1:55 error'],
  ['{"mcp": {"a": {"type": "remote"}}}', '1:11-1:12 error'],
  ['{"command": {"a": {"prompt": "b"}}}', '1:15-1:16 error'],
  ['{"share": "never"}', '1:11-1:18 error'],
  ['{"autoupdate": "no"}', '1:16-1:20 error'],
  ['{"instruction": ["a.md"]}', '1:3-1:14 error'],
  ['{"mcpServers": {}}', '1:3-1:13 error'],
  ['{"permission": "deny", "autoupdate": "notify", "share": "{env:SHARE}"}'],
  ['{"permission": {"bash": {"git *": "ask"}, "custom": "deny"}, "unknown": 1}'],
  ['{"agent": {"a": {"mode": "subagent", "color": "#ff5733", "steps": 3, "custom": 1}}}'],
  ['{"mcp": {"a": {"enabled": false}, "b": {"type": "remote", "url": "https://a.example", "oauth": false}}}'],
  ['{"command": {"a": {"template": "b"}}, "skills": ["a"], "formatter": false}'],
];

const heads: readonly (readonly [line: string, ...places: readonly string[]])[] = [
  ['mode: sub-agent', '4:7-4:16 error'],
  ['temperature: "0.2"', '4:14-4:19 error'],
  ['permission: {edit: never}', '4:20-4:25 error'],
  ['permissions: {edit: deny}', '4:1-4:12 error'],
  ['color: teal', '4:8-4:12 error'],
  ['tools: {bash: "false"}', '4:15-4:22 error'],
  ['mode: subagent'],
  ['temperature: 0.2'],
  ['tools: {bash: false}'],
];

const ofGemini: readonly (readonly [line: string, ...places: readonly string[]])[] = [
  ['kind: TASK', '4:7-4:11 error'],
  ['temperature: "0.2"', '4:14-4:19 error'],
  ['max_turns: 0', '4:12-4:13 error'],
  ['kind: local\nmax_turns: 5'],
];

const PERSON = '~/.codex/config.toml';

const inCodex: readonly (readonly [text: string, ...places: readonly string[]])[] = [
  ['approval_policy = "always"', '1:19-1:27 error'],
  ['approval_policy = "untrusted"', '1:19-1:30 error'],
  ['sandbox_mode = "readonly"', '1:16-1:26 error'],
  ['[mcp_servers.x]\ncommand = "npx"\nargs = "foo"', '3:8-3:13 error'],
  ['[mcp_servers.x]\ncommand = "npx"\nenv = ["A=b"]', '3:7-3:14 error'],
  ['[mcp_servers.x]\ncommand = "npx"\nurl = "https://a.example"', '3:1-3:4 error'],
  ['[mcp_servers.x]\nargs = ["-y"]', '1:14-1:15 error'],
  ['[mcp_servers.x]\nurl = "https://a.example"\nbearer_token = "a"', '3:1-3:13 error'],
  ['notify = ["a"]', '1:1-1:7 warning'],
  ['[profiles.yolo]\nsandbox_mode = "danger-full-access"', '1:2-1:10 warning'],
  ['approval_policy = "on-request"\nsandbox_mode = "workspace-write"\nmodel_reasoning_effort = "extreme"'],
  ['approval_policy = { granular = { sandbox_approval = true, rules = true, mcp_elicitations = true } }'],
  ['[mcp_servers.x]\ncommand = "npx"\nargs = []\nenv = { A = "b" }\nenv_vars = ["C"]\nstartup_timeout_sec = 1.5'],
  ['[mcp_servers.x]\nurl = "https://a.example"\nbearer_token_env_var = "A"\nscopes = ["a"]'],
];

export const refusedRows: readonly Row[] = [
  ...inOpenCode.map(([text, ...places]) => row(REFUSED, text, 'opencode.json', text, ...places)),
  ...heads.map(([line, ...places]) => row(REFUSED, line, OPENCODE, definition(line), ...places)),
  ...ofGemini.map(([line, ...places]) => row(REFUSED, line, GEMINI, definition(line), ...places)),
  ...inCodex.map(([text, ...places]) => row(REFUSED, text, '.codex/config.toml', text, ...places)),
  row(REFUSED, 'profiles of a person', PERSON, '[profiles.a]\nsandbox_mode = "read-only"\n'),
  row(
    'codex/danger-full-access',
    'a profile of a project',
    '.codex/config.toml',
    '[profiles.a]\nsandbox_mode = "danger-full-access"\n',
  ),
  row(
    'codex/danger-full-access',
    'a profile of a person',
    PERSON,
    '[profiles.a]\nsandbox_mode = "danger-full-access"\n',
    '2:16-2:36 error',
  ),
  row(REFUSED, 'another program’s mode', CLAUDE, definition('mode: fast')),
];
