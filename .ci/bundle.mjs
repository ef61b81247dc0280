// dist/: the bundles that ship.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { compiledAtOnce, withoutMarks } from './at-once.mjs';
import { moduleOf, root } from './files.mjs';
import { mostlyRan, placesOf, runAlways, runsOf, seldomRan } from './hook-runs.mjs';
import { tellingTexts, textsWithout } from './hook-texts.mjs';
import { modulesFrom, writeBundles, writeTrainingBundle } from './modules.mjs';
import { PACKED, packData } from './rules-pack.mjs';
import { GATE_VALIDATORS, POLICY_VALIDATOR } from './validators.mjs';

const { NODE_OPTIONS } = await moduleOf('src/runner/node-options.ts');

/** Everything is made in a folder of its own and put in place at the end: whoever uses dist/ meanwhile sees a whole one. */
const out = `dist.${process.pid}`;

/** Makes dist/. */
export async function bundle(contents) {
  try {
    await bundleInto(contents);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function bundleInto(contents) {
  mkdirSync(out);
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
    outdir: out,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    banner,
    metafile: true,
    plugins: [nothingFound],
  });
  const hook = await bundleHook(shared, contents);
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licencesOf({ inputs: { ...result.metafile.inputs, ...hook.inputs } }));
  const types = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', '.ci/tsconfig.types.json', '--outDir', join(out, 'types')],
    {
      encoding: 'utf8',
    },
  );
  if (types.status !== 0) throw new Error(`tsc could not write the declarations:\n${types.stdout}`);
  const before = `${out}.old`;
  if (existsSync('dist')) renameSync('dist', before);
  renameSync(out, 'dist');
  rmSync(before, { recursive: true, force: true });
}

/**
 * Keeps yargs, which guesses its program's version, from reading the package.json of the folder that a command is run in: that
 * is a stranger's file, and as a pipe or a link to standard input it would hang the command or eat its input.
 */
const nothingFound = {
  name: 'nothing-found',
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /[\\/]yargs[\\/]lib[\\/]platform-shims[\\/]esm\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replace("import escalade from 'escalade/sync'", '')
        .replace('findUp: escalade', 'findUp: () => undefined');
      if (contents.includes('escalade')) throw new Error(`${path} looks for package.json in another way than it used to`);
      return { contents, loader: 'js' };
    });
  },
};

/** Where the hook takes an import from, when not from the file itself: packed rules, small validators, and parts that start later. */
const STAND_INS = [
  [/src\/generated\/data\.ts$/, PACKED],
  [/src\/generated\/validators\.ts$/, join(root, GATE_VALIDATORS)],
  // The parser and all that reads its tree are a bundle of their own; most lines need neither.
  [/\/parse\/full\.ts$/, join(root, 'src', 'hook', 'parser.ts')],
  // So is what the compiler of the gate rarely needs.
  [/\/(?:policy\/read\/(?:json|toml|yaml)|path\/glob-source|schema-errors)\.ts$/, join(root, 'src', 'hook', 'rare.ts')],
];

/** Lets a bundle take these validators in place of all. */
const validatorsFrom = (file) => ({
  name: 'few-validators',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\/generated\/validators\.js$/ }, () => ({ path: join(root, file) }));
  },
});

/** Lets a bundle take the packed data in place of the module with all texts. */
const packedData = {
  name: 'packed-data',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\/generated\/data\.js$/ }, () => ({ path: PACKED }));
  },
};

/**
 * dist/hook.cjs, which starts the bundles of the hook's modules from their code caches: dist/hook-main.cjs, and those that a call needs
 * besides (.ci/modules.mjs); for lines that only the parser can read dist/hook-parser.cjs; for what making a snapshot rarely needs
 * dist/compile-rare.cjs and dist/compile-errors.cjs; and for the end of a session dist/seal.cjs: CommonJS starts faster than ESM. Beside
 * them dist/train-hook.js, which makes their code caches.
 * Gives what went into them.
 */
