// `npm run mutants`: switches off each stage, matcher, layer and floor entry in turn, and fails unless a test notices.
// Every mutant is a copy of the built tests and sources below build-mutant/ with one change.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { load } from 'js-yaml';
import { mutants } from './mutants.list.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
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

rmSync(copy, { recursive: true, force: true });
cpSync('build', copy, { recursive: true });
let survivors = 0;
let count = 0;
for (const mutant of mutants.filter((one) => !only || one.name.includes(only))) {
  const undo = await apply(mutant);
  const run = spawnSync(process.execPath, ['node_modules/uvu/bin.js', `${copy}/test`, mutant.tests], {
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  undo();
  count += 1;
  const noticed = run.status !== 0 && /FAIL/.test(run.stdout);
  if (!noticed) survivors += 1;
  const failed = (run.stdout.match(/^\s*FAIL /gm) ?? []).length;
  console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${mutant.name}${noticed ? ` (${failed} tests)` : ''}`);
}
rmSync(copy, { recursive: true, force: true });
console.log(`${count} mutants, ${survivors} survived`);
process.exit(survivors === 0 && count > 0 ? 0 : 1);
