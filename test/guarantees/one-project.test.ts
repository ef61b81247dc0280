/** "Keeping the gate" 1: a session has one project, fixed at its first call; nothing found elsewhere can loosen it. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { rememberProject } from '../../src/project/session-project.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';

const USER = 'version: 1\npreset: safe\n';
const OPEN = 'version: 1\npreset: all\ndefault: allow\nallow: ["Bash(*)"]\n';
const STRICT = 'version: 1\ndeny: ["Bash(git log *)", "Bash(make *)"]\n';

/** A home with a project whose policy denies `make`, and beside it another repository. */
function worldWith(other: Readonly<Record<string, string>>, use: (world: HookWorld, elsewhere: string) => void): void {
  const files = {
    '.config/policy/policy.yaml': USER,
    'project/policy.yaml': 'version: 1\ndeny: ["Bash(make *)"]\n',
    'other/.git/HEAD': 'ref: refs/heads/main\n',
    'other/.git/config': '[core]\n\tbare = false\n',
    'other/.git/objects/x': '',
    'other/.git/refs/x': '',
    ...other,
  };
  withHookWorld(files, (world) => use(world, join(world.home, 'other')));
}

const bash = (world: HookWorld, command: string, more: Readonly<Record<string, unknown>> = {}) =>
  verdictOf(world.run(payload(world, 'Bash', { command }, more)));

test("the first call's project judges calls made in another repository", () => {
  worldWith({ 'other/policy.yaml': OPEN }, (world, cwd) => {
    assert.is(bash(world, 'make all'), 'deny');
    assert.is(bash(world, 'make all', { cwd }), 'deny', 'the deny rule of the project goes along');
    assert.is(bash(world, 'frobnicate', { cwd }), 'ask', 'the open policy over there allows nothing');
    assert.is(bash(world, 'git status', { cwd, session_id: 'another' }), 'allow', 'a session that begins there belongs there');
  });
});

test('a project without a repository: git is not let loose in the repositories below it or beside it', () => {
  const git = 'sub/.git/HEAD sub/.git/objects/x sub/.git/refs/x'
    .split(' ')
    .map((file) => [`plain/${file}`, 'ref: refs/heads/x\n']);
  const config = { 'plain/sub/.git/config': '[core]\n\tfsmonitor = evil\n', 'plain/a': '', 'plain/folder/b': '', 'beside/c': '' };
  worldWith({ ...Object.fromEntries(git), ...config, 'plain/policy.yaml': 'version: 1\n' }, (world) => {
    const cwd = join(world.home, 'plain');
    const inPlain = (command: string) => bash(world, command, { cwd, session_id: 'plain' });
    assert.is(inPlain('git status'), 'allow', 'it only says that there is no repository');
    assert.is(inPlain('git diff a folder/b'), 'allow', 'two files of the project');
    assert.is(inPlain('cd folder && git diff b'), 'allow');
    assert.is(inPlain('cd sub && git status'), 'ask', 'the configuration of that repository runs a program');
    assert.is(inPlain('git -C sub status'), 'ask');
    assert.is(inPlain('cd ../other && git status'), 'ask');
    assert.is(inPlain('cd ../beside && git diff c x'), 'ask', 'without a repository git compares any files');
  });
});

const asRunner = (world: HookWorld, runner: string, body: Readonly<Record<string, unknown>>) =>
  verdictOf(world.run(JSON.stringify(body), { words: [runner] }));

test("codex: the session's start fixes the project, not the workdir that the model chooses for its first call", () => {
  worldWith({ '.config/policy/policy.yaml': 'version: 1\nallow: ["Bash(make *)", Bash(pwd)]\n' }, (world, elsewhere) => {
    const said = (session: string, cwd: string) => ({ session_id: session, cwd, model: 'm', permission_mode: 'default' });
    const begin = (session: string) =>
      asRunner(world, 'codex', { ...said(session, world.project), hook_event_name: 'SessionStart', source: 'startup' });
    const call = (session: string, cwd: string, command: string) =>
      asRunner(world, 'codex', {
        ...said(session, cwd),
        ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'c' },
      });
    assert.is(begin('begun'), 'silence');
    assert.is(call('begun', elsewhere, 'pwd'), 'silence');
    assert.is(call('begun', elsewhere, 'make all'), 'deny', 'the deny rule of the project goes along');
    assert.is(begin('begun'), 'silence', 'a session that is resumed keeps its project');
    assert.is(call('not begun', elsewhere, 'make all'), 'silence', 'a session whose start nobody told begins at its first call');
  });
});

