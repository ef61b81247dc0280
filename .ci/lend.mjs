// How the bundles of the hook share what they need. dist/hook-main.cjs holds what every call needs; modules that only some calls
// need lie in bundles of their own (LATER), which functions of the same names in the first start when they are called. What such a
// bundle, or dist/compile.cjs, needs of modules that the first one holds too, it asks for by name: they are warm there already.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** The bundles that are started later, each with the modules that lead into it. These may export nothing but functions. */
export const LATER = {
  /** What only a command line needs. */
  'hook-shell': [
    'src/shell/read.ts',
    'src/command/tree.ts',
    'src/command/found-names.ts',
    'src/decide/shell-line.ts',
    'src/decide/command-references.ts',
    'src/decide/command-facts.ts',
    'src/enforce/git-facts.ts',
  ],
  /** What few calls need: those of MCP tools and of agents, budgets, patches, sessions whose line names no project. */
  'hook-seldom': [
    'src/agent/allowlist.ts',
    'src/call/input-text.ts',
    'src/call/mcp-subjects.ts',
    'src/call/patch.ts',
    'src/enforce/session-project.ts',
    'src/run/admission.ts',
    'src/run/forget-old.ts',
    'src/run/lifecycle.ts',
    'src/run/moment.ts',
    'src/run/overlap.ts',
    'src/run/process-identity.ts',
    'src/run/run-event.ts',
    'src/run/spent-calls.ts',
    'src/run/spent-tokens.ts',
    'src/run/stale.ts',
    'src/secret/values.ts',
  ],
};

/** The table of all that is lent, which the hook's bundle takes in place of src/cli/hook-lent.ts. */
const LENT = join('build', 'lent.ts');

/** Lets the hook's bundle take the table. */
const lentTable = {
  name: 'lent-table',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\/hook-lent\.js$/ }, () => ({ path: join(process.cwd(), LENT) }));
  },
};

/**
 * Builds the hook's bundle, those that it starts later, and others that borrow from it. Gives esbuild's results by name.
 * @param hook esbuild's options of the hook's bundle
 * @param later those that all of LATER have in common
 * @param others those of other borrowers, by name
 */
export async function buildHook(hook, later, others) {
  mkdirSync('build', { recursive: true });
  writeTable([]);
  const exported = await exportsOf(Object.values(LATER).flat());
  const borrowers = { ...others };
  for (const [bundle, files] of Object.entries(LATER)) {
    const entry = join('build', `${bundle}.ts`);
    writeFileSync(entry, entryOf(new Map(files.map((file) => [file, exported.get(file)]))));
    borrowers[bundle] = { ...later, entryPoints: { [bundle]: entry }, logOverride: { 'commonjs-variable-in-esm': 'silent' } };
  }
  const withStandIns = (options, own) => ({ ...options, plugins: [...options.plugins, standIns(exported, own)] });
  const lender = withStandIns({ ...hook, plugins: [...hook.plugins, lentTable] });
  const held = await namesOf(await filesIn(lender));
  const results = {};
  const asked = new Set();
  for (const [name, options] of Object.entries(borrowers)) {
    const own = LATER[name] ?? [];
    const whole = withStandIns(options, own);
    const lendable = new Map([...held].filter(([file]) => !own.includes(file)));
    results[name] = await build({ ...whole, plugins: [borrowing(lendable), ...whole.plugins] });
    const [file] = bundleOf(results[name].metafile);
    const text = readFileSync(file, 'latin1');
    writeFileSync(file, besideNursery(text), 'latin1');
    for (const [, lent] of text.matchAll(/\blent\("([^"]+)"\)/g)) asked.add(lent);
  }
  writeTable([...held.values()].flat().filter(({ name }) => asked.has(name)));
  onceEach(results, held);
  results.hook = await build(lender);
  return results;
}

/**
 * V8 has its longer texts lie beside the nursery, in which a text that is a little shorter takes an eighth of the room: a call then
 * collects garbage before it ends, which costs more than all of these blanks.
 */
function besideNursery(text) {
  return text.length > LONG_TEXT / 2 ? text.padEnd(LONG_TEXT) : text;
}

/** Above V8's limit of 128 KiB for an object in the nursery. */
const LONG_TEXT = 129 * 1024;

/** The entry of a bundle that gives these exports, as plain members: getters, as esbuild would make them, are dearer. */
function entryOf(exported) {
  const imports = [...exported].map(
    ([file, names]) => `import { ${names.join(', ')} } from '../${file.replace(/\.ts$/, '.js')}';\n`,
  );
  return `${imports.join('')}module.exports = { __proto__: null, ${[...exported.values()].flat().join(', ')} };\n`;
}

/** Throws where a module that the hook's bundle does not hold lies in two others: its classes and symbols would be two. */
function onceEach(borrowers, held) {
  const home = new Map();
  for (const [name, { metafile }] of Object.entries(borrowers))
    for (const file of codeIn(metafile)) {
      if (held.has(file)) continue;
      if (home.has(file)) throw new Error(`${file} would lie in ${home.get(file)} and in ${name}: let the hook's bundle hold it`);
      home.set(file, name);
    }
}

/** The files that leave code in a bundle, relative to the root. */
async function filesIn(options) {
  const { metafile } = await build({ ...options, write: false });
  return codeIn(metafile);
}

function codeIn(metafile) {
  const [, { inputs }] = bundleOf(metafile);
  return Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0 && file !== LENT);
}

