// dist/: the bundles that ship, made by esbuild from the sources as they stand.
//   index.js                       the library (ESM)
//   cli/policy.cjs                 what bin/policy.js starts; it loads the next one from V8's code cache
//   cli/policy-main.cjs            the command line
//   cli/policy-lint.cjs            the same with no other command than lint
//   cli/train-cli.js               makes their code caches; policy-main has a second one, policy-run, for that command
//   hook.cjs                       what an installed line starts; it loads the four below from V8's code cache
//   hook-main.cjs                  the hook
//   gateway.cjs, gateway-main.cjs  `policy mcp gateway`, started in the same way
//   gateway-judge.cjs              what decides the calls, loaded while the server starts
//   gateway-validator.cjs          what checks arguments by the schemas of tools
//   hook-parser.cjs                the shell parser and what reads its tree, for lines that are not plain
//   hook-python.cjs                the reader of Python programs that stand in a line
//   hook-powershell.cjs            the reader of lines of PowerShell
//   compile.cjs                    makes a snapshot of the policy, when there is none
//   seal.cjs                       seals the decision log, at the end of a session
//   train-hook.js                  makes the code caches
//   rules.pack                     the data of rules/, of which a call needs a few entries
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { moduleOf, root, sourceDigest } from './files.mjs';
import { PACKED, packData } from './rules-pack.mjs';

const { NODE_OPTIONS } = await moduleOf('src/runner/hook/node-options.ts');

/** Everything is made in a folder of its own and put in place at the end, so that dist/ is always whole. */
const out = `dist.${process.pid}`;

/** Makes dist/. */
export async function bundle(contents) {
  mkdirSync(out);
  // It takes as long as all the rest, on another processor.
  const declarations = writeDeclarations();
  try {
    packData(contents, out);
    const inputs = { ...(await bundleLibrary()), ...(await bundleHook()), ...(await bundleCommandLine()) };
    writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licencesOf(inputs));
    // The caches that ship, and those for this very node: an installation makes the latter where they are missing.
    for (const options of [[], NODE_OPTIONS]) makeCodeCaches([...options, join(out, 'train-hook.js'), out, out]);
    for (const cache of ['policy-main', 'policy-lint', 'policy-run', 'gateway-main'])
      makeCodeCaches([join(out, 'cli', 'train-cli.js'), join(out, 'cli'), cache]);
    await declarations;
    putInPlace();
  } finally {
    await declarations.catch(() => {});
    rmSync(out, { recursive: true, force: true });
  }
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  // jsonc-parser's `main` is UMD with a require() that no bundler follows; its `module` is plain ESM.
  mainFields: ['module', 'main'],
  outdir: out,
  minifySyntax: true,
  logLevel: 'warning',
  legalComments: 'external',
  metafile: true,
};

// Some bundled packages are CommonJS and call require() for node's own modules.
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The library; gives the files that went into it. */
async function bundleLibrary() {
  const { metafile } = await build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    banner: { js: REQUIRE },
  });
  return metafile.inputs;
}

/** Programs as CommonJS, which starts faster than ESM. */
const commonJs = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' }, minify: true };

/**
 * A function expression, as src/hook/cached.ts takes it: what require() would put around a file stands in it.
 * @param begin what stands before the program
 */
const cachedIn = (folder, begin = '') => ({
  ...commonJs,
  banner: { js: `(function(exports,require,module,__filename,__dirname){${begin}` },
  footer: { js: `;module.exports.build=${JSON.stringify(sourceDigest())}})` },
  define: { PACK_FOLDER: JSON.stringify(folder) },
});

