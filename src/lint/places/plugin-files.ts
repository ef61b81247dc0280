/**
 * The files of a Claude Code plugin, determined by the folder of its manifest (plugins reference): `agents/`, `commands/`,
 * `skills/`, `hooks/hooks.json`, or the files that the manifest names instead; and those of other runners' extensions.
 */

import { COMMON_DIALECT } from '../../agent/agent.js';
import { type AgentFormat, formatOfFolder, runnerOfFormat } from '../../agent/format.js';
import { isFields } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import { readLooseJson } from '../../policy/read/loose-json.js';
import type { FileKind } from './file-kind.js';
import { allPlaces, type ExtensionPlace, type TextPlace } from './place.js';

export interface PluginRoot {
  readonly runner: RunnerId;
  readonly format: AgentFormat;
  readonly commandFormat: TextPlace['format'];
  /** Ends with `/`; empty for the project itself. */
  readonly folder: string;
  /** Paths of agents, commands and hooks that the manifest names, relative to the project; folders end with `/`. */
  readonly agents: readonly string[];
  readonly commands: readonly string[];
  readonly hooks: readonly string[];
}

/** Whose plugins these are. */
const RUNNER = runnerOfFormat(COMMON_DIALECT);
const MANIFEST = /^(|.*\/)\.claude-plugin\/plugin\.json$/;
const MOST_NAMED = 1_000;

export function isManifest(path: string): boolean {
  return MANIFEST.test(path);
}

/** @param path of the manifest; @param text null when it could not be read */
export function pluginRoot(path: string, text: string | null): PluginRoot {
  const folder = MANIFEST.exec(path)?.[1] ?? '';
  const data = text === null ? null : readLooseJson(text).data;
  const named = (key: string): readonly string[] => {
    const value = isFields(data) && Object.hasOwn(data, key) ? data[key] : undefined;
    const entries = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
    return entries
      .filter((entry): entry is string => typeof entry === 'string')
      .slice(0, MOST_NAMED)
      .map((entry) => folder + entry.replace(/^\.\//, ''));
  };
  return {
    ...{ runner: RUNNER, format: COMMON_DIALECT, commandFormat: 'front-matter', folder },
    agents: [`${folder}agents/`, ...named('agents')],
    commands: [`${folder}commands/`, ...named('commands')],
    hooks: [`${folder}hooks/hooks.json`, ...named('hooks')],
  };
}

const EXTENSIONS = allPlaces<ExtensionPlace>('extensions');

/** Returns the folder of an extension that this path is the manifest of. */
export function extensionRoot(path: string): PluginRoot | null {
  const place = EXTENSIONS.find((one) => one.path.test(path));
  if (place?.runner == null) return null;
  const { runner, commands: commandFormat } = place;
  const folder = path.replace(/[^/]*$/, '');
  const places = { agents: [`${folder}agents/`], commands: [`${folder}commands/`], hooks: [] };
  return { runner, format: formatOfFolder(null, runner), commandFormat, folder, ...places };
}

/** Returns the kind of a file of the project's plugins; null if it does not belong to any. */
export function pluginKind(path: string, roots: readonly PluginRoot[]): FileKind | null {
  for (const { runner, format, commandFormat, folder, agents, commands, hooks } of roots) {
    if (!path.startsWith(folder)) continue;
    if (hooks.includes(path))
      return { kind: 'config', config: 'claude-hooks', format: 'json', label: 'Claude Code hooks file', runner };
    if (path.startsWith(`${folder}skills/`) && path.endsWith('/SKILL.md'))
      return { kind: 'text', text: 'skill', format: 'front-matter', runner };
    if (path.endsWith('.md') && isBelow(path, agents)) return { kind: 'agent', format };
    if (path.endsWith(commandFormat === 'toml' ? '.toml' : '.md') && isBelow(path, commands))
      return { kind: 'text', text: 'command', format: commandFormat, runner };
  }
  return null;
}

/** Whether a file belongs to a plugin. */
export function isOfPlugin(path: string, root: PluginRoot): boolean {
  return pluginKind(path, [root]) !== null;
}

export function isAgentOfPlugin(path: string, roots: readonly PluginRoot[]): boolean {
  return roots.some(({ folder, agents }) => path.startsWith(folder) && isBelow(path, agents));
}

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place || path.startsWith(`${place}/`)));
}
