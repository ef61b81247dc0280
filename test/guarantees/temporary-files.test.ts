/** Preset develop and temporary folders, with real files: whose they are, who may read them, and what else lies in their folders. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

/** The system's own one, whatever the variables say; D stands in the rows for a folder below it. */
const SHARED = '/tmp';
const isUsable = process.platform !== 'win32' && (lstatSync(realpathSync(SHARED)).mode & 0o1000) !== 0;
const isRoot = process.getuid?.() === 0;

const FILES: Readonly<Record<string, number>> = {
  'own.txt': 0o644,
  'closed.txt': 0o600,
  'run.sh': 0o755,
  'env/.env': 0o644,
  'env/a.txt': 0o644,
  'server.pem': 0o644,
  'logs/a.log': 0o644,
  'logs/b.log': 0o644,
  'mixed/a.log': 0o644,
  'mixed/b.log': 0o600,
  'shut/a.txt': 0o644,
  'open/a.txt': 0o644,
  'group/a.txt': 0o644,
  'repo/.git/HEAD': 0o644,
  'repo/a.txt': 0o644,
  'repo/src/a.txt': 0o644,
  'tree/.git': 0o644,
  'tree/a.txt': 0o644,
  'set/.claude/settings.json': 0o644,
  'set/a.txt': 0o644,
  'gate/policy.yaml': 0o644,
  'gate/a.txt': 0o644,
  'gate/deep/er/a.txt': 0o644,
  'bare/HEAD': 0o644,
  'bare/config': 0o644,
  'hidden/.x/a.txt': 0o644,
  'user/a.txt': 0o644,
};

