/** Reads one setting from a runner's own file. */
import { parse, TomlError } from 'smol-toml';
import { isFields, own } from '../call/fields.js';
import { isList, isMap, JsonTextError, type JsonValue, readJsonText } from './json-text.js';
import { readText } from './read.js';

const MOST_DEPTH = 100;

/** Returns the value at the key; undefined if it does not exist, or the file cannot be read. Lists are returned as lists of scalars. */
export function readSetting(file: string, format: 'json' | 'toml', key: readonly string[]): unknown {
  const read = readText(file);
  if (!read.ok) return undefined;
  try {
    return format === 'json' ? inJson(readJsonText(read.text, false).value, key) : inToml(read.text, key);
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof TomlError) return undefined;
    throw error;
  }
}

/** Returns why the file cannot be read; null if it can be, or does not exist. */
export function whyUnread(file: string, format: 'json' | 'toml'): string | null {
  const read = readText(file);
  if (!read.ok) return read.code === 'missing' ? null : read.message;
  try {
    if (format === 'toml') inToml(read.text, []);
    else if (read.text.trim() !== '') readJsonText(read.text, false);
    return null;
  } catch (error) {
    if (error instanceof JsonTextError) return error.message;
    if (error instanceof TomlError) return `line ${error.line}: this is not valid TOML`;
    throw error;
  }
}

export function inJson(root: JsonValue, key: readonly string[]): unknown {
  let value: JsonValue | undefined = root;
  for (const name of key) value = isMap(value) ? value.get(name) : undefined;
  if (isMap(value)) return [...value];
  return isList(value) ? value.map((item) => (isMap(item) ? [...item] : item)) : value;
}

function inToml(source: string, key: readonly string[]): unknown {
  let value: unknown = parse(source, { maxDepth: MOST_DEPTH });
  for (const name of key) value = isFields(value) ? own(value, name) : undefined;
  return value;
}