test('cursor: the workspace is the project, not the directory that the model chooses for its first call', () => {
  worldWith({ '.config/policy/policy.yaml': 'version: 1\nallow: ["Bash(make *)", Bash(pwd)]\n' }, (world, cwd) => {
    const call = (roots: readonly unknown[], command: string) =>
      asRunner(world, 'cursor', {
        ...{ hook_event_name: 'preToolUse', conversation_id: JSON.stringify(roots), workspace_roots: roots, cwd },
        ...{ tool_name: 'Shell', tool_input: { command } },
      });
    assert.is(call([world.project], 'make all'), 'deny');
    assert.is(call([cwd], 'make all'), 'no verdict', 'another workspace is another project');
    assert.is(call([7], 'make all'), 'no verdict', 'a workspace that is no path counts for nothing');
  });
});

test('outside of any repository git may read any file, also for a project that is one', () => {
  worldWith(
    { 'project/.git/HEAD': 'ref: refs/heads/x\n', 'project/.git/objects/x': '', 'project/.git/refs/x': '', 'beside/c': '' },
    (world) => {
      assert.is(bash(world, 'git log'), 'allow');
      assert.is(bash(world, 'cd ../beside && git diff c x'), 'ask');
      assert.is(bash(world, 'cd / && git log'), 'ask');
    },
  );
});

test('a session that begins elsewhere keeps that project when it comes into this one', () => {
  worldWith({ 'other/policy.yaml': STRICT }, (world, cwd) => {
    assert.is(bash(world, 'git log -1', { cwd }), 'deny');
    assert.is(bash(world, 'git log -1'), 'deny', 'the deny rule of the first project goes along');
  });
});

test('a policy found elsewhere tightens', () => {
  worldWith({ 'other/policy.yaml': STRICT, 'other/deep/policy.yaml': 'version: 1\ndeny: ["Bash(ls *)"]\n' }, (world, cwd) => {
    assert.is(bash(world, 'ls -l'), 'allow');
    assert.is(bash(world, 'git log -1'), 'allow');
    assert.is(bash(world, 'git log -1', { cwd }), 'deny');
    assert.is(bash(world, 'ls -l', { cwd: join(cwd, 'deep') }), 'deny', 'so does that of a folder below');
    assert.is(bash(world, 'git log -1', { cwd: join(cwd, 'deep') }), 'deny', 'beside that of its top');
  });
});

test('a policy elsewhere that cannot be used denies the calls made there, and no others', () => {
  worldWith({ 'other/policy.yaml': 'version: [' }, (world, cwd) => {
    assert.is(bash(world, 'git status'), 'allow');
    assert.is(bash(world, 'git status', { cwd }), 'deny');
  });
});

test('a policy elsewhere that is a link out of its repository denies the calls made there', () => {
  worldWith({ 'open.yaml': OPEN }, (world, cwd) => {
    assert.is(bash(world, 'git status'), 'allow');
    symlinkSync(join(world.home, 'open.yaml'), join(cwd, 'policy.yaml'));
    assert.is(bash(world, 'git status', { cwd }), 'deny');
  });
});

test('a nested repository inside the project is no project of its own', () => {
  worldWith({}, (world) => {
    assert.is(bash(world, 'git status'), 'allow');
    for (const part of ['objects', 'refs']) mkdirSync(join(world.project, 'vendor/lib/.git', part), { recursive: true });
    world.write('project/vendor/lib/.git/HEAD', 'ref: refs/heads/main\n');
    world.write('project/vendor/lib/policy.yaml', OPEN);
    const cwd = join(world.project, 'vendor/lib');
    assert.is(bash(world, 'make all', { cwd }), 'deny');
    assert.is(bash(world, 'frobnicate', { cwd }), 'ask');
  });
});

test('a project whose repository vanishes in mid-session is not replaced by the one around it', () => {
  worldWith({ 'policy.yaml': OPEN }, (world) => {
    assert.is(bash(world, 'make all'), 'deny');
    rmSync(join(world.project, '.git'), { recursive: true });
    assert.is(bash(world, 'make all'), 'deny');
  });
});

