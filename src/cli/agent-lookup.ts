/** What to tell somebody who names an agent that cannot be used (R178). */
import { normalizeName } from '../agent/name.js';
import type { Workspace } from '../enforce/workspace.js';
import { warn } from './terminal.js';

/** One line on stderr when the agent is unknown or its definition is invalid; the decision itself says what follows. */
export function tellAgent(workspace: Workspace, name: string): void {
  const agent = workspace.agents.find((known) => known.name === normalizeName(name));
  if (agent === undefined) warn(noSuchAgent(name));
  else if (agent.status === 'invalid')
    warn(`Subagent '${agent.name}' invalid: ${agent.errors.map(({ message }) => message).join('; ')}.`);
}

/** R178, with our own command. */
export function noSuchAgent(name: string): string {
  return `No subagent named '${name}'. Run \`policy agents list\`.`;
}
