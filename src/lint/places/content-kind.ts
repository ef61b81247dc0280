/** The kind of a file that is not in any runner's place, determined by its contents. */
import { COMMON_DIALECT } from '../../agent/agent.js';
import { EXPLAINING } from '../../agent/explaining-file.js';
import { type AgentFormat, endingsOfFormat } from '../../agent/format.js';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { RUNNERS } from '../../call/tool-call.js';
import { type FormatTraits, type ToldByText, traitsOf } from '../../call/traits.js';
import { readLooseJson } from '../../policy/read/loose-json.js';
import { configOfKind, type FileKind } from './file-kind.js';
import type { ConfigKind } from './place.js';

/** Null when the contents do not determine it. */
export function kindByContent(path: string, text: string): FileKind | null {
  if (/\.(?:md|markdown)$/i.test(path)) return markdownKind(path, text);
  if (/\.jsonc?$/i.test(path)) return jsonKind(text);
  return path.endsWith('.toml') ? toldAgent(path, text, 'toml', true) : null;
}

interface ToldFormat extends ToldByText {
  readonly format: AgentFormat;
  readonly syntax: FormatTraits['syntax'];
}

const TOLD: readonly ToldFormat[] = RUNNERS.flatMap((runner) =>
  Object.entries(traitsOf(runner).formats).flatMap(([format, { told, syntax }]) =>
    told === undefined ? [] : [{ ...told, format: format as AgentFormat, syntax }],
  ),
);

/** A definition in the first format of that syntax that its text tells. */
function toldAgent(path: string, text: string, syntax: FormatTraits['syntax'], isAnywhere: boolean): FileKind | null {
  const found = TOLD.find(
    (one) =>
      one.syntax === syntax &&
      (!isAnywhere || one.path !== undefined) &&
      new RegExp(one.path ?? '').test(path) &&
      [one.texts, one.or ?? one.texts].some((all) => all.every((line) => new RegExp(line, 'm').test(text))),
  );
  return found === undefined ? null : agent(found.format);
}

/** Names of folders that determine the kind of the Markdown files in them. */
const TELLING_FOLDERS = new Set([
  ...['agents', 'subagents', 'command', 'commands', 'skill', 'skills', 'prompts', 'workflows', 'hooks', 'rules'],
  ...['doc', 'docs', 'reference', 'references', 'template', 'templates', 'example', 'examples'],
]);

/**
 * Returns the last folder of a path that determines its contents: any of them below a folder of agents, otherwise only a folder
 * of commands.
 */
function tellingFolder(path: string): string | null {
  const folders = path.split('/').slice(0, -1);
  const last = folders.findLast((folder) => TELLING_FOLDERS.has(folder)) ?? null;
  const isBelowAgents = folders.includes('agents') || folders.includes('subagents');
  return isBelowAgents || last?.startsWith('command') ? last : null;
}

function markdownKind(path: string, text: string): FileKind | null {
  // Files that another program keeps in a folder of its own are written for that program.
  if (EXPLAINING.test(path) || /(?:^|\/)\.(?!claude\/)[\w-]+\//.test(path)) return null;
  const split = splitFrontMatter(text);
  if (!split.ok) return null;
  const keys = new Set([...split.yaml.matchAll(/^([A-Za-z_][\w-]*)[ \t]*:/gm)].map(([, key]) => key ?? ''));
  const named = keys.has('name') && keys.has('description');
  if (/(?:^|\/)SKILL\.md$/.test(path)) return { kind: 'text', text: 'skill', format: 'front-matter', runner: null };
  const byName = toldAgent(path, split.yaml, undefined, true);
  if (byName !== null) return byName;
  const folder = tellingFolder(path);
  if (folder?.startsWith('command') && !isCommand(keys)) return null;
  if (folder?.startsWith('command')) return { kind: 'text', text: 'command', format: 'front-matter', runner: null };
  if (folder !== null && !folder.endsWith('agents')) return null;
  const told = toldAgent(path, split.yaml, undefined, false);
  if (told !== null) return told;
  return named && !keys.has('allowed-tools') ? agent(COMMON_DIALECT) : null;
}

/** Pages about the commands of a program also have a description, but in addition a title or a place in a menu. */
function isCommand(keys: ReadonlySet<string>): boolean {
  if (['allowed-tools', 'argument-hint', 'disable-model-invocation'].some((key) => keys.has(key))) return true;
  return (
    keys.has('description') && !['title', 'slug', 'layout', 'permalink', 'sidebar_label', 'date'].some((key) => keys.has(key))
  );
}

function agent(format: AgentFormat): FileKind {
  return { kind: 'agent', format, guessed: true };
}

/** Keys at the top level of a JSON file that only one kind of settings has. */
const TELLING: readonly (readonly [key: string, config: ConfigKind])[] = [
  ['permissions', 'claude-settings'],
  ['enableAllProjectMcpServers', 'claude-settings'],
  ['mcpServers', 'mcp'],
];

function jsonKind(text: string): FileKind | null {
  const { data } = readLooseJson(text);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return null;
  const found = TELLING.find(([key]) => Object.hasOwn(data, key) && (key !== 'permissions' || holdsRules(data)));
  return found === undefined ? null : configOfKind(found[1]);
}

/** Manifests of browser extensions and of other programs also have permissions. */
function holdsRules(data: object): boolean {
  const permissions: unknown = Object.getOwnPropertyDescriptor(data, 'permissions')?.value;
  if (typeof permissions !== 'object' || permissions === null) return false;
  return ['allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'].some((key) => Object.hasOwn(permissions, key));
}

/** Returns the kind of a file that a person declared to be a definition of a format; null if no file of that format has such a name. */
export function kindAsFormat(path: string, format: AgentFormat): FileKind | null {
  return endingsOfFormat(format).test(path) ? { kind: 'agent', format } : null;
}