function fill(folder: string, home: string): void {
  for (const [file, mode] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, file), 'a\n');
    chmodSync(join(folder, file), mode);
  }
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'shut'), 0o700);
  chmodSync(join(folder, 'open'), 0o777);
  if (isRoot) chownSync(join(folder, 'group'), 0, 1);
  chmodSync(join(folder, 'group'), isRoot ? 0o775 : 0o777);
  symlinkSync(join(home, '.bashrc'), join(folder, 'profile'));
  symlinkSync(join(home, 'notes.txt'), join(folder, 'notes'));
  symlinkSync(join(home, 'none'), join(folder, 'dangling'));
  symlinkSync('own.txt', join(folder, 'inner'));
  symlinkSync(home, join(folder, 'linked'));
  symlinkSync('logs', join(folder, 'around'));
  writeFileSync(join(folder, 'twice'), 'a\n', { mode: 0o644 });
  linkSync(join(folder, 'twice'), join(folder, 'again'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
}

/** Uses a project under develop, and a filled folder beside the world's own. */
function withTemporary(use: (verdict: (tool: string, input: unknown) => string, folder: string, world: HookWorld) => void): void {
  withHookWorld({ '.bashrc': '', 'notes.txt': 'mine\n', 'project/a.txt': 'a\n', 'project/.env': 'A=b\n' }, (world) => {
    world.write('.config/policy/policy.yaml', `version: 1\npreset: develop\ntrustedRepos: [${world.project}]\n`);
    const folder = mkdtempSync(join(SHARED, 'policy-temporary-'));
    try {
      fill(folder, world.home);
      use((tool, input) => verdictOf(world.run(payload(world, tool, input))), folder, world);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Lines that pass, and such as do not. */
const LINES: readonly (readonly [why: string, passing: readonly string[], others: readonly string[]])[] = [
  [
    'what everybody may read is read',
    [
      'cat D/own.txt',
      'cat D/run.sh',
      'cat D/twice',
      'head -3 D/open.txt',
      'cat D/logs/*.log',
      'grep a D/logs/[ab].log',
      'cat D/*.none',
    ],
    [
      'cat D/closed.txt',
      'cat D/shut/a.txt',
      'cat D/mixed/*.log',
      'cat D/env/.env',
      'cat D/server.pem',
      'cat D/*.pem',
      'cat D/pipe',
      'cat D/*',
    ],
  ],
  [
    'what is new or the own is written',
    [
      'echo a > D/new',
      'echo a >> D/own.txt',
      'echo a > D/closed.txt',
      'echo a > D/shut/new',
      'echo a > D/none/new',
      'mkdir -p D/none/deep && cp a.txt D/none/deep/',
      'cp a.txt D/logs',
      'cp a.txt D/logs/b.log',
      'ls | tee D/new; cat D/new',
      'mkdir D/logs/new',
      'touch D/new',
    ],
    [
      'echo a > D/run.sh',
      'echo a > D/twice',
      'echo a > D/pipe',
      'echo a > D/.hid',
      'echo a > D/HEAD',
      'cp D/bare/config D/head',
      'echo a > D/policy.yaml',
      'echo a > D/AGENTS.md/../.envrc',
      'mkdir -p D/x/.git',
      'cp .env D/new',
      'cat .env > D/new',
      'mkdir -p D/none/.claude',
      'touch D/run.sh',
    ],
  ],
  [
    'links lead elsewhere, and may do so tomorrow',
    [],
    [
      'cat D/profile',
      'cat D/notes',
      'cat D/inner',
      'cat D/dangling',
      'cat D/linked/notes.txt',
      'cat D/around/a.log',
      'cat D/not*',
      'cat D/linked/*.txt',
      'echo a > D/profile',
      'echo a > D/inner',
      'echo a > D/dangling',
      'echo a > D/linked/new',
      'echo a > D/around/new',
      'cp a.txt D/linked',
      'cp a.txt D/dangling',
      'tee D/notes < a.txt',
      'cat D/logs/../notes',
    ],
  ],
  [
    'folders that others may change, or that belong to a project',
    ['cat D/user/a.txt'],
    [
      'cat D/open/a.txt',
      'echo a > D/open/new',
      'cat D/group/a.txt',
      'echo a > D/group/new',
      'cat D/repo/a.txt',
      'echo a > D/repo/src/new',
      'cat D/repo/src/a.txt',
      'cat D/tree/a.txt',
      'cat D/set/a.txt',
      'echo a > D/set/new',
      'cat D/gate/a.txt',
      'cat D/gate/deep/er/a.txt',
      'echo a > D/gate/deep/er/new',
      'echo a > D/bare/config',
      'cat D/hidden/.x/a.txt',
      'cat D/env/a.txt',
    ],
  ],
  [
    'what lies there is not run, deleted or opened',
    ['ls D', 'ls -la D/logs', 'find D -name "*.log"', 'ls -l D/closed.txt'],
    [
      'bash D/run.sh',
      'D/run.sh',
      '. D/own.txt',
      'sh < D/own.txt',
      'cd D && ./run.sh',
      'cd D && make',
      'rm D/own.txt',
      'rm -r D/logs',
      'mv D/own.txt a.txt',
      'chmod o+r D/closed.txt',
      'ln -s D/own.txt b',
      'ln D/own.txt b',
      'grep -r a D',
      'cp -r D/logs .',
      'tar -cf D/new.tar src',
      'echo a > D/new.sh && sh D/new.sh',
      'cp D/closed.txt a.txt',
      'ls D/shut',
    ],
  ],
];

for (const [why, passing, others] of LINES)
  test(`temporary folders: ${why}`, () => {
    if (!isUsable) return;
    withTemporary((verdict, folder) => {
      for (const line of passing)
        assert.is(verdict('Bash', { command: line.replaceAll(/\bD(?=$|[/ ])/g, folder) }), 'allow', line);
      for (const line of others)
        assert.is.not(verdict('Bash', { command: line.replaceAll(/\bD(?=$|[/ ])/g, folder) }), 'allow', line);
    });
  });

test('temporary folders: the tools of a client', () => {
  if (!isUsable) return;
  withTemporary((verdict, folder) => {
    for (const [tool, file, expected] of [
      ['Read', 'own.txt', 'allow'],
      ['Read', 'closed.txt', 'ask'],
      ['Read', 'notes', 'ask'],
      ['Read', 'repo/a.txt', 'ask'],
      ['Write', 'new.md', 'allow'],
      ['Write', 'logs/a.log', 'allow'],
      ['Write', 'run.sh', 'ask'],
      ['Write', 'profile', 'deny'],
      ['Write', 'dangling', 'ask'],
      ['Write', 'repo/new', 'ask'],
      ['Write', 'repo/.git/hooks/pre-commit', 'deny'],
      ['Write', 'set/.claude/settings.json', 'deny'],
      ['Edit', 'own.txt', 'allow'],
      ['Edit', 'twice', 'ask'],
    ] as const)
      assert.is(verdict(tool, { file_path: join(folder, file), content: '', old_string: 'a', new_string: 'b' }), expected, file);
  });
});

test('temporary folders: files of other users', () => {
  if (!isUsable || !isRoot) return;
  withTemporary((verdict, folder) => {
    mkdirSync(join(folder, 'theirs'), { mode: 0o755 });
    for (const file of ['theirs.txt', 'theirs/a.txt']) {
      writeFileSync(join(folder, file), 'a\n', { mode: 0o644 });
      chownSync(join(folder, file), 4711, 4711);
    }
    chownSync(join(folder, 'theirs'), 4711, 4711);
    for (const line of ['cat D/theirs.txt', 'echo a > D/theirs.txt', 'cat D/theirs/a.txt', 'echo a > D/theirs/new'])
      assert.is(verdict('Bash', { command: line.replace('D', folder) }), 'ask', line);
  });
});

test('temporary folders: the home, the project and the own folders are none, wherever they lie', () => {
  if (!isUsable) return;
  withTemporary((verdict, _, world) => {
    const lines = ['cat D/notes.txt', 'echo a > D/new', 'cat D/.local/state/policy/x', 'echo a > D/.config/policy/new'];
    for (const line of lines) assert.is.not(verdict('Bash', { command: line.replace('D', world.home) }), 'allow', line);
    assert.is(verdict('Bash', { command: `cat ${world.project}/a.txt` }), 'allow');
    assert.is(verdict('Bash', { command: `cat ${world.project}/.env` }), 'ask');
  });
});

test.run();
