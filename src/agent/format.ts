/** The possible formats of an agent definition: the dialects that several runners share, and each runner's own. */

import { RUNNERS, type RunnerId } from '../call/tool-call.js';
import { type FormatTraits, traitsOf } from '../call/traits.js';
import { COMMON_DIALECT, DIALECTS, type Dialect, traitsOfDialect } from './agent.js';

/** The name of a runner, if it is not also a dialect, stands for that runner's own format. */
export type AgentFormat = Dialect | RunnerId;

export const AGENT_FORMATS: readonly AgentFormat[] = [...DIALECTS, ...RUNNERS.filter((runner) => !isDialect(runner))];

/** Returns the options of `parseAgent` for a format. */
export function originOfFormat(format: AgentFormat): { readonly dialect: Dialect; readonly runner?: RunnerId } {
  return isDialect(format) ? { dialect: format } : { dialect: COMMON_DIALECT, runner: format };
}

/** Returns the format of the files in a folder of definitions. */
export function formatOfFolder(dialect: Dialect | null, runner: RunnerId): AgentFormat {
  return dialect ?? runner;
}

/** Returns the runner that reads a format as its own. */
export function runnerOfFormat(format: AgentFormat): RunnerId {
  return isDialect(format) ? traitsOfDialect(format).runner : format;
}

export function formatTraits(format: AgentFormat): FormatTraits {
  return traitsOf(runnerOfFormat(format)).formats[format] ?? {};
}

/** Returns a pattern for the file extensions of a format. */
export function endingsOfFormat(format: AgentFormat): RegExp {
  const { syntax } = formatTraits(format);
  if (syntax === 'yaml') return /\.ya?ml$/;
  return syntax === 'toml' ? /\.toml$/ : /\.(?:md|markdown)$/;
}

function isDialect(format: AgentFormat): format is Dialect {
  return DIALECTS.some((dialect) => dialect === format);
}
