/** The command line with which a person asks again what the policy decides about a call. */
import type { RunnerId } from '../../call/tool-call.js';
import type { AskedCall } from './subject.js';

/** `policy check …`; every word reads back in a shell as it is. */
export function checkCommand(runner: RunnerId, { tool, input, agent }: AskedCall): string {
  const caller = agent === undefined ? '' : ` --agent ${quoted(agent)}`;
  return `policy check --runner ${runner}${caller} --input-json ${quoted(JSON.stringify(input))} ${tool}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