/** Path and contents of the one bundle; licences may lie beside it. */
function bundleOf(metafile) {
  return Object.entries(metafile.outputs).find(([path]) => path.endsWith('.cjs'));
}

/** The names that files export: file → names. */
async function exportsOf(files) {
  const { metafile } = await build({
    entryPoints: files,
    format: 'esm',
    outdir: 'build',
    outbase: '.',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** Every export of the files, under a name that no other has: file → exports. */
async function namesOf(files) {
  const byFile = new Map();
  const taken = new Set();
  for (const [file, names] of await exportsOf(files)) {
    const named = names.map((as) => ({ file, as, name: taken.has(as) ? `${as} of ${file}` : as }));
    for (const { name } of named) taken.add(name);
    byFile.set(file, named);
  }
  return byFile;
}

/** Puts a module of borrowed names in the place of every one that can be lent; names that nobody uses fall away as pure calls. */
function borrowing(lendable) {
  return {
    name: 'borrowing',
    setup(pluginBuild) {
      pluginBuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const names = lendable.get(relative(process.cwd(), path));
        if (names === undefined) return undefined;
        const lines = names.map(({ as, name }) => `export const ${as} = /* @__PURE__ */ lent(${JSON.stringify(name)});`);
        return { contents: lines.join('\n'), loader: 'js' };
      });
    },
  };
}

/** Puts functions that start the bundle in the place of the modules that lead into one; not of `own`. */
function standIns(exported, own = []) {
  const bundles = new Map(Object.entries(LATER).flatMap(([bundle, files]) => files.map((file) => [file, bundle])));
  return {
    name: 'stand-ins',
    setup(pluginBuild) {
      pluginBuild.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = relative(process.cwd(), path);
        const bundle = bundles.get(file);
        if (bundle === undefined || own.includes(file)) return undefined;
        const lines = exported.get(file).map((name) => {
          if (!new RegExp(`^export function ${name}\\(`, 'm').test(readFileSync(path, 'utf8')))
            throw new Error(`${file}: ${name} is no function, so that ${bundle} cannot be started later`);
          return `export const ${name} = (...words) => startLater(${JSON.stringify(bundle)}, ${JSON.stringify(name)}).${name}(...words);`;
        });
        lines.unshift(`import { startLater } from ${JSON.stringify(join(process.cwd(), 'src/cli/hook-later.js'))};`);
        return { contents: lines.join('\n'), loader: 'js', resolveDir: process.cwd() };
      });
    },
  };
}

/** The table as a function, so that only a call that needs more makes it. */
function writeTable(entries) {
  const imports = entries.map(({ file, as }, at) => `import { ${as} as lent${at} } from '../${file.replace(/\.ts$/, '.js')}';`);
  const members = entries.map(({ name }, at) => `  ${JSON.stringify(name)}: lent${at},`);
  writeFileSync(
    LENT,
    `// Generated by .ci/lend.mjs; do not edit.
${imports.join('\n')}
export const lentTable = () => ({
  __proto__: null,
${members.join('\n')}
});
`,
  );
}
