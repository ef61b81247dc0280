/** A home and a project in a scratch folder, the hook installed as a person does it, and one session with a client. */
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { RunnerId } from '../../src/call/tool-call.js';
import { runnerNamed } from '../../src/runner/runners.js';
import { type Client, type McpServer, type Mode, PROJECT, prompt, type Scope, type Stage } from './client.js';
import { type MockModel, type Scenarios, startMockModel } from './mock-model.js';
import { type Person, personOf, type Said } from './policy.js';
import { keepTranscripts } from './transcripts.js';

/** Everything goes but these, and a question about `mkfifo`. */
const POLICY = `version: 1
default: allow
ask: [Bash(mkfifo *)]
deny:
  - rule: Bash(touch *)
    reason: Nothing is touched here.
`;

/** A sandbox lets commands write in the folder for temporary files: what is out of their reach lies in another one. */
const OUTSIDE = '/var/tmp';

/** Seconds that a client may take for a task. */
const PATIENCE = 300;
/** Seconds that the hook may take where its deadline is not what is tried: the machine may be busy. */
const HOOK_PATIENCE = 20;

export interface Session {
  /** The client works on `main`; on `later`, if there is one, after the end of an upgrade; on `alone` once the hook was taken out again. */
  readonly scenarios: Scenarios;
  /** Where the hook is installed; the user's settings unless it says otherwise. */
  readonly scope?: Scope;
  /** What becomes of the settings after the installation: a hook that fails. */
  readonly settings?: (text: string, base: string) => string;
  /** The hook gets the time that it has when nobody says otherwise. */
  readonly shippedDeadline?: true;
  /** Not confirmed to the hook or to the folder. */
  readonly unagreed?: true;
  /** The user's policy, where it is not the usual one; `init`: the one that `policy init` writes for the project. */
  readonly policy?: string;
  /** Files by their path below the home, there before the first commit. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * The client has an MCP server `probe`, whose tool `make` makes the file `name`; so does `touch`. `gateway`: it is behind
   * `policy mcp gateway`, and there is no hook; `wrapped`: the same, written by `policy mcp install`.
   */
  readonly withServer?: 'mcp' | 'gateway' | 'wrapped';
  /** What a person types for a scenario, where that is not its name alone. */
  readonly prompts?: Readonly<Record<string, string>>;
  /** Another build was installed and agreed to; then comes this one, to which not confirmed yet. */
  readonly upgraded?: true;
  /** The hook is installed with the client's own sandbox. */
  readonly sandbox?: true;
  /** The client's mode; without it, the one in which it asks nothing by itself. */
  readonly mode?: Mode;
}

export interface RunEnd {
  /** True when there is a file or folder of this name in the project. */
  readonly made: (name: string) => boolean;
  /** The text of a file below the project; null when it is not there. */
  readonly text: (name: string) => string | null;
  /** True when a file was there at the end; a path below the project. */
  readonly isThere: (path: string) => boolean;
  /** The subjects of the project's commits, newest first. */
  readonly commits: readonly string[];
  /** Every request to the model. */
  readonly requests: readonly string[];
  /** Every record of the decision log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** The client was ended because it took too long. */
  readonly hung: boolean;
  readonly output: string;
  /** What `policy doctor` said before the hook was installed, with it, once a person agreed to a newer one, and after it was taken out. */
  readonly doctor: {
    readonly before: Said;
    readonly installed: Said;
    readonly settled: Said | null;
    readonly after: Said | null;
  };
  /** What is not as it was before the installation; null when all is. */
  readonly left: string | null;
}

