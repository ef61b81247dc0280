// `npm run arch [-- ROOT]`: checks the layers of src/. Fails when
//   - an import breaks a rule of .dependency-cruiser.cjs (upward, sideways, or in a cycle),
//   - folders lie in a circle,
//   - something below `decide` touches the clock, the process or chance,
//   - a folder has outgrown its budget of lines, or stays so far below it that the budget has to become smaller,
//   - a folder of src/ has no layer or holds more than 25 files, or a file has a name that says nothing,
//   - fewer than 50 TypeScript modules were seen (then the check itself is broken).
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import ts from 'typescript';

const FEWEST_MODULES = 50;
/** More files side by side are a list that nobody reads: they belong into folders by subject. */
const MOST_FILES = 25;
const EMPTY_NAMES = /^(utils?|helpers?|common|misc|shared)(\.|$)/i;
/** Free identifiers that make a function depend on more than its arguments. */
const IMPURE = new Set(
  'process globalThis performance crypto fetch require eval setTimeout setInterval setImmediate queueMicrotask'.split(' '),
);

/**
 * Most lines of each folder. A change that needs more raises the number, and says why: size is a cost. Where the folders are to come:
 * lint 12000, audit 10000, decide 10500, cli 8800, command 6000, report 3200, disk 3200, rule 3200, policy 3400.
 * The last rows of the original documents (environment of runs, state of the orchestrator, kinds of work, scripts in lint) took 350 lines.
 */
const BUDGETS = {
  decide: 13190,
  audit: 12910,
  lint: 11760,
  // What clients refuse is told by the runner that refuses it.
  runner: 11050,
  command: 8550,
  cli: 9585,
  enforce: 6100,
  log: 5650,
  shell: 4700,
  report: 4720,
  policy: 3800,
  // Rules about commands are told from those of unknown tools.
  rule: 3856,
  disk: 3600,
  agent: 2675,
  run: 1900,
  project: 1660,
  install: 2540,
  author: 1550,
  call: 1653,
  secret: 1216,
  gateway: 4470,
  replay: 340,
  hook: 1150,
  definitions: 500,
  program: 440,
};
/** A budget that is larger than the folder by more than this share is no brake. */
const MOST_ROOM = 0.1;

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const root = resolve(process.argv[2] ?? repository);
process.chdir(root);
const { forbidden, options, layout } = createRequire(import.meta.url)(join(repository, '.dependency-cruiser.cjs'));

const problems = [...checkNames(), ...checkSizes(), ...checkPurity()];
const { modules, violations } = await cruiseSource();
problems.push(...violations);
if (modules < FEWEST_MODULES)
  problems.push(`only ${modules} TypeScript modules were seen below src/, at least ${FEWEST_MODULES} were expected`);

for (const problem of problems) console.error(problem);
console.log(`${modules} modules, ${problems.length} violations`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Runs dependency-cruiser over src/; the number of TypeScript modules it saw and one sentence per broken rule. */
async function cruiseSource() {
  const { output } = await cruise(
    ['src'],
    { ...options, baseDir: root, validate: true, ruleSet: { forbidden }, outputType: undefined },
    undefined,
    { tsConfig: extractTypeScriptConfig(join(repository, 'tsconfig.json')) },
  );
  const seen = output.modules.filter(({ source }) => /^src\/.*\.ts$/.test(source));
  const comments = new Map(forbidden.map(({ name, comment }) => [name, comment]));
  return {
    modules: seen.length,
    violations: [
      ...output.summary.violations.map(
        ({ from, to, rule, cycle, via }) => `${from} → ${route(cycle ?? via) ?? to}: ${rule.name} (${comments.get(rule.name)})`,
      ),
      ...folderCircles(seen),
    ],
  };
}

/** Folders that reach each other by imports of their own files: what they have apart is only a label. */
function folderCircles(modules) {
  const below = new Map();
  for (const { source, dependencies } of modules) {
    const targets = below.get(dirname(source)) ?? below.set(dirname(source), new Set()).get(dirname(source));
    for (const { resolved } of dependencies) if (resolved.startsWith('src/')) targets.add(dirname(resolved));
  }
  const reached = new Map([...below.keys()].map((folder) => [folder, reachedFrom(folder, below)]));
  return [...reached]
    .filter(([folder, others]) => [...others].some((one) => one !== folder && reached.get(one)?.has(folder)))
    .map(([folder]) => `${folder}: a folder that it imports leads back to it (no-sub-folder-cycles)`);
}

function reachedFrom(folder, below) {
  const reached = new Set();
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const one of below.get(next) ?? [])
      if (one !== next && !reached.has(one)) {
        reached.add(one);
        open.push(one);
      }
  return reached;
}

