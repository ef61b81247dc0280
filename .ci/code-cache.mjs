// Makes NAME.nodeNN.cache for the hook's bundles in dist/ (or the folder given): V8's code caches of the hook after it
// answered typical calls, so that the functions these need are in them. They are valid for the version of node that runs this
// script; others start without them, only slower. With `--runs FILE` it writes there which modules these calls run, when the bundles
// tell (.ci/modules.mjs).
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import vm from 'node:vm';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = resolve(root, process.argv[2] ?? 'dist');
const require = createRequire(join(dist, 'hook.cjs'));
const fs = require('node:fs');

/**
 * The calls that a session is full of: each leaves its functions in the cache. Rare ones stay out of it, since every function in
 * the cache costs every start a little, and a missing one costs only the call that needs it.
 */
const CALLS = {
  lines: [
    ['Bash', { command: 'git status' }],
    [
      'Bash',
      {
        command:
          'cd src && git log --oneline -3 && git diff HEAD~2 --stat -- lib | grep -n "value" | head -3; npm run test > out.txt 2>&1',
      },
    ],
  ],
  reads: [
    ['Read', { file_path: 'src/index.ts' }],
    ['Edit', { file_path: 'src/index.ts', old_string: 'a', new_string: 'text\n'.repeat(200) }],
  ],
};
/** What only the parser reads. */
const PARSED = 'for f in $(ls src); do echo "file: $f" && cat <<EOF; done\n$HOME\nEOF\n';

/** The scripts that the hook started, by the name of their bundle. */
const scripts = new Map();
/** node:vm without a cache, so that every function of a bundle is compiled here as it is needed. */
const training = {
  ...vm,
  Script: class extends vm.Script {
    constructor(source, { filename }) {
      super(source, { filename });
      scripts.set(/([^/\\]+)\.cjs$/.exec(filename)[1], this);
    }
  },
};

// V8 notes in a cache which functions it compiled to machine code, and compiles these at once in every process that takes the cache:
// much work for a hook, which calls each of them a few times. So none is while this script trains.
/** Those that V8 does not know. */
const OPTIONS_OF_NODE = new Set(['--preserve-symlinks-main', '--no-global-search-paths']);
const TRAINING = { sparkplug: false, opt: false };
for (const [flag, on] of Object.entries(TRAINING)) v8.setFlagsFromString(`--${on ? '' : 'no-'}${flag}`);

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));
try {
  const project = join(scratch, 'project');
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  makeRepository(project);
  // What has changed this moment is never stored in a snapshot, and reading one is what has to be trained.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const words = [
    'claude-code',
    '--project',
    project,
    '--config-dir',
    join(scratch, 'config'),
    '--state-dir',
    join(scratch, 'state'),
  ];
  process.env.HOME = scratch;
  /** Lets the hook read one payload from standard input and answer nobody. */
  let input = null;
  const process0 = {
    ...fs,
    readSync: (descriptor, ...rest) => (descriptor === 0 ? taken(rest[0]) : fs.readSync(descriptor, ...rest)),
    writeSync: (descriptor, ...rest) => (descriptor < 3 ? rest[0].length : fs.writeSync(descriptor, ...rest)),
  };
  const taken = (chunk) => {
    const bytes = Buffer.from(input ?? '');
    input = null;
    return bytes.copy(chunk);
  };
  const own = { 'node:fs': process0, 'node:vm': training };
  const load = (name) => own[name] ?? require(name);
  const evaluated = (name, around, ...more) => {
    const filename = join(dist, `${name}.cjs`);
    const module = { exports: {} };
    const text = around(readFileSync(filename, 'latin1'));
    new training.Script(text, { filename }).runInThisContext()(module.exports, load, module, filename, dist, ...more);
    return module.exports;
  };
  const start = (name) => evaluated(name, (text) => text);
  /** Lets dist/hook.cjs answer a call as a process does, and end it; gives the files of the modules that ran. */
  const answer = ([tool, fields]) => {
    const file = fields.file_path && { file_path: join(project, fields.file_path) };
    const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse' };
    input = JSON.stringify({ ...payload, tool_name: tool, tool_input: { ...fields, ...file }, tool_use_id: 't' });
    globalThis.modulesRun = [];
    let code = null;
    const ending = Object.create(process, {
      argv: { value: [process.execPath, join(dist, 'hook.cjs'), ...words] },
      reallyExit: { value: (given) => (code = given) },
    });
    const asFunction = (text) => `(function(exports,require,module,__filename,__dirname,process){${text}\n})`;
    evaluated('hook', asFunction, ending);
    process.removeAllListeners('uncaughtException');
    if (code !== 0) throw new Error(`the hook could not answer ${input}`);
    return globalThis.modulesRun;
  };
  const [compiling, ...lines] = [CALLS.lines[0], ...CALLS.lines].map(answer);
  const runs = { compiling, lines: lines.flat(), reads: CALLS.reads.flatMap(answer) };
  const at = process.argv.indexOf('--runs');
  if (at > 0) {
    writeFileSync(process.argv[at + 1], JSON.stringify(runs));
    process.exit(0);
  }
  // No typical call needs it, but its cache spares those that do from looking through all of it.
  start('hook-seldom');
  start('hook-parser').readWithParser(PARSED, 'bash');
  const rare = start('compile-rare');
  rare.readJson('{ "version": 1, "allow": ["Read(src/**)", { "rule": "Bash(ls *)" }] }');
  rare.readToml('version = 1\nallow = ["Read(src/**)"]\n[tiers]\nsafe = "ask"\n');
  rare.readYaml('a: &x [b, "c\\n"]\nd: >\n  text\n  more\ne: { f: *x }\n');
  rare.globSource('\\(a\\)[0-9]*.{ts,js}');
  // A cache holds for the flags it was made under: those that this process was started with.
  for (const [flag, on] of Object.entries(TRAINING)) v8.setFlagsFromString(`--${on ? 'no-' : ''}${flag}`);
  for (const flag of process.execArgv) if (!OPTIONS_OF_NODE.has(flag)) v8.setFlagsFromString(flag);
  const [major] = process.versions.node.split('.');
  scripts.delete('hook');
  for (const [name, script] of scripts) writeFileSync(join(dist, `${name}.node${major}.cache`), script.createCachedData());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** What the hook reads of a repository with a remote, without running git. */
function makeRepository(folder) {
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(folder, '.git', name), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const remote = '[remote "origin"]\n\turl = https://example.com/demo.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
  const branch = '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n';
  writeFileSync(join(folder, '.git', 'config'), `[core]\n\tbare = false\n${remote}${branch}`);
}
