// Compiles schemas/*.schema.json to standalone ajv validators: src/generated/validators.js with its declarations.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';

/** What the hook has to check when it compiles; it does not load the others, which are most of the code. */
const IN_THE_GATE = ['validatePolicy', 'validateTrustRecord'];
/** Their file; only the bundler reads it. */
export const GATE_VALIDATORS = join('build', 'gate-validators.mjs');

/** Writes src/generated/validators.js; each schema `name.schema.json` becomes the export `validateName`. */
export async function generateValidators(root, write) {
  const folder = join(root, 'schemas');
  const ajv = new Ajv2020.default({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    code: { source: true, esm: true },
  });
  const exportsByName = {};
  const schemas = {};
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.schema.json'))
    .sort()) {
    const schema = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    ajv.addSchema(schema);
    const name = file.replace('.schema.json', '').replace(/(^|[-.])(\w)/g, (_, __, letter) => letter.toUpperCase());
    exportsByName[`validate${name}`] = schema.$id;
    schemas[`schema${name}`] = schema;
  }
  write(join(root, 'src/generated/validators.js'), await standalone(root, ajv, exportsByName));
  const few = Object.fromEntries(IN_THE_GATE.map((name) => [name, exportsByName[name]]));
  write(join(root, GATE_VALIDATORS), await standalone(root, ajv, few));
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

/** The code of validators as plain ESM: ajv's own calls require() for its runtime. */
async function standalone(root, ajv, exportsByName) {
  const bundled = await build({
    stdin: { contents: standaloneCode.default(ajv, exportsByName), resolveDir: root, loader: 'js' },
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
