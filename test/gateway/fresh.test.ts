// What the gateway keeps between two calls never answers for what has changed since: policies, runs, the log and its key.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileAndStore } from '../../src/enforce/snapshot/store.js';
import { judgeOf } from '../../src/gateway/judge.js';
import { policyFolder } from '../../src/project/policy-folder.js';
import { projectOf } from '../../src/project/project.js';
import { CLEAN_REPOSITORY, scratch } from '../cli/spawned.js';

const test = suite('what a gateway keeps');
const ALLOW = 'version: 1\nallow: [mcp__echo__echo]\n';
const DENY = 'version: 1\ndeny:  [mcp__echo__echo]\n';
const ON_PATHS = { path: 'packages/a/notes.txt' };

interface World {
  readonly at: (name: string) => string;
  readonly put: (name: string, text: string) => void;
  /** Judges a call and lets it end. */
  readonly call: (input?: object) => { readonly effect: string; readonly text: string };
  readonly visible: (...tools: readonly string[]) => readonly string[];
  /** How often a policy was compiled. */
  readonly compiled: () => number;
  readonly lines: (file?: string) => readonly string[];
  readonly log: () => string;
}

function worldOf(files: Readonly<Record<string, string>> = { 'user/policy.yaml': ALLOW }, agent: string | null = null): World {
  const folder = realpathSync(scratch({}));
  const at = (name: string) => join(folder, name);
  const put = (name: string, text: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  };
  for (const [name, text] of Object.entries(CLEAN_REPOSITORY)) put(`work/${name}`, text);
  put('work/packages/a/notes.txt', '');
  for (const [name, text] of Object.entries(files))
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), at(name));
    else put(name, text);
  let compiled = 0;
  const judge = judgeOf({
    places: {
      ...{
        project: at('work'),
        folder: at('work'),
        home: at('home'),
        platform: process.platform,
        runner: 'claude-code',
        run: null,
      },
      ...{ userDirectory: at('user'), managedDirectory: at('managed'), stateDirectory: at('state') },
    },
    ...{ server: 'echo', agent, cwd: at('work'), parent: process.ppid, isUnheard: () => false, warn: () => {} },
    environment: { PATH: '/usr/bin:/bin', HOME: at('home') },
    compile: (...given) => {
      compiled += 1;
      return compileAndStore(...given);
    },
  });
  const open = () => readdirSync(at('state/log')).filter((name) => name.endsWith('.jsonl'));
  const lines = (file = at(`state/log/${open()[0]}`)) => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  // What changed this moment is never stored in a snapshot.
  pause(150);
  return {
    at,
    put,
    call: (input = {}) => {
      const { effect, text, end } = judge.judge({ tool: 'echo', input: { ...input } }, {});
      end('success', null);
      return { effect, text };
    },
    visible: (...tools) => [...judge.visible(tools)],
    compiled: () => compiled,
    lines,
    log: () => at(`state/log/${open()[0]}`),
  };
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('an unchanged policy is compiled once, and its snapshot is not read again', () => {
  const { call, compiled, at } = worldOf();
  assert.is(call().effect, 'allow');
  assert.is(call().effect, 'allow');
  // The second call has read the snapshot; without it, another would have to compile.
  rmSync(at('state/snapshots'), { recursive: true });
  assert.is(call().effect, 'allow');
  assert.is(compiled(), 1);
});

/** Each is done between two calls; the next one has to be judged by it. */
const CHANGES: Readonly<
  Record<
    string,
    { readonly files?: Readonly<Record<string, string>>; readonly next: string; readonly change: (world: World) => void }
  >
