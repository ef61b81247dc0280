import { shown } from '../../../policy/sentences.js';
import { type McpServer, programName, serversOf } from '../../mcp/servers.js';
import type { LintRule, Report } from '../../project/rule.js';

export const notExpanded: LintRule = {
  id: 'mcp/not-expanded',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The entry of an MCP server has a variable in a form that its client does not fill in.',
    why: 'The server gets these characters in the place of the value, so it does not start, or is not signed in.',
    bad: '{ "mcpServers": { "search": { "command": "{{HOME}}/bin/search" } } }\n',
    good: '{ "mcpServers": { "search": { "command": "${HOME}/bin/search" } } }\n',
    fix: 'Write the variable as the client reads it.',
  },
  check: (project) => serversOf(project).flatMap(check),
};

/** A client, the forms of a variable that it fills in, and what to write. */
type Expanding = readonly [client: string, filledIn: RegExp | null, instead: string];

const BRACES = /^\$\{[A-Za-z_]\w*(?::-[^}]*)?\}$/;
const CLIENTS: readonly (readonly [file: RegExp, ...Expanding])[] = [
  [/(?:^|\/)\.codex\/config\.toml$/, 'Codex', null, 'Name the variable in env_vars, bearer_token_env_var or env_http_headers'],
  [/(?:^|\/)opencode\.jsonc?$/, 'OpenCode', /^\{(?:env|file):[^}]+\}$/, 'Write {env:NAME}'],
  [/(?:^|\/)\.(?:gemini|qwen)\/settings\.json$/, 'The client', /^\$\{[A-Za-z_]\w*\}$/, 'Write ${NAME}'],
  [
    /(?:^|\/)\.cursor\/mcp\.json$/,
    'Cursor',
    /^\$\{(?:env:\w+|userHome|workspaceFolder(?:Basename)?|pathSeparator|\/)\}$/,
    'Write ${env:NAME}',
  ],
  [/(?:^|\/)\.vscode\/mcp\.json$/, 'VS Code', /^\$\{[^}]+\}$/, 'Write ${env:NAME}'],
  [/(?:^|\/)\.mcp\.json$/, 'Claude Code', BRACES, 'Write ${NAME}'],
];
/** `{{NAME}}`, `${NAME}`, `${env:NAME}`, `{env:NAME}`. */
const VARIABLE = /\{\{\s*[A-Za-z_]\w*\s*\}\}|\$\{[A-Za-z_][\w:.-]*\}|\{env:\w+\}/g;

/** One finding per server. */
function check({ file, command, url, data, name, pointer }: McpServer): readonly Report[] {
  const found = CLIENTS.find(([path]) => path.test(file.path));
  if (found === undefined) return [];
  const [, client, filledIn, instead] = found;
  // A shell fills them in.
  const isShell = /^(?:ba|da|z)?sh$/.test(programName(command[0]?.text ?? ''));
  const values = [...(isShell ? [] : command), ...(url === null ? [] : [url]), ...textsBelow(data, pointer)];
  for (const { text, pointer: at } of values.slice(0, 200)) {
    const wrong = (text.slice(0, 2_000).match(VARIABLE) ?? []).find((one) => filledIn?.test(one) !== true);
    if (wrong === undefined) continue;
    const message = `${client} passes ${shown(wrong)} of the MCP server ${shown(name)} on as it is written.`;
    return [{ at: data.valueSpan(at), message, help: `${instead}.` }];
  }
  return [];
}

/** The values of a server's variables and headers. */
function textsBelow(data: McpServer['data'], pointer: string): { readonly text: string; readonly pointer: string }[] {
  return ['env', 'environment', 'headers', 'http_headers'].flatMap((key) => {
    const map = data.at(`${pointer}/${key}`);
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return [];
    return Object.entries(map).flatMap(([one, value]) =>
      typeof value === 'string'
        ? [{ text: value, pointer: `${pointer}/${key}/${one.replaceAll('~', '~0').replaceAll('/', '~1')}` }]
        : [],
    );
  });
}