/** The way of a cycle or of a reachable module; its steps are names or objects, depending on the rule. */
function route(steps) {
  return steps?.map((step) => step.name ?? step).join(' → ');
}

/** Every file below a folder, relative to the root. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Folders without a layer, and files whose name says nothing. */
function checkNames() {
  const strangers = readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !layout.knownFolders.includes(entry.name))
    .map((entry) => `src/${entry.name}: this folder has no layer in .dependency-cruiser.cjs`);
  const nameless = filesBelow('src')
    .filter((file) => file.split('/').some((part) => EMPTY_NAMES.test(part)))
    .map((file) => `${file}: a function lives with the word it belongs to; this name says nothing`);
  return [...strangers, ...nameless, ...crowded()];
}

/** Folders with too many files; what the build makes is no reader's business. */
function crowded() {
  const files = new Map();
  for (const file of filesBelow('src')) files.set(dirname(file), (files.get(dirname(file)) ?? 0) + 1);
  return [...files]
    .filter(([folder, count]) => count > MOST_FILES && !folder.startsWith(join('src', 'generated')))
    .map(([folder, count]) => `${folder}: ${count} files side by side, at most ${MOST_FILES} are easy to look through`);
}

/** Folders with more lines than they may have; what the build makes does not count. */
function checkSizes() {
  const lines = new Map();
  for (const file of filesBelow('src')) {
    const [, top] = file.split('/');
    if (file.endsWith('.ts') && !/^src\/runner\/(?:registry\/|lint\/rules\.ts)/.test(file))
      lines.set(top, (lines.get(top) ?? 0) + readFileSync(file, 'utf8').split('\n').length - 1);
  }
  return Object.entries(BUDGETS).flatMap(([top, most]) => {
    const count = lines.get(top) ?? 0;
    if (count > most) return [`src/${top}: ${count} lines, and its budget is ${most} (BUDGETS in .ci/arch.mjs)`];
    const isSlack = root === repository && count < most * (1 - MOST_ROOM);
    return isSlack ? [`src/${top}: ${count} lines only; lower its budget of ${most} (BUDGETS in .ci/arch.mjs)`] : [];
  });
}

/** Uses of clock, process, chance or loading by name in the folders that must be pure. */
function checkPurity() {
  return layout.pure.flatMap((folder) =>
    filesBelow('src')
      .filter((file) => file.startsWith(`src/${folder}/`) && file.endsWith('.ts'))
      .flatMap(impurities),
  );
}

/** `file:line:column` sentences for one file. Works on the syntax tree, so comments and texts do not count. */
function impurities(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const what = impurity(node);
    if (what !== null) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${line + 1}:${character + 1}: ${what} is not pure; hand it in as an argument or a Fact`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What makes this node impure; null when nothing does. */
function impurity(node) {
  if (ts.isImportDeclaration(node)) return takesSystemPath(node) ? 'node:path (it differs by system)' : null;
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date') return 'new Date()';
  if (ts.isPropertyAccessExpression(node)) {
    const text = node.getText().replaceAll(/\s/g, '');
    return text === 'Date.now' || text === 'Math.random' ? text : null;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return 'import()';
  return ts.isIdentifier(node) && IMPURE.has(node.text) && isFree(node) ? node.text : null;
}

/** True for node:path, unless all that is taken from it is `posix`. */
function takesSystemPath({ moduleSpecifier, importClause }) {
  if (!/^(node:)?path$/.test(moduleSpecifier.text)) return false;
  const names = importClause?.namedBindings?.elements?.map((element) => (element.propertyName ?? element.name).text);
  return importClause?.name !== undefined || names?.join() !== 'posix';
}

/** False for a name of a property, a parameter or a declaration: `{ process: 1 }`, `step.process`. */
function isFree(node) {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(parent.name === node || ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) || parent.initializer === node;
}
