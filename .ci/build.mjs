// Builds the project. Steps, in order:
//   1. src/generated/   what `rules/` and `schemas/` say, as modules (data and standalone ajv validators), and the program of a digest
//   2. build/           every TypeScript file of src/ and test/, transpiled one by one, for the tests
//   3. dist/            (with --dist) the bundles that ship: policy.js (CLI), hook.cjs, index.js (library), types/
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { load } from 'js-yaml';
import { compiledAtOnce, withoutMarks } from './at-once.mjs';
import { mostlyRan, neverRan, placesOf, runAlways, runsOf } from './hook-runs.mjs';
import { tellingTexts, textsWithout } from './hook-texts.mjs';
import { modulesFrom, writeBundles, writeTrainingBundle } from './modules.mjs';
import { sha256Program } from './sha256-program.mjs';
import { GATE_VALIDATORS, generateValidators, POLICY_VALIDATOR } from './validators.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

/** A module of src/ that the build needs, too. */
async function moduleOf(file) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
const { filterData } = await moduleOf('src/decide/filter-data.ts');
const { spokenNames } = await moduleOf('src/decide/floor-index.ts');
const { NODE_OPTIONS } = await moduleOf('src/runner/node-options.ts');

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

/**
 * rules/**.yaml → one module of lazily parsed JSON, keyed by path below rules/ without its ending. A file of command grammars
 * becomes one entry per command (`commands/ls`), and one per alias that names its command, so that a call parses only what it needs.
 */
function generateData() {
  const contents = new Map();
  const enter = (key, content, file) => {
    if (contents.has(key)) throw new Error(`${file}: ${key} is there twice`);
    contents.set(key, content);
  };
  for (const file of filesBelow(join(root, 'rules'), (name) => name.endsWith('.yaml'))) {
    const key = relative('rules', file)
      .replaceAll('\\', '/')
      .replace(/\.yaml$/, '');
    const content = load(readFileSync(file, 'utf8'), { filename: file, maxDepth: 50, maxAliases: 20 });
    if (content.grammar === undefined) {
      enter(key, content, file);
      continue;
    }
    const { commands, ...head } = content;
    for (const [name, entry] of Object.entries(commands)) {
      enter(`commands/${name}`, { ...head, commands: { [name]: entry } }, file);
      for (const alias of entry.aliases ?? []) enter(`commands/${alias}`, { alias: name }, file);
    }
  }
  for (const [key, content] of [...contents]) for (const [name, one] of indexOf(key, content)) enter(name, one, key);
  for (const [name, one] of acrossRunners(contents)) enter(name, one, 'rules/tools');
  const entries = [...contents].map(([key, content]) => `  ${JSON.stringify(key)}: ${JSON.stringify(JSON.stringify(content))},`);
  writeIfChanged(
    'src/generated/data.ts',
    `// Generated from rules/ by .ci/build.mjs; do not edit.
const texts: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
${READING}
function textOf(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Names of the data entries, e.g. \`commands/git\`, but for those of single members of lists. */
export function dataNames(): readonly string[] {
  return Object.keys(texts).filter((name) => !name.startsWith('#'));
}
`,
  );
  return contents;
}

/**
 * The members of the long lists that a call needs one of, each as an entry of its own: `#tools/codex/shell` (in lower case),
 * `#wrappers/timeout`. A blank in a name is written as `~`.
 */
function indexOf(key, content) {
  if (key === 'commands/wrappers')
    return Object.entries(content.wrappers).map(([name, entry]) => [`#wrappers/${inKey(name)}`, entry]);
  if (key === 'floor')
    return [...spokenNames(content.entries)]
      .filter(([name]) => !/[\s~]/.test(name))
      .map(([name, spoken]) => [`#floor/${name}`, spoken]);
  if (key === 'secrets') {
    const listers = content.listers.map((name) => [`#listers/${inKey(name)}`, 1]);
    return [['#firsts/secrets', filterData(patternsIn(content))], ...listers];
  }
  if (key === 'protected') return [['#firsts/protected', filterData([...patternsIn(content.deny), ...patternsIn(content.ask)])]];
  if (key === 'environment') return variablesOf(content);
  if (key === 'git-hazards') return hazardsBySection(content);
  if (key === 'found-names') return foundNames(content);
  if (key === 'wide-commands')
    return Object.values(content)
      .flatMap((list) => (Array.isArray(list) ? list : []))
      .map((words) => [`#wide/${inKey(words)}`, 1]);
  if (key === 'keystrokes') return content.runners.map((runner) => [`#keystrokes/${runner}`, 1]);
  if (!key.startsWith('tools/')) return [];
  const { tools, agents: _, ...head } = content;
  const entries = new Map([[`#${key}`, head]]);
  for (const tool of tools) {
    const own = inKey(tool.name.toLowerCase());
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      const at = `#${key}/${inKey(name.toLowerCase())}`;
      const one = at.endsWith(`/${own}`) ? tool : { alias: tool.name.toLowerCase() };
      if (entries.has(at)) throw new Error(`${key}: two tools are called ${name}`);
      entries.set(at, one);
    }
  }
  return [...entries];
}

