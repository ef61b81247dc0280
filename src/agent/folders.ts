/** Where runners keep agent definitions: the `agents` of src/runner/NAME/places.yaml. */
import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import { data } from '../generated/data.js';
import type { Dialect } from './agent.js';

/** A folder in which a runner keeps agent definitions. */
export interface AgentFolder {
  /** The folder that it is below. */
  readonly below: 'project' | 'home' | 'both';
  readonly folder: string;
  /** File extensions, in lower case. */
  readonly extensions: readonly string[];
  /** Maximum number of folder levels that are searched. */
  readonly depth: number;
  /** The format; null: the runner's own (src/agent/dialects/native.ts), which only this runner reads. */
  readonly dialect: Dialect | null;
}

export function agentFoldersOf(runner: RunnerId): readonly AgentFolder[] {
  return (data(`places/${runner}`) as { readonly agents: readonly AgentFolder[] }).agents;
}

/** Returns the folders of all runners. */
export function allAgentFolders(): readonly (AgentFolder & { readonly runner: RunnerId })[] {
  return RUNNERS.flatMap((runner) => agentFoldersOf(runner).map((folder) => ({ ...folder, runner })));
}
