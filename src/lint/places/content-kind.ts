/** What a file is that lies in no place that a runner names, told by what is in it. */
import { EXPLAINING } from '../../agent/explaining-file.js';
import { type AgentFormat, endingsOfFormat } from '../../agent/format.js';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { readLooseJson } from '../../policy/read/loose-json.js';
import type { FileKind } from './file-kind.js';
import type { ConfigKind } from './place.js';

/** Null when nothing in the file tells it. */
export function kindByContent(path: string, text: string): FileKind | null {
  if (/\.(?:md|markdown)$/i.test(path)) return markdownKind(path, text);
  if (/\.jsonc?$/i.test(path)) return jsonKind(text);
  if (path.endsWith('.toml') && /^developer_instructions\s*=/m.test(text) && /^name\s*=/m.test(text))
    return { kind: 'agent', format: 'codex', guessed: true };
  return null;
}

/** Names of folders that say what the Markdown files in them are. */
const TELLING_FOLDERS = new Set([
  ...['agents', 'subagents', 'command', 'commands', 'skill', 'skills', 'prompts', 'workflows', 'hooks', 'rules'],
  ...['doc', 'docs', 'reference', 'references', 'template', 'templates', 'example', 'examples'],
]);

/** The last folder of a path that says what it holds: below a folder of agents any of them, else only one of commands. */
function tellingFolder(path: string): string | null {
  const folders = path.split('/').slice(0, -1);
  const last = folders.findLast((folder) => TELLING_FOLDERS.has(folder)) ?? null;
  const isBelowAgents = folders.includes('agents') || folders.includes('subagents');
  return isBelowAgents || last?.startsWith('command') ? last : null;
}

function markdownKind(path: string, text: string): FileKind | null {
  // What another program keeps in a folder of its own is written for that program.
  if (EXPLAINING.test(path) || /(?:^|\/)\.(?!claude\/)[\w-]+\//.test(path)) return null;
  const split = splitFrontMatter(text);
  if (!split.ok) return null;
  const keys = new Set([...split.yaml.matchAll(/^([A-Za-z_][\w-]*)[ \t]*:/gm)].map(([, key]) => key ?? ''));
  const named = keys.has('name') && keys.has('description');
  if (/(?:^|\/)SKILL\.md$/.test(path)) return { kind: 'text', text: 'skill', format: 'front-matter', runner: null };
  if (/\.agent\.md$/.test(path) && keys.has('description')) return agent('copilot-cli');
  const folder = tellingFolder(path);
  if (folder?.startsWith('command') && !isCommand(keys)) return null;
  if (folder?.startsWith('command')) return { kind: 'text', text: 'command', format: 'front-matter', runner: null };
  if (folder !== null && !folder.endsWith('agents')) return null;
  if (keys.has('mode') && /^mode[ \t]*:[ \t]*["']?(?:subagent|primary|all)\b/m.test(split.yaml)) return agent('opencode');
  if (keys.has('description') && /^tools[ \t]*:[ \t]*\r?\n[ \t]+["']?[\w*]+["']?[ \t]*:[ \t]*(?:true|false)/m.test(split.yaml))
    return agent('opencode');
  if (keys.has('include_tools') || keys.has('exclude_tools')) return agent('agent-code');
  return named && !keys.has('allowed-tools') ? agent('claude-code') : null;
}

/** Pages about the commands of a program have a description, too, and a title or a place in a menu. */
function isCommand(keys: ReadonlySet<string>): boolean {
  if (['allowed-tools', 'argument-hint', 'disable-model-invocation'].some((key) => keys.has(key))) return true;
  return (
    keys.has('description') && !['title', 'slug', 'layout', 'permalink', 'sidebar_label', 'date'].some((key) => keys.has(key))
  );
}

function agent(format: AgentFormat): FileKind {
  return { kind: 'agent', format, guessed: true };
}

/** Keys at the top of a JSON file that only one kind of settings has. */
const TELLING: readonly (readonly [key: string, config: ConfigKind, label: string])[] = [
  ['permissions', 'claude-settings', 'Claude Code settings'],
  ['enableAllProjectMcpServers', 'claude-settings', 'Claude Code settings'],
  ['mcpServers', 'mcp', 'MCP configuration'],
];

function jsonKind(text: string): FileKind | null {
  const { data } = readLooseJson(text);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const found = TELLING.find(([key]) => Object.hasOwn(data, key) && (key !== 'permissions' || holdsRules(data)));
  if (found === undefined) return null;
  const [, config, label] = found;
  return { kind: 'config', config, format: 'json', label, runner: config === 'mcp' ? null : 'claude-code' };
}

/** Manifests of browser extensions and of other programs have permissions, too. */
function holdsRules(data: object): boolean {
  const permissions: unknown = Object.getOwnPropertyDescriptor(data, 'permissions')?.value;
  if (typeof permissions !== 'object' || permissions === null) return false;
  return ['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'].some((key) => Object.hasOwn(permissions, key));
}

/** A file that a person says to be a definition of a format; null where no file of that format has such a name. */
export function kindAsFormat(path: string, format: AgentFormat): FileKind | null {
  return endingsOfFormat(format).test(path) ? { kind: 'agent', format } : null;
}
