/** What is known of a runner as properties: src/runner/NAME/traits.yaml. Whoever needs one asks for it, and for no runner by its name. */
import { data } from '../generated/data.js';
import type { RunnerId } from './tool-call.js';

/** What is known of a format of agent definitions. */
export interface FormatTraits {
  /** Absent: Markdown with YAML at its head. */
  readonly syntax?: 'yaml' | 'toml';
  /** JSON pointers of the lists of tools that an agent may use and may not use; and what separates them in one text. */
  readonly listed?: string;
  readonly excluded?: string;
  readonly separators?: string;
  /** The key of a map of tools that are switched on and off, in the place of a list. */
  readonly switches?: string;
  /** Keys of which the reader itself says that they are not read. */
  readonly toldByReader?: readonly string[];
  /** An agent without a list has none. Absent: every tool. */
  readonly withoutList?: 'none';
  /**
   * Which names of tools it takes: its runner's `own`, these with their case (`cased`), these and all others that are `known`, names of
   * `programs` and all known ones, or `any`. Absent: all known ones.
   */
  readonly toolNames?: 'own' | 'cased' | 'known' | 'programs' | 'any';
  /** How a text speaks of a tool: by a name that may be a word, or by one that fits a pattern. */
  readonly mentions?: { readonly names?: readonly string[]; readonly pattern: string };
  /** JSON pointers of maps of MCP servers. */
  readonly servers?: readonly string[];
  /** Numbers and truth values in quotes count as such. */
  readonly takesQuotedScalars?: true;
  /** `model` may be a list, of which the first that there is counts. */
  readonly modelLists?: true;
  /** It is not known that a name or a description is needed. */
  readonly fieldsAreOptional?: true;
  /** An agent that is no YAML, or has no name or description, is not loaded, and nothing says so. */
  readonly leavesOutFaulty?: true;
  /** What becomes instead of an agent of a plugin, by the code of the mistake. */
  readonly faultyInPlugin?: Readonly<Record<string, string>>;
  /** What tells a definition that lies in no place of any runner. */
  readonly told?: ToldByText;
}

/** Expressions that all fit: of the path, and of the lines at the head of a text; or all of another list. */
export interface ToldByText {
  /** Says it also in a folder whose name tells that its files are something else. */
  readonly path?: string;
  readonly texts: readonly string[];
  readonly or?: readonly string[];
}

export interface RunnerTraits {
  /** What people call it. */
  readonly title: string;
  /** The same where a format is meant that others read, too. */
  readonly formatTitle?: string;
  /** The formats of agent definitions that are its own, by their names. */
  readonly formats: Readonly<Record<string, FormatTraits>>;
  /** The key of `_meta` under which it tells MCP servers the id of a call that its hook has seen. */
  readonly mcpCallId?: string;
  /** It reads front matter that is no YAML by putting quotes around values. */
  readonly repairsFrontMatter?: true;
  /** It runs commands that stand in skills and commands when these are loaded, and asks no hook. */
  readonly skillsRunCommands?: true;
  /** It loads skills and commands by a call that the hook sees, and reads what they mention by itself. */
  readonly callsSkills?: true;
  /** It reads what the prompt of a starting agent mentions by itself. */
  readonly readsMentions?: true;
  /** Its own search is ripgrep with hidden files, which was seen to pass over an ignored `.env`. */
  readonly searchesByRipgrep?: true;
  /** The field beside `glob` in which its search takes a pattern of names. */
  readonly searchPattern?: string;
  /** Names of commands begin with the folders that they lie in. */
  readonly commandsAreNested?: true;
  /** Paths of a hook may begin in the folder of the file that names it. */
  readonly hookPathsBesideFile?: true;
  /** It starts hooks that stand at the head of Markdown below these folders; `anyEvent`: at events of any name. */
  readonly frontMatterHooks?: { readonly folders: readonly string[]; readonly anyEvent?: true };
  /** Events before a call beside the one of our hook. */
  readonly blockingEvents?: readonly string[];
  /** Events beside the usual ones at which a hook answers for the person. */
  readonly permissionEvents?: readonly string[];
  /** A hook cannot change the input of a call. */
  readonly keepsInput?: true;
  /** A hook neither changes the input of a call nor answers for the person. */
  readonly hooksOnlyBlock?: true;
  /** A TOML file beside that of our hook with further hooks. */
  readonly hookTables?: string;
  /** Files of the project in which a team may have put the hook; `policy install` writes none of them. */
  readonly teamHookFiles?: readonly string[];
  /** Settings of the project that may switch plugins with hooks on: `enabledPlugins`. */
  readonly pluginSwitches?: readonly string[];
  /** Further files with hooks. */
  readonly moreHookFiles?: {
    /** In the folder above that of our hook; all JSON files in its own count. */
    readonly above: readonly string[];
    /** Of the project; `isBorrowed`: another runner's. */
    readonly project: readonly { readonly path: string; readonly isBorrowed?: true }[];
  };
  /** It runs no hook that the person did not trust, each by its hash. */
  readonly trustsEachHook?: true;
  /** It runs hooks of a project only in a folder that these files, below the home folder, name. */
  readonly folderTrust?: FolderTrust;
  /** A definition of an agent is a layer of its settings, and may switch hooks off. */
  readonly agentsAreLayers?: true;
  /** Settings of a project count at the top of its repository alone. */
  readonly settingsOnlyAtTop?: true;
  /** Files of the project whose variables it sets for itself. */
  readonly variableFiles?: readonly string[];
  /** What it does with skills; absent: not known. */
  readonly skills?: SkillTraits;
  /** Expressions for the variables that control its sandbox, and for the values with which it is on. */
  readonly sandboxVariables?: { readonly names: string; readonly on?: string };
  /** The person's own files below the home folder. */
  readonly ownFiles?: OwnFilesTraits;
}

/** `lists`: keys of lists of folders; `levels`: a map from folders to words, each of which means the folder and what lies below, or itself. */
export type FolderTrust = { readonly files: readonly string[] } & (
  | { readonly lists: readonly string[]; readonly levels?: undefined }
  | { readonly levels: Readonly<Record<string, 'below' | 'itself'>>; readonly lists?: undefined }
);

/** Which skills one version of a runner does not load. */
export interface SkillTraits {
  readonly version: string;
  /** It also reads `.agents/skills`, as others do. */
  readonly shared?: true;
  /** An expression that every name fits. */
  readonly names?: string;
  /** Numbers of characters. */
  readonly longestName?: number;
  readonly longestDescription?: number;
  /** It loads a skill with a longer description, and shows the model the first characters. */
  readonly cutsDescription?: true;
  /** It loads a skill whose front matter cannot be read, without its fields. */
  readonly loadsFaulty?: true;
  readonly needsDescription?: true;
  /** A skill of a plugin without a description is not shown to the model. */
  readonly needsDescriptionInPlugin?: true;
  /** Front matter that is no YAML: it puts quotes around values, or reads line by line. */
  readonly repairs?: 'values' | 'lines';
}

export interface OwnFilesTraits {
  /** Below the home folder. */
  readonly folder: string;
  /** Files in it that name MCP servers. */
  readonly files: readonly string[];
  /** A folder in it whose folders hold one file of that name each. */
  readonly manifests?: readonly [folder: string, name: string];
}

export function traitsOf(runner: RunnerId): RunnerTraits {
  return data(`traits/${runner}`) as RunnerTraits;
}
