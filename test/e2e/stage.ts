/** A home and a project in a scratch folder, the hook installed as `policy hook --print-settings` says, and one run of a client. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Client, type Stage, wordsFor } from './clients.js';
import { type MockModel, type Scenarios, startMockModel } from './mock-model.js';

/** Everything goes but these, and a question about `mkfifo`. */
const POLICY = `version: 1
default: allow
ask: [Bash(mkfifo *)]
deny:
  - rule: Bash(touch *)
    reason: Nothing is touched here.
`;

/** Seconds that a client may take for a task. */
const PATIENCE = 300;

export interface RunOptions {
  /** What becomes of the printed settings before the client reads them: a hook that fails. */
  readonly settings?: (text: string, base: string) => string;
  /** Seconds that the hook may take: long, since the machine may be busy. */
  readonly deadline?: number;
  readonly trusted?: boolean;
}

export interface RunEnd {
  /** True when there is a file or folder of this name in the project. */
  readonly made: (name: string) => boolean;
  /** Every request to the model. */
  readonly requests: readonly string[];
  /** Every record of the decision log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** The client was ended because it took too long. */
  readonly hung: boolean;
  readonly output: string;
}

/** Lets a client work on the scenario `main`, and looks at what it left. */
export async function runClient(
  client: Client,
  program: string,
  scenarios: Scenarios,
  options: RunOptions = {},
): Promise<RunEnd> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-e2e-')));
  const model = await startMockModel(scenarios);
  try {
    return await runIn(base, model, client, program, options);
  } finally {
    await model.close();
    // A client may leave hooks behind that still write.
    rmSync(base, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
  }
}

async function runIn(base: string, model: MockModel, client: Client, program: string, options: RunOptions): Promise<RunEnd> {
  const home = join(base, 'user');
  const project = join(home, 'project');
  const stage: Stage = {
    ...{ home, project, model: model.url },
    write: (file, text) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    },
  };
  stage.write('.config/policy/policy.yaml', POLICY);
  stage.write('project/README.md', 'hello\n');
  spawnSync('git', ['init', '-q', project], { env: { PATH: '/usr/bin:/bin', HOME: home } });
  const printed = printedSettings(client, stage, options.deadline ?? 25);
  const start = client.prepare(stage, options.settings?.(printed, base) ?? printed, options.trusted ?? true);
  const environment = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: base,
    LANG: 'C.UTF-8',
    ...start.environment,
  };
  const { output, hung } = await ended(program, wordsFor(start, 'main'), project, environment);
  const log = join(home, '.local/state/policy/log');
  return {
    requests: [...model.requests],
    output,
    hung,
    log: recordsIn(log),
    made: (
      (names: ReadonlySet<string>) => (name: string) =>
        names.has(name)
    )(new Set(readdirSync(project))),
  };
}

/** What a person is told to put into the client's settings. */
function printedSettings(client: Client, { home, project }: Stage, deadline: number): string {
  const words = [resolve('bin/policy.js'), 'hook', client.runner, '--print-settings', '--deadline', String(deadline)];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: project,
    env: { HOME: home, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`--print-settings: ${stderr}`);
  return stdout;
}

function recordsIn(folder: string): Readonly<Record<string, unknown>>[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function ended(
  program: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ output: string; hung: boolean }> {
  return new Promise((done, reject) => {
    const child = spawn(program, words, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    let hung = false;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const timer = setTimeout(() => {
      hung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, PATIENCE * 1000);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      done({ output, hung });
    });
  });
}
