/** Where runners keep definitions of agents: the `agents` of src/runner/NAME/places.yaml. */
import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import { data } from '../generated/data.js';
import type { Dialect } from './agent.js';

/** A folder in which a runner keeps definitions of agents. */
export interface AgentFolder {
  /** Below which folder it lies. */
  readonly below: 'project' | 'home' | 'both';
  readonly folder: string;
  /** Ends of file names, in lower case. */
  readonly extensions: readonly string[];
  /** How many levels of folders are searched. */
  readonly depth: number;
  /** The format; null: the runner's own (src/agent/dialects/native.ts), which only this runner reads. */
  readonly dialect: Dialect | null;
}

export function agentFoldersOf(runner: RunnerId): readonly AgentFolder[] {
  return (data(`places/${runner}`) as { readonly agents: readonly AgentFolder[] }).agents;
}

/** Those of every runner. */
export function allAgentFolders(): readonly (AgentFolder & { readonly runner: RunnerId })[] {
  return RUNNERS.flatMap((runner) => agentFoldersOf(runner).map((folder) => ({ ...folder, runner })));
}
