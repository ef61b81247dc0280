// `npm run mutants`: switches off each stage, matcher, layer and built-in denial in turn, and fails unless a test notices.
// `npm run mutants -- NAME` tries those whose name holds NAME, `-- 1/4` every fourth from the second on.
// Every mutant is a copy of the built tests and sources below build-mutant/ with one change.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { transform } from 'esbuild';
import { load } from 'js-yaml';
import { mutants } from './list.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
process.chdir(root);
const copy = 'build-mutant';
const only = process.argv[2];

/** Writes the mutated module into the copy; throws when the text to change is not there (the list must follow the code). */
async function apply(mutant) {
  if (mutant.data) {
    const source = load(readFileSync(`rules/${mutant.data}.yaml`, 'utf8'));
    const before = JSON.stringify(JSON.stringify(source));
    const after = JSON.stringify(JSON.stringify(mutant.change(structuredClone(source))));
    return replace('src/generated/data.ts', before, after);
  }
  return replace(mutant.file, mutant.from, mutant.to);
}

async function replace(file, from, to) {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file}: expected exactly one «${from.slice(0, 80)}»`);
  const { code } = await transform(
    text.replace(from, () => to),
    { loader: 'ts', format: 'esm', target: 'node20' },
  );
  const target = join(copy, file.replace(/\.ts$/, '.js'));
  const original = readFileSync(target, 'utf8');
  writeFileSync(target, code);
  return () => writeFileSync(target, original);
}

// The list has to follow the code, whichever of them is tried today.
for (const { name, file, from } of mutants)
  if (file !== undefined && readFileSync(file, 'utf8').split(from).length !== 2)
    throw new Error(`${name}: ${file} does not hold exactly one «${from.slice(0, 80)}»`);

rmSync(copy, { recursive: true, force: true });
cpSync('build', copy, { recursive: true });

const seed = new URL('../seed.mjs', import.meta.url).href;

/** Runs test files of the copy: how many tests failed (null when a file could not even be loaded), and what was printed. */
function runTests(tests) {
  const run = spawnSync(process.execPath, ['--import', seed, 'node_modules/uvu/bin.js', `${copy}/test`, tests], {
    encoding: 'utf8',
    // A mutant that breaks everything has a lot to say.
    maxBuffer: 256 * 1024 * 1024,
  });
  const total = /Total: +(\d+)[\s\S]*?Passed: +(\d+)/.exec(stripVTControlCharacters(run.stdout));
  const failures = total === null ? null : Number(total[1]) - Number(total[2]);
  return { failures, output: stripVTControlCharacters(run.stdout + run.stderr) };
}

const [, part, parts] = /^(\d+)\/(\d+)$/.exec(only ?? '') ?? [];
const chosen = mutants.filter((one, at) =>
  parts ? at % Number(parts) === Number(part) % Number(parts) : !only || one.name.includes(only),
);
/** Seconds of processor time by test file; a file that is not listed takes few. */
const SECONDS = JSON.parse(readFileSync('test/durations.json', 'utf8'));
/** Test files that run together take about so many seconds: the next ones run only where none of these noticed. */
const TOGETHER = 8;

/** Test files in groups: first those of the folder of the changed file, then those that take least. */
function groupsFor({ tests, file = '' }) {
  const chosenFiles = new RegExp(tests);
  const mirrored = `${dirname(file).replace(/^src\//, '')}/`;
  const secondsOf = (name) => SECONDS[name] ?? 0.3;
  const distance = (name) => (name.startsWith(mirrored) ? 0 : 1);
  const files = readdirSync(join(copy, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => relative(join(copy, 'test'), join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => chosenFiles.test(name))
    .sort((left, right) => distance(left) - distance(right) || secondsOf(left) - secondsOf(right));
  const groups = [];
  for (const name of files) {
    const last = groups.at(-1);
    if (last === undefined || last.seconds + secondsOf(name) > TOGETHER) groups.push({ files: [name], seconds: secondsOf(name) });
    else {
      last.files.push(name);
      last.seconds += secondsOf(name);
    }
  }
  if (groups.length === 0) throw new Error(`no test is called ${tests}`);
  return groups.map((group) => `^(?:${group.files.map((name) => name.replaceAll('.', '\\.')).join('|')})$`);
}

const passing = new Set();

/** A test that fails anyway notices nothing: throws when one of these fails without a change. */
function checkUnchanged(tests) {
  if (passing.has(tests)) return;
  const { failures, output } = runTests(tests);
  if (failures !== 0) {
    // A property that fails once in many runs is known by what it prints alone.
    console.error(output.slice(Math.max(0, output.indexOf('FAIL '))).slice(0, 8000));
    throw new Error(`${tests} must pass before anything is changed (${failures} failures)`);
  }
  passing.add(tests);
}

let survivors = 0;
for (const mutant of chosen) {
  const undo = await apply(mutant);
  const groups = groupsFor(mutant);
  let failures = 0;
  let noticed = '';
  for (const group of groups) {
    ({ failures } = runTests(group));
    noticed = group;
    if (failures !== 0) break;
  }
  undo();
  if (failures) checkUnchanged(noticed);
  else survivors += 1;
  console.log(
    failures
      ? `noticed  ${mutant.name} (${failures} tests)`
      : `SURVIVED ${mutant.name}${failures === null ? ' (its tests did not load)' : ''}`,
  );
}
rmSync(copy, { recursive: true, force: true });
console.log(`${chosen.length} mutants, ${survivors} survived`);
process.exit(survivors === 0 && chosen.length > 0 ? 0 : 1);
