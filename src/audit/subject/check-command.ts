/** The command line with which a person repeats the policy's decision about a call. */
import type { RunnerId } from '../../call/tool-call.js';
import type { AskedCall } from './subject.js';

/** `policy check …`; a shell reads every word back unchanged. */
export function checkCommand(runner: RunnerId, { tool, input, agent }: AskedCall): string {
  const caller = agent === undefined ? '' : ` --agent ${quoted(agent)}`;
  return `policy check --runner ${runner}${caller} --input-json ${quoted(JSON.stringify(input))} ${tool}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
