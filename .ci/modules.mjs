// Bundles the hook: every file of src/ that it reaches becomes a module with a number, written into one of a few bundles, and runs when
// something it exports is first asked for (src/cli/hook-modules.ts). Which bundle that is depends on what typical calls run, which
// `.ci/code-cache.mjs --runs` tries: nobody keeps a list, and nothing has to be lent from one bundle to another.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { transform } from 'esbuild';

/** The bundles, in the order in which a call may need them. */
export const BUNDLES = {
  /** What a call needs that reads or edits a file. */
  'hook-main': 'what every call needs',
  /** What a command line needs besides. */
  'hook-shell': 'what a command line needs',
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
 */
export async function modulesFrom(entry, resolveTo, door) {
  const files = new Map();
  const pending = [entry];
  for (const file of pending) {
    if (files.has(file)) continue;
    const one = await asModule(file);
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
  const taken = (file, name) => {
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
        .replace(new RegExp(`\\(0, ${as}\\.(\\w+)\\)`, 'g'), (_, name) => taken(from, name))
        .replace(new RegExp(`\\b${as}\\.(\\w+)`, 'g'), (_, name) => taken(from, name));
      if (new RegExp(`\\b${as}\\b`).test(one.code)) throw new Error(`${file} imports in a way that is not known: ${as}`);
    }
  for (const { name, value } of first.exports)
    if (value.includes('.')) first.code += `\nexported$[${numberOf(entry, name)}] = ${taken(entry, name)};`;
  for (const [file, one] of files)
    for (const { name, value } of one.exports)
      if (!value.includes('.') && numbers.has(`${file}\0${name}`)) one.code += `\nexported$[${numberOf(file, name)}] = ${value};`;
  const seldom = reached(files, entry, door);
  return { files: [...files].map(([file, { code }]) => ({ file, code, compiles: !seldom.has(file) })), values: numbers.size };
}

/** The files that the entry reaches without going through `door`. */
function reached(files, entry, door) {
  const seen = new Set();
  const pending = [entry];
  for (const file of pending) {
    if (seen.has(file) || file === door) continue;
    seen.add(file);
    pending.push(...files.get(file).imports.map((one) => one.file));
  }
  return seen;
}

/** One file as CommonJS, taken apart: its own code, what it exports and from where it imports. */
async function asModule(file) {
  const text = readFileSync(file, 'utf8');
  const known = /^export (?:let|default|\*)|\bimport\(|^import \*/m.exec(withoutTypes(text));
  if (known !== null) throw new Error(`${file}: the hook's modules cannot hold ${known[0]}`);
  const loader = file.endsWith('.ts') ? 'ts' : 'js';
  const { code } = await transform(text, {
    loader,
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
  for (const { as, from } of imports) own = own.replace(`${as} = require("${from}")`, `${as.replace('import_', 'unused_')}`);
  const [, foreign] = /\b\w+ = (?:__toESM\()?require\("((?!node:)[^"]*)"/.exec(own) ?? [];
  if (foreign !== undefined) throw new Error(`the hook reaches ${foreign} by ${file}: each package costs more than the decision`);
  if (/__(?:export|reExport|toESM|toCommonJS|copyProps)\b/.test(own)) throw new Error(`${file} could not be taken apart`);
  return { code: own, exports, imports };
}

const withoutTypes = (text) => text.replace(/typeof import\(/g, '');

/**
 * Writes the bundles into `out`.
 * @param modules what modulesFrom gave
 * @param placeOf the bundle of a module
 * @param report whether a module tells when it runs
 */
export async function writeBundles({ files, values }, out, placeOf, report = false) {
  const names = Object.keys(BUNDLES).filter((name) => files.some((one) => placeOf(one) === name));
  const ordered = names.flatMap((name) => files.filter((one) => placeOf(one) === name));
  const numbers = new Map(ordered.map(({ file }, number) => [file, number]));
  const numbered = ({ code }) => code.replace(/NUMBER\(("[^"]+")\)/g, (_, file) => numbers.get(JSON.parse(file)));
  const bundles = names.map((name) => [name, ordered.findLastIndex((one) => placeOf(one) === name) + 1]);
  const build = createHash('sha256')
    .update(JSON.stringify([bundles, ordered.map(numbered)]))
    .digest('hex')
    .slice(0, 16);
  for (const name of names) {
    const own = ordered.filter((one) => placeOf(one) === name);
    const around = name === 'hook-seldom' ? '' : 'AT_ONCE';
    const body = own.map((one) => {
      const told = report ? `globalThis.modulesRun.push(${JSON.stringify(one.file)});` : '';
      return `modules$[${numbers.get(one.file)}] = ${around}(function () {${told}${numbered(one)}\n});`;
    });
    const added = `AT_ONCE(function (exported$, load$, modules$) { 'use strict'; ${body.join('\n')} });`;
    const { code } = await transform(added, { minify: true, target: 'node20.19' });
    // A function in parentheses is compiled with what is around it; any other is only looked through first, and once more when it runs.
    const add = code.replace(/\bAT_ONCE\b/g, '').replace(/;\n$/, '');
    const about = `exports.build=${JSON.stringify(build)};exports.bundles=${JSON.stringify(bundles)};exports.values=${values};`;
    // What require() would put around it; src/cli/hook-cached.ts takes it as it stands.
    const text = `(function(exports,require,module,__filename,__dirname){${about}exports.addModules=${add}})`;
    writeFileSync(join(out, `${name}.cjs`), besideNursery(text), 'utf8');
  }
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

/** The bundle of every module, by what calls ran: lists of files for reads, for command lines and for making a snapshot. */
export function placesOf({ reads, lines, compiling }) {
  const [main, shell, compile] = [new Set(reads), new Set(lines), new Set(compiling)];
  return ({ file, compiles }) => {
    // Of the runners a call needs one, and without any part of it a denial could not be told in that runner's own form.
    if (main.has(file) || file.includes(`${sep}runner${sep}`)) return 'hook-main';
    if (shell.has(file)) return 'hook-shell';
    return compiles || compile.has(file) ? 'compile' : 'hook-seldom';
  };
}