async function bundleHook(shared, contents) {
  packData(contents, out);
  const options = { ...shared, format: 'cjs', outdir: out, outExtension: { '.js': '.cjs' }, metafile: true };
  const cached = {
    ...options,
    minify: true,
    // What require() would put around it; src/hook/cached.ts takes it as it stands.
    banner: { js: '(function(exports,require,module,__filename,__dirname){' },
    footer: { js: '})' },
  };
  const results = await Promise.all([
    build({ ...cached, entryPoints: { 'compile-rare': 'src/hook/compile-rare.ts' } }),
    build({
      ...cached,
      entryPoints: { 'compile-errors': 'src/policy/schema-errors.ts' },
      plugins: [validatorsFrom(POLICY_VALIDATOR)],
    }),
    build({ ...cached, entryPoints: { 'hook-parser': 'src/shell/parse/full.ts' }, plugins: [packedData] }),
    build({ ...options, entryPoints: { hook: 'src/hook/loader.ts' } }),
    build({ ...options, entryPoints: { seal: 'src/enforce/change-log.ts' } }),
    build({ ...shared, outdir: out, entryPoints: { 'train-hook': 'src/hook/train.ts' } }),
  ]);
  await startAtOnce(join(out, 'hook.cjs'));
  const entry = join(root, 'src', 'hook', 'entry.ts');
  const modulesOf = (textOf, unions) =>
    modulesFrom(
      entry,
      (file) => STAND_INS.find(([pattern]) => pattern.test(file))?.[1] ?? file,
      join(root, 'src', 'enforce', 'snapshot', 'store.ts'),
      textOf,
      unions,
    );
  const whole = await modulesOf(tellingTexts(), []);
  const { ran: ranInWhole, parts } = trainedRuns(whole);
  const placeInWhole = placesOf(ranInWhole);
  const modules = await modulesOf(
    textsWithout(seldomRan(ranInWhole, whole, placeInWhole), parts),
    runAlways(ranInWhole, whole, placeInWhole, entry),
  );
  const { ran } = trainedRuns(modules);
  const placeOf = placesOf(ran);
  await writeBundles(modules, out, placeOf, mostlyRan(ran, modules, placeOf));
  for (const file of readdirSync(out)) if (file.endsWith('.cjs')) inAscii(file);
  trainHook([]);
  // For this very node, too: an installation makes these where they are missing.
  trainHook(NODE_OPTIONS);
  return { inputs: Object.assign({}, ...results.map(({ metafile }) => metafile?.inputs)) };
}

/** Which functions of the modules typical calls run. */
function trainedRuns(modules) {
  const functions = writeTrainingBundle(modules, out);
  const runs = join(root, 'build', 'module-runs.json');
  trainHook([], '--runs', runs);
  const told = JSON.parse(readFileSync(runs, 'utf8'));
  return { ran: runsOf(functions, told), parts: new Set(told.parts) };
}

/** Nearly every function of dist/hook.cjs runs at each start, and node keeps no code cache of it. */
async function startAtOnce(file) {
  const { code } = await transform(
    compiledAtOnce(readFileSync(file, 'utf8'), () => true),
    { minify: true, format: 'cjs', target: 'node20.19' },
  );
  writeFileSync(file, withoutMarks(code), 'utf8');
}

/**
 * src/hook/cached.ts takes a bundle byte by byte. esbuild writes texts in ASCII, but leaves the literal of a regular expression
 * as it is: such a one would match something else in the hook than in the tests.
 */
function inAscii(file) {
  const text = readFileSync(join(out, file), 'utf8');
  const at = text.search(/[^\0-\x7f]/);
  if (at >= 0) throw new Error(`${file} is not in ASCII, write a \\u for: ${text.slice(Math.max(0, at - 40), at + 20)}`);
}

/** Runs typical calls: writes the code caches of the hook's bundles for this node and these options, or which modules ran. */
function trainHook(options, ...words) {
  const trained = spawnSync(process.execPath, [...options, join(out, 'train-hook.js'), out, out, ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  if (trained.status !== 0) throw new Error(`the code cache of the hook could not be made:\n${trained.stderr}`);
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
