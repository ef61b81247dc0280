// What the rules about permissions find in the lists of Cursor, Gemini CLI and Qwen Code, with exact spans.
import { type Row, row } from './linted.js';

const CURSOR_CLI = '.cursor/cli.json';
const CURSOR = '.cursor/permissions.json';

/** One entry on the second line of the file. */
const allowed = (entry: string) => `{ "permissions": { "allow": [\n"${entry}"\n] } }\n`;
const denied = (entry: string) => `{ "permissions": { "deny": [\n"${entry}"\n] } }\n`;
const terminal = (entry: string) => `{ // What runs unasked.\n"terminalAllowlist": ["${entry}"] }\n`;
const servers = (entry: string) => `{\n"mcpAllowlist": ["${entry}"] }\n`;
const tools = (entry: string) => `{ "tools": { "allowed": [\n"${entry}"\n] } }\n`;
const trust = (value: string) => `{ "mcpServers": {\n"a": { "command": "a", "trust": ${value} } } }\n`;

export const allowListRows: readonly Row[] = [
  row('permissions/all-bash', 'Cursor, any command', CURSOR_CLI, allowed('Shell(**)'), '2:2-2:11 error'),
  row('permissions/all-bash', 'Cursor, one command', CURSOR_CLI, allowed('Shell(ls)')),
  row('permissions/all-bash', 'Cursor, any command denied', CURSOR_CLI, denied('Shell(*)')),
  row('permissions/all-bash', 'Cursor, every server', CURSOR_CLI, allowed('Mcp(*:*)'), '2:2-2:10 error'),
  row('permissions/all-bash', 'Cursor, very long', CURSOR_CLI, allowed(`Shell(${'*'.repeat(300_000)}x)`), '2:2-2:300010 error'),
  row('permissions/all-bash', 'allowlist of Cursor, very long', CURSOR, terminal(`a${' '.repeat(300_000)}x`)),
  row('permissions/all-bash', 'Cursor, no kind that there is', CURSOR_CLI, allowed('Bash(*)')),
  row('permissions/interpreter-wildcard', 'Cursor', CURSOR_CLI, allowed('Shell(node)'), '2:2-2:13 error'),
  row('permissions/interpreter-wildcard', 'Cursor, its arguments', CURSOR_CLI, allowed('Shell(node:--version)')),
  row('permissions/network-wildcard', 'Cursor, any arguments', CURSOR_CLI, allowed('Shell(curl:*)'), '2:2-2:15 warning'),
  row('permissions/destructive-wildcard', 'Cursor, arguments', CURSOR_CLI, allowed('Shell(git:push --force*)'), '2:2-2:26 error'),
  row('permissions/all-writes', 'Cursor', CURSOR_CLI, allowed('Write(**)'), '2:2-2:11 info'),
  row('permissions/all-writes', 'Cursor, a folder', CURSOR_CLI, allowed('Write(src/**)')),
  row('permissions/any-host', 'Cursor', CURSOR_CLI, allowed('WebFetch(*)'), '2:2-2:13 warning'),
  row('permissions/any-host', 'Cursor, a host', CURSOR_CLI, allowed('WebFetch(docs.github.com)')),
  row('permissions/whole-mcp-server', 'Cursor', CURSOR_CLI, allowed('Mcp(github:*)'), '2:2-2:15 info'),
  row('permissions/whole-mcp-server', 'Cursor, a tool', CURSOR_CLI, allowed('Mcp(github:get_issue)')),
  row('permissions/all-bash', 'allowlist of Cursor', CURSOR, terminal('*'), '2:24-2:25 error'),
  row('permissions/destructive-wildcard', 'allowlist of Cursor', CURSOR, terminal('rm'), '2:24-2:26 error'),
  row('permissions/destructive-wildcard', 'allowlist of Cursor, harmless', CURSOR, terminal('npm test')),
  row('permissions/whole-mcp-server', 'allowlist of Cursor', CURSOR, servers('github:*'), '2:19-2:27 info'),
  row('permissions/all-bash', 'Gemini CLI', '.gemini/settings.json', tools('run_shell_command'), '2:2-2:19 error'),
  row('permissions/all-bash', 'Gemini CLI, a command', '.gemini/settings.json', tools('run_shell_command(git status)')),
  row('permissions/all-bash', 'Gemini CLI, a class', '.gemini/settings.json', tools('ShellTool'), '2:2-2:11 error'),
  row('permissions/all-writes', 'Gemini CLI', '.gemini/settings.json', tools('write_file'), '2:2-2:12 info'),
  row('permissions/all-writes', 'Gemini CLI, another tool', '.gemini/settings.json', tools('read_file')),
  row('permissions/all-bash', 'Qwen Code', '.qwen/settings.json', tools('run_shell_command'), '2:2-2:19 error'),
  row(
    'permissions/interpreter-wildcard',
    'Qwen Code',
    '.qwen/settings.json',
    tools('run_shell_command(python)'),
    '2:2-2:27 error',
  ),
  row('mcp/trusted-server', 'Gemini CLI', '.gemini/settings.json', trust('true'), '2:33-2:37 warning'),
  row('mcp/trusted-server', 'Qwen Code', '.qwen/settings.json', trust('true'), '2:33-2:37 warning'),
  row('mcp/trusted-server', 'not trusted', '.gemini/settings.json', trust('false')),
  row('opencode/all-commands', 'all of it', 'opencode.json', '{\n"permission": "allow" }\n', '2:15-2:22 warning'),
  row('opencode/all-commands', 'the shell', 'opencode.json', '{ "permission": {\n"bash": "allow" } }\n', '2:9-2:16 warning'),
  row(
    'opencode/all-commands',
    'any pattern',
    'opencode.json',
    '{ "permission": { "bash": {\n"*": "allow" } } }\n',
    '2:6-2:13 warning',
  ),
  row('opencode/all-commands', 'one', 'opencode.json', '{ "permission": { "bash": {\n"npm test": "allow" } } }\n'),
  row('opencode/all-commands', 'reading', 'opencode.json', '{ "permission": {\n"read": "allow" } }\n'),
];