/** The command line, in a folder of its own: installed hooks have no copy of it. Gives the files that went into it. */
async function bundleCommandLine() {
  const outdir = join(out, 'cli');
  const cached = cachedIn('..', "const moduleUrl=require('node:url').pathToFileURL(__filename).href;");
  const commandLine = (name, plugins) =>
    build({
      ...cached,
      outdir,
      entryPoints: { [name]: 'src/cli/main.ts' },
      define: { ...cached.define, 'import.meta.url': 'moduleUrl' },
      plugins: [packedData, withoutVersionGuess, withoutColorGuess, ...plugins],
    });
  const results = await Promise.all([
    build({ ...commonJs, outdir, entryPoints: { policy: 'src/cli/start/loader.ts' } }),
    commandLine('policy-main', []),
    commandLine('policy-lint', [onlyLint]),
    build({ ...shared, outdir, entryPoints: { 'train-cli': 'src/cli/start/train.ts' } }),
  ]);
  for (const file of readdirSync(outdir)) if (file.endsWith('.cjs')) checkAscii(join('cli', file));
  return Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
}

/** The bundles of the hook. Gives the files that went into them. */
async function bundleHook() {
  const cached = cachedIn('.');
  const results = await Promise.all([
    build({ ...commonJs, entryPoints: { hook: 'src/hook/loader.ts' } }),
    build({
      ...cached,
      entryPoints: { 'hook-main': 'src/hook/entry.ts' },
      plugins: [packedData, parserApart, pythonApart, powershellApart],
    }),
    build({ ...commonJs, entryPoints: { gateway: 'src/gateway/start/loader.ts' } }),
    build({
      ...cached,
      entryPoints: { 'gateway-main': 'src/gateway/start/entry.ts' },
      plugins: [judgeApart, validatorApart],
    }),
    build({
      ...cached,
      entryPoints: { 'gateway-judge': 'src/gateway/start/judging.ts' },
      plugins: [packedData, parserApart, pythonApart, powershellApart, validatorApart],
    }),
    build({ ...cached, entryPoints: { 'gateway-validator': 'src/gateway/session/validator.ts' } }),
    build({ ...cached, entryPoints: { 'hook-parser': 'src/shell/parse/full.ts' }, plugins: [packedData] }),
    build({ ...cached, entryPoints: { 'hook-python': 'src/command/languages/python-program.ts' }, plugins: [packedData] }),
    build({ ...cached, entryPoints: { 'hook-powershell': 'src/command/powershell/posix.ts' } }),
    build({ ...cached, entryPoints: { compile: 'src/enforce/snapshot/store.ts' }, plugins: [packedData] }),
    build({ ...commonJs, entryPoints: { seal: 'src/enforce/change-log.ts' } }),
    build({ ...shared, entryPoints: { 'train-hook': 'src/hook/train.ts' } }),
  ]);
  for (const file of readdirSync(out)) if (file.endsWith('.cjs')) checkAscii(file);
  return Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
}

/** The programs read the data of rules/ from rules.pack, where the library has all of it in memory. */
const packedData = replacing('packed-data', /src\/generated\/data\.ts$/, PACKED);

/** The hook loads the shell parser when the first line needs it. */
const parserApart = replacing('parser-apart', /src\/shell\/parse\/full\.ts$/, join(root, 'src', 'hook', 'parser.ts'));

/** And the reader of Python when the first program in a line does. */
const pythonApart = replacing(
  'python-apart',
  /src\/command\/languages\/python-program\.ts$/,
  join(root, 'src', 'hook', 'python.ts'),
);

/** And the reader of PowerShell when a runner has that tool. */
const powershellApart = replacing(
  'powershell-apart',
  /src\/command\/powershell\/posix\.ts$/,
  join(root, 'src', 'hook', 'powershell.ts'),
);

/** The gateway loads what decides while its server starts. */
const judgeApart = replacing('judge-apart', /src\/gateway\/judge\.ts$/, join(root, 'src', 'gateway', 'start', 'judge-apart.ts'));

/** And it loads ajv when the first tool with a schema is called. */
const validatorApart = replacing(
  'validator-apart',
  /src\/gateway\/session\/validator\.ts$/,
  join(root, 'src', 'gateway', 'session', 'validator-apart.ts'),
);

