/** Reads from an MCP server's entry which program a client starts for it. */

import { isFields } from '../../call/fields.js';
import { gatewayLine, wordsBehindGateway } from '../../call/gateway-line.js';
import type { ServerStart } from '../../runner/launch/launcher.js';

/** @param entry a map of a settings file, or an object of front matter */
export function serverStart(entry: unknown): ServerStart {
  const fields = fieldsOf(entry);
  const command = [fields.command].flat();
  const args = [fields.args ?? []].flat();
  const program = command.filter(isText);
  const texts = args.filter(isText);
  const isPlain = program[0] !== '' && program.length === command.length && texts.length === args.length;
  const variables = Object.entries({ ...fieldsOf(fields.env), ...fieldsOf(fields.environment) });
  const folder = fields.cwd;
  return {
    program: isPlain ? program : [],
    args: texts,
    variables: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
    folder: typeof folder === 'string' && !/^(?:\.\/?)?$/.test(folder) ? folder : null,
  };
}

/**
 * Returns what an entry starts. Of a server behind the gateway that is the server; and what claims to be the gateway, unless that
 * is proven.
 */
export function serverStarts(entry: unknown, isProven: boolean): readonly ServerStart[] {
  const whole = serverStart(entry);
  const words = [...whole.program, ...whole.args];
  if (gatewayLine(words) === null) return [whole];
  const [program, ...args] = wordsBehindGateway(words);
  const own = program === undefined ? [] : [{ ...whole, program: [program], args }];
  return isProven ? own : [whole, ...own];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value instanceof Map) return Object.fromEntries(value);
  return isFields(value) ? value : {};
}

/** Whether it names only addresses, under any of the keys that clients know. @param entry as above */
export function isRemoteServer(entry: unknown): boolean {
  const fields = fieldsOf(entry);
  return !('command' in fields) && ('url' in fields || 'httpUrl' in fields);
}
