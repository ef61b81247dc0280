/** Reads from an MCP server's entry which program a client starts for it. */

import { isFields } from '../../call/fields.js';
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