/** Lets a client work on the scenario `main`, and looks at what it left. */
export async function runClient(client: Client, program: string, session: Session): Promise<RunEnd> {
  const base = realpathSync(mkdtempSync(join(session.sandbox ? OUTSIDE : tmpdir(), 'policy-e2e-')));
  const project = join(base, 'user', 'project');
  const model = await startMockModel(JSON.parse(JSON.stringify(session.scenarios).replaceAll(PROJECT, project)) as Scenarios);
  try {
    return await runIn(base, model, client, program, session);
  } finally {
    await model.close();
    // A client may leave hooks behind that still write.
    rmSync(base, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
  }
}

async function runIn(base: string, model: MockModel, client: Client, program: string, session: Session): Promise<RunEnd> {
  const stage = stageIn(base, model, session);
  const { home, project } = stage;
  mkdirSync(join(base, 'bin'));
  symlinkSync(program, join(base, 'bin', client.command));
  const path = `${join(base, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  if (session.sandbox) linkPrograms(client, join(base, 'bin'));
  const usual = client.prepare(stage);
  const other = session.sandbox ? client.sandboxed : session.mode === undefined ? undefined : client.modes[session.mode];
  const start = other === undefined ? usual : { args: other.args, environment: { ...usual.environment, ...other.environment } };
  commit(stage);
  const scope = session.scope ?? 'user';
  const deadline = session.shippedDeadline ? null : HOOK_PATIENCE;
  const person = personOf(client, { scope, deadline, sandbox: session.sandbox === true }, { home, project, path });
  if (session.policy === 'init') person.init();
  const before = person.doctor();
  person.install(session.upgraded ? olderBuild(base) : undefined);
  if (session.settings !== undefined) spoil(person, session.settings, base);
  if (!session.unagreed) client.agree(stage, person.file, scope);
  if (session.upgraded) person.install();
  if (session.withServer === 'gateway' || session.withServer === 'wrapped') person.uninstall();
  if (session.withServer) client.addServer(stage, serverOf(session.withServer, client, project));
  if (session.withServer === 'wrapped') person.wrap();
  const installed = person.doctor();
  // As in a terminal, where there is a shell around it: without one bash runs a file of its own before a hook.
  const environment = {
    PATH: path,
    HOME: home,
    TMPDIR: session.sandbox ? tmpdir() : base,
    LANG: 'C.UTF-8',
    SHLVL: '1',
    _: program,
    ...start.environment,
  };
  const work = (scenario: string) =>
    ended(
      join(base, 'bin', client.command),
      [...start.args, session.prompts?.[scenario] ?? prompt(scenario)],
      project,
      environment,
    );
  const { output, hung } = await work('main');
  const requests = [...model.requests];
  const log = recordsIn(join(home, '.local/state/policy/log'));
  if (session.upgraded) {
    // A person agrees to the newer one, too, and installs it once more.
    client.agree(stage, person.file, scope);
    person.install();
  }
  const settled = session.upgraded ? person.doctor() : null;
  if (session.scenarios.later !== undefined) await work('later');
  keepTranscripts(client, stage, base);
  const left = session.scenarios.alone === undefined ? null : person.uninstall();
  if (session.scenarios.alone !== undefined) await work('alone');
  const after = session.scenarios.alone === undefined ? null : person.doctor();
  const names = new Set(readdirSync(project));
  const paths = new Set(readdirSync(project, { recursive: true, encoding: 'utf8' }));
  const commits = git(stage, 'log', '--format=%s').trimEnd().split('\n');
  const texts = new Map(
    [...names]
      .filter((name) => statSync(join(project, name)).isFile())
      .map((name) => [name, readFileSync(join(project, name), 'utf8')]),
  );
  return {
    requests,
    output,
    hung,
    log,
    doctor: { before, installed, settled, after },
    left,
    commits,
    isThere: (path) => paths.has(path),
    made: (name) => names.has(name),
    text: (name) => texts.get(name) ?? null,
  };
}

function serverOf(how: NonNullable<Session['withServer']>, { runner }: Client, project: string): McpServer {
  const server = [process.execPath, resolve('test/fixtures/e2e/mcp-server.mjs'), project];
  const gateway = [resolve('bin/policy.js'), 'mcp', 'gateway', '--server', 'probe', '--runner', runner, '--', ...server];
  return { command: process.execPath, args: how === 'gateway' ? gateway : server.slice(1) };
}

/** What the sandbox needs, from wherever the one who runs the tests has it. */
function linkPrograms({ runner }: Client, folder: string): void {
  for (const name of missingPrograms(runner, '/usr/local/bin:/usr/bin:/bin')) {
    const place = (process.env.PATH ?? '').split(':').find((one) => existsSync(join(one, name)));
    if (place !== undefined) symlinkSync(join(place, name), join(folder, name));
  }
}

/** Programs of a client's sandbox that are in no folder of a PATH. */
export function missingPrograms(runner: RunnerId, path = process.env.PATH ?? ''): readonly string[] {
  const wanted = runnerNamed(runner)?.sandboxes?.[0]?.needs?.programs ?? [];
  return wanted.filter((name) => !path.split(':').some((folder) => existsSync(join(folder, name))));
}

function git({ project, home }: Stage, ...words: readonly string[]): string {
  return spawnSync('git', words, { cwd: project, env: { PATH: '/usr/bin:/bin', HOME: home }, encoding: 'utf8' }).stdout;
}

/** The project as somebody has it who works in it: one commit, and an identity for the next. */
function commit(stage: Stage): void {
  git(stage, 'add', 'README.md');
  git(stage, 'commit', '-q', '-m', 'The first commit');
}

function stageIn(base: string, model: MockModel, { policy = POLICY, files = {} }: Session): Stage {
  const home = join(base, 'user');
  const project = join(home, 'project');
  const stage: Stage = {
    ...{ home, project, model: model.url },
    write: (file, text) => {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    },
    edit: (file, change) => writeFileSync(join(home, file), change(readFileSync(join(home, file), 'utf8'))),
  };
  if (policy !== 'init') stage.write('.config/policy/policy.yaml', policy);
  stage.write('project/README.md', 'hello\n');
  for (const [name, text] of Object.entries(files)) stage.write(name, text);
  git(stage, 'init', '-q', '-b', 'main');
  // In the repository: Gemini CLI starts git without the user's own configuration.
  git(stage, 'config', 'user.name', 'Somebody');
  git(stage, 'config', 'user.email', 'somebody@localhost');
  return stage;
}

/** A build of the program whose files differ from this one's: a comment at the end of its hook. */
function olderBuild(base: string): string {
  const folder = join(base, 'older');
  for (const name of ['bin', 'dist', 'rules', 'schemas', 'package.json'])
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => !path.endsWith('.cache') });
  appendFileSync(join(folder, 'dist', 'hook.cjs'), '\n// older\n');
  return join(folder, 'bin', 'policy.js');
}

function spoil({ file }: Person, settings: NonNullable<Session['settings']>, base: string): void {
  writeFileSync(file, settings(readFileSync(file, 'utf8'), base));
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
