/**
 * `node [OPTIONS] dist/train-hook.js BUNDLES INTO`: writes into the folder INTO V8's code caches of the hook's bundles in BUNDLES,
 * made after the hook answered typical calls, so that the functions which these need are in them. They hold for the node and the
 * options that run this program (src/enforce/snapshot/code-cache.ts); another node starts without them, only slower.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { cacheName } from '../enforce/snapshot/code-cache.js';
import { CALLS, INDEX, PARSED, PROJECT, type TrainingCall, USER_POLICY } from './training-calls.js';

const [bundles = '', into = ''] = process.argv.slice(2).map((word) => resolve(word));
const require = createRequire(join(bundles, 'hook.cjs'));
const fs: typeof import('node:fs') = require('node:fs');

/** The scripts that the hook started, by the name of their bundle. */
const scripts = new Map<string, vm.Script>();
/** node:vm without a cache, so that every function of a bundle is compiled here as it is needed. */
const training = {
  ...vm,
  Script: class extends vm.Script {
    constructor(source: string, { filename }: { readonly filename: string }) {
      super(source, { filename });
      scripts.set(basename(filename, '.cjs'), this);
    }
  },
};

/**
 * V8 notes in a cache which functions it compiled to machine code, and compiles these at once in every process that takes the cache:
 * much work for a hook, which calls each of them a few times. So none is while this program trains. (Flags of the parser have to be
 * those of the hook: V8 ends a process that finds other notes about inner functions in a cache than it would write itself.)
 */
const TRAINING = { sparkplug: false };
/** Options of node that V8 does not know. */
const OF_NODE = /^--(?:preserve-symlinks|no-global-search-paths|v8-pool-size)/;

function setFlags(flags: Readonly<Record<string, boolean>>): void {
  for (const [flag, on] of Object.entries(flags)) v8.setFlagsFromString(`--${on ? '' : 'no-'}${flag}`);
}

/** The folder of the user's policy. */
const CONFIG = 'config';

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));

function train(project: string): void {
  process.env.HOME = scratch;
  makeProject(project);
  for (const call of CALLS) answer(project, call);
  // Many an editor's terminal sets a variable that chooses the program which another one runs.
  process.env.GIT_SSH_COMMAND = 'ssh -v';
  answer(project, CALLS[0]);
  const parser = start('hook-parser') as unknown as typeof import('../shell/parse/full.js');
  parser.readWithParser(PARSED, 'bash');
  writeCaches();
}

function makeProject(project: string): void {
  for (const [name, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  mkdirSync(join(scratch, CONFIG));
  writeFileSync(join(scratch, CONFIG, 'policy.yaml'), USER_POLICY);
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(project, '.git', name), { recursive: true });
  writeFileSync(join(project, '.git', 'index'), Buffer.from(INDEX, 'base64'));
  // What has changed this moment is never stored in a snapshot, and reading one is what has to be trained.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
}

function writeCaches(): void {
  // A cache holds for the flags it was made under: those that this process was started with.
  setFlags(Object.fromEntries(Object.entries(TRAINING).map(([flag, on]) => [flag, !on])));
  for (const option of process.execArgv) if (!OF_NODE.test(option)) v8.setFlagsFromString(option);
  scripts.delete('hook');
  for (const [name, script] of scripts) writeFileSync(join(into, `${name}.${cacheName()}.cache`), script.createCachedData());
}

type Exports = Record<string, unknown>;

function start(name: string): Exports {
  return evaluated(name, (text) => text);
}

/** What a bundle exports when it is run as the hook runs it. */
function evaluated(name: string, around: (text: string) => string, ...more: readonly unknown[]): Exports {
  const filename = join(bundles, `${name}.cjs`);
  const module = { exports: {} };
  const script = new training.Script(around(readFileSync(filename, 'latin1')), { filename });
  script.runInThisContext()(module.exports, load, module, filename, bundles, ...more);
  return module.exports;
}

/** The payload that the hook reads from standard input; it answers nobody. */
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

/** Lets the hook answer a call of Claude Code as a process does, and end it. */
function answer(project: string, [tool, fields]: TrainingCall): void {
  const file = fields.file_path === undefined ? {} : { file_path: join(project, fields.file_path) };
  const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse' };
  input = JSON.stringify({ ...payload, tool_name: tool, tool_input: { ...fields, ...file }, tool_use_id: 't' });
  const words = ['claude-code', '--project', project];
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
  setFlags(TRAINING);
  train(join(scratch, 'project'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
