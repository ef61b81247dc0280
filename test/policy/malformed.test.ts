/** Every key of schemas/policy.schema.json, made wrong in every way it can be, in YAML, JSON and TOML. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePolicy } from '../../src/policy/document.js';
import { type Entry, type Page, type Scalar, type Tree, toJson, toToml, toYaml } from './malformed-pages.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly const?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const root: Schema = JSON.parse(readFileSync('schemas/policy.schema.json', 'utf8'));

/** A key of the schema with the way to it; `0` goes into a list, `researcher` into a map with free names. */
interface Slot {
  readonly path: readonly string[];
  readonly schema: Schema;
  /** The keys that stand beside it in the schema; null for a free name. */
  readonly siblings: readonly string[] | null;
}

const slots: Slot[] = [];
collect(resolve(root), []);

for (const { path, schema, siblings } of slots) {
  const name = path.join('.');
  const key = path.at(-1) ?? '';

  test(`${name}: wrong type`, () => {
    const scalar = wrongType(schema);
    each(path, (entry) => replace(entry, { scalar }), {
      code: 'policy/wrong-type',
      says: [allowedWords(schema), String(scalar)],
    });
  });

  if (siblings !== null) {
    test(`${name}: misspelt key`, () => {
      const slip = misspelt(key, siblings);
      each(path, (entry) => rename(entry, slip), {
        code: 'policy/unknown-key',
        says: [`"${slip}"`, `did you mean "${key}"?`, ...siblings],
      });
    });
  }

  test(`${name}: duplicate key`, () => {
    each(path, (entry, beside) => beside.push({ ...entry, mark: 'key' }), { code: 'file/duplicate-key', says: [`"${key}"`] });
  });

  const unknown = unknownValue(schema);
  if (unknown !== null) {
    test(`${name}: unknown value`, () => {
      each(path, (entry) => replace(entry, unknown.value), unknown);
    });
  }
}

test('the walk saw the whole schema', () => {
  assert.ok(slots.length >= 60, `${slots.length} keys`);
});

test.run();

interface Expected {
  readonly code: string;
  readonly says: readonly string[];
}

/** Builds a valid policy around the key, spoils it, writes it in the three formats, and looks for the one expected problem. */
function each(path: readonly string[], spoil: (entry: Entry, beside: Entry[]) => void, { code, says }: Expected): void {
  const formats = { yaml: toYaml, json: toJson, toml: toToml };
  for (const format of ['yaml', 'json', 'toml'] as const) {
    const entries = minimal(resolve(root));
    const { entry, beside } = plant(entries, path);
    spoil(entry, beside);
    const page = formats[format](entries);
    const file = `policy.${format}`;
    const result = parsePolicy(page.text, { file, format, layer: 'user' });
    assert.is(result.document, null, `${format}:\n${page.text}`);
    const found = result.problems.find((problem) => problem.code === code && isAt(problem.source, page));
    const context = `${format}: ${code} at ${page.line}:${page.column}\n${page.text}\n${JSON.stringify(result.problems, null, 1)}`;
    assert.ok(found, context);
    assert.is(found.source.file, file);
    for (const words of says) assert.ok(found.message.includes(words), `"${words}" is not in: ${found.message}`);
    assert.not.match(found.message, /undefined|\[object|\n|Error|\bat .*:\d+:\d+/);
  }
}

function isAt(source: { line: number; column: number }, page: Page): boolean {
  return source.line === page.line && source.column === page.column;
}

function replace(entry: Entry, value: Tree): void {
  entry.value = value;
  if ('scalar' in value) entry.mark = 'value';
}

function rename(entry: Entry, key: string): void {
  entry.key = key;
  entry.mark = 'key';
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : (root.$defs?.[name] ?? {});
}

function collect(schema: Schema, path: readonly string[]): void {
  const names = Object.keys(schema.properties ?? {});
  for (const [key, raw] of Object.entries(schema.properties ?? {})) visit([...path, key], resolve(raw), names);
  if (typeof schema.additionalProperties === 'object') visit([...path, 'researcher'], schema.additionalProperties, null);
}

function visit(path: readonly string[], schema: Schema, siblings: readonly string[] | null): void {
  slots.push({ path, schema, siblings });
  collect(schema, path);
  if (schema.items !== undefined) collect(schema.items, [...path, '0']);
}

/** The required members of a map, and nothing else. */
function minimal(schema: Schema): Entry[] {
  return (schema.required ?? []).map((key) => ({ key, value: valid(resolve(schema.properties?.[key] ?? {})) }));
}

/** The smallest valid value. */
function valid(schema: Schema): Tree {
  if (schema.const !== undefined) return { scalar: schema.const };
  if (schema.enum !== undefined) return { scalar: schema.enum[0] ?? '' };
  switch (kindOf(schema)) {
    case 'integer':
      return { scalar: 7 };
    case 'boolean':
      return { scalar: true };
    case 'array':
      return { list: [] };
    case 'object':
      return { map: minimal(schema) };
    default:
      return { scalar: schema.pattern === undefined ? 'Read' : '2026-01-31' };
  }
}

/** Puts the key at `path` into the tree, with everything that has to stand around it. */
function plant(entries: Entry[], path: readonly string[]): { entry: Entry; beside: Entry[] } {
  let schema = resolve(root);
  let beside = entries;
  let entry: Entry | undefined;
  for (const name of path) {
    if (name === '0') {
      schema = schema.items ?? {};
      const item = { map: minimal(schema) };
      if (entry) entry.value = { list: [{ value: item }] };
      beside = item.map;
      continue;
    }
    if (entry && 'map' in entry.value) beside = entry.value.map;
    schema = resolve(
      schema.properties?.[name] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}),
    );
    entry = beside.find((one) => one.key === name);
    if (entry === undefined) {
      entry = { key: name, value: valid(schema) };
      beside.push(entry);
    }
  }
  if (entry === undefined) throw new Error('a path has at least one key');
  return { entry, beside };
}