> = {
  'a policy is edited in place, to the same size': { next: 'deny', change: ({ put }) => put('user/policy.yaml', DENY) },
  'an edited policy has its old time again': {
    next: 'deny',
    change: ({ put, at }) => {
      const { atime, mtime } = statSync(at('user/policy.yaml'));
      put('user/policy.yaml', DENY);
      utimesSync(at('user/policy.yaml'), atime, mtime);
    },
  },
  'another file is renamed to the policy': {
    next: 'deny',
    change: ({ put, at }) => {
      put('user/new', DENY);
      renameSync(at('user/new'), at('user/policy.yaml'));
    },
  },
  'a link leads to another policy': {
    files: { 'user/one': ALLOW, 'user/two': DENY, 'user/policy.yaml': '-> one' },
    next: 'deny',
    change: ({ at }) => {
      rmSync(at('user/policy.yaml'));
      symlinkSync('two', at('user/policy.yaml'));
    },
  },
  'the target of a link is edited': {
    files: { 'user/one': ALLOW, 'user/policy.yaml': '-> one' },
    next: 'deny',
    change: ({ put }) => put('user/one', DENY),
  },
  'a second policy file of the user appears': { next: 'deny', change: ({ put }) => put('user/policy.json', '{"version":1}') },
  'the policy of the user is removed': { next: 'ask', change: ({ at }) => rmSync(at('user/policy.yaml')) },
  'the folder of the user is removed': { next: 'ask', change: ({ at }) => rmSync(at('user'), { recursive: true }) },
  'a managed policy appears': { next: 'deny', change: ({ put }) => put('managed/policy.yaml', DENY) },
  'a policy of the project appears': { next: 'deny', change: ({ put }) => put('work/policy.yaml', DENY) },
  'a local policy of the project appears': { next: 'deny', change: ({ put }) => put('work/policy.local.yaml', DENY) },
  'a policy of a package below appears': { next: 'deny', change: ({ put }) => put('work/packages/a/policy.yaml', DENY) },
  'the policy of a package below is edited': {
    files: { 'user/policy.yaml': ALLOW, 'work/packages/a/policy.yaml': 'version: 1\nallow: [mcp__echo__echo]\n' },
    next: 'deny',
    change: ({ put }) => put('work/packages/a/policy.yaml', DENY),
  },
  'a policy cannot be read any more': { next: 'deny', change: ({ put }) => put('user/policy.yaml', 'version: 1\nallow: [\n') },
  'a record of a run appears that cannot be read': {
    next: 'deny',
    change: ({ put }) => put(`state/launched/${process.ppid}-1.json`, '{'),
  },
};

for (const [what, { files, next, change }] of Object.entries(CHANGES))
  test(`the next call sees it: ${what}`, () => {
    const world = worldOf(files);
    for (let call = 0; call < 3; call += 1) assert.is(world.call(ON_PATHS).effect, 'allow');
    change(world);
    assert.is(world.call(ON_PATHS).effect, next);
    assert.is(world.call(ON_PATHS).effect, next);
  });

test('the next call sees it: a definition of the agent is edited', () => {
  const file = 'work/.claude/agents/reader.md';
  const definition = (tool: string) => `---\nname: reader\ndescription: Reads.\ntools: ${tool}\n---\nRead.\n`;
  const world = worldOf({ 'user/policy.yaml': ALLOW, [file]: definition('mcp__echo__echo') }, 'reader');
  for (let call = 0; call < 3; call += 1) assert.is(world.call().effect, 'allow');
  world.put(file, definition('mcp__echo__list'));
  assert.is(world.call().effect, 'deny');
});

test('the next call sees it: a policy is made where the gateway stands, and above it', () => {
  const folder = realpathSync(scratch({ 'user/policy.yaml': ALLOW, 'a/b/x': '' }));
  const at = (name: string) => join(folder, name);
  const cwd = at('a/b');
  const stands = () => {
    const project = projectOf(cwd);
    return { project, folder: policyFolder(project, cwd) };
  };
  const judge = judgeOf({
    places: {
      ...{ ...stands(), home: at('home'), platform: process.platform, runner: 'claude-code', run: null },
      ...{ userDirectory: at('user'), managedDirectory: at('managed'), stateDirectory: at('state') },
    },
    ...{ stands, server: 'echo', agent: null, cwd, parent: process.ppid, isUnheard: () => false, warn: () => {} },
    environment: { PATH: '/usr/bin:/bin', HOME: at('home') },
    compile: compileAndStore,
  });
  const effect = () => judge.judge({ tool: 'echo', input: {} }, {}).effect;
  assert.is(effect(), 'allow');
  writeFileSync(at('policy.yaml'), DENY);
  assert.is(effect(), 'deny');
  rmSync(at('policy.yaml'));
  assert.is(effect(), 'allow');
  writeFileSync(at('a/b/policy.yaml'), DENY);
  assert.is(effect(), 'deny');
});

