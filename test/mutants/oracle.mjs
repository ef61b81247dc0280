// `node test/mutants/oracle.mjs [--runs N --seed S --only TEXT]`: the oracle's negative control. Every switch case, every reason and
// every table entry of the shell reader is taken away in turn, mechanically, and the oracle must report something unseen.
// Bash runs each line once; its traces are then held against every broken engine. Survivors are explained in docs/evidence/oracle.md.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import ts from 'typescript';

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    record: { type: 'string' },
    note: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

/** What the walk of a line consists of. */
const FILES = readdirSync('src/shell', { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/shell/${name}`);

/**
 * Every place of a file that can be taken away. Each is switched in the text itself, by a call `__away(NUMBER)` that is true while the
 * mutant of that number runs: so one bundle holds all of them, and the oracle knows which lines come by a place at all.
 */
function mutationsOf(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = [];
  const add = (kind, node, edits, word = null) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const shown = node.getText(source).split('\n')[0].slice(0, 70);
    const label = ts.isCaseClause(node) ? `case ${node.expression.getText(source)}` : (word ?? reasonIn(node.getText(source)));
    found.push({ file, kind, edits, word, label, name: `${file}:${line + 1} ${kind}: ${shown}` });
  };
  const around = (node, before, after) => [
    { at: node.getStart(source), text: before },
    { at: node.getEnd(), text: after },
  ];
  const visit = (node) => {
    if (ts.isCaseClause(node) && node.statements.length > 0)
      add('case', node, [{ at: node.statements[0].getStart(source), text: 'if (AWAY) break; ' }]);
    else if (ts.isExpressionStatement(node) && isNote(node.expression, source))
      add('reason', node, [{ at: node.getStart(source), text: 'AWAY || ' }]);
    else if (ts.isArrowFunction(node) && isNote(node.body, source))
      add('reason', node.body, around(node.body, '(AWAY ? undefined : ', ')'));
    else if (ts.isArrayLiteralExpression(node) && isTable(node))
      for (const entry of node.elements) {
        const key = ts.isArrayLiteralExpression(entry) ? entry.elements[0] : entry;
        if (key !== undefined && ts.isStringLiteral(key)) add('entry', entry, around(entry, '...(AWAY ? [] : [', '])'), key.text);
      }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The code of a reason, or the function that finds it: `note('nesting', …)`, `noteName(…)`. */
function reasonIn(text) {
  return /note\('([\w-]+)'/.exec(text)?.[1] ?? /(note\w*)\(/.exec(text)?.[1] ?? text;
}

/** A call that gives a reason: `reading.note(…)`, `note(…)`, `this.note(…)`. */
function isNote(node, source) {
  return ts.isCallExpression(node) && /(?:^|\.)note\w*$/.test(node.expression.getText(source));
}

/** The contents of a `new Map(…)` or `new Set(…)`. */
function isTable(node) {
  return ts.isNewExpression(node.parent) && /^(?:Map|Set)$/.test(node.parent.expression.getText());
}

const mutations = FILES.flatMap(mutationsOf);
mutations.forEach((one, number) => {
  one.number = number;
});
const wanted = mutations.filter((one) => one.name.includes(values.only));
if (values.list) {
  for (const { name } of wanted) console.log(name);
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
  const arguments_ = ['.ci/long.mjs', 'oracle', '--runs', values.runs, '--seed', values.seed, '--record', record, '--surprises'];
  const recorded = spawnSync(process.execPath, arguments_, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (recorded.status !== 0) {
    console.error('The oracle must find nothing before anything is changed.');
    process.exit(recorded.status === 3 ? 3 : 1);
  }
}
const traces = readFileSync(record, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))
  // Where bash did nothing, nothing can be unseen.
  .filter(({ trace }) => trace.programs.length > 1 || trace.steps.length > 0 || trace.changes.length > 0);

/** A file with all its switches. */
function switched(file) {
  let text = readFileSync(join(copy, file), 'utf8');
  const edits = mutations
    .filter((one) => one.file === file)
    .flatMap(({ edits: own, number }) => own.map((edit) => ({ ...edit, text: edit.text.replace('AWAY', `__away(${number})`) })));
  // From the end, so that the places before stay where they are; what stands around comes last where two begin.
  for (const edit of edits.reverse().sort((one, other) => other.at - one.at))
    text = text.slice(0, edit.at) + edit.text + text.slice(edit.at);
  return text;
}

const { outputFiles } = await build({
  ...{ entryPoints: [join(copy, 'test/oracle/judge.ts')], bundle: true, platform: 'node', format: 'cjs', write: false },
  logLevel: 'silent',
  plugins: [
    {
      name: 'switched',
      setup({ onLoad }) {
        onLoad({ filter: /[\\/]src[\\/]shell[\\/].*\.ts$/ }, ({ path }) => ({
          contents: switched(path.slice(path.lastIndexOf('src/shell/'))),
          loader: 'ts',
        }));
      },
    },
  ],
});
const script = new Script(`(function (exports, require, module) {${outputFiles[0].text}\n})`);

/** Milliseconds that one mutant may take. */
const LONGEST = 60_000;
/** The mutant that runs; -1 for the engine as it is. */
let running = -1;
/** The places that were come by since this was last emptied. */
const passed = new Set();
globalThis.__away = (number) => {
  passed.add(number);
  return number === running;
};

/** The judge with one mutant (-1: none) in its tables. */
function judgeOf(number) {
  running = number;
  const made = { exports: {} };
  script.runInThisContext()(made.exports, createRequire(import.meta.url), made);
  return made.exports.judge;
}

const asItIs = judgeOf(-1);
const linesAt = new Map(mutations.map(({ number }) => [number, []]));
for (const one of traces) {
  passed.clear();
  const { first } = asItIs([one]);
  if (first !== null) throw new Error(`the unchanged engine has something unseen: ${JSON.stringify(first)}`);
  for (const number of passed) linesAt.get(number).push(one);
}
console.log(`${traces.length} recorded lines`);

/** What a function gives; throws when it goes on for longer than any judgement takes, as a mutant may that never comes to its end. */
function withinTime(run) {
  globalThis.__run = run;
  return new Script('__run()').runInThisContext({ timeout: LONGEST });
}

const NOTICED = 'noticed';
const SURVIVED = 'survived';
const NOT_MET = 'met by no line';
/** What became of each mutant, by file. */
const outcomes = new Map();
let noticed = 0;
for (const { file, number, kind, word, label, name } of wanted) {
  // A table is filled when the engine is loaded; its entry is asked for by lines that hold it.
  const lines = kind === 'entry' ? traces.filter(({ line }) => line.includes(word)) : linesAt.get(number);
  let result;
  try {
    const judge = kind === 'entry' ? judgeOf(number) : asItIs;
    running = number;
    result = withinTime(() => judge(lines));
  } catch (error) {
    result = { first: null, allowed: 0, exceptions: lines.length, error };
  }
  const outcome = result.first !== null ? NOTICED : lines.length > 0 ? SURVIVED : NOT_MET;
  if (!outcomes.has(file)) outcomes.set(file, { [NOTICED]: [], [SURVIVED]: [], [NOT_MET]: [] });
  outcomes.get(file)[outcome].push(result.error ? `${label} (${result.error.code ?? 'fails'})` : label);
  if (result.first !== null) {
    noticed++;
    const { line, unseen } = result.first;
    console.log(`noticed  ${name}\n           ${JSON.stringify(line)}: ${unseen.kind} ${unseen.text}`);
  } else {
    const why = result.error ? String(result.error).split('\n')[0] : `${result.exceptions} exceptions`;
    console.log(`SURVIVED ${name} (${lines.length} lines, ${why})`);
  }
}
const summary = `${wanted.length} mutants of the shell reader, ${traces.length} lines: the oracle noticed ${noticed}, ${wanted.length - noticed} survived`;
console.log(summary);
if (values.note !== undefined) writeTable(values.note);
process.exit(noticed >= Math.min(20, wanted.length) ? 0 : 1);

/** Puts the outcomes between the two marks of a note, so that they always come from a run. */
function writeTable(file) {
  const note = readFileSync(file, 'utf8');
  const [open, close] = ['<!-- mutants -->\n', '<!-- end of mutants -->'];
  const [start, end] = [note.indexOf(open) + open.length, note.indexOf(close)];
  if (start < open.length || end < start) throw new Error(`${file} has no place for the mutants`);
  const shown = (labels) => (labels.length === 0 ? '–' : labels.map((one) => `\`${one.replaceAll('|', '\\|')}\``).join(', '));
  const rows = [...outcomes].map(
    ([name, by]) => `| ${basename(name)} | ${shown(by[NOTICED])} | ${shown(by[SURVIVED])} | ${shown(by[NOT_MET])} |`,
  );
  const head = `| file | ${NOTICED} | ${SURVIVED} | ${NOT_MET} |\n| --- | --- | --- | --- |`;
  const text = `${new Date().toISOString().slice(0, 10)}, ${summary}.\n\n${head}\n${rows.join('\n')}`;
  writeFileSync(file, `${note.slice(0, start)}\n${text}\n\n${note.slice(end)}`);
}
