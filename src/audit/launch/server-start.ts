/** What a client starts for an entry of an MCP server, as its file says it. */

import type { ServerStart } from '../../runner/launch/launcher.js';
import { isFields } from '../../runner/payload.js';

/** @param entry a map of a settings file, or an object of front matter */
export function serverStart(entry: unknown): ServerStart {
  const fields = fieldsOf(entry);
  const command = [fields.command].flat();
  const rest = [fields.args ?? []].flat();
  const all = [...command, ...rest];
  const texts = all.filter((one) => typeof one === 'string');
  const [program] = command;
  const words = typeof program === 'string' && program !== '' && texts.length === all.length ? texts : [];
  const variables = Object.entries({ ...fieldsOf(fields.env), ...fieldsOf(fields.environment) });
  const folder = fields.cwd;
  return {
    words,
    variables: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
    folder: typeof folder === 'string' && !/^(?:\.\/?)?$/.test(folder) ? folder : null,
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value instanceof Map) return Object.fromEntries(value);
  return isFields(value) ? value : {};
}