const record = (world: HookWorld) => {
  const folder = join(world.state, 'sessions');
  const [name = ''] = readdirSync(folder);
  return join(folder, name);
};

const DAMAGES: readonly (readonly [string, (file: string, world: HookWorld) => void])[] = [
  ['is empty', (file) => writeFileSync(file, '')],
  ['is cut off', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))],
  ['is no JSON', (file) => writeFileSync(file, 'x')],
  ['is null', (file) => writeFileSync(file, 'null')],
  ['names no project', (file) => writeFileSync(file, '{"runner":"claude-code","session":"0f4c"}')],
  ['is of another session', (file) => writeFileSync(file, '{"runner":"claude-code","session":"1","project":"/"}')],
  ['is writable for others', (file) => chmodSync(file, 0o666)],
  [
    'is a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
  [
    'is a link to an open one',
    (file, { home, project }) => {
      rmSync(file);
      writeFileSync(join(home, 'r.json'), JSON.stringify({ runner: 'claude-code', session: '0f4c', project }));
      symlinkSync(join(home, 'r.json'), file);
    },
  ],
];

for (const [what, damage] of DAMAGES)
  test(`a record of the session's project that ${what} denies every call, with one line that names it`, () => {
    worldWith({}, (world) => {
      assert.is(bash(world, 'git status'), 'allow');
      damage(record(world), world);
      const output = world.run(payload(world, 'Bash', { command: 'git status' }));
      assert.is(verdictOf(output), 'deny');
      assert.match(output.stderr, /sessions/);
    });
  });

test('a record that cannot be written denies the first call, with one line that names it; later calls begin anew', () => {
  worldWith({}, (world) => {
    assert.is(bash(world, 'git status'), 'allow');
    const file = record(world);
    rmSync(file);
    mkdirSync(`${file}.${process.pid}`);
    const output = world.run(payload(world, 'Bash', { command: 'git status' }));
    assert.is(verdictOf(output), 'deny');
    assert.ok(output.stderr.includes(`${file}, which remembers the project of this session, cannot be written (EISDIR)`));
    rmdirSync(`${file}.${process.pid}`);
    assert.is(bash(world, 'git status'), 'allow');
    assert.equal(readdirSync(dirname(file)).length, 1);
  });
});

test('the folder of the records being a link denies', () => {
  worldWith({}, (world) => {
    mkdirSync(world.state, { recursive: true, mode: 0o700 });
    mkdirSync(join(world.home, 'mine'));
    symlinkSync(join(world.home, 'mine'), join(world.state, 'sessions'));
    assert.is(bash(world, 'git status'), 'deny');
  });
});

test('records are for their owner only, and those of sessions long over are removed when a new one begins', () => {
  worldWith({}, (world) => {
    bash(world, 'git status');
    const old = record(world);
    utimesSync(old, 1, 1);
    bash(world, 'git status', { session_id: 'next' });
    assert.is(readdirSync(join(world.state, 'sessions')).length, 1);
    assert.not(record(world) === old);
  });
});

/** What a process says that begins a session in a project. */
function beginning(state: string, project: string): Promise<string> {
  const program = `
    import { rememberProject } from ${JSON.stringify(join(process.cwd(), 'build/src/project/session-project.js'))};
    const [stateDirectory, project] = process.argv.slice(-2);
    process.stdout.write(rememberProject({ stateDirectory, runner: 'codex', session: 's' }, project, Date.now()));
  `;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', state, project]);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

test('of 24 processes that begin a session at the same moment in different projects one decides for all', async () => {
  const base = mkdtempSync(join(tmpdir(), 'policy-sessions-'));
  try {
    const state = join(base, 'state');
    const said = await Promise.all(Array.from({ length: 24 }, (_, one) => beginning(state, `/project/${one}`)));
    assert.is(new Set(said).size, 1, said.join(' '));
    assert.match(said[0] ?? '', /^\/project\/\d+$/);
    assert.is(rememberProject({ stateDirectory: state, runner: 'codex', session: 's' }, '/later', 0), said[0]);
    assert.is(readdirSync(join(state, 'sessions')).length, 1);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

test.run();