/**
 * What the files of rules/tools say together: the catalogue's `coveredBy` turned round (`#reach`), what all runners say about a
 * canonical tool (`#entries/Bash`), and the tool of a name that only runners use (`#foreign/exec`).
 */
function acrossRunners(contents) {
  const { tools } = contents.get('tools/canonical');
  const canonical = new Set(tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.toLowerCase()));
  const named = [...contents].filter(([key]) => key.startsWith('tools/') && key !== 'tools/canonical');
  const entries = {};
  const foreign = {};
  for (const tool of named.flatMap(([, file]) => file.tools)) {
    const name = tool.name.toLowerCase();
    const own = tool.canonical ?? tool.name;
    entries[own] = [...(entries[own] ?? []), tool];
    if (canonical.has(own.toLowerCase()) && !canonical.has(name)) foreign[name] = { tool: own };
  }
  const members = (list, of) => Object.entries(of).map(([name, one]) => [`#${list}/${inKey(name)}`, one]);
  return [['#reach', reachOf(tools)], ...members('entries', entries), ...members('foreign', foreign)];
}

/** See src/call/tool-table.ts. */
function reachOf(tools) {
  const turned = (list) => {
    const reached = {};
    for (const { name, coveredBy } of tools)
      for (const other of coveredBy?.[list] ?? []) reached[other] = [...(reached[other] ?? []), name];
    return reached;
  };
  const names = (wanted) => tools.filter(wanted).map(({ name }) => name);
  return {
    names: names(() => true),
    any: turned('any'),
    restrict: turned('restrict'),
    served: Object.fromEntries(tools.flatMap(({ name, server }) => (server === undefined ? [] : [[name, server]]))),
    shells: names(({ subjects = [] }) => subjects.some(({ kind }) => kind === 'command')),
  };
}

const patternsIn = ({ anywhere, home, absolute }) => [...anywhere, ...home, ...absolute];

/** See src/enforce/environment.ts: the names of all variables in one text, the patterns, and each variable as an entry of its own. */
function variablesOf({ variables, harmless }) {
  const patterns = Object.entries(variables).filter(([name]) => name.includes('*'));
  const named = Object.entries(variables).filter(([name]) => !name.includes('*'));
  for (const name of Object.keys(harmless)) if (!named.some(([one]) => one === name)) throw new Error(`${name} affects nothing`);
  return [
    ['#environment', { names: `\n${named.map(([name]) => name).join('\n')}\n`, patterns }],
    ...named.map(([name, affects]) => [`#variables/${inKey(name)}`, { affects, harmless: harmless[name] ?? [] }]),
  ];
}

/** See src/enforce/git-facts.ts: an entry for every section of git's configuration. */
function hazardsBySection({ keys, harmless }) {
  const sectionOf = (pattern) => {
    const section = pattern.slice(0, Math.max(0, pattern.indexOf('.')));
    if (!/^[a-z]+$/.test(section)) throw new Error(`git-hazards: ${pattern} names no section`);
    return section;
  };
  return [...new Set(keys.map(sectionOf))].map((section) => {
    const own = Object.entries(harmless).filter(([pattern]) => sectionOf(pattern) === section);
    return [
      `#hazards/${section}`,
      { keys: keys.filter((pattern) => sectionOf(pattern) === section), harmless: Object.fromEntries(own) },
    ];
  });
}

