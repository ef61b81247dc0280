/** OpenCode's agents: each in a file of its own, or below `agent` (formerly `mode`) of the configuration. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { AgentFile, ConfigFile } from '../files/files.js';
import type { LintProject } from '../project/project.js';
import type { LocatedText } from '../text/located-text.js';

/** The keys of an agent, wherever they are. */
export interface OpenCodeAgent {
  readonly file: AgentFile | ConfigFile;
  readonly data: LocatedText;
  /** The pointer of the map with its keys; empty for a file of its own. */
  readonly pointer: string;
}

const MOST_AGENTS = 500;

/** Returns every agent that certainly belongs to OpenCode. */
export function openCodeAgents({ agents, configs }: LintProject): OpenCodeAgent[] {
  return [
    ...agents.flatMap((file) =>
      file.format !== 'opencode' || file.guessed || file.data === null ? [] : [{ file, data: file.data, pointer: '' }],
    ),
    ...configs.flatMap((file) => (file.config === 'opencode-config' && file.data !== null ? agentsIn(file, file.data) : [])),
  ];
}

function agentsIn(file: ConfigFile, data: LocatedText): OpenCodeAgent[] {
  return ['/agent', '/mode'].flatMap((key) => {
    const map = data.at(key);
    if (!isFields(map)) return [];
    const names = Object.keys(map).filter((name) => isFields(map[name]));
    return names.slice(0, MOST_AGENTS).map((name) => ({ file, data, pointer: pointerTo(key, name) }));
  });
}

/** A map `permission`, identified by its pointer. */
export type PermissionMap = OpenCodeAgent;

/** Returns the maps of a project: those of the configurations themselves, and of every agent. */
export function permissionMaps(project: LintProject): PermissionMap[] {
  const own = project.configs.flatMap((file) =>
    file.config === 'opencode-config' && file.data !== null ? [{ file, data: file.data, pointer: '' }] : [],
  );
  const guessed = project.agents.flatMap((file) =>
    file.format === 'opencode' && file.guessed && file.data !== null ? [{ file, data: file.data, pointer: '' }] : [],
  );
  return [...own, ...openCodeAgents(project), ...guessed].flatMap(({ file, data, pointer }) =>
    isFields(data.at(`${pointer}/permission`)) ? [{ file, data, pointer: `${pointer}/permission` }] : [],
  );
}