test('a list of tools is judged by the policy as it is now', () => {
  const world = worldOf({ 'user/policy.yaml': 'version: 1\ndeny: [mcp__echo__drop]\n' });
  for (let list = 0; list < 3; list += 1) assert.equal(world.visible('echo', 'drop'), ['echo']);
  world.put('user/policy.yaml', DENY);
  assert.equal(world.visible('echo', 'drop'), ['drop']);
});

test('a log that was removed begins again with the next line', () => {
  const { call, log, lines } = worldOf();
  call();
  rmSync(log());
  assert.is(call().effect, 'allow');
  assert.is(lines().length, 2);
});

test('a log that was archived gets no more lines', () => {
  const { call, log, lines, at } = worldOf();
  call();
  mkdirSync(at('state/log/sealed'), { mode: 0o700 });
  const archived = at('state/log/sealed/one.jsonl');
  renameSync(log(), archived);
  call();
  assert.equal([lines(archived).length, lines().length], [2, 2]);
});

test('another file in place of the log gets the next line', () => {
  const { call, log, lines } = worldOf();
  call();
  const file = log();
  rmSync(file);
  writeFileSync(file, '{}\n', { mode: 0o600 });
  call();
  assert.is(lines().length, 3);
});

/** Each lets the next call be denied, because its decision cannot be logged where it should. */
const UNSAFE: Readonly<Record<string, (world: World) => void>> = {
  'the log can be written by others': ({ log }) => chmodSync(log(), 0o622),
  'the log is a link': ({ log, at }) => {
    const file = log();
    renameSync(file, at('state/elsewhere'));
    symlinkSync(at('state/elsewhere'), file);
  },
  'the log is a folder': ({ log }) => {
    const file = log();
    rmSync(file);
    mkdirSync(file);
  },
  'the folder of the log can be written by others': ({ at }) => chmodSync(at('state/log'), 0o777),
  'the state directory can be written by others': ({ at }) => chmodSync(at('state'), 0o777),
  'the folder of the log is a link': ({ at }) => {
    renameSync(at('state/log'), at('log'));
    symlinkSync(at('log'), at('state/log'));
  },
  // Nobody keeps the superuser from writing.
  ...(process.getuid?.() !== 0 && { 'the log is read-only': ({ log }: World) => chmodSync(log(), 0o400) }),
};

for (const [what, change] of Object.entries(UNSAFE))
  test(`no call passes unlogged: ${what}`, () => {
    const world = worldOf();
    assert.is(world.call().effect, 'allow');
    change(world);
    const { effect, text } = world.call();
    assert.is(effect, 'deny');
    assert.match(text, /decision log|state directory/);
  });

test('a new key makes the next digest', () => {
  const { call, lines, at } = worldOf();
  call({ message: 'x' });
  call({ message: 'x' });
  writeFileSync(at('state/new.key'), Buffer.alloc(32, 7), { mode: 0o600 });
  renameSync(at('state/new.key'), at('state/digest.key'));
  call({ message: 'x' });
  const digests = lines().map((line) => JSON.parse(line).digest);
  assert.is(new Set(digests.slice(0, 4)).size, 1);
  assert.is.not(digests[4], digests[0]);
  // A result has the digest of its decision.
  assert.is(digests[5], digests[4]);
});

test('a full file of the log is left alone, call after call', () => {
  const { call, log, lines, at } = worldOf();
  call();
  const file = log();
  const next = file.replace('.jsonl', '-1.jsonl');
  writeFileSync(file, Buffer.alloc(64 * 1024 * 1024, '\n'));
  call();
  call();
  assert.is(statSync(file).size, 64 * 1024 * 1024);
  assert.is(lines(next).length, 4);
  assert.ok(existsSync(at('state/digest.key')));
});

test.run();