/** See src/command/found-names.ts: what is said of each command. */
function foundNames({ listers, filters }) {
  const names = new Set([...Object.keys(listers), ...Object.keys(filters)]);
  return [...names].map((name) => [`#found-names/${inKey(name)}`, { lister: listers[name], filter: filters[name] }]);
}

function inKey(name) {
  if (/[~\n]/.test(name)) throw new Error(`${name} cannot be the name of an entry`);
  return name.replaceAll(' ', '~');
}

/** Only the bundler reads it. */
const PACKED = join(root, 'build', 'data-pack.ts');

const READING = `const parsed = new Map<string, unknown>();

/** The content of one entry; undefined when there is none of that name. Parsed once. */
export function data(name: string): unknown {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = textOf(name);
  if (text === undefined) return undefined;
  const content: unknown = JSON.parse(text);
  parsed.set(name, content);
  return content;
}

const members = new Map<string, Map<string, unknown>>();
/** Names come from attackers: of each list so many are remembered, those of no member among them. */
const MOST_NAMES = 2000;

/** The member of that name of a list whose members are entries of their own (\`#wrappers\`); undefined when there is none. */
export function member(list: string, name: string): unknown {
  let known = members.get(list);
  if (known === undefined) {
    known = new Map();
    members.set(list, known);
  }
  const found = known.get(name);
  if (found !== undefined || known.has(name)) return found;
  const content = name.includes('~') ? undefined : data(\`\${list}/\${name.replaceAll(' ', '~')}\`);
  if (known.size >= MOST_NAMES) known.clear();
  known.set(name, content);
  return content;
}
`;

/**
 * The same module for the hook, which pays for every byte that it loads: the texts lie in dist/rules.pack, and only those that a
 * call needs are read. Examples are for tests and stay behind.
 */
function packData(contents) {
  const whole = [...contents].map(([key, content]) => [key, withoutExamples(content)]);
  const texts = whole.flatMap(([key, content]) => inPieces(key, content)).map(([key, content]) => [key, asciiJson(content)]);
  const slots = slotsOf(texts);
  writeFileSync(
    PACKED,
    `// Generated from rules/ by .ci/build.mjs; do not edit.
import { openSync, readSync } from 'node:fs';
import { DamagedProgram } from '../src/policy/damaged-program.js';

/**
 * The pack begins with slots of this many bytes, filled up with line ends; each holds a line for every entry whose name leads to
 * it: name, offset and length.
 */
const SLOT = ${slots.size};
/** Stays open for the short life of the process. */
let descriptor: number | null = null;
/** The slots that were read. */
const slots: (string | undefined)[] = [];
${READING}
function textOf(name: string): string | undefined {
  const place = placeOf(name);
  if (place === undefined) return undefined;
  const [offset, length] = place.split(' ').map(Number) as [number, number];
  const text = read(offset, length);
  if (text[0] !== '{' && text[0] !== '[' && text !== '1') throw new DamagedProgram('rules.pack is damaged');
  return text;
}

function read(offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  descriptor ??= opened();
  if (readSync(descriptor, bytes, 0, length, offset) !== length) throw new DamagedProgram('rules.pack is cut off');
  return bytes.toString('latin1');
}

function opened(): number {
  try {
    return openSync(\`\${__dirname}/rules.pack\`, 'r');
  } catch (error) {
    throw new DamagedProgram(error instanceof Error ? error.message : 'rules.pack cannot be read');
  }
}

/** Where an entry lies; undefined when there is none. A name with white space could match across lines. */
function placeOf(name: string): string | undefined {
  if (name.includes(' ') || name.includes('\\n')) return undefined;
  const lines = slot(slotNumber(name));
  const at = lines.indexOf(\`\\n\${name} \`);
  return at < 0 ? undefined : lines.slice(at + name.length + 2, lines.indexOf('\\n', at + 1));
}

function slot(number: number): string {
  const known = slots[number];
  if (known !== undefined) return known;
  const lines = read(number * SLOT, SLOT);
  // A hole in the file must not pass for a slot without the entry.
  if (lines[0] !== '\\n' || lines.includes('\\0')) throw new DamagedProgram('rules.pack is damaged');
  slots[number] = lines;
  return lines;
}

${slotNumber.toString().replace('(name)', '(name: string): number')}

/** Names of the data entries, e.g. \`commands/git\`, but for those of single members of lists. */
export function dataNames(): readonly string[] {
  const lines = Array.from({ length: ${SLOTS} }, (_, number) => slot(number).split('\\n')).flat();
  return lines.flatMap((line) => (line === '' || line.startsWith('#') ? [] : line.slice(0, line.indexOf(' '))));
}
`,
  );
  writeFileSync(join(out, 'rules.pack'), slots.text + texts.map(([, text]) => text).join(''), 'latin1');
}

