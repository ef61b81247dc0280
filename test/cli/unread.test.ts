// Commands that write, when nobody reads what they print (`policy install … --yes | head -1`): all of the work is done, or none.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, COMMAND, insideAgent, scratch } from './spawned.js';

const test = suite('unread');
const check = insideAgent || process.platform === 'win32' ? test.skip : test;

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `policy ARGS` with both outputs, or only the first, in a pipe that nobody reads any more; the exit code. */
function unread({ cwd, env }: Place, args: readonly string[], both: boolean): number | null {
  const pipe = join(env.HOME ?? '', 'pipe');
  if (!existsSync(pipe)) assert.is(spawnSync('mkfifo', [pipe]).status, 0);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  closeSync(reader);
  try {
    return spawnSync(process.execPath, [COMMAND, ...args], { cwd, env, stdio: ['ignore', writer, both ? writer : 'ignore'] })
      .status;
  } finally {
    closeSync(writer);
  }
}

function place(files: Readonly<Record<string, string>> = {}): Place {
  return { cwd: scratch({ ...CLEAN_REPOSITORY, ...files }), env: { HOME: scratch({}), PATH: '/usr/bin:/bin' } };
}

/** Runs `policy ARGS` where somebody reads. */
function read({ cwd, env }: Place, args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, [COMMAND, ...args], { cwd, env, encoding: 'utf8' });
}

const POLICY = { 'policy.yaml': 'version: 1\nallow:\n  - Bash(npm run test *)\n' };
/** Longer than a pipe holds, so that the command would wait for room. */
const LONG = {
  'policy.yaml': `version: 1\nallow:\n${Array.from({ length: 9_000 }, (_, number) => `  - Bash(tool${number} *)\n`).join('')}`,
};

interface Row {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: readonly (readonly string[])[];
  readonly args: readonly string[];
  readonly isDone: (place: Place) => boolean;
  readonly status: number;
  readonly outputs?: 'first' | 'both';
}

const installed = ({ env }: Place) => existsSync(join(env.HOME ?? '', '.claude/settings.json'));
const trusted = (here: Place) => read(here, ['trust', '--show']).status === 0;

const ROWS: readonly Row[] = [
  { name: 'install', args: ['install', 'claude-code', '--yes'], isDone: installed, status: 0, outputs: 'first' },
  { name: 'install --dry-run', args: ['install', 'claude-code', '--dry-run'], isDone: (here) => !installed(here), status: 141 },
  { name: 'install without an answer', args: ['install', 'claude-code'], isDone: (here) => !installed(here), status: 141 },
  {
    name: 'uninstall from both files',
    before: [
      ['install', 'claude-code', '--yes'],
      ['install', 'claude-code', '--project', '--yes'],
    ],
    args: ['uninstall', 'claude-code', '--yes'],
    isDone: (here) => !installed(here) && !existsSync(join(here.cwd, '.claude/settings.local.json')),
    status: 0,
  },
  { name: 'trust', files: POLICY, args: ['trust', '--yes'], isDone: trusted, status: 0 },
  { name: 'trust of a long policy', files: LONG, args: ['trust', '--yes'], isDone: trusted, status: 0 },
  {
    name: 'init',
    args: ['init', '--yes'],
    isDone: (here) => existsSync(join(here.cwd, 'policy.yaml')) && trusted(here),
    status: 0,
  },
  {
    name: 'allow',
    args: ['allow', '--user', 'Bash(npm run lint *)', '--yes'],
    isDone: ({ env }) => /npm run lint/.test(readFileSync(join(env.HOME ?? '', '.config/policy/policy.yaml'), 'utf8')),
    status: 0,
  },
  {
    name: 'log seal',
    args: ['log', 'seal', '--yes'],
    isDone: ({ env }) => readdirSync(join(env.HOME ?? '', '.local/state/policy')).includes('tree'),
    status: 0,
  },
  {
    name: 'lint --output',
    files: POLICY,
    args: ['lint', '--output', 'sarif=out.sarif'],
    isDone: ({ cwd }) => existsSync(join(cwd, 'out.sarif')),
    status: 141,
  },
];

for (const { name, files, before = [], args, isDone, status, outputs = 'both' } of ROWS)
  check(`${name}, where nobody reads ${outputs === 'both' ? 'what is printed' : 'standard output'}`, () => {
    const here = place(files);
    for (const line of before) assert.is(read(here, line).status, 0);
    const code = unread(here, args, outputs === 'both');
    assert.ok(isDone(here), 'done as a whole, or not at all');
    assert.is(code, status);
  });

const checkFull = existsSync('/dev/full') ? check : test.skip;
checkFull('a report for which there is no room: exit 3, and a sentence says so', () => {
  const { cwd, env } = place(POLICY);
  const full = openSync('/dev/full', constants.O_WRONLY);
  try {
    const args = [COMMAND, 'audit', '--no-probes', '--runner', 'codex'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, env, stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    assert.equal([status, stderr], [3, 'Standard output cannot be written (ENOSPC)\n']);
  } finally {
    closeSync(full);
  }
});

test.run();
