// Bundles the hook: every file of src/ that it reaches becomes a module with a number, written into one of a few bundles, and runs when
// something it exports is first asked for (src/hook/modules.ts). Which bundle that is depends on what typical calls run, which
// src/hook/train.ts (`--runs`) tries: nobody keeps a list, and nothing has to be lent from one bundle to another.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { compiledAtOnce, marked, telling, withoutMarks } from './at-once.mjs';
import { inScopes } from './in-scopes.mjs';
import { madeInSteps } from './in-steps.mjs';

/** The bundles, in the order in which a call may need them. */
export const BUNDLES = {
  /** What a call needs that reads or edits a file. */
  'hook-main': 'what every call needs',
  /** What a command line needs besides. */
  'hook-shell': 'what a command line needs',
  /** What one of several commands, or with redirections, needs besides. */
  'hook-lines': 'what compound command lines need',
  /** What a call needs that a person is asked about, or that is denied. */
  'hook-asks': 'what questions need',
  /** What a call of another runner needs than of those that make the typical calls, and what only an installation asks about any. */
  'hook-runners': 'what is about other runners',
  /** What some of them need besides: the functions of these bundles that no typical call runs. */
  'hook-more': 'what some calls need',
  /** What some calls need: those of MCP tools and of agents, budgets, patches, the end of a session. */
  'hook-seldom': 'what few calls need',
  /** What makes a snapshot. */
  compile: 'what makes a snapshot',
};

/**
 * All modules that the entry reaches, each with its code: it takes a value that it imports from `exported$`, or by `load$` when it is
 * not there yet, and puts what it exports there. A file that is reached only from `door` is marked.
 * @param entry path of the first module, whose `main` is value 0
 * @param resolveTo where an import leads: (path of the file it resolves to) → path
 * @param door path of the file that leads to what only a compiler needs
 * @param textOf the JavaScript of a file
 * @param unions sets of files, each of which becomes one module
 */
