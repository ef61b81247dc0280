/** The published JSON Schemas: named once, complete in the package, and strict. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const BASE = 'https://agent-policy.dev/schemas/';
const names = readdirSync('schemas').sort();
const schemas = new Map(names.map((name) => [name, JSON.parse(readFileSync(join('schemas', name), 'utf8')) as object]));

test('schemas/ holds schemas only, each with an id of its own that ends with its name', () => {
  const ids = [...schemas].map(([name, schema]) => {
    assert.match(name, /^[a-z-]+\.schema\.json$/);
    return [name, Object.getOwnPropertyDescriptor(schema, '$id')?.value];
  });
  assert.equal(
    ids,
    names.map((name) => [name, `${BASE}${name}`]),
  );
  assert.is(new Set(ids.map(([, id]) => id)).size, names.length);
});

/** Every text behind a `$ref` below a value. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

for (const [name, schema] of schemas)
  test(`${name}: refers to what the package holds, and compiles in strict mode`, () => {
    for (const reference of references(schema)) {
      const { href } = new URL(reference, `${BASE}${name}`);
      assert.ok(schemas.has(href.slice(BASE.length).replace(/#.*$/, '')) && href.startsWith(BASE), reference);
    }
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: true });
    for (const one of schemas.values()) ajv.addSchema(one);
    assert.type(ajv.getSchema(`${BASE}${name}`), 'function');
    assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors));
  });

test.run();
