/** The command line with which a person repeats the policy's decision about a call. */
import { singleQuoted } from '../../call/quote.js';
import type { RunnerId } from '../../call/tool-call.js';
import type { AskedCall } from './subject.js';

/** `policy check …`; a shell reads every word back unchanged. */
export function checkCommand(runner: RunnerId, { tool, input, agent }: AskedCall): string {
  const caller = agent === undefined ? '' : ` --agent ${singleQuoted(agent)}`;
  return `policy check --runner ${runner}${caller} --input-json ${singleQuoted(JSON.stringify(input))} ${tool}`;
}
