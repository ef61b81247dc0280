// `npm run oracle:mutants [-- --runs N --seed S --only TEXT]`: the oracle's negative control. Every switch case, every reason and
// every table entry of the shell reader is taken away in turn, mechanically, and the oracle must report something unseen.
// Bash runs each line once; its traces are then held against every broken engine. Survivors are explained in docs/oracle.md.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    record: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

/** What the walk of a line consists of. */
const FILES = readdirSync('src/shell')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/shell/${name}`);

/** Every place of a file that can be taken away, with the text that comes in its stead. */
function mutationsOf(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = [];
  const add = (kind, node, start, end, replacement) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const shown = node.getText(source).split('\n')[0].slice(0, 70);
    found.push({ file, text, kind, start, end, replacement, name: `${file}:${line + 1} ${kind}: ${shown}` });
  };
  const visit = (node) => {
    if (ts.isCaseClause(node) && node.statements.length > 0)
      add('case', node, node.statements[0].getStart(source), node.statements.at(-1).getEnd(), 'break;');
    else if (ts.isExpressionStatement(node) && isNote(node.expression, source))
      add('reason', node, node.getStart(source), node.getEnd(), ';');
    else if (ts.isArrowFunction(node) && isNote(node.body, source))
      add('reason', node.body, node.body.getStart(source), node.body.getEnd(), 'undefined');
    else if (ts.isArrayLiteralExpression(node) && isTable(node))
      for (const entry of node.elements)
        if (ts.isArrayLiteralExpression(entry) || ts.isStringLiteral(entry))
          add('entry', entry, entry.getStart(source), entry.getEnd(), ts.isStringLiteral(entry) ? "'\\0'" : "['\\0', undefined]");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A call that gives a reason: `reading.note(…)`, `note(…)`, `this.note(…)`. */
function isNote(node, source) {
  return ts.isCallExpression(node) && /(?:^|\.)note\w*$/.test(node.expression.getText(source));
}

/** The contents of a `new Map(…)` or `new Set(…)`. */
function isTable(node) {
  return ts.isNewExpression(node.parent) && /^(?:Map|Set)$/.test(node.parent.expression.getText());
}

const mutations = FILES.flatMap(mutationsOf).filter((one) => one.name.includes(values.only));
if (values.list) {
  for (const { name } of mutations) console.log(name);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'oracle-mutants-'));
const copy = 'build-mutant/oracle';
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(copy, { recursive: true, force: true });
});
// The sources may change while this runs; all mutants are made from the same ones.
rmSync(copy, { recursive: true, force: true });
for (const part of ['src', 'test/oracle', 'package.json', 'tsconfig.json']) cpSync(part, join(copy, part), { recursive: true });

const record = values.record ?? join(folder, 'traces.jsonl');
if (!existsSync(record)) {
  const arguments_ = ['.ci/oracle.mjs', '--runs', values.runs, '--seed', values.seed, '--record', record, '--surprises'];
  const recorded = spawnSync(process.execPath, arguments_, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (recorded.status !== 0) {
    console.error('The oracle must find nothing before anything is changed.');
    process.exit(recorded.status === 3 ? 3 : 1);
  }
}
const traces = readFileSync(record, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

let bundles = 0;

/** What the oracle says of the engine with one file changed (or none); null when it could not even be loaded. */
async function judged(mutation) {
  const outfile = join(folder, `judge-${++bundles}.cjs`);
  const changed = {
    name: 'changed',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        mutation !== null && path.endsWith(`/${copy}/${mutation.file}`)
          ? { contents: mutation.changed, loader: 'ts' }
          : undefined,
      );
    },
  };
  await build({
    ...{ entryPoints: [join(copy, 'test/oracle/judge.ts')], bundle: true, platform: 'node', format: 'cjs', outfile },
    ...{ plugins: [changed], logLevel: 'silent' },
  });
  return createRequire(import.meta.url)(outfile).judge(traces);
}

const unchanged = await judged(null);
if (unchanged.first !== null) throw new Error(`the unchanged engine has something unseen: ${JSON.stringify(unchanged.first)}`);
console.log(`${traces.length} recorded lines, ${unchanged.allowed} allowed by the unchanged engine`);
let noticed = 0;
for (const { file, text, start, end, replacement, name } of mutations) {
  const result = await judged({ file, changed: text.slice(0, start) + replacement + text.slice(end) }).catch((error) =>
    String(error),
  );
  if (result.first) {
    noticed++;
    console.log(
      `noticed  ${name}\n           ${JSON.stringify(result.first.line)}: ${result.first.unseen.kind} ${result.first.unseen.text}`,
    );
  } else {
    const more = (result.allowed ?? 0) - unchanged.allowed;
    const why =
      typeof result === 'string' ? result.split('\n')[0] : `${more} more lines allowed, ${result.exceptions} exceptions`;
    console.log(`SURVIVED ${name} (${why})`);
  }
}
console.log(
  `${mutations.length} mutants of the shell reader: the oracle noticed ${noticed}, ${mutations.length - noticed} survived`,
);
process.exit(noticed >= Math.min(20, mutations.length) ? 0 : 1);