function kindOf(schema: Schema): string {
  return typeof schema.type === 'string' ? schema.type : 'string';
}

function wrongType(schema: Schema): Scalar {
  return kindOf(schema) === 'string' ? 5 : 'Zebra';
}

/** Words that a sentence about this value has to hold. */
function allowedWords(schema: Schema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (schema.pattern !== undefined) return 'a date like';
  const words: Readonly<Record<string, string>> = {
    integer: 'a whole number from',
    boolean: 'true or false',
    array: 'a list in which each entry is',
    object: Object.keys(schema.properties ?? { 'a map': 1 }).join(', '),
    string: 'a text',
  };
  return words[kindOf(schema)] ?? '';
}

/** Two letters swapped, or the last one doubled when that gives another known key. */
function misspelt(key: string, siblings: readonly string[]): string {
  for (let at = key.length - 2; at > 0; at--) {
    const swapped = `${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`;
    if (swapped !== key && !siblings.includes(swapped)) return swapped;
  }
  return `${key}${key.at(-1)}`;
}

/** A value of the right type that is not allowed, with what has to be said about it. */
function unknownValue(schema: Schema): (Expected & { readonly value: Tree }) | null {
  if (schema.const !== undefined) return { value: { scalar: 0 }, code: 'policy/bad-value', says: ['it has to be 1'] };
  if (schema.enum !== undefined) {
    const first = schema.enum[0] ?? '';
    return {
      value: { scalar: `${first}x` },
      code: 'policy/unknown-value',
      says: [...schema.enum, `"${first}x"`, `did you mean "${first}"?`],
    };
  }
  switch (kindOf(schema)) {
    case 'integer':
      return { value: { scalar: (schema.minimum ?? 0) - 1 }, code: 'policy/bad-value', says: ['a whole number from'] };
    case 'array':
      return {
        value: { list: [{ value: valid(schema.items ?? {}) }, { value: { scalar: 5 }, mark: 'value' }] },
        code: 'policy/wrong-type',
        says: ['[1]', 'the number 5'],
      };
    case 'string':
      if (schema.pattern !== undefined)
        return { value: { scalar: 'yesterday' }, code: 'policy/bad-value', says: ['a date like'] };
      if (schema.minLength !== undefined) return { value: { scalar: '' }, code: 'policy/bad-value', says: ['a text of 1 to'] };
      return null;
    default:
      return null;
  }
}
