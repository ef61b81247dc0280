/** The MCP servers that a project's settings start or connect to, in the form of each runner's file. */

import { formatTraits } from '../../agent/format.js';
import { isFields } from '../../call/fields.js';
import { gatewayLine } from '../../call/gateway-line.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { AgentFile, ConfigFile } from '../files/files.js';
import { oncePerProject } from '../project/project.js';
import type { LocatedText } from '../text/located-text.js';

export interface McpServer {
  readonly file: ConfigFile | AgentFile;
  readonly data: LocatedText;
  readonly name: string;
  /** The pointer of the server's own map. */
  readonly pointer: string;
  /** Program and arguments, each with its pointer; empty for a server with an address. */
  readonly command: readonly { readonly text: string; readonly pointer: string }[];
  readonly url: { readonly text: string; readonly pointer: string } | null;
}

/** More servers than anyone has. */
const MOST_SERVERS = 500;
const MOST_ARGUMENTS = 200;

/** The keys of each kind of file that contain its servers. */
export const SERVER_KEYS: Readonly<Partial<Record<ConfigFile['config'], readonly string[]>>> = {
  mcp: ['/mcpServers', '/servers'],
  'claude-plugin': ['/mcpServers'],
  'gemini-settings': ['/mcpServers'],
  'gemini-extension': ['/mcpServers'],
  'qwen-settings': ['/mcpServers'],
  'codex-config': ['/mcp_servers'],
  'opencode-config': ['/mcp'],
};

/** Below the key of another client none of the servers exists: mcp/wrong-root-key says so. */
function keysOf({ config, path }: ConfigFile): readonly string[] {
  const keys = SERVER_KEYS[config] ?? [];
  return config === 'mcp' && /(?:^|\/)\.vscode\//.test(path) ? ['/servers'] : keys;
}

/** Returns every server of a project, in the order of its files. */
export const serversOf = oncePerProject((project): readonly McpServer[] => [
  ...project.configs.flatMap((file) => keysOf(file).flatMap((key) => serversBelow(file, key))),
  ...project.agents.flatMap((file) => (formatTraits(file.format).servers ?? []).flatMap((key) => serversOfAgent(file, key))),
]);

/** Reads a map of servers, or the list that Claude Code documents: of such maps, and of names of servers that are configured elsewhere. */
function serversOfAgent(file: AgentFile, key: string): McpServer[] {
  const value = file.data?.at(key);
  if (!Array.isArray(value)) return serversBelow(file, key);
  return value.flatMap((_, index) => serversBelow(file, pointerTo(key, index))).slice(0, MOST_SERVERS);
}

function serversBelow(file: ConfigFile | AgentFile, key: string): McpServer[] {
  const { data } = file;
  const servers = data?.at(key);
  if (data === null || !isFields(servers)) return [];
  return Object.keys(servers)
    .slice(0, MOST_SERVERS)
    .flatMap((name): McpServer[] => {
      const pointer = pointerTo(key, name);
      if (!isFields(data.at(pointer))) return [];
      return [{ ...{ file, data, name, pointer }, ...behindGateway(data, pointer) }];
    });
}

/** Returns the program or the address of a server; of one behind the gateway its own, by which it is judged. */
function behindGateway(data: LocatedText, pointer: string): Pick<McpServer, 'command' | 'url'> {
  const textAt = (...places: readonly string[]) => {
    const at = places.map((one) => `${pointer}/${one}`).find((one) => typeof data.at(one) === 'string');
    return at === undefined ? null : { text: String(data.at(at)), pointer: at };
  };
  const command = commandOf(data, pointer);
  const line = gatewayLine(command.map(({ text }) => text));
  if (line === null) return { command, url: textAt('url', 'httpUrl', 'serverUrl') };
  const own = line.command === null ? [] : command.slice(line.command);
  const address = line.options.find(({ name }) => name === '--url' || name === '--url-from');
  if (address === undefined) return { command: own, url: null };
  const { name, value, at } = address;
  const url =
    name === '--url' ? { text: value, pointer: command[at]?.pointer ?? pointer } : textAt(`env/${value}`, `environment/${value}`);
  return { command: own, url };
}

/** `command` as a string with `args`, or as a list (OpenCode). */
function commandOf(data: LocatedText, pointer: string): McpServer['command'] {
  return ['command', 'args'].flatMap((key) => {
    const at = `${pointer}/${key}`;
    const value = data.at(at);
    if (typeof value === 'string') return [{ text: value, pointer: at }];
    if (!Array.isArray(value)) return [];
    return value.slice(0, MOST_ARGUMENTS).flatMap((item: unknown, index) => {
      return typeof item === 'string' ? [{ text: item, pointer: `${at}/${index}` }] : [];
    });
  });
}

/** `node` for `/usr/bin/node` and `node.exe`. */
export function programName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.(?:exe|cmd)$/i, '');
}