/** Takes another file in place of one of src/. */
function replacing(name, original, replacement) {
  return {
    name,
    setup(plugin) {
      plugin.onResolve({ filter: /^\.{1,2}\/.*\.js$/ }, ({ path, resolveDir }) =>
        original.test(join(resolveDir, path.replace(/\.js$/, '.ts'))) ? { path: replacement } : undefined,
      );
    },
  };
}

/**
 * Keeps yargs, which guesses its program's version, from reading the package.json of the folder that a command is run in: that
 * is a stranger's file, and as a pipe or a link to standard input it would hang the command or eat its input.
 */
const withoutVersionGuess = {
  name: 'without-version-guess',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]yargs[\\/]lib[\\/]platform-shims[\\/]esm\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text
        .replace("import escalade from 'escalade/sync'", '')
        .replace('findUp: escalade', 'findUp: () => undefined');
      if (contents.includes('escalade')) throw new Error(`${path} looks for package.json in another way than it used to`);
      return { contents: withoutLayout(contents, path), loader: 'js' };
    });
  },
};

/** `policy lint` is started for every commit: half of the command line would be loaded for nothing. */
const onlyLint = {
  name: 'only-lint',
  setup(plugin) {
    plugin.onResolve({ filter: /^\.\/commands\/.*\.js$/ }, ({ path, importer }) =>
      importer.endsWith(join('src', 'cli', 'commands.ts')) && path !== './commands/lint.js'
        ? { path, namespace: 'other-command' }
        : undefined,
    );
    plugin.onLoad({ filter: /./, namespace: 'other-command' }, () => ({ contents: '' }));
  },
};

/** What has colour is said to chalk each time (src/report); to guess that at its start takes longer than all of its work. */
const withoutColorGuess = {
  name: 'without-color-guess',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]chalk[\\/]source[\\/]vendor[\\/]supports-color[\\/]index\.js$/ }, () => ({
      contents: 'export default { stdout: false, stderr: false };',
      loader: 'js',
    }));
  },
};

/**
 * Help is laid out by src/cli/words/help-text.ts; what yargs would do it with makes tables of all of Unicode when it is loaded, an eighth of
 * the time of a check.
 */
function withoutLayout(text, path) {
  let contents = text;
  for (const [name, from] of [
    ['cliui', 'cliui'],
    ['stringWidth', 'string-width'],
  ]) {
    const line = `import ${name} from '${from}'`;
    if (!contents.includes(line)) throw new Error(`${path} lays out help in another way than it used to`);
    contents = contents.replace(line, `const ${name} = () => { throw new Error('yargs prints no help') }`);
  }
  return contents;
}

/**
 * src/hook/cached.ts takes a bundle byte by byte. esbuild writes texts in ASCII, but leaves the literal of a regular expression
 * as it is: such a one would match something else in the hook than in the tests.
 */
function checkAscii(file) {
  const text = readFileSync(join(out, file), 'utf8');
  const at = text.search(/[^\0-\x7f]/);
  if (at >= 0) throw new Error(`${file} is not in ASCII, write a \\u for: ${text.slice(Math.max(0, at - 40), at + 20)}`);
}

function writeDeclarations() {
  // `npm run typecheck` checks; to do it here, too, would take three times as long.
  const words = ['node_modules/typescript/bin/tsc', '-p', '.ci/tsconfig.types.json', '--noCheck', '--outDir', join(out, 'types')];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      printed += part;
    });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`tsc could not write the declarations:\n${printed}`)),
    );
  });
}

/** Lets a program answer typical calls, and writes V8's code caches for this node under the options among the words. */
function makeCodeCaches(words) {
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  if (status !== 0) throw new Error(`node ${words.join(' ')} could not make a code cache:\n${stderr}`);
}

function putInPlace() {
  const before = `${out}.old`;
  if (existsSync('dist')) renameSync('dist', before);
  renameSync(out, 'dist');
  rmSync(before, { recursive: true, force: true });
}

/** The licence texts of every package that esbuild put into a bundle. */
function licencesOf(inputs) {
  const folders = new Set();
  for (const input of Object.keys(inputs)) {
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
