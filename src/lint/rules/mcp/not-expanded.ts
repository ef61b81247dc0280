import { shown } from '../../../policy/sentences.js';
import { type McpServer, programName, serversOf } from '../../mcp/servers.js';
import { allPlaces, type ConfigPlace } from '../../places/place.js';
import type { LintRule, Report } from '../../project/rule.js';

export const notExpanded: LintRule = {
  id: 'mcp/not-expanded',
  severity: 'warning',
  docs: {
    what: 'The entry of an MCP server has a variable in a form that its client does not fill in.',
    why: 'The server gets these characters in the place of the value, so it does not start, or is not signed in.',
    bad: '{ "mcpServers": { "search": { "command": "{{HOME}}/bin/search" } } }\n',
    good: '{ "mcpServers": { "search": { "command": "${HOME}/bin/search" } } }\n',
    fix: 'Write the variable as the client reads it.',
  },
  check: (project) => {
    const manifests = new Set(project.configs.filter(({ config }) => config === 'claude-plugin').map(({ path }) => path));
    return serversOf(project).flatMap((server) => check(server, manifests));
  },
};

const PLACES = allPlaces<ConfigPlace>('configs').filter(({ variables }) => variables !== undefined);
/** `{{NAME}}`, `${NAME}`, `${env:NAME}`, `{env:NAME}`, and `$NAME` as a whole value or behind the name of a scheme. */
const VARIABLE =
  /(?<=^|^(?:Bearer|Basic|token) )\$[A-Z][A-Z0-9_]+$|^os\.environ\/\w+$|\{\{\s*[A-Za-z_]\w*\s*\}\}|\$\{[A-Za-z_][\w:.-]*\}|\{env:\w+\}/g;

/** One finding per server. */
function check({ file, command, url, data, name, pointer }: McpServer, manifests: ReadonlySet<string>): readonly Report[] {
  const filled = PLACES.find(({ path }) => path.test(file.path))?.variables;
  if (filled === undefined) return [];
  const isOfPlugin = manifests.has(file.path.replace(/[^/]*$/, '.claude-plugin/plugin.json'));
  const written = (isOfPlugin ? filled.inPlugin : undefined) ?? filled.form;
  const form = written === undefined ? null : new RegExp(written);
  // A shell fills them in.
  const isShell = /^(?:ba|da|z)?sh$/.test(programName(command[0]?.text ?? ''));
  const values = [...(isShell ? [] : command), ...(url === null ? [] : [url]), ...textsBelow(data, pointer)];
  for (const { text, pointer: at } of values.slice(0, 200)) {
    const wrong = (text.slice(0, 2_000).match(VARIABLE) ?? []).find((one) => form?.test(one) !== true);
    if (wrong === undefined) continue;
    const message = `${filled.client} passes ${shown(wrong)} of the MCP server ${shown(name)} on as it is written.`;
    return [{ at: data.valueSpan(at), message, help: filled.write }];
  }
  return [];
}

/** The values of a server's variables and headers. */
function textsBelow(data: McpServer['data'], pointer: string): { readonly text: string; readonly pointer: string }[] {
  return ['env', 'environment', 'headers', 'http_headers', 'bearer_token_env_var'].flatMap((key) => {
    const map = data.at(`${pointer}/${key}`);
    if (typeof map === 'string') return [{ text: map, pointer: `${pointer}/${key}` }];
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return [];
    return Object.entries(map).flatMap(([one, value]) =>
      typeof value === 'string'
        ? [{ text: value, pointer: `${pointer}/${key}/${one.replaceAll('~', '~0').replaceAll('/', '~1')}` }]
        : [],
    );
  });
}
