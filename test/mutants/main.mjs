// `npm run mutants`: switches off each stage, matcher, layer and built-in denial in turn, and fails unless a test notices.
// `npm run mutants -- NAME` tries those whose name holds NAME, `-- 1/4` every fourth from the second on.
// Every mutant is a copy of the built tests and sources below build-mutant/ with one change.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
for (const tests of new Set(chosen.map((one) => one.tests))) {
  const { failures, output } = runTests(tests);
  if (failures === 0) continue;
  // A property that fails once in many runs is known by what it prints alone.
  console.error(output.slice(Math.max(0, output.indexOf('FAIL '))).slice(0, 8000));
  throw new Error(`${tests} must pass before anything is changed (${failures} failures)`);
}
let survivors = 0;
for (const mutant of chosen) {
  const undo = await apply(mutant);
  const { failures } = runTests(mutant.tests);
  undo();
  if (!failures) survivors += 1;
  console.log(
    failures
      ? `noticed  ${mutant.name} (${failures} tests)`
      : `SURVIVED ${mutant.name}${failures === null ? ' (its tests did not load)' : ''}`,
  );
}
rmSync(copy, { recursive: true, force: true });
console.log(`${chosen.length} mutants, ${survivors} survived`);
process.exit(survivors === 0 && chosen.length > 0 ? 0 : 1);
