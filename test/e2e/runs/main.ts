/**
 * `npm run e2e-runs [-- WORD]`: the real clients (whose name holds WORD), started by `policy run` against a model on the loopback
 * interface. The clients are those of `npm run e2e`, and installed the same way. Exit 1 when something does not hold.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { procText } from '../../../src/run/proc-files.js';
import { launcherOf } from '../../../src/runner/launch/registry.js';
import { type Client, folderOf, PROJECT, programOf, prompt, type Stage } from '../client.js';
import { CLIENTS } from '../clients/list.js';
import { type Scenarios, startMockModel } from '../mock-model.js';
import { personOf } from '../policy.js';

const INSTALLED = process.env.POLICY_E2E_CLIENTS ?? join(tmpdir(), 'policy-e2e-clients');
/** Everything goes but this: what is blocked, the hook blocked. */
const POLICY = (project: string) =>
  `version: 1\ndefault: allow\ntrustedRepos: [${JSON.stringify(project)}]\ndeny:\n  - rule: Bash(touch *)\n    reason: Nothing is touched here.\n`;
/** Codex makes no sandbox for a home in a temporary folder; without one the hook has to do all of it. */
const PRESET: Readonly<Partial<Record<Client['runner'], string>>> = { codex: 'all' };
/** Seconds that a client may take. */
const PATIENCE = 240;
const MODELS: Readonly<Partial<Record<Client['runner'], string>>> = { 'gemini-cli': 'gemini-2.5-pro' };

interface RunEnd {
  readonly status: number | null;
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly errors: string;
  readonly made: (name: string) => boolean;
}

interface Property {
  readonly name: string;
  readonly scenario: string;
  readonly words: readonly string[];
  /** Seconds after which it is interrupted. */
  readonly interruptAfter?: number;
  /** What is wrong; null: it holds. */
  readonly wrong: (end: RunEnd) => string | null;
}

const endOf = ({ events }: RunEnd) => events.find(({ kind }) => kind === 'end') ?? {};
const denials = (end: RunEnd) => (endOf(end).decisions as { deny?: number } | null | undefined)?.deny ?? 0;

const PROPERTIES: readonly Property[] = [
  {
    name: 'an allowed call runs, a denied one does not, message and outcome arrive, exit code 0',
    scenario: 'main',
    words: [],
    wrong: (end) => {
      if (end.status !== 0) return `exit code ${end.status}`;
      if (!end.made('made')) return 'the allowed call did not run';
      if (end.made('denied')) return 'the denied call ran';
      if (endOf(end).outcome !== 'completed') return `outcome ${String(endOf(end).outcome)}`;
      if (end.events.filter(({ kind }) => kind === 'final').length !== 1) return 'not one final event';
      const final = end.events.find(({ kind }) => kind === 'final');
      if (!String(final?.message).includes('bye')) return `the last message is ${String(final?.message)}`;
      return denials(end) >= 1 ? null : 'the denial is not counted';
    },
  },
  {
    name: 'the preset readOnly bounds the same policy',
    scenario: 'main',
    words: ['--preset', 'readOnly'],
    wrong: (end) => (end.made('made') || end.made('denied') ? 'a call that writes ran' : null),
  },
  {
    name: 'a run that takes too long is ended, exit code 124',
    scenario: 'slow',
    words: ['--timeout', '7s'],
    wrong: (end) => (end.status !== 124 ? `exit code ${end.status}` : null),
  },
  {
    name: 'an interrupted run is ended, exit code 130',
    scenario: 'slow',
    words: [],
    interruptAfter: 7,
    wrong: (end) => (end.status !== 130 ? `exit code ${end.status}` : null),
  },
];