/** The slots of the pack as one text, and the bytes of each: a line for every entry, with its place behind the slots. */
function slotsOf(texts) {
  let total = 0;
  const entries = texts.map(([key, text]) => {
    if (/\s/.test(key)) throw new Error(`${key} holds white space`);
    total += text.length;
    return { key, at: total - text.length, length: text.length };
  });
  // Offsets depend on the size of the slots, and that on the number of digits: as if all were the longest.
  const lines = Array.from({ length: SLOTS }, () => []);
  for (const entry of entries) lines[slotNumber(entry.key)].push(entry);
  const widest = (list) => list.reduce((sum, { key, length }) => sum + `${key} 9999999 ${length}\n`.length, 1);
  const size = Math.max(...lines.map(widest));
  const textOf = (list) => `\n${list.map(({ key, at, length }) => `${key} ${at + SLOTS * size} ${length}\n`).join('')}`;
  return { size, text: lines.map((list) => textOf(list).padEnd(size, '\n')).join('') };
}

const SLOTS = 64;

/** The slot of a name: any rule that spreads the names will do. It is written into the module that reads the pack, too. */
function slotNumber(name) {
  const end = name.length - 1;
  return (name.charCodeAt(end) * 5 + name.charCodeAt(end - 1) * 3 + name.charCodeAt(end >> 1) + name.length * 7) & 63;
}

