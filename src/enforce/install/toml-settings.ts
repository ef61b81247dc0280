/** Settings of our own in TOML: a block before the first table and one at the end, each between two comments. */
import { parse, TomlError } from 'smol-toml';
import { isFields, own } from '../../runner/payload.js';
import type { WrittenSetting } from '../../runner/runner.js';
import { breakOf, cut, inLines, TomlTextError } from './toml-hooks.js';

const BEGIN = '# policy sandbox: begin (`policy uninstall` removes it)';
const END = '# policy sandbox: end';
const MOST_DEPTH = 100;

export function hasTomlSettings(source: string): boolean {
  return source.includes(BEGIN);
}

/** The text with the settings, and no older ones of ours. Throws TomlTextError where one of them is there already. */
export function withTomlSettings(source: string, settings: readonly WrittenSetting[]): string {
  const rest = withoutTomlSettings(source);
  const data = read(rest);
  const taken = settings.find(({ key }) => valueAt(data, key.slice(0, 2)) !== undefined);
  if (taken !== undefined) throw new TomlTextError(`its ${taken.key.slice(0, 2).join('.')} is set already; remove it first`);
  const lineBreak = breakOf(rest);
  const [plain, tables] = [settings.filter(({ key }) => key.length === 1), settings.filter(({ key }) => key.length > 1)];
  const gap = rest === '' ? '' : rest.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
  const head = inLines([BEGIN, ...plain.map(lineOf), END], lineBreak);
  const text = head + rest + gap + inLines([BEGIN, ...tableLines(tables), END], lineBreak);
  if (
    JSON.stringify(read(withoutTomlSettings(text))) !== JSON.stringify(data) ||
    !settings.every(({ key, value }) => tomlSetting(text, key) === value)
  )
    throw new TomlTextError('it is written in a way that cannot be added to safely');
  return text;
}

/** The text without the blocks. Throws TomlTextError when the end of one is missing. */
export function withoutTomlSettings(source: string): string {
  const lineBreak = breakOf(source);
  let text = source;
  for (let from = text.indexOf(BEGIN); from >= 0; from = text.indexOf(BEGIN)) {
    const end = text.indexOf(END, from);
    if (end < 0) throw new TomlTextError(`the line "${END}" is missing; remove the block above it by hand`);
    text = cut(text, from, end + END.length, lineBreak);
  }
  return text;
}

/** Each table with its head. */
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

/** The value of a setting, ours or not; undefined where there is none. Throws TomlTextError. */
export function tomlSetting(source: string, key: readonly string[]): unknown {
  return valueAt(read(source), key);
}

function valueAt(root: unknown, key: readonly string[]): unknown {
  return key.reduce((value: unknown, name) => (isFields(value) ? own(value, name) : undefined), root);
}

function read(source: string): unknown {
  try {
    return parse(source, { maxDepth: MOST_DEPTH });
  } catch (error) {
    if (error instanceof TomlError) throw new TomlTextError(`line ${error.line}: this is not valid TOML`);
    throw error;
  }
}