/** The processes that a run has left: those whose home is that of the run, and the command of the scenario `slow`. */
function leftBehind(home: string): readonly string[] {
  const { stdout } = spawnSync('/bin/ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => {
    const [, pid = '', args = ''] = /^ *(\d+) (.*)$/.exec(line) ?? [];
    return args === 'tail -f README.md' || procText(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`);
  });
}

async function tryProperty(client: Client, program: string, property: Property): Promise<string | null> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-e2e-run-')));
  const home = join(base, 'user');
  const project = join(home, 'project');
  const scenarios: Scenarios = {
    main: [[client.shell('echo ran > made')], [client.shell('touch denied')]],
    slow: [[client.shell('tail -f README.md')]],
  };
  const model = await startMockModel(JSON.parse(JSON.stringify(scenarios).replaceAll(PROJECT, project)) as Scenarios);
  try {
    const stage = stageIn(home, project, model.url);
    stage.write('.config/policy/policy.yaml', POLICY(project));
    stage.write('project/README.md', 'hello\n');
    for (const words of [
      ['init', '-q', '-b', 'main'],
      ['config', 'user.name', 'Somebody'],
      ['config', 'user.email', 'somebody@localhost'],
    ])
      spawnSync('git', words, { cwd: project, env: { PATH: '/usr/bin:/bin', HOME: home } });
    const bin = join(base, 'bin');
    mkdirSync(bin);
    symlinkSync(program, join(bin, client.command));
    const path = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const start = client.prepare(stage);
    if (launcherOf(client.runner)?.takesSettings === false) {
      const person = personOf(client, { scope: 'user', deadline: 20 }, { home, project, path });
      person.install();
      client.agree(stage, person.file, 'user');
    }
    const words = [
      'run',
      '--runner',
      client.runner,
      ...property.words,
      '--retries',
      '0',
      '--json',
      '--goal',
      prompt(property.scenario),
    ];
    if (!words.includes('--preset')) words.push('--preset', PRESET[client.runner] ?? 'safe');
    if (MODELS[client.runner] !== undefined) words.push('--model', MODELS[client.runner] ?? '');
    const environment = { PATH: path, HOME: home, TMPDIR: base, LANG: 'C.UTF-8', ...start.environment };
    const end = await ended(words, project, environment, property.interruptAfter);
    const left = leftBehind(home);
    const wrong =
      property.wrong({ ...end, made: (name) => existsSync(join(project, name)) }) ??
      (left.length > 0 ? `processes go on: ${left.join('; ')}` : null);
    return wrong === null ? null : `${wrong}\n${end.errors}\n${JSON.stringify(end.events.slice(-6))}`;
  } finally {
    await model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
  }
}

function stageIn(home: string, project: string, model: string): Stage {
  mkdirSync(project, { recursive: true });
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  };
  return { home, project, model, write, edit: (file, change) => write(file, change(readFileSync(join(home, file), 'utf8'))) };
}

function ended(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  interruptAfter: number | undefined,
): Promise<Omit<RunEnd, 'made'>> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [resolve('bin/policy.js'), ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const timers = [setTimeout(() => child.kill('SIGKILL'), PATIENCE * 1000)];
    if (interruptAfter !== undefined) timers.push(setTimeout(() => child.kill('SIGINT'), interruptAfter * 1000));
    child.on('error', fail);
    child.on('close', (status) => {
      for (const timer of timers) clearTimeout(timer);
      const events = output
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Readonly<Record<string, unknown>>]));
      done({ status, events, errors });
    });
  });
}

/** The client's program, installed when it is not there yet; null when npm cannot get it. */
function installed(client: Client): string | null {
  const found = programOf(client, INSTALLED);
  if (found !== null) return found;
  const folder = join(INSTALLED, folderOf(client));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', client.package], { cwd: folder, stdio: 'inherit' });
  return programOf(client, INSTALLED);
}

const [, , word = ''] = process.argv;
let tried = 0;
let broken = 0;
for (const client of CLIENTS) {
  if (!folderOf(client).includes(word) || launcherOf(client.runner) === null) continue;
  const program = installed(client);
  for (const property of PROPERTIES) {
    tried += 1;
    const wrong = program === null ? 'npm could not install it' : await tryProperty(client, program, property);
    if (wrong !== null) broken += 1;
    console.log(`${client.runner} ${client.version}: ${property.name}: ${wrong ?? 'holds'}`);
  }
}
console.log(`${tried} tried, ${broken} do not hold`);
process.exitCode = broken === 0 && tried > 0 ? 0 : 1;
