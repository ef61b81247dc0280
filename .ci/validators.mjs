// Compiles schemas/*.schema.json to standalone ajv validators: src/generated/validators.js with its declarations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

/** What the hook has to check when it compiles. Whether a value is in order is all that these tell, with a fourth of the code. */
const IN_THE_GATE = ['validatePolicy', 'validateTrustRecord'];
/** Their file; only the bundler reads it. */
export const GATE_VALIDATORS = join('build', 'gate-validators.mjs');
/** The validator of policies that says what is wrong, for when something is; only the bundler reads it. */
export const POLICY_VALIDATOR = join('build', 'policy-validator.mjs');

/** Writes src/generated/validators.js; each schema `name.schema.json` becomes the export `validateName`. */
export async function generateValidators(root, write) {
  const folder = join(root, 'schemas');
  const shared = { strict: true, allowUnionTypes: true, code: { source: true, esm: true } };
  const ajv = new Ajv2020.default({ ...shared, allErrors: true, verbose: true });
  const terse = new Ajv2020.default({ ...shared, messages: false });
  const exportsByName = {};
  const schemas = {};
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.schema.json'))
    .sort()) {
    const schema = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    ajv.addSchema(schema);
    terse.addSchema(withoutWords(schema));
    const name = file.replace('.schema.json', '').replace(/(^|[-.])(\w)/g, (_, __, letter) => letter.toUpperCase());
    exportsByName[`validate${name}`] = schema.$id;
    schemas[`schema${name}`] = schema;
  }
  write(join(root, 'src/generated/validators.js'), await standalone(root, ajv, exportsByName));
  const few = Object.fromEntries(IN_THE_GATE.map((name) => [name, exportsByName[name]]));
  write(join(root, GATE_VALIDATORS), await standalone(root, terse, few, (code) => quickLengths(withoutErrors(code))));
  const { validatePolicy } = exportsByName;
  write(join(root, POLICY_VALIDATOR), await standalone(root, ajv, { validatePolicy }));
  write(
    join(root, 'src/generated/validators.d.ts'),
    `// Generated from schemas/ by .ci/validators.mjs; do not edit.
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly schema?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}
${Object.keys(exportsByName)
  .map((name) => `export declare const ${name}: Validator;`)
  .join('\n')}
`,
  );
}

/** A schema without the texts that are for people; a property of such a name is no text. */
function withoutWords(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutWords);
  const isWords = ([key, value]) => (key === 'title' || key === 'description') && typeof value === 'string';
  return Object.fromEntries(
    Object.entries(schema)
      .filter((entry) => !isWords(entry))
      .map(([key, value]) => [key, withoutWords(value)]),
  );
}

/** The code of a validator with a bare zero for every error object; errors are still counted, and the verdict is the same. */
function withoutErrors(code) {
  const error = /\{instancePath(?::[^{}]*?)?,schemaPath:"[^"]*",keyword:"[^"]*",params:\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\}\}/g;
  const bare = code.replace(error, '0');
  if (bare.includes('schemaPath')) throw new Error('ajv writes errors in another way than it used to');
  return bare;
}

/**
 * The code of a validator that counts characters only where the units of a text do not tell already: counting is a loop, and nearly
 * all texts are shorter than they may be in units, too.
 */
function quickLengths(code) {
  const [, count] = /const (func\d+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default/.exec(code) ?? [];
  if (count === undefined) throw new Error('ajv counts characters in another way than it used to');
  return code
    .replace(new RegExp(`if\\(${count}\\((\\w+)\\) > (\\d+)\\)`, 'g'), `if($1.length > $2 && ${count}($1) > $2)`)
    .replace(new RegExp(`if\\(${count}\\((\\w+)\\) < 1\\)`, 'g'), 'if($1.length < 1)');
}

/** The code of validators as plain ESM: ajv's own calls require() for its runtime. `change` is applied to ajv's code. */
async function standalone(root, ajv, exportsByName, change = (code) => code) {
  const bundled = await build({
    stdin: { contents: change(standaloneCode.default(ajv, exportsByName)), resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return bundled.outputFiles[0].text;
}
