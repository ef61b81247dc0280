/** A home and a project in which `policy run` starts a real client against a model on the loopback interface. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside } from '../../../src/disk/inside.js';
import { procLink, procText } from '../../../src/run/proc-files.js';
import { launcherOf } from '../../../src/runner/launched.js';
import { type Client, PROJECT, type Stage } from '../client.js';
import { type Scenarios, startMockModel } from '../mock-model.js';
import { personOf } from '../policy.js';

/** Everything goes but `touch`, and a question about `mkfifo`: what is blocked, the hook blocked. */
const POLICY = (project: string) =>
  `version: 1\ndefault: allow\ntrustedRepos: [${JSON.stringify(project)}]\nask: [Bash(mkfifo *)]\ndeny:\n  - rule: Bash(touch *)\n    reason: Nothing is touched here.\n`;
/** Codex makes no sandbox for a home in a temporary folder; without one the hook has to do all of it. */
export const PRESET: Readonly<Partial<Record<Client['runner'], string>>> = { codex: 'all' };
/** What the scenario `slow` runs until it is ended. */
export const SLOW = 'tail -f README.md';
export const MODELS: Readonly<Partial<Record<Client['runner'], string>>> = { 'gemini-cli': 'gemini-2.5-pro' };

export interface World extends Stage {
  readonly base: string;
  /** That `policy run` is started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the client sent to the model. */
  readonly requests: readonly string[];
}

/** Makes it for as long as `use` takes, with the hook installed where the client takes none for one session. */
export async function inWorld<Result>(
  client: Client,
  program: string,
  scenarios: Scenarios,
  use: (world: World) => Promise<Result>,
): Promise<Result> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-e2e-run-')));
  const home = join(base, 'user');
  const project = join(home, 'project');
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
    const environment = { PATH: path, HOME: home, TMPDIR: base, LANG: 'C.UTF-8', ...start.environment };
    return await use({ ...stage, base, environment, requests: model.requests });
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

/** The processes that a run has left: those whose home is that of the run, and the command of the scenario `slow` where it works there. */
export function leftBehind(home: string): readonly string[] {
  // Elsewhere than on Linux nobody tells where a process works.
  const worksThere = (pid: string) => process.platform !== 'linux' || isInside(procLink(`/proc/${pid}/cwd`), home);
  const { stdout } = spawnSync('/bin/ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => {
    const [, pid = '', args = ''] = /^ *(\d+) (.*)$/.exec(line) ?? [];
    return (args === SLOW && worksThere(pid)) || procText(`/proc/${pid}/environ`).split('\0').includes(`HOME=${home}`);
  });
}