/** JSON in ASCII, which is read and parsed faster than UTF-8. */
function asciiJson(value) {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * An entry with its longest lists taken apart, since a call needs one member of them at most: the subcommands of a grammar, and
 * the sets of options that they share. In the place of a list stands the name under which its members are found.
 */
function inPieces(key, content) {
  if (content.grammar === undefined) return [[key, content]];
  const pieces = [];
  const apart = (list, members) => {
    for (const [name, one] of members) pieces.push([`${list}/${inKey(name)}`, one]);
    return { packed: list };
  };
  const split = (path, entry) => {
    if (entry.subcommands === undefined) return packedOptions(entry);
    const list = `#subcommands/${path}`;
    const members = Object.entries(entry.subcommands).flatMap(([name, one]) => [
      [name, { name, entry: split(`${path}/${inKey(name)}`, one) }],
      ...(one.aliases ?? []).map((alias) => [alias, { alias: name }]),
    ]);
    return { ...packedOptions(entry), subcommands: apart(list, members) };
  };
  const commands = mapped(content.commands, (entry, name) => split(name, entry));
  const sets = content.sets && mapped(usedSets(content), packedOptions);
  const [command] = Object.values(content.commands);
  const few = command.subcommands === undefined && JSON.stringify(sets ?? {}).length < FEW_OPTIONS;
  const apartSets = () => apart(`#sets/${key.slice('commands/'.length)}`, Object.entries(sets));
  return [[key, { ...content, ...(sets && { sets: few ? sets : apartSets() }), commands }], ...pieces];
}

/** Sets of options that are shorter than this stay in the entry of their command: to look for another costs more than to parse them. */
const FEW_OPTIONS = 400;

/** The sets of options that the commands of a grammar use. */
function usedSets({ sets, commands }) {
  const used = ({ use = [], subcommands = {} }) => [...use, ...Object.values(subcommands).flatMap(used)];
  const names = new Set(Object.values(commands).flatMap(used));
  return Object.fromEntries(Object.entries(sets).filter(([name]) => names.has(name)));
}

/** See PackedOptions in src/command/grammar-file.ts. */
function packedOptions(entry) {
  if (entry.options === undefined) return entry;
  const entries = Object.values(entry.options).map((one) => JSON.stringify(one));
  return { ...entry, options: { spellings: Object.keys(entry.options), entries } };
}

/** A grammar without the examples of its commands and subcommands. */
function withoutExamples(content) {
  if (content.grammar === undefined) return content;
  const strip = ({ allow: _, ask: __, deny: ___, subcommands, ...entry }) => ({
    ...entry,
    ...(subcommands && { subcommands: mapped(subcommands, strip) }),
  });
  return { grammar: content.grammar, ...(content.sets && { sets: content.sets }), commands: mapped(content.commands, strip) };
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** Version and build: a digest of everything that the program is made from, so that no build takes another's snapshot. */
function generateBuild() {
  const digest = createHash('sha256');
  const sources = [
    'package.json',
    ...filesBelow(join(root, 'src'), isSource),
    ...filesBelow(join(root, 'rules'), () => true),
    ...filesBelow(join(root, 'schemas'), () => true),
  ];
  for (const file of sources)
    if (!file.startsWith(join('src', 'generated'))) digest.update(`${file}\0`).update(readFileSync(file)).update('\0');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeIfChanged(
    'src/generated/build.ts',
    `// Generated by .ci/build.mjs; do not edit.
/** The version of the package. */
export const VERSION = ${JSON.stringify(version)};
/** Identifies the sources that this program was made from. */
export const BUILD = ${JSON.stringify(digest.digest('hex').slice(0, 32))};
`,
  );
}

/** The program that hashes long texts, as a module. */
function generateProgram() {
  writeIfChanged(
    'src/generated/sha256-program.ts',
    `// Generated by .ci/sha256-program.mjs; do not edit.
/** WebAssembly in base64. */
export const SHA256_PROGRAM = ${JSON.stringify(Buffer.from(sha256Program()).toString('base64'))};
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

/** Everything is made in a folder of its own and put in place at the end: whoever uses dist/ meanwhile sees a whole one. */
const out = `dist.${process.pid}`;

async function bundle(contents) {
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
  [/\/read-parsed\.ts$/, join(root, 'src', 'cli', 'hook-parser.ts')],
  // So is what the compiler of the gate rarely needs.
  [/\/(?:read-json|read-toml|read-yaml|glob-source|schema-errors)\.ts$/, join(root, 'src', 'cli', 'hook-rare.ts')],
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
  packData(contents);
  const options = { ...shared, format: 'cjs', outdir: out, outExtension: { '.js': '.cjs' }, metafile: true };
  const cached = {
    ...options,
    minify: true,
    // What require() would put around it; src/cli/hook-cached.ts takes it as it stands.
    banner: { js: '(function(exports,require,module,__filename,__dirname){' },
    footer: { js: '})' },
  };
  const results = await Promise.all([
    build({ ...cached, entryPoints: { 'compile-rare': 'src/cli/compile-rare.ts' } }),
    build({
      ...cached,
      entryPoints: { 'compile-errors': 'src/policy/schema-errors.ts' },
      plugins: [validatorsFrom(POLICY_VALIDATOR)],
    }),
    build({ ...cached, entryPoints: { 'hook-parser': 'src/shell/read-parsed.ts' }, plugins: [packedData] }),
    build({ ...options, entryPoints: { hook: 'src/cli/hook-loader.ts' } }),
    build({ ...options, entryPoints: { seal: 'src/enforce/change-log.ts' } }),
    build({ ...shared, outdir: out, entryPoints: { 'train-hook': 'src/cli/train-hook.ts' } }),
  ]);
  await startAtOnce(join(out, 'hook.cjs'));
  const entry = join(root, 'src', 'cli', 'hook-entry.ts');
  const modulesOf = (textOf, unions) =>
    modulesFrom(
      entry,
      (file) => STAND_INS.find(([pattern]) => pattern.test(file))?.[1] ?? file,
      join(root, 'src', 'enforce', 'store-gate.ts'),
      textOf,
      unions,
    );
  const whole = await modulesOf(tellingTexts(), []);
  const { ran: ranInWhole, parts } = trainedRuns(whole);
  const placeInWhole = placesOf(ranInWhole);
  const modules = await modulesOf(
    textsWithout(neverRan(ranInWhole, whole, placeInWhole), parts),
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
 * src/cli/hook-cached.ts takes a bundle byte by byte. esbuild writes texts in ASCII, but leaves the literal of a regular expression
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

const contents = generateData();
generateBuild();
generateProgram();
await generateValidators(root, writeIfChanged);
await transpile();
if (process.argv.includes('--dist')) {
  try {
    await bundle(contents);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
