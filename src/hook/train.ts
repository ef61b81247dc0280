/**
 * `node [OPTIONS] dist/train-hook.js BUNDLES INTO`: writes the V8 code caches of the hook's bundles in BUNDLES to the folder INTO. They are
 * created after the hook has answered typical calls, so that they contain the functions needed for these. They are valid for the version of
 * node and the options that run this program (src/program/code-cache.ts); another version starts without them, only more slowly.
 */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ASSUMED_RUNNER } from '../call/tool-call.js';
import { cacheName } from '../program/code-cache.js';
import { beginTraining, finishedCaches, scripts, training } from './code-caches.js';
import { CALLS, PARSED, PROGRAM, type TrainingCall, USER_POLICY, writeProject } from './training-calls.js';

const [bundles = '', into = ''] = process.argv.slice(2).map((word) => resolve(word));
const require = createRequire(join(bundles, 'hook.cjs'));
const fs: typeof import('node:fs') = require('node:fs');

/** The folder of the user's policy. */
const CONFIG = 'config';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));

function train(project: string): void {
  process.env.HOME = scratch;
  makeProject(project);
  for (const call of CALLS) answer(project, call);
  // Terminals of many editors set a variable that selects the program which another one runs.
  process.env.GIT_SSH_COMMAND = 'ssh -v';
  answer(project, CALLS[0]);
  const parser = start('hook-parser') as unknown as typeof import('../shell/parse/full.js');
  parser.readWithParser(PARSED, 'bash');
  const python = start('hook-python') as unknown as typeof import('../command/languages/python-program.js');
  python.readPythonProgram(PROGRAM);
  const powershell = start('hook-powershell') as unknown as typeof import('../command/powershell/posix.js');
  powershell.posixReading(
    "Set-Location src; npm test 2>&1 | Select-String 'a' | Select-Object -Last 3; Get-Content a.txt",
    () => null,
  );
  writeCaches();
}

function makeProject(project: string): void {
  writeProject(project);
  mkdirSync(join(scratch, CONFIG));
  writeFileSync(join(scratch, CONFIG, 'policy.yaml'), USER_POLICY);
  // A file that has just changed is never stored in a snapshot, and training requires reading one.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

function writeCaches(): void {
  scripts.delete('hook');
  for (const [name, cache] of finishedCaches()) writeFileSync(join(into, `${name}.${cacheName()}.cache`), cache);
}

type Exports = Record<string, unknown>;

function start(name: string): Exports {
  return evaluated(name, (text) => text);
}

/** The exports of a bundle that is run as the hook runs it. */
function evaluated(name: string, around: (text: string) => string, ...more: readonly unknown[]): Exports {
  const filename = join(bundles, `${name}.cjs`);
  const module = { exports: {} };
  const script = new training.Script(around(readFileSync(filename, 'latin1')), { filename });
  script.runInThisContext()(module.exports, load, module, filename, bundles, ...more);
  return module.exports;
}

/** The payload that the hook reads from standard input; its answer is discarded. */
let input: string | null = null;

const own: Readonly<Record<string, unknown>> = {
  'node:vm': training,
  'node:fs': {
    ...fs,
    readSync: (...words: Parameters<typeof fs.readSync>) =>
      words[0] === 0 ? taken(words[1] as Uint8Array) : fs.readSync(...words),
    writeSync: (descriptor: number, given: string, ...rest: readonly number[]) =>
      descriptor < 3 ? Buffer.byteLength(given) : fs.writeSync(descriptor, given, ...rest),
  },
};

function load(name: string): unknown {
  return own[name] ?? require(name);
}

function taken(chunk: Uint8Array): number {
  const bytes = Buffer.from(input ?? '');
  input = null;
  return bytes.copy(chunk);
}

/** Lets the hook answer a call as a process does, and end it. */
function answer(project: string, [tool, fields]: TrainingCall): void {
  const file = fields.file_path === undefined ? {} : { file_path: join(project, fields.file_path) };
  const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse' };
  input = JSON.stringify({ ...payload, tool_name: tool, tool_input: { ...fields, ...file }, tool_use_id: 't' });
  const words = [ASSUMED_RUNNER, '--project', project];
  const places = ['--config-dir', join(scratch, CONFIG), '--state-dir', join(scratch, 'state')];
  let code: number | null = null;
  const ending = Object.create(process, {
    argv: { value: [process.execPath, join(bundles, 'hook.cjs'), ...words, ...places] },
    execArgv: { value: [] },
    reallyExit: { value: (given: number) => (code = given) },
  });
  evaluated('hook', (text) => `(function(exports,require,module,__filename,__dirname,process){${text}\n})`, ending);
  process.removeAllListeners('uncaughtException');
  process.exitCode = 0;
  if (code !== 0) throw new Error(`the hook could not answer ${JSON.stringify(input)}`);
}

try {
  beginTraining();
  train(join(scratch, 'project'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
