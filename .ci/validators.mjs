// Compiles schemas/NAME.schema.json to standalone ajv validators, src/generated/validators/NAME.js, each with its declaration.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { moduleOf, root, writeIfChanged } from './files.mjs';

const { DIALECTS } = await moduleOf('src/agent/agent.ts');

const HEAD = '// Generated from schemas/ by .ci/validators.mjs; do not edit.\n';

/** Large files that anybody may have written: all mistakes of one together would not fit into memory. */
const FIRST_ERROR_ONLY = new Set(['audit-report']);

/** Writes src/generated/validators/: the schema `log-record` becomes `validateLogRecord` in log-record.js. */
export async function generateValidators() {
  const schemas = new Map(
    readdirSync('schemas')
      .filter((file) => file.endsWith('.schema.json'))
      .sort()
      .map((file) => [file.slice(0, -'.schema.json'.length), JSON.parse(readFileSync(join('schemas', file), 'utf8'))]),
  );
  const compilers = { all: compiler(schemas, true), first: compiler(schemas, false) };
  const folder = join('src', 'generated', 'validators');
  for (const [name, { $id }] of schemas) {
    const ajv = compilers[FIRST_ERROR_ONLY.has(name) ? 'first' : 'all'];
    const exported = exportOf(name);
    const code = await bundled(standaloneCode.default(ajv, { [exported]: $id }));
    writeIfChanged(join(folder, `${name}.js`), HEAD + madeWhenCalled(code, exported));
    writeIfChanged(
      join(folder, `${name}.d.ts`),
      `${HEAD}import type { Validator } from './validator.js';\nexport declare const ${exported}: Validator;\n`,
    );
  }
  writeIfChanged(join(folder, 'validator.d.ts'), `${HEAD}${TYPES}`);
  writeIfChanged(join(folder, 'agents.ts'), agentValidators(DIALECTS.filter((dialect) => schemas.has(`agent-${dialect}`))));
}

function exportOf(name) {
  return `validate${name.replace(/(?:^|[-.])(\w)/g, (_, letter) => letter.toUpperCase())}`;
}

/** The validators of definitions of agents, by their dialect. */
function agentValidators(dialects) {
  const names = dialects.map((dialect) => `agent-${dialect}`);
  return `${HEAD}${names.map((name) => `import { ${exportOf(name)} } from './${name}.js';`).join('\n')}
import type { Validator } from './validator.js';

export const agentValidators: Readonly<Partial<Record<string, Validator>>> = {
${dialects.map((dialect, at) => `  '${dialect}': ${exportOf(names[at])},`).join('\n')}
};
`;
}

function compiler(schemas, allErrors) {
  const ajv = new Ajv2020.default({
    ...{ strict: true, allowUnionTypes: true, allErrors, verbose: true },
    code: { source: true, esm: true },
  });
  for (const schema of schemas.values()) ajv.addSchema(schema);
  return ajv;
}

const TYPES = `export interface SchemaError {
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
`;

/** A validator holds all of its schema, to name what is wrong: a program that never calls it does not have to make that. */
function madeWhenCalled(code, exported) {
  const end = `export{${exported}};`;
  const body = code.trimEnd();
  if (!body.endsWith(end)) throw new Error(`the validator ${exported} does not end with its export`);
  return `let made;
const make = () => {
${body.slice(0, -end.length)}
return ${exported};
};
export const ${exported} = (value) => {
  made ??= make();
  const isValid = made(value);
  ${exported}.errors = made.errors;
  return isValid;
};
`;
}

/** The code of a validator as plain ESM: ajv's own calls require() for its runtime. */
async function bundled(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}
