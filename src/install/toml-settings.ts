/** Our own settings in TOML: a block before the first table and one at the end, each between two comments. */
import { isFields, own } from '../call/fields.js';
import type { WrittenSetting } from '../runner/hook/runner.js';
import { breakOf, inLines, readToml, TomlTextError, withoutBlocks } from './toml-hooks.js';

const BEGIN = '# policy sandbox: begin (`policy uninstall` removes it)';
const END = '# policy sandbox: end';

/** Returns the text with the settings, and none of our older ones. Throws TomlTextError if one of them already exists. */
export function withTomlSettings(source: string, settings: readonly WrittenSetting[]): string {
  const rest = withoutTomlSettings(source);
  const data = readToml(rest);
  const taken = settings.find(({ key }) => valueAt(data, key.slice(0, 2)) !== undefined);
  if (taken !== undefined) throw new TomlTextError(`its ${taken.key.slice(0, 2).join('.')} is set already; remove it first`);
  const lineBreak = breakOf(rest);
  const [plain, tables] = [settings.filter(({ key }) => key.length === 1), settings.filter(({ key }) => key.length > 1)];
  const gap = rest === '' ? '' : rest.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
  const head = inLines([BEGIN, ...plain.map(lineOf), END], lineBreak);
  const text = head + rest + gap + inLines([BEGIN, ...tableLines(tables), END], lineBreak);
  const [now, left] = [readToml(text), readToml(withoutTomlSettings(text))];
  if (JSON.stringify(left) !== JSON.stringify(data) || settings.some(({ key, value }) => valueAt(now, key) !== value))
    throw new TomlTextError('it is written in a way that cannot be added to safely');
  return text;
}

/** Returns the text without the blocks. Throws TomlTextError if the end of one is missing. */
export function withoutTomlSettings(source: string): string {
  return withoutBlocks(source, BEGIN, END);
}

function tableLines(settings: readonly WrittenSetting[]): readonly string[] {
  let table = '';
  return settings.flatMap((one) => {
    const head = `[${one.key.slice(0, -1).map(nameOf).join('.')}]`;
    const isNew = head !== table;
    table = head;
    return isNew ? [head, lineOf(one)] : [lineOf(one)];
  });
}

function lineOf({ key, value }: WrittenSetting): string {
  return `${nameOf(key.at(-1) ?? '')} = ${JSON.stringify(value)}`;
}

function nameOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Returns the value of a setting, ours or not; undefined if there is none. Throws TomlTextError. */
export function tomlSetting(source: string, key: readonly string[]): unknown {
  return valueAt(readToml(source), key);
}

function valueAt(root: unknown, key: readonly string[]): unknown {
  return key.reduce((value: unknown, name) => (isFields(value) ? own(value, name) : undefined), root);
}
