/** A home, a project with a policy that denies `touch`, and the hook installed there; owned by a user without privileges. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunnerId } from '../../src/call/tool-call.js';
import { hookCommandLine } from '../../src/runner/hook/command-line.js';
import { NODE_OPTIONS, NODE_VARIABLES } from '../../src/runner/hook/node-options.js';

/** A process started by root could read and write what it must not: then everything runs as this user (nobody). */
export const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;

/** Everything else runs, so that a lost rule shows. */
export const POLICY = `version: 1
default: allow
deny:
  - rule: Bash(touch *)
    reason: Nothing is touched here.
`;
export const USER_POLICY = '.config/policy/policy.yaml';
/** The files of a build that the hook needs. */
const PROGRAM = /^(?:hook|compile|seal|rules)[\w-]*\.(?:cjs|pack)$/;

export interface FaultWorld {
  readonly base: string;
  readonly home: string;
  readonly project: string;
  readonly state: string;
  readonly config: string;
  /** The installed program: hook.cjs and its neighbours. */
  readonly program: string;
  /** The node that the installed line names: a link to the real one. */
  readonly node: string;
  /** What the denied call would make. */
  readonly marker: string;
  /** Writes a file below the base, as the owner. */
  write(file: string, text: string | Uint8Array): void;
  /** The installed line of a runner. */
  line(runner: RunnerId, platform: 'linux' | 'darwin', deadline?: number): string;
  remove(): void;
}

/** Makes a world. */
export function faultWorld(): FaultWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-fault-')));
  const home = join(base, 'user');
  const project = join(home, 'project');
  const program = join(base, 'installed');
  const world: FaultWorld = {
    ...{ base, home, project, program },
    state: join(home, '.local', 'state', 'policy'),
    config: join(home, '.config', 'policy'),
    node: join(base, 'node'),
    marker: join(project, 'MARKER'),
    write: (file, text) => {
      mkdirSync(dirname(join(base, file)), { recursive: true });
      writeFileSync(join(base, file), text);
      own(base);
    },
    line: (runner, platform, deadline) => installedLine(world, runner, platform, deadline),
    remove: () => {
      open(base);
      // A hook that lost its client may still write for a moment.
      rmSync(base, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  mkdirSync(program, { recursive: true });
  for (const name of readdirSync('dist').filter((one) => PROGRAM.test(one)))
    copyFileSync(join('dist', name), join(program, name));
  const caches = madeCaches();
  for (const name of readdirSync(caches)) copyFileSync(join(caches, name), join(program, name));
  writeFileSync(world.node, `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  world.write(`user/${USER_POLICY}`, POLICY);
  world.write('user/project/.git/HEAD', 'ref: refs/heads/main\n');
  world.write('user/project/.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  for (const folder of ['objects', 'refs']) mkdirSync(join(project, '.git', folder));
  world.write('user/project/README.md', 'hello\n');
  return world;
}

let made: string | null = null;

/** The folder of the code caches that an installation makes for this node. */
function madeCaches(): string {
  if (made !== null) return made;
  const folder = mkdtempSync(join(tmpdir(), 'policy-fault-caches-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  made = folder;
  const { status, stderr } = spawnSync(process.execPath, [...NODE_OPTIONS, 'dist/train-hook.js', 'dist', made], {
    env: { PATH: '/usr/bin:/bin', ...NODE_VARIABLES },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the code caches could not be made: ${stderr}`);
  return made;
}

function installedLine(world: FaultWorld, runner: RunnerId, platform: 'linux' | 'darwin', deadline?: number): string {
  const line = hookCommandLine({
    runner,
    platform,
    node: world.node,
    nodeOptions: NODE_OPTIONS,
    hook: join(world.program, 'hook.cjs'),
    home: world.home,
    project: world.project,
    configDirectory: world.config,
    stateDirectory: world.state,
    shell: null,
    ...(deadline !== undefined && { deadline }),
  });
  if (line === null) throw new Error('there is no installed line on this platform');
  return line;
}

/** Gives everything below a folder to the owner. */
function own(folder: string): void {
  if (OWNER === null) return;
  for (const path of everything(folder)) chownSync(path, OWNER.uid, OWNER.gid);
}

/** Makes everything below a folder removable. */
function open(folder: string): void {
  for (const path of everything(folder)) if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}

function* everything(path: string): Generator<string> {
  if (lstatSync(path).isSymbolicLink()) return;
  yield path;
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) yield* everything(join(path, name));
}

/** A payload about `touch MARKER` as the client writes it, made from a recorded one. */
export function payloadOf(runner: RunnerId, world: FaultWorld, command = `touch ${world.marker}`): Record<string, unknown> {
  const { file, place } = PAYLOADS[runner];
  const payload: Record<string, unknown> =
    file === null
      ? structuredClone(WRITTEN[runner] ?? {})
      : JSON.parse(readFileSync(join('test/fixtures/payloads', runner, file), 'utf8'));
  payload.cwd = world.project;
  const holder = place.slice(0, -1).reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, payload);
  holder[place.at(-1) ?? ''] = { command };
  return payload;
}

const PAYLOADS: Readonly<Record<RunnerId, { readonly file: string | null; readonly place: readonly string[] }>> = {
  'claude-code': { file: 'main.PreToolUse.Bash.2.json', place: ['tool_input'] },
  codex: { file: 'basic-03-pre-Bash.json', place: ['tool_input'] },
  'gemini-cli': { file: 'basic-01-pre-run_shell_command.json', place: ['tool_input'] },
  'copilot-cli': { file: 'basic-02-pre-bash.json', place: ['toolArgs'] },
  'qwen-code': { file: 'basic-01-pre-run_shell_command.json', place: ['tool_input'] },
  opencode: { file: 'basic-01-tool_execute_before-bash.json', place: ['output', 'args'] },
  cursor: { file: null, place: ['tool_input'] },
  'agent-code': { file: null, place: ['tool_input'] },
};

/** Clients without a recording: as their documentation and source say. */
const WRITTEN: Partial<Readonly<Record<RunnerId, Record<string, unknown>>>> = {
  cursor: { hook_event_name: 'preToolUse', conversation_id: 'c1', generation_id: 'g1', tool_name: 'Shell' },
  'agent-code': { event: 'pre_tool_use', session_id: 's1', tool_name: 'Bash' },
};
