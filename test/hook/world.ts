/** A scratch home with a project in it, and the hook run there in this process. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sealAndArchive } from '../../src/enforce/change-log.js';
import { compileAndStore } from '../../src/enforce/snapshot/store.js';
import { type HookProcess, runHook } from '../../src/hook/main.js';
import { type HookOutput, jsonDenial } from '../../src/runner/hook/runner.js';

export interface HookWorld {
  readonly home: string;
  readonly project: string;
  readonly state: string;
  /** Times that a gate was compiled. */
  compiled: number;
  /** What the hook of Claude Code, asked with this text, knows of itself and its surroundings. */
  process(input: string, more?: Partial<HookProcess>): HookProcess;
  /** Runs that hook. */
  run(input: string, more?: Partial<HookProcess>): HookOutput;
  /** Writes a file below the home. */
  write(file: string, text: string): void;
  /** Every line of the decision log, parsed. */
  log(): Record<string, unknown>[];
}

/** Runs `use` in a world with these files below the home (`project/…` is the project, a git repository), then removes it. */
export function withHookWorld<Result>(files: Readonly<Record<string, string>>, use: (world: HookWorld) => Result): Result {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-hook-')));
  const home = join(base, 'user');
  const project = join(home, 'project');
  const state = join(home, '.local', 'state', 'policy');
  const write = (file: string, text: string) => {
    // Whatever the file mask of whoever runs the tests: nobody else may write here.
    mkdirSync(dirname(join(home, file)), { recursive: true, mode: 0o755 });
    writeFileSync(join(home, file), text, { mode: 0o644 });
  };
  try {
    write('project/.git/HEAD', 'ref: refs/heads/main\n');
    write('project/.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
    for (const folder of ['objects', 'refs']) mkdirSync(join(project, '.git', folder));
    write('project/README.md', 'hello\n');
    mkdirSync(join(project, 'src'));
    for (const [file, text] of Object.entries(files)) write(file, text);
    const world: HookWorld = {
      home,
      project,
      state,
      compiled: 0,
      write,
      process: (input, more = {}) => ({
        words: ['claude-code'],
        input: () => input,
        environment: { HOME: home, PATH: '/usr/bin:/bin' },
        home: () => home,
        parent: process.pid,
        isUnheard: () => false,
        platform: process.platform,
        now: Date.now,
        microseconds: () => 0,
        compile: (places, build, now) => {
          world.compiled += 1;
          return compileAndStore(places, build, now);
        },
        // With time enough on a machine that is busy: how long a hook may take is tested elsewhere.
        seal: (stateDirectory) => void sealAndArchive(stateDirectory, { patience: 60_000, time: 60_000 }, () => {}),
        ...more,
      }),
      run: (input, more) => runHook(world.process(input, more)),
      log: () => {
        const folder = join(state, 'log');
        // By day: a test may run across midnight.
        const files = readdirSync(folder).sort();
        return files.flatMap((file) =>
          readFileSync(join(folder, file), 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, unknown>),
        );
      },
    };
    return use(world);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Makes every file look as if it had been there for a while, as it is in a session. */
export function settle(world: HookWorld): void {
  // Change times cannot be set: a fresh world waits until they lie behind.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  utimesSync(join(world.project, 'README.md'), 1, 1);
}

/** A PreToolUse payload as Claude Code writes it. */
export function payload(world: HookWorld, tool: string, input: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    session_id: '0f4c',
    transcript_path: '/tmp/t.jsonl',
    cwd: world.project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
    ...more,
  });
}

/** What the runner would make of an output: a denial, its JSON verdict, or nothing. */
export function verdictOf({ exitCode, stdout, stderr }: HookOutput): string {
  if (exitCode === 2) {
    const spoken = stdout === '' || stdout === jsonDenial(stderr.trimEnd());
    return spoken && /^[^\n]+\n$/.test(stderr) ? 'deny' : 'a denial that is not one line on stderr';
  }
  if (stderr !== '') return 'something on stderr';
  if (stdout === '') return 'silence';
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecision?: string } };
  return hookSpecificOutput?.permissionDecision ?? 'no verdict';
}
