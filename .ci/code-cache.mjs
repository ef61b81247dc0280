// Makes hook-main.nodeNN.cache in dist/ (or the folder given): V8's code cache of the hook after it answered typical calls, so that the functions these
// need are in it. It is valid for the version of node that runs this script; others start without it, only slower.
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, process.argv[2] ?? 'dist');
const filename = join(dist, 'hook-main.cjs');
const require = createRequire(filename);

/**
 * The calls that a session is full of: each leaves its functions in the cache. Rare ones stay out of it, since every function in
 * the cache costs every start a little, and a missing one costs only the call that needs it.
 */
const CALLS = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'cd src && grep -rn "TODO" . | head -3; npm run test > /dev/null 2>&1' }],
  ['Read', { file_path: 'src/index.ts' }],
  ['Edit', { file_path: 'src/index.ts', old_string: 'a', new_string: 'b' }],
];

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));
try {
  const project = join(scratch, 'project');
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  const source = readFileSync(filename, 'latin1');
  const script = new Script(source, { filename });
  const hook = { exports: {} };
  script.runInThisContext()(hook.exports, require, hook, filename, dirname(filename));
  for (const [tool, input] of CALLS) {
    const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse' };
    const file = input.file_path && { file_path: join(project, input.file_path) };
    const text = JSON.stringify({ ...payload, tool_name: tool, tool_input: { ...input, ...file }, tool_use_id: 't' });
    hook.exports.runHook({
      words: [
        'claude-code',
        '--project',
        project,
        '--config-dir',
        join(scratch, 'config'),
        '--state-dir',
        join(scratch, 'state'),
      ],
      input: () => text,
      environment: { HOME: scratch, PATH: '/usr/bin:/bin' },
      home: () => scratch,
      parent: process.pid,
      platform: process.platform,
      now: Date.now,
      microseconds: () => Number(process.hrtime.bigint() / 1000n),
      compile: (places) => require(join(dist, 'compile.cjs')).compileGate(places),
    });
  }
  const major = process.versions.node.split('.')[0];
  writeFileSync(join(dist, `hook-main.node${major}.cache`), script.createCachedData());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
