/** A project in which `policy run` starts a stand-in for Claude Code, and the processes that do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { validateRunEvent } from '../../src/generated/validators/run-event.js';
import { isTrialSession } from '../../src/log/read/trial-session.js';
import { type Answer, CLEAN_REPOSITORY, COMMAND, home, scratch } from './spawned.js';
import { policyInThread } from './threaded.js';

/** Takes a goal of lines such as `run COMMAND`, `say TEXT`, `sleep SECONDS`. */
export const FAKE = resolve('test/fixtures/fake-runner/claude');

/** Milliseconds until a test gives up; the machine may be busy with others. */
const PATIENCE = 90_000;

export interface Started {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Answer & { readonly signal: NodeJS.Signals | null }>;
}

export interface RunWorld {
  readonly project: string;
  /** The state directory. */
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  write(file: string, text: string, mode?: number): string;
  start(args: readonly string[], more?: { readonly env?: Readonly<Record<string, string>>; readonly input?: string }): Started;
  /** `start`, to its end. */
  run(args: readonly string[], more?: Parameters<RunWorld['start']>[1]): Promise<Answer>;
  /** The same in a thread, for words that start nothing. */
  inThread(args: readonly string[], more?: Parameters<RunWorld['start']>[1]): Answer;
  /** Every record of the decision log. */
  log(): readonly Record<string, unknown>[];
  /** Messages of the events of that name in the log. */
  events(name: string): readonly string[];
}

const AGENT = (name: string, tools: string) =>
  `---\nname: ${name}\ndescription: Looks after ${name}.\ntools: ${tools}\n---\nDo it.\n`;

/** @param files of the project, beside two agents: `reviewer` reads, `builder` may do all */
export function runWorld(policy = 'version: 1\npreset: safe\n', files: Readonly<Record<string, string>> = {}): RunWorld {
  const project = realpathSync(
    scratch({
      ...CLEAN_REPOSITORY,
      '.claude/agents/reviewer.md': AGENT('reviewer', 'Read, Grep'),
      '.claude/agents/builder.md': AGENT('builder', 'Read, Bash'),
      ...files,
    }),
  );
  const base = realpathSync(scratch({ 'config/policy/policy.yaml': policy }));
  const state = join(base, 'state', 'policy');
  const env = {
    PATH: `${dirname(FAKE)}:${process.env.PATH ?? ''}`,
    HOME: home,
    XDG_CONFIG_HOME: join(base, 'config'),
    XDG_STATE_HOME: join(base, 'state'),
  };
  const start: RunWorld['start'] = (args, more = {}) => {
    const child = spawn(process.execPath, [COMMAND, 'run', ...args], {
      cwd: project,
      env: { ...env, ...more.env },
      stdio: [more.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    if (more.input !== undefined) child.stdin?.end(more.input);
    const heard = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        heard[name] += text;
      });
    const ended = new Promise<Answer & { signal: NodeJS.Signals | null }>((done, fail) => {
      child.once('error', fail);
      child.once('close', (status, signal) => done({ ...heard, status, signal }));
    });
    return { child, stdout: () => heard.stdout, stderr: () => heard.stderr, ended };
  };
  const log = () => {
    const folder = join(state, 'log');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
    const lines = names.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
    // Not the call that tries the hook.
    return lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ session }) => typeof session !== 'string' || !isTrialSession(session));
  };
  return {
    project,
    state,
    env,
    write: (file, text, mode = 0o644) => {
      const path = resolve(project, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, mode);
      return path;
    },
    start,
    run: (args, more) => start(args, more).ended,
    inThread: (args, { env: more, input = '' } = {}) =>
      policyInThread(['run', ...args], { cwd: project, env: { ...env, ...more }, input, startsHooks: false }),
    log,
    events: (name) => log().flatMap(({ event, message }) => (event === name ? [String(message)] : [])),
  };
}

/** A client that answers to `--help`, and does with its words (`$@`) what the shell script says. */
export function client(
  script: string,
  flags = '--settings --permission-mode --tools --append-system-prompt --agent --model',
): string {
  return `#!/bin/sh\ncase "$1" in --help) for f in ${flags} --safe-mode --disallowedTools --strict-mcp-config; do echo "  $f  a flag"; done; exit 0;; esac\n${script}\n`;
}

/** The lines of a stream that such a client prints when its work is done. */
export const DONE = `echo '{"type":"system","subtype":"init","session_id":"s1","model":"m"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s1"}'`;

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what} did not come to pass`);
    await new Promise((done) => {
      setTimeout(done, 20);
    });
  }
}

/** Whether a process still runs; one that has ended and waits to be counted does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !(process.platform === 'linux' && / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '')));
  } catch {
    return false;
  }
}

/** The objects that a command prints with `--json`, one a line. */
export function linesOf({ stdout }: Pick<Answer, 'stdout'>): readonly Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The events of `policy run --json`; throws when a line is not as schemas/run-event.schema.json says. */
export function eventsOf(answer: Pick<Answer, 'stdout'>): readonly Record<string, unknown>[] {
  const lines = linesOf(answer);
  for (const line of lines)
    if (!validateRunEvent(line)) throw new Error(`${JSON.stringify(line)}: ${JSON.stringify(validateRunEvent.errors)}`);
  return lines;
}
