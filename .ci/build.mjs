// Builds the project. Steps, in order:
//   1. src/generated/   what `rules/` and `schemas/` say, as modules (data and standalone ajv validators)
//   2. build/           every TypeScript file of src/ and test/, transpiled one by one, for the tests
//   3. dist/            (with --dist) the bundles that ship: policy.mjs (CLI), index.js (library), types/
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { load } from 'js-yaml';
import { generateValidators } from './validators.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

/** All files below `folder` whose name passes `wanted`, sorted, as paths relative to the root. */
function filesBelow(folder, wanted) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => join(relative(root, entry.parentPath), entry.name))
    .sort();
}

/** Writes only when the text differs, and in one step, so that parallel builds and watchers see whole files. */
function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** rules/**.yaml → one module of lazily parsed JSON, keyed by path below rules/ without its ending. */
function generateData() {
  const entries = filesBelow(join(root, 'rules'), (name) => name.endsWith('.yaml')).map((file) => {
    const key = relative('rules', file)
      .replaceAll('\\', '/')
      .replace(/\.yaml$/, '');
    const data = load(readFileSync(file, 'utf8'), { filename: file, maxDepth: 50, maxAliases: 20 });
    return `  ${JSON.stringify(key)}: ${JSON.stringify(JSON.stringify(data))},`;
  });
  writeIfChanged(
    'src/generated/data.ts',
    `// Generated from rules/ by .ci/build.mjs; do not edit.
const texts: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
const parsed = new Map<string, unknown>();

/** Names of the data files, e.g. \`commands/git\`. */
export const dataNames: readonly string[] = Object.keys(texts);

/** The content of one data file of rules/; undefined when there is none of that name. Parsed once. */
export function data(name: string): unknown {
  if (!parsed.has(name)) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    parsed.set(name, text === undefined ? undefined : JSON.parse(text));
  }
  return parsed.get(name);
}
`,
  );
}

/** src and test → build/, file by file, skipping what is newer already. */
async function transpile() {
  const sources = [...filesBelow(join(root, 'src'), isSource), ...filesBelow(join(root, 'test'), isSource)].filter(
    (file) => !file.startsWith(join('test', 'fixtures')),
  );
  for (const file of sources) {
    const target = join('build', file.replace(/\.ts$/, '.js'));
    if (existsSync(target) && statSync(target).mtimeMs > statSync(file).mtimeMs) continue;
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.ts')) {
      const { code } = await transform(text, {
        loader: 'ts',
        format: 'esm',
        target: 'node20',
        sourcefile: file,
        sourcemap: 'inline',
      });
      writeIfChanged(target, code);
    } else writeIfChanged(target, text);
  }
  const wanted = new Set(sources.map((file) => join('build', file.replace(/\.ts$/, '.js'))));
  for (const stale of filesBelow(join(root, 'build'), (name) => name.endsWith('.js')))
    if (!wanted.has(stale)) rmSync(stale, { force: true });
}

const isSource = (name) => (name.endsWith('.ts') && !name.endsWith('.d.ts')) || name.endsWith('.js');

async function bundle() {
  rmSync('dist', { recursive: true, force: true });
  const shared = {
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    // jsonc-parser's `main` is UMD with a require() that no bundler follows; its `module` is plain ESM.
    mainFields: ['module', 'main'],
    minifySyntax: true,
    logLevel: 'warning',
    legalComments: 'external',
  };
  // Some bundled packages are CommonJS and call require() for node's own modules.
  const banner = {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  };
  const result = await build({
    ...shared,
    entryPoints: { policy: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    banner,
    metafile: true,
  });
  writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licencesOf(result.metafile));
  const types = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.ci/tsconfig.types.json'], {
    encoding: 'utf8',
  });
  if (types.status !== 0) throw new Error(`tsc could not write the declarations:\n${types.stdout}`);
}

/** The licence texts of every package that esbuild put into a bundle. */
function licencesOf(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) folders.add(match[1]);
  }
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const text = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
      return `${name} ${version} (${license})\n\n${text ? readFileSync(join(folder, text), 'utf8') : ''}`;
    })
    .join(`\n${'-'.repeat(80)}\n`);
}

generateData();
await generateValidators(root, writeIfChanged);
await transpile();
if (process.argv.includes('--dist')) await bundle();