export async function modulesFrom(entry, resolveTo, door, textOf, unions) {
  const files = new Map();
  const united = await Promise.all(unions.map((union, number) => unite(union, number, resolveTo, textOf)));
  /** The module that a file is in, and the name there of what it exports. */
  const inUnion = (file, name) => {
    const union = united.find(({ names }) => names.has(file));
    return union === undefined ? [file, name] : [union.file, union.names.get(file)(name)];
  };
  const placeOfFile = (file) => inUnion(file, '')[0];
  const pending = [entry];
  for (const given of pending) {
    const file = placeOfFile(given);
    if (files.has(file)) continue;
    const one = await asModule(file, united.find((union) => union.file === file)?.text ?? textOf(file));
    one.imports = one.imports.map(({ as, from }) => ({
      as,
      file: resolveTo(resolve(dirname(file), from).replace(/\.js$/, '.ts')),
    }));
    files.set(file, one);
    pending.push(...one.imports.map((imported) => imported.file));
  }
  const numbers = new Map();
  const numberOf = (file, name) => {
    const key = `${file}\0${name}`;
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key);
  };
  const first = files.get(entry);
  numberOf(entry, 'main');
  for (const { name } of first.exports) numberOf(entry, name);
  /** The code that gives what a file exports; what it only passes on is taken from where it comes from. */
  const taken = (given, givenName) => {
    const [file, name] = inUnion(given, givenName);
    const { exports, imports } = files.get(file);
    const found = exports.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${file} exports no ${name}`);
    const passedOn = imports.find(({ as }) => found.value.startsWith(`${as}.`));
    if (passedOn !== undefined) return taken(passedOn.file, found.value.slice(passedOn.as.length + 1));
    const number = numberOf(file, name);
    return `(exported$[${number}] ?? load$(NUMBER(${JSON.stringify(file)}), ${number}))`;
  };
  for (const [file, one] of files)
    for (const { as, file: from } of one.imports) {
      one.code = one.code
        // Not the arguments of `slice(0, MOST)`.
        .replace(new RegExp(`(?<![\\w$)\\].])\\(0, ${as}\\.(\\w+)\\)`, 'g'), (_, name) => taken(from, name))
        .replace(new RegExp(`\\b${as}\\.(\\w+)`, 'g'), (_, name) => taken(from, name));
      if (new RegExp(`\\b${as}\\b`).test(one.code)) throw new Error(`${file} imports in a way that is not known: ${as}`);
    }
  for (const { name, value } of first.exports)
    if (value.includes('.')) first.code += `\nexported$[${numberOf(entry, name)}] = ${taken(entry, name)};`;
  for (const [file, one] of files)
    for (const { name, value } of one.exports)
      if (!value.includes('.') && numbers.has(`${file}\0${name}`)) one.code += `\nexported$[${numberOf(file, name)}] = ${value};`;
  for (const { file } of united) if (files.has(file)) files.get(file).code = inScopes(files.get(file).code);
  const seldom = reached(files, entry, door, placeOfFile);
  return {
    files: [...files].map(([file, { code }]) => ({ file, code, compiles: !seldom.has(file) })),
    unions: united.map(({ file }) => file),
    numbers,
    values: numbers.size,
    starter: await starterOf(join(dirname(entry), 'modules.ts')),
  };
}

/**
 * Files that typical calls run, all of them, as one module: what they take from each other needs no look whether it is there.
 * @returns the module's name and text, and for each file what an export of it is called there
 */
async function unite(union, number, resolveTo, textOf) {
  const file = join(dirname([...union][0]), `union-${number}.ts`);
  const names = new Map([...union].map((one, at) => [one, (name) => `${name}_of_${at}`]));
  const lines = await Promise.all(
    [...names].map(async ([one, inUnion]) => {
      const { exports } = await asModule(one, textOf(one));
      const list = exports.map(({ name }) => `${name} as ${inUnion(name)}`);
      return `export { ${list.join(', ')} } from ${JSON.stringify(one)};`;
    }),
  );
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: dirname(file), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    plugins: [
      {
        name: 'union',
        setup(plugin) {
          plugin.onResolve({ filter: /^[./]/ }, ({ path, importer, resolveDir }) => {
            const wanted = path.startsWith('/')
              ? path
              : resolveTo(resolve(importer === '' ? resolveDir : dirname(importer), path).replace(/\.js$/, '.ts'));
            if (union.has(wanted)) return { path: wanted, namespace: 'union', sideEffects: false };
            return { path: `./${relative(dirname(file), wanted)}`, external: true, sideEffects: false };
          });
          plugin.onLoad({ filter: /./, namespace: 'union' }, ({ path }) => ({
            contents: textOf(path),
            loader: 'js',
            resolveDir: dirname(path),
          }));
        },
      },
    ],
  });
  return { file, text: outputFiles[0].text, names };
}

/** The code that gives what starts the modules: the first bundle holds it, since of what dist/hook.cjs holds node keeps no code cache. */
async function starterOf(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node20.19',
    minify: true,
  });
  const code = outputFiles[0].text.replace(/export\s*\{\s*(\w+) as startModules\s*\};\s*$/, 'return $1;');
  if (code === outputFiles[0].text) throw new Error(`${file} exports something else than startModules`);
  return `(function(){'use strict';${code}})()`;
}

/** The files that the entry reaches without going through `door`. */
function reached(files, entry, door, placeOfFile) {
  const seen = new Set();
  const pending = [entry];
  for (const file of pending) {
    if (seen.has(file) || file === door) continue;
    seen.add(file);
    pending.push(...files.get(file).imports.map((one) => placeOfFile(one.file)));
  }
  return seen;
}

/** One file as CommonJS, taken apart: its own code, what it exports and from where it imports. */
async function asModule(file, text) {
  const { code } = await transform(text, {
    loader: 'js',
    format: 'cjs',
    target: 'node20.19',
    minifySyntax: true,
    sourcefile: 'own.ts',
  });
  // Before this line stand esbuild's helpers and the getters of the exports.
  const head = /^module\.exports = __toCommonJS\(\w+\);$/m.exec(code);
  const getters = head && /__export\(\w+, \{\n([\s\S]*?)\n\}\);/.exec(code.slice(0, head.index));
  const exports = [...(getters?.[1] ?? '').matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm)].map(([, name, value]) => ({
    name,
    value,
  }));
  let own = (head ? code.slice(head.index + head[0].length) : code).replace(
    /^\/\/ Annotate the CommonJS export names[\s\S]*/m,
    '',
  );
  const imports = [...own.matchAll(/\b(import_\w+) = require\("(\.[^"]+)"\)/g)].map(([, as, from]) => ({ as, from }));
  own = withoutDeclarations(own, /import_\w+ = require\("\.[^"]+"\)/);
  // Files that became one module take the same from node.
  const fromNode = new Map();
  for (const [, as, from] of own.matchAll(/\b(import_\w+) = require\("(node:[^"]+)"\)/g))
    fromNode.set(from, [...(fromNode.get(from) ?? []), as]);
  for (const [first, ...others] of fromNode.values())
    for (const other of others)
      own = withoutDeclarations(own, new RegExp(`${other} = require\\("[^"]+"\\)`)).replaceAll(
        new RegExp(`\\b${other}\\b`, 'g'),
        first,
      );
  // node starts a module of its own for it, although it is there already.
  own = own.replaceAll('require("node:path/posix")', 'require("node:path").posix');
  const [, foreign] = /\b\w+ = (?:__toESM\()?require\("((?!node:)[^"]*)"/.exec(own) ?? [];
  if (foreign !== undefined) throw new Error(`the hook reaches ${foreign} by ${file}: each package costs more than the decision`);
  if (/__(?:export|reExport|toESM|toCommonJS|copyProps)\b|require\("\./.test(own))
    throw new Error(`${file} could not be taken apart`);
  return { code: madeInSteps(own), exports, imports };
}

/** JavaScript without the variables whose declarations look so. */
function withoutDeclarations(code, { source }) {
  return code
    .replace(new RegExp(`\\b${source}, `, 'g'), '')
    .replace(new RegExp(`, ${source}(?=;$)`, 'gm'), '')
    .replace(new RegExp(`^var ${source};$`, 'gm'), '');
}

/**
 * Writes the bundles into `out`.
 * @param modules what modulesFrom gave
 * @param placeOf the bundle of a module
 * @param ran where the functions begin that are compiled at once: file → places in the code of its module
 */
export async function writeBundles(modules, out, placeOf, ran) {
  for (const { name, head, own } of bundlesOf(modules, placeOf, modules.unions)) {
    const body = own.map(({ file, number, code }) => {
      const begins = ran.get(file);
      // Few calls that start the bundle need it, such as another runner's module: it is looked through only.
      if (begins === undefined) return `modules$[${number}] = function () {${code}\n};`;
      const module = marked(`function () {${compiledAtOnce(code, (at) => begins.has(at))}\n}`);
      return `modules$[${number}] = ${module};`;
    });
    const first = own.find(({ file }) => modules.unions.includes(file));
    if (first !== undefined) body.push(`load$(${first.number});`);
    const text = body.join('\n');
    const added = marked(`${ADD_MODULES} ${globalsOf(text)}${text} }`);
    const { code } = await transform(added, { minify: true, target: 'node20.19' });
    writeFileSync(join(out, `${name}.cjs`), `${head}${withoutMarks(code).replace(/;\n$/, '')}})`, 'utf8');
  }
}

/**
 * Each bundle keeps what it takes from the global object in variables of its own: in a function that runs once or twice V8 looks a global
 * name up by the slow way, and `process` and `Buffer` are functions to be called there.
 */
function globalsOf(code) {
  const used = GLOBALS.filter((name) => new RegExp(`(?<![\\w$.])${name}\\b`).test(code));
  return used.map((name) => `var ${name} = globalThis.${name};`).join('');
}

const GLOBALS = ['Array', 'Buffer', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Set', 'String', 'Uint8Array', 'process'];

const ADD_MODULES = "function (exported$, load$, modules$) { 'use strict';";

/**
 * Writes all modules into one bundle in which they, and the functions in them, note in `modulesRun` that they ran.
 * @returns what has which number there: the file of a module, and where in its code a function begins
 */
export function writeTrainingBundle(modules, out) {
  const [{ head, own }] = bundlesOf(modules, () => 'hook-main', []);
  const functions = [];
  const note = (file, begin) => `globalThis.modulesRun[${functions.push({ file, begin }) - 1}] = ${functions.length - 1}`;
  const body = own.map(({ file, number, code }) => {
    const ran = note(file, null);
    return `modules$[${number}] = function () {${ran};${telling(code, (begin) => note(file, begin))}\n};`;
  });
  writeFileSync(join(out, 'hook-main.cjs'), `${head}${ADD_MODULES}${body.join('\n')}}})`, 'utf8');
  return functions;
}

/**
 * The bundles with their modules, numbered, and the code that they begin with.
 * @param started modules that run as soon as their bundle is started
 */
function bundlesOf({ files, values, starter }, placeOf, started) {
  const names = Object.keys(BUNDLES).filter((name) => files.some((one) => placeOf(one) === name));
  const ordered = names.flatMap((name) => files.filter((one) => placeOf(one) === name));
  const places = new Map(ordered.map((one) => [one.file, placeOf(one)]));
  const numbers = new Map(ordered.map(({ file }, number) => [file, number]));
  const taken = (value, from, to) => {
    const [place, placeTo] = [places.get(from), places.get(to)];
    if (started.includes(to) && (placeTo === names[0] || placeTo === place)) return `(exported$[${value}])`;
    const load = `load$(${numbers.get(to)}, ${value})`;
    // Of what most calls do without nothing is there yet, most likely.
    return isWarm(place) && !isWarm(placeTo) ? `(${load})` : `(exported$[${value}] ?? ${load})`;
  };
  // Blanks keep every function of a module where it is, however long the numbers are.
  const numbered = (code, from) => code.replace(TAKEN, (all, value, to) => taken(value, from, JSON.parse(to)).padEnd(all.length));
  const own = ordered.map((one) => ({
    file: one.file,
    place: places.get(one.file),
    number: numbers.get(one.file),
    code: numbered(one.code, one.file),
  }));
  const bundles = names.map((name) => [name, own.findLastIndex(({ place }) => place === name) + 1]);
  const build = createHash('sha256')
    .update(JSON.stringify([bundles, own]))
    .digest('hex')
    .slice(0, 16);
  const about = `exports.build=${JSON.stringify(build)};exports.bundles=${JSON.stringify(bundles)};exports.values=${values};`;
  // What require() would put around it; src/hook/cached.ts takes it as it stands.
  const head = `(function(exports,require,module,__filename,__dirname){${about}`;
  return names.map((name, number) => ({
    name,
    head: `${head}${number === 0 ? `exports.startModules=${starter};` : ''}exports.addModules=`,
    own: own.filter(({ place }) => place === name),
  }));
}

/** What modulesFrom writes for a value that a module takes from another. */
const TAKEN = /\(exported\$\[(\d+)\] \?\? load\$\(NUMBER\(("[^"]+")\), \d+\)\)/g;

/** Whether typical calls start the bundle. */
const isWarm = (name) => /^hook-(?:main|shell|lines)$/.test(name);
