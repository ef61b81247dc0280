/** What a runner's files are, apart from its agent definitions: settings that lint parses, and texts that the model is given. */
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

/** `jsonc`: comments and trailing commas are read. `starlark` is not parsed. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml' | 'starlark';

/** A file of settings, told by its path. */
export interface ConfigPlace {
  readonly config: ConfigKind;
  readonly format: ConfigFormat;
  /** What a person calls it: completes "This is no valid …". */
  readonly label: string;
  /** Of the whole path, with `/`; a project may lie in a subfolder. */
  readonly path: RegExp;
}

/** What a model is given as a text: `skill` and `command` may also run commands, `instructions` are read at the start. */
export type TextKind = 'skill' | 'command' | 'instructions';

export interface TextPlace {
  readonly text: TextKind;
  readonly path: RegExp;
  /** What stands at its head. */
  readonly format: 'front-matter' | 'toml' | 'plain';
}

/** What src/runner/NAME/places.yaml says of one kind, and rules/several-runners.yaml (runner null): the first that matches counts. */
export function allPlaces<Place>(kind: 'configs' | 'texts'): readonly (Place & { readonly runner: RunnerId | null })[] {
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

function placesOf<Place>(runner: RunnerId | null): Readonly<Partial<Record<'configs' | 'texts' | 'home', readonly Place[]>>> {
  return data(runner === null ? 'several-runners' : `places/${runner}`) as ReturnType<typeof placesOf<Place>>;
}
