/**
 * Skills and slash commands of a project, of the user and of plugins, with what each of them allows without a prompt; and the agents of
 * plugins that are in the project and not installed. The kind of a file is determined as in lint, so that inventory and lint agree.
 */
import { basename, dirname, join } from 'node:path';
import type { AgentDefinition } from '../../agent/agent.js';
import type { RunnerId } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { installedPlugins } from '../../definitions/plugin-agents.js';
import { parseFile, type TextFile } from '../../lint/files/files.js';
import { findFiles, type SourceFile } from '../../lint/files/read-files.js';
import { fileKind } from '../../lint/places/file-kind.js';
import { USER_PLACES } from '../../lint/places/place.js';
import { isManifest, isOfPlugin, type PluginRoot, pluginRoot } from '../../lint/places/plugin-files.js';
import { loadedCommands } from '../../lint/skills/commands.js';

export interface ListedText {
  readonly kind: 'skill' | 'command';
  /** As its runner calls it, prefixed by the name of the plugin that contains it. */
  readonly name: string;
  readonly description: string | null;
  /** Null if several runners read it. */
  readonly runner: RunnerId | null;
  readonly scope: 'project' | 'user';
  /** Relative to the project; absolute for user scope. */
  readonly file: string;
  readonly plugin: ListedPlugin | null;
  /** `allowed-tools`: what the model may use without a prompt while this is active. */
  readonly preApproves: readonly string[];
  /** Number of commands that its text runs on loading, before the model sees it. */
  readonly runs: number;
  /** Why nothing but its name is known; null otherwise. */
  readonly problem: string | null;
}

export interface ListedPlugin {
  readonly name: string;
  /** False if the plugin is in the project and the user has not installed it. */
  readonly installed: boolean;
}

/** An agent that exists once its plugin is installed. */
export interface PluginAgent {
  readonly definition: AgentDefinition;
  readonly plugin: string;
}

export interface FoundTexts {
  readonly texts: readonly ListedText[];
  readonly pluginAgents: readonly PluginAgent[];
  /** Places that were not searched, as sentences that name them. */
  readonly incomplete: readonly string[];
}

/** A folder to search, and how its files are described. */
interface Place {
  readonly root: string;
  readonly scope: 'project' | 'user';
  /** Name of the installed plugin in this folder. */
  readonly plugin?: string;
  readonly starts?: readonly string[];
}

/** At most this many entries of `allowed-tools` are read. */
const MOST_TOOLS = 1_000;
/** Without the plugin caches, of which only installed plugins matter; those are searched separately. */
const USER_STARTS = USER_PLACES.filter((place) => place !== '.claude/plugins');

/**
 * Returns the skills, commands and plugin agents of a project and its user. Never throws; an unreadable file is in the list with
 * its problem.
 */
export function skillsAndCommands(project: string, home: string): FoundTexts {
  const installed = installedPlugins(home).plugins.map(
    ({ name, root }): Place => ({ root, scope: 'user', plugin: name, starts: [''] }),
  );
  const places: readonly Place[] = [
    { root: project, scope: 'project' },
    // A session in the home directory has one set of files, not two.
    ...(project === home ? [] : [{ root: home, scope: 'user', starts: USER_STARTS } as const]),
    ...installed,
  ];
  const found = places.map(searched);
  return {
    texts: found
      .flatMap(({ texts }) => texts)
      .sort((left, right) => compare(left.name, right.name) || compare(left.file, right.file)),
    pluginAgents: found.flatMap(({ pluginAgents }) => pluginAgents),
    incomplete: found.flatMap(({ incomplete }) => incomplete),
  };
}

/** Compares by code units, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function searched(place: Place): FoundTexts {
  const { root, starts } = place;
  const { files, incomplete } = findFiles(root, { kindOf: fileKind, isOpened, isNamed: () => false, ...(starts && { starts }) });
  const plugins = files.filter(({ path }) => isManifest(path)).map(({ path, text }) => pluginOf(path, text, place));
  return {
    texts: files.flatMap((file) => textsOf(file, plugins, place)),
    pluginAgents: place.scope === 'project' ? files.flatMap((file) => agentsOf(file, plugins)) : [],
    incomplete: incomplete.map(({ path, message }) => `${join(root, path)}: ${message}`),
  };
}

/** Agent definitions in their runners' folders are read by files.ts; a file recognized only by its content belongs to no runner. */
function isOpened(path: string): boolean {
  return isManifest(path) || fileKind(path)?.kind === 'text';
}

interface PluginPlace extends PluginRoot {
  readonly name: string;
}

function pluginOf(path: string, text: string | null, { root, plugin }: Place): PluginPlace {
  const found = pluginRoot(path, text);
  const written = text === null ? null : nameIn(text);
  return { ...found, name: plugin ?? written ?? basename(join(root, found.folder)) };
}

function nameIn(manifest: string): string | null {
  try {
    const data: unknown = JSON.parse(manifest);
    const name: unknown = Object.getOwnPropertyDescriptor(Object(data), 'name')?.value;
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    // An unreadable manifest has no name; the name of its folder is used instead.
    return null;
  }
}

function agentsOf(file: SourceFile, plugins: readonly PluginPlace[]): PluginAgent[] {
  const { kind, path } = file;
  const plugin = plugins.find((one) => isOfPlugin(path, one));
  if (kind.kind !== 'agent' || plugin === undefined) return [];
  const parsed = parseFile(file);
  if (parsed.kind !== 'agent') return [];
  const { definition } = parsed;
  const name = `${plugin.name}:${definition.name}`;
  return [{ definition: { ...definition, name, rawName: `${plugin.name}:${definition.rawName}` }, plugin: plugin.name }];
}

function textsOf(file: SourceFile, plugins: readonly PluginPlace[], place: Place): ListedText[] {
  const { kind, path, problem } = file;
  if (kind.kind !== 'text' || kind.text === 'instructions') return [];
  const plugin = plugins.find((one) => isOfPlugin(path, one));
  const name = plugin?.name ?? place.plugin;
  const parsed = parseFile(file);
  const text = parsed.kind === 'text' ? parsed : null;
  const stem = nameOf(path, kind.text, kind.runner, text);
  return [
    {
      kind: kind.text,
      name: name === undefined ? stem : `${name}:${stem}`,
      description: textAt(text, 'description'),
      runner: kind.runner,
      scope: place.scope,
      file: place.scope === 'project' ? path : join(place.root, path),
      plugin: name === undefined ? null : { name, installed: place.plugin !== undefined },
      preApproves: (text?.data?.items('/allowed-tools', ', ') ?? []).slice(0, MOST_TOOLS).map((entry) => entry.text),
      runs: text === null ? 0 : loadedCommands(text).length,
      problem: problem?.message ?? parsed.problems.find(({ severity }) => severity === 'error')?.message ?? null,
    },
  ];
}

/** Returns the name of a skill from its front matter, else from its folder; of a command, from its file. */
function nameOf(path: string, kind: ListedText['kind'], runner: RunnerId | null, text: TextFile | null): string {
  const file = basename(path);
  if (kind === 'skill')
    return textAt(text, 'name') ?? (file === 'SKILL.md' ? basename(dirname(path)) : file.replace(/\.md$/, ''));
  const stem = file.replace(/(?:\.prompt)?\.(?:md|toml)$/, '');
  if (runner === null || !traitsOf(runner).commandsAreNested) return stem;
  const folders = dirname(path).split('/');
  return [...folders.slice(folders.lastIndexOf('commands') + 1), stem].join(':');
}

function textAt(text: TextFile | null, key: string): string | null {
  const value = text?.data?.at(`/${key}`);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
