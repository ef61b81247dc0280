/**
 * `npm run compare [-- WORD]`: what `policy` and other tools (whose name holds WORD) do with the same command lines. Installs the others at
 * exact versions into the system's temporary folder; after that nothing needs a network. Prints the table; without WORD it also writes
 * it into README.md and docs/comparison.md. Exit 1 when `policy` lets a dangerous line run, 3 when a tool was not measured.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linesOf, readCorpus } from './corpus.js';
import { between, linesWith, measurements, type Result, table } from './page.js';
import type { Peer } from './peer.js';
import { IN_README, PEERS } from './peers/list.js';
import { makeStage } from './stage.js';

/** The tools are large and under licences of their own: they stay out of the project. */
const INSTALLED = process.env.POLICY_COMPARE_PEERS ?? join(tmpdir(), 'policy-compare-peers');

/** The folder that a tool's packages are installed in, without running a script of theirs. */
function installed({ packages }: Peer): string {
  const folder = join(INSTALLED, packages.join('+').replaceAll('/', '_'));
  if (packages.length === 0 || existsSync(join(folder, 'complete'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  if (spawnSync('npm', words, { cwd: folder, stdio: 'inherit' }).status !== 0) throw new Error('npm could not install it');
  writeFileSync(join(folder, 'complete'), '');
  return folder;
}

async function measure(peer: Peer, lines: readonly string[]): Promise<Result> {
  const stage = makeStage();
  try {
    const verdicts = await peer.judge(lines, stage, installed(peer));
    if (verdicts.length !== lines.length) throw new Error(`${verdicts.length} verdicts on ${lines.length} lines`);
    return { peer, verdicts: new Map(lines.map((line, at) => [line, verdicts[at] ?? 'run'])), why: '' };
  } catch (error) {
    return { peer, verdicts: null, why: error instanceof Error ? error.message : String(error) };
  } finally {
    stage.remove();
  }
}

const word = process.argv[2] ?? '';
const corpus = readCorpus();
const [dangerous, everyday] = [linesOf(corpus.dangerous), linesOf(corpus.everyday)];
const results: Result[] = [];
for (const peer of PEERS) {
  if (!peer.name.toLowerCase().includes(word.toLowerCase())) continue;
  console.error(`${peer.name} ${peer.version}: ${peer.configuration}`);
  results.push(await measure(peer, [...dangerous, ...everyday]));
}
console.log(table(results, corpus));
if (word === '') {
  const day = new Date().toISOString().slice(0, 10);
  const shown = results.filter(({ peer }) => IN_README.includes(peer));
  const readme = `${table(shown, corpus)}\n\nMeasured on ${day}; \`npm run compare\` measures again.`;
  writeFileSync('README.md', between(readFileSync('README.md', 'utf8'), readme));
  writeFileSync('docs/comparison.md', between(readFileSync('docs/comparison.md', 'utf8'), measurements(results, corpus, day)));
}
const passed = results.filter(({ peer }) => peer.packages.length === 0).flatMap((result) => linesWith(result, 'run', dangerous));
for (const line of passed) console.error(`policy lets this run without a question: ${line}`);
const isComplete = results.length > 0 && results.every(({ verdicts }) => verdicts !== null);
process.exitCode = passed.length > 0 ? 1 : isComplete ? 0 : 3;
