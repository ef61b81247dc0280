// The first hour of a person: each way to install the package, then a policy, a hook, a rule, the log and the way back, in an empty home and
// in a real repository (the sources of this project). The README's own lines are typed by readme.test.ts.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, scratch } from './spawned.js';

const test = suite('first hour');
const check = insideAgent || process.platform === 'win32' ? test.skip : test;

const home = scratch({ '.npmrc': 'update-notifier=false\n' });
const prefix = scratch({});
const project = join(scratch(CLEAN_REPOSITORY), '.');
for (const name of ['src', 'package.json', 'package-lock.json', 'README.md'])
  cpSync(resolve(name), join(project, name), { recursive: true });
const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the project, with nobody at the terminal. */
function run(program: string, ...args: readonly string[]): Ended {
  const env = {
    PATH: `${join(prefix, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: home,
    npm_config_cache: cache,
    npm_config_offline: 'true',
  };
  return spawnSync(program, args, { cwd: project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs it, and holds its exit code and its last line against what a person should see. */
function sees(line: string, status: number, last: RegExp): string {
  const [program = '', ...args] = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ''));
  const { status: ended, stdout, stderr } = run(program, ...args);
  assert.is(ended, status, `${line}\n${stdout}\n${stderr}`);
  assert.match(stdout.trimEnd().split('\n').at(-1) ?? '', last, `${line}\n${stdout}`);
  assert.not.match(stdout + stderr, /^\s+at .*:\d+:\d+\)?$/m, 'no stack trace');
  return stdout;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const folder = scratch({});

check('a tarball installs globally, and runs with npx', () => {
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { encoding: 'utf8' });
  assert.is(packed.status, 0, packed.stderr);
  const tarball = join(folder, readdirSync(folder)[0] ?? 'missing');
  const installed = run('npm', 'install', '-g', '--no-audit', '--no-fund', '--prefix', prefix, tarball);
  assert.is(installed.status, 0, installed.stderr);
  sees('policy --version', 0, new RegExp(`^${version}$`));
  const once = run('npx', '--yes', '--package', tarball, 'policy', 'version');
  assert.is(once.stdout.trim(), version, once.stderr);
});

check('from an empty home to an enforced project, and back', () => {
  const settings = join(home, '.claude', 'settings.json');
  const before = '{\n  "model": "opus"\n}\n';
  mkdirSync(join(home, '.claude'));
  writeFileSync(settings, before);

  sees('policy check Bash ls', 2, /^to allow it: policy allow /);
  sees('policy init --yes', 0, /policy install claude-code/);
  sees('policy check Bash ls', 0, /^allow {2}Bash ls/);
  sees('policy lint', 0, /^No findings of \d+ rules in 1 policy · \d+\.\d s$/);
  sees('policy install claude-code --deadline 25 --yes', 0, /^Next: policy doctor$/);
  sees('policy doctor claude-code', 0, /^Every hook works\.$/);
  sees("policy check Bash 'npm run deploy'", 2, /policy allow 'Bash\(npm run deploy\)'$/);
  sees("policy allow --yes 'Bash(npm run deploy)'", 0, /\S/);
  sees("policy check Bash 'npm run deploy'", 0, /^allow {2}Bash npm run deploy/);

  const { command } = hookIn(settings);
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', cwd: project, tool_use_id: 't' };
  const asked = { ...payload, tool_input: { command: 'rm -rf /' } };
  const judged = spawnSync('sh', ['-c', command], {
    cwd: project,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    input: JSON.stringify(asked),
    encoding: 'utf8',
  });
  assert.is(judged.status, 2, judged.stderr);
  assert.match(judged.stderr, /^policy denied Bash: /);
  sees('policy log tail', 0, /deny.*rm -rf \//);
  assert.match(sees('policy log stats', 0, /\S/), /^decisions {2}.*0 allow, 0 ask, 1 deny$/m, "doctor's own calls do not count");

  sees('policy observe on --yes', 0, /\S/);
  sees('policy observe status', 0, /\S/);
  sees('policy observe off --yes', 0, /\S/);
  sees('policy uninstall claude-code --yes', 0, /\S/);
  assert.is(readFileSync(settings, 'utf8'), before, 'the settings are what they were, byte for byte');
  assert.ok(existsSync(join(project, 'policy.yaml')));
});

/** The first hook before a call. */
function hookIn(file: string): { readonly command: string } {
  const found = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly hooks: { readonly PreToolUse: readonly { readonly hooks: readonly { readonly command: string }[] }[] };
  };
  const [first] = found.hooks.PreToolUse.flatMap(({ hooks }) => hooks);
  if (first === undefined) throw new Error(`${file} has no hook before calls`);
  return first;
}

test.run();
