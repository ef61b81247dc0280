/**
 * `npm run e2e-exports [-- WORD]`: the real clients (whose name holds WORD) with an exported preset and no hook, against a model on the loopback
 * interface. What the export allows has to run, what the preset does not allow must not, and the client must have nothing against the
 * file. Exit 1 when something is otherwise.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PresetName } from '../../../src/policy/policy.js';
import { exportPreset } from '../../../src/runner/exports.js';
import type { NativeExport } from '../../../src/runner/native/model.js';
import { folderOf, programOf } from '../client.js';
import { startMockModel } from '../mock-model.js';
import { EXPORT_CLIENTS, type Expectation, type ExportClient } from './clients.js';

const INSTALLED = process.env.POLICY_E2E_CLIENTS ?? join(tmpdir(), 'policy-e2e-clients');
/** Seconds that a client may take for a session. */
const PATIENCE = 120;

/** What a client says of a file that it does not take. */
const COMPLAINT =
  /invalid (?:settings|configuration|config|policy|permission)|failed to (?:parse|load)|malformed|policy (?:file )?(?:error|warning)|unrecognized key|configuration is invalid|regex/i;

interface End {
  readonly output: string;
  /** What the model was asked, and told of its calls. */
  readonly requests: readonly string[];
  readonly hung: boolean;
  readonly made: (name: string) => boolean;
}

async function session(
  one: ExportClient,
  program: string,
  exported: NativeExport,
  expected: readonly Expectation[],
): Promise<End> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-exports-')));
  const home = join(base, 'user');
  const project = join(home, 'project');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(project, 'README.md'), 'hello\n');
  // Each call is a turn of its own: some clients end a turn with the first denial.
  const turns = expected.map(({ call }) => [JSON.parse(JSON.stringify(call).replaceAll('@PROJECT@', project)) as typeof call]);
  const model = await startMockModel({ main: turns });
  try {
    const git = (...words: readonly string[]) =>
      spawnSync('git', words, { cwd: project, env: { PATH: '/usr/bin:/bin', HOME: home } });
    git('init', '-q', '-b', 'main');
    const environment = one.prepare({ home, project, model: model.url, put });
    for (const { below, path, text } of exported.files) put(join(below === 'home' ? home : project, path), text);
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TMPDIR: base, LANG: 'C.UTF-8', ...environment };
    const words = [...exported.flags, ...one.more, 'SCENARIO:main'];
    const { output, hung } = await ended(program, words, project, env);
    const there = new Set(expected.flatMap(({ makes }) => (makes !== null && existsSync(join(project, makes)) ? [makes] : [])));
    return { output, requests: [...model.requests], hung, made: (name) => there.has(name) };
  } finally {
    await model.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
  }
}

function ended(
  program: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ output: string; hung: boolean }> {
  return new Promise((done, reject) => {
    const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
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

/** What is not as it has to be; empty when all is. */
async function tried(one: ExportClient, program: string, preset: PresetName): Promise<readonly string[]> {
  const exported = exportPreset(preset, one.runner, { withHook: false });
  const expected = one.expected(preset);
  const end = await session(one, program, exported, expected);
  if (process.env.POLICY_E2E_SHOW !== undefined) console.log(end.output);
  // Lines that are JSON are events of the session.
  const complaint = COMPLAINT.exec(
    end.output
      .split('\n')
      .filter((line) => !line.startsWith('{'))
      .join('\n'),
  );
  const wrong = expected.flatMap(({ name, runs, makes, prints }) => {
    const ran = makes !== null ? end.made(makes) : end.requests.some((request) => request.includes(prints ?? ''));
    return ran === runs ? [] : [`${name} ${ran ? 'ran' : 'did not run'}`];
  });
  // A client that never told the model of a call, or ended before it, shows nothing.
  const works = end.requests.length >= 2 || expected.some(({ runs }) => runs);
  return [
    ...(works ? [] : ['it did not work on the calls']),
    ...(one.checks?.(program, preset) ?? []),
    ...(complaint === null ? [] : [`it says "${complaint[0]}"`]),
    ...(end.hung ? ['it took too long'] : []),
    ...wrong,
  ];
}

const [, , word] = process.argv;
let cells = 0;
let broken = 0;
for (const one of EXPORT_CLIENTS) {
  const { client } = one;
  if (word !== undefined && !folderOf(client).includes(word)) continue;
  const program = programOf(client, INSTALLED);
  for (const preset of ['readOnly', 'inspect', 'safe', 'all'] as const) {
    const wrong = program === null ? ['not run: start npm run e2e first, which installs it'] : await tried(one, program, preset);
    cells += 1;
    if (wrong.length > 0) broken += 1;
    console.log(`${client.runner} ${client.version} ${preset}: ${wrong.length === 0 ? 'holds' : wrong.join('; ')}`);
  }
}
console.log(`${cells} exports, ${broken} do not hold`);
process.exitCode = broken === 0 && cells > 0 ? 0 : 1;
