/** The kinds of a runner's files other than agent definitions: settings that lint parses, and texts for the model. */
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { data } from '../../generated/data.js';

export const CONFIG_KINDS = [
  'claude-settings',
  'claude-hooks',
  'claude-plugin',
  'claude-marketplace',
  'mcp',
  'codex-config',
  'codex-hooks',
  'codex-rules',
  'codex-mcp-allowlist',
  'codex-net-allowlist',
  'gemini-settings',
  'gemini-policy',
  'gemini-extension',
  'qwen-settings',
  'opencode-config',
  'copilot-hooks',
  'copilot-settings',
  'cursor-hooks',
  'cursor-cli',
  'cursor-permissions',
  'agent-code-settings',
  'cyrus-config',
] as const;
export type ConfigKind = (typeof CONFIG_KINDS)[number];

/** `jsonc`: comments and trailing commas are accepted. `starlark` and `lines` are not parsed. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml' | 'starlark' | 'lines';

/** A settings file, identified by its path. */
export interface ConfigPlace {
  readonly config: ConfigKind;
  readonly format: ConfigFormat;
  /** Its name for a person: completes "This is no valid …". */
  readonly label: string;
  /** Matches the whole path, with `/`; a project may be in a subfolder. */
  readonly path: RegExp;
  /** How its client fills variables into the entries of MCP servers: an expression for the forms (absent: none), also beside the manifest of a plugin. */
  readonly variables?: { readonly client: string; readonly form?: string; readonly inPlugin?: string; readonly write: string };
}

/** Kinds of texts for a model: `skill` and `command` may also run commands, `instructions` are read at the start. */
export type TextKind = 'skill' | 'command' | 'instructions';

export interface TextPlace {
  readonly text: TextKind;
  readonly path: RegExp;
  /** The form of its head. */
  readonly format: 'front-matter' | 'toml' | 'plain';
}

/** A place, a name or an ending that a runner does not read, although it is nearly one that it reads. */
export interface UnreadPlace {
  readonly path: RegExp;
  /** What it reads, to follow "This file is not read: ". */
  readonly why: string;
  /** Only a text with front matter is meant for the runner. */
  readonly needsHead?: true;
}

/** The manifest of an extension: `agents/`, `commands/` and `skills/` beside it are those of its runner. */
export interface ExtensionPlace {
  readonly path: RegExp;
  /** The form of its commands. */
  readonly commands: TextPlace['format'];
}

/**
 * Returns the entries of one kind in src/runner/NAME/places.yaml, and in rules/several-runners.yaml (runner null): the first match applies.
 */
export function allPlaces<Place>(
  kind: 'configs' | 'texts' | 'unread' | 'extensions',
): readonly (Place & { readonly runner: RunnerId | null })[] {
  return [...RUNNERS, null].flatMap((runner) => {
    return (placesOf<Place>(runner)[kind] ?? []).map((one) => ({
      ...one,
      path: new RegExp((one as { readonly path: string }).path),
      runner,
    }));
  });
}

/** What runners read below the home folder, relative to it: never the home folder itself, nor the histories and caches beside it. */
export const USER_PLACES: readonly string[] = [...RUNNERS, null].flatMap((runner) => placesOf<string>(runner).home ?? []);

function placesOf<Place>(
  runner: RunnerId | null,
): Readonly<Partial<Record<'configs' | 'texts' | 'unread' | 'home' | 'extensions', readonly Place[]>>> {
  return data(runner === null ? 'several-runners' : `places/${runner}`) as ReturnType<typeof placesOf<Place>>;
}
