/** The abilities that an agent's tool list grants, in the same terms for every runner. */
import { runnerOfFormat } from '../../agent/format.js';
import { toolOfEntry } from '../../agent/tool-list.js';
import { describeTool } from '../../call/catalogue.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { AgentFile } from '../files/files.js';
import { hasToolsWithoutList } from './unlisted.js';

export interface Powers {
  /** Its definition limits it; false: it has the tools of the session. */
  readonly bounded: boolean;
  readonly writes: boolean;
  readonly executes: boolean;
}

const ALL: Powers = { bounded: false, writes: true, executes: true };

export function powersOf({ definition, format }: AgentFile): Powers {
  const { tools, excludedTools, readOnly, readsOnly, capabilities } = definition;
  if (readOnly || readsOnly === true) return { bounded: true, writes: false, executes: false };
  if (capabilities !== null)
    return { bounded: true, writes: capabilities.write !== false, executes: capabilities.shell.length > 0 };
  const runner = runnerOfFormat(format);
  const accesses = (names: readonly string[]) => new Set(names.map((name) => accessOf(name, runner)));
  if (tools.state === 'listed') {
    if (tools.tools.includes('*')) return ALL;
    const listed = accesses(tools.tools.filter((name) => !excludedTools.includes(name)));
    return { bounded: true, writes: listed.has('write'), executes: listed.has('execute') };
  }
  if (tools.state === 'empty' || !hasToolsWithoutList(format)) return { bounded: true, writes: false, executes: false };
  const without = accesses(excludedTools);
  return { bounded: without.size > 0, writes: !without.has('write'), executes: !without.has('execute') };
}

function accessOf(entry: string, runner: RunnerId): string {
  const tool = toolOfEntry(entry);
  const own = describeTool(tool, runner);
  const described = own.known ? own : describeTool(tool);
  return described.known ? described.access : 'none';
}
