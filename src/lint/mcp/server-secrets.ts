/** Credentials in the map of an MCP server: one rule reports them, and the rule about credentials in general leaves them to it. */
import { isFields } from '../../call/fields.js';
import { pointerTo } from '../../policy/read/pointer.js';
import type { ConfigFile } from '../files/files.js';
import { findSecrets, type SecretText } from '../secrets/secret-text.js';
import type { LocatedText } from '../text/located-text.js';
import { SERVER_KEYS } from './servers.js';

export interface ServerSecret extends SecretText {
  readonly server: string;
}

/** In the order of the file. */
export function serverSecrets({ config, data, source }: ConfigFile): ServerSecret[] {
  const keys = SERVER_KEYS[config];
  if (keys === undefined || data === null) return [];
  const secrets = findSecrets(source.text, 'settings', source.secrets);
  const values = keys
    .flatMap((key) => textsBelow(data, key))
    .map((value) => ({ ...value, range: rangeOf(data, value.pointer, source) }));
  const inValues = secrets.flatMap((secret) => {
    const found = values.find(({ range }) => range.start <= secret.start && secret.start < range.end);
    return found === undefined ? [] : [{ ...secret, server: found.server }];
  });
  const told = new Set(inValues.map(({ start }) => start));
  const behindOptions = values.flatMap((value) =>
    behindOption(data, value.pointer, value.server, source.text, value.range.start),
  );
  return [...inValues, ...behindOptions.filter(({ start }) => !told.has(start))].sort((a, b) => a.start - b.start);
}

/** `"--token", "q7Vw2…"`: the argument before it identifies it as a credential. */
function behindOption(data: LocatedText, pointer: string, server: string, text: string, from: number): ServerSecret[] {
  const [, list, index] = /^(.*\/args\/)(\d+)$/.exec(pointer) ?? [];
  const option = list === undefined ? undefined : data.at(`${list}${Number(index) - 1}`);
  const value = data.at(pointer);
  if (typeof option !== 'string' || typeof value !== 'string' || value.length > LONGEST || !/^--?[\w-]{2,40}$/.test(option))
    return [];
  const start = text.indexOf(value, from);
  const [found] = findSecrets(`${option} ${value}`, 'settings');
  if (found === undefined || start < 0 || found.start <= option.length) return [];
  const shift = start - option.length - 1;
  return [{ ...found, server, start: found.start + shift, end: found.end + shift }];
}

const LONGEST = 500;

const MOST_TEXTS = 5_000;

function textsBelow(data: LocatedText, key: string): { readonly server: string; readonly pointer: string }[] {
  const servers = data.at(key);
  if (!isFields(servers)) return [];
  const texts: { server: string; pointer: string }[] = [];
  for (const server of Object.keys(servers)) {
    const pending = [pointerTo(key, server)];
    for (let pointer = pending.pop(); pointer !== undefined && texts.length < MOST_TEXTS; pointer = pending.pop()) {
      const value = data.at(pointer);
      if (typeof value === 'string') texts.push({ server, pointer });
      else if (typeof value === 'object' && value !== null)
        for (const name of Object.keys(value)) pending.push(pointerTo(pointer, name));
    }
  }
  return texts;
}

function rangeOf(
  data: LocatedText,
  pointer: string,
  source: ConfigFile['source'],
): { readonly start: number; readonly end: number } {
  const { line, column, endLine, endColumn } = data.valueSpan(pointer);
  return { start: source.offsetAt({ line, column }), end: source.offsetAt({ line: endLine, column: endColumn }) };
}
