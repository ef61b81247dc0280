/** Subagents through the command line that is installed, as real processes: who holds a run, and what ends with its runner. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hookCommandLine } from '../../src/runner/hook/command-line.js';
import { CLEAN_REPOSITORY, policy, scratch } from '../cli/spawned.js';

const AT_ONCE = 16;

/** A project with a policy that lets agents start, and the line that is installed for it. */
function installed() {
  const project = realpathSync(scratch(CLEAN_REPOSITORY));
  const home = realpathSync(scratch({ '.config/policy/policy.yaml': 'version: 1\nallow: [Agent]\n' }));
  const state = join(home, 'state');
  const line = hookCommandLine({
    runner: 'claude-code',
    platform: process.platform,
    node: realpathSync(process.execPath),
    hook: realpathSync(resolve('dist/hook.cjs')),
    home,
    project,
    configDirectory: join(home, '.config', 'policy'),
    stateDirectory: state,
    shell: null,
    // The machine that runs the tests is busy with them.
    deadline: 60,
  });
  if (line === null) throw new Error('there is no hook for this platform');
  const payload = (agent: string) =>
    JSON.stringify({
      session_id: 's',
      cwd: project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Agent',
      tool_input: { subagent_type: agent, prompt: 'p' },
      tool_use_id: agent,
    });
  const status = () => policy(['agents', 'status', '--cwd', project, '--state-dir', state], { cwd: project }).stdout;
  return { project, home, state, line, payload, status };
}

/** A runner as far as the hook can see: a program that starts hooks all at once through a shell, and then stays. */
const RUNNER = `
const { spawn } = require('node:child_process');
const { line, payloads, cwd } = JSON.parse(process.argv[1]);
let open = payloads.length;
const codes = [];
for (const payload of payloads) {
  const hook = spawn('/bin/sh', ['-c', line], { cwd, stdio: ['pipe', 'ignore', 'pipe'] });
  hook.stderr.resume();
  hook.stdin.end(payload);
  hook.on('close', (code) => {
    codes.push(code);
    open -= 1;
    if (open === 0) console.log(JSON.stringify(codes));
  });
}
setInterval(() => undefined, 60000);
`;

const running = new Set<ChildProcess>();
test.after.each(() => {
  for (const child of running) child.kill('SIGKILL');
});

function runner(what: { readonly line: string; readonly payloads: readonly string[]; readonly cwd: string }) {
  const child = spawn(process.execPath, ['-e', RUNNER, JSON.stringify(what)], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  const codes = new Promise<number[]>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(JSON.parse(text.toString()) as number[]));
    child.once('error', reject);
  });
  const end = () =>
    new Promise((resolve) => {
      child.once('close', resolve);
      child.kill('SIGKILL');
    });
  return { codes, end };
}

test(`${AT_ONCE} starts at once through the installed line: one is let in; it ends with its runner`, async () => {
  const { project, state, line, payload, status } = installed();
  assert.is(status(), 'No subagent runs yet.\n');
  const first = runner({ line, cwd: project, payloads: Array.from({ length: AT_ONCE }, (_, at) => payload(`agent-${at}`)) });
  const codes = await first.codes;
  assert.equal(codes.sort(), [0, ...Array.from({ length: AT_ONCE - 1 }, () => 2)]);
  assert.match(status(), /^Running: 1\n {2}agent-\d+ \(running\): started\n$/);
  const overview = policy(['status', '--cwd', project, '--state-dir', state], { cwd: project }).stdout;
  assert.ok(overview.includes(status()), 'the overview has the same lines');
  await first.end();
  assert.match(status(), /^Running: 0\n {2}agent-\d+ \(completed\): struck off: claude-code ended without it\n$/);
  const second = runner({ line, cwd: project, payloads: [payload('next')] });
  assert.equal(await second.codes, [0]);
  assert.match(status(), /^Running: 1\n[^\n]*\n {2}next \(running\): started\n$/);
  await second.end();
  const log = spawnSync(
    'cat',
    [join(state, 'log', 'decisions-*.jsonl')].map((path) => path),
    { shell: true, encoding: 'utf8' },
  );
  assert.match(log.stdout, /"event":"lock\.stale"/);
  assert.is(log.stdout.match(/"event":"run\.overlap"/g)?.length, AT_ONCE - 1);
});

test('a run is told by its agent, by its id, and by the id of the runner; --log tells its calls in their order', () => {
  const { project, state, line, payload } = installed();
  const hook = (text: string) => spawnSync('/bin/sh', ['-c', line], { cwd: project, input: text });
  const status = (...words: string[]) => policy(['status', ...words, '--cwd', project, '--state-dir', state], { cwd: project });
  const about = (event: string, more: object) =>
    JSON.stringify({
      session_id: 's',
      cwd: project,
      hook_event_name: event,
      agent_id: 'agent-7',
      agent_type: 'reviewer',
      ...more,
    });
  hook(payload('reviewer'));
  hook(about('SubagentStart', {}));
  hook(about('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'rm -rf /' }, tool_use_id: 'a' }));
  hook(about('PreToolUse', { session_id: 'other', tool_name: 'Bash', tool_input: { command: 'git log' }, tool_use_id: 'b' }));
  hook(about('SubagentStop', {}));
  const id = Object.keys((JSON.parse(status('--json').stdout) as { runs: object }).runs)[0] ?? '';
  const summary = status('reviewer').stdout;
  assert.match(
    summary,
    /^reviewer \(completed\): completed\n {2}run {6}\S+\n {2}runner {3}claude-code, session s\n {2}agent {4}agent-7\n {2}started {2}\S+Z\n {2}ended {4}\S+Z, after \d+ s\n {2}calls {4}1: 1 deny\n$/,
  );
  assert.equal([status(id).stdout, status('agent-7').stdout], [summary, summary]);
  assert.match(status('reviewer', '--log').stdout, /^\S+Z {2}started\n\S+Z {2}deny .*rm -rf \/.*\n\S+Z {2}completed\n$/);
  const json = JSON.parse(status(id, '--log', '--json').stdout) as { runs: Record<string, { log: unknown[] }> };
  assert.is(json.runs[id]?.log.length, 1);
  assert.equal([status('nobody').status, status('--log').status], [3, 3]);
  assert.match(status('nobody').stderr, /No run here has the id or the agent "nobody"/);
});

test('--json names each run; a record that cannot be read is an error that says what to do', () => {
  const { project, state, line, payload } = installed();
  spawnSync('/bin/sh', ['-c', line], { cwd: project, input: payload('reviewer') });
  const json = (...command: string[]) => policy([...command, '--json', '--cwd', project, '--state-dir', state], { cwd: project });
  assert.equal(JSON.parse(json('status').stdout).runs, JSON.parse(json('agents', 'status').stdout).runs);
  const answer = JSON.parse(json('agents', 'status').stdout) as {
    version: number;
    project: string;
    runs: Record<string, Record<string, unknown>>;
  };
  assert.equal([answer.version, answer.project], [1, project]);
  const [run] = Object.values(answer.runs);
  assert.equal(
    [run?.agentName, run?.completed, run?.subConversationId, run?.session, run?.runner],
    ['reviewer', false, null, 's', 'claude-code'],
  );
  assert.match(String(run?.startedAt), /^\d{4}-\d\d-\d\dT/);
  const runs = join(state, 'runs');
  const [name = ''] = spawnSync('ls', [runs], { encoding: 'utf8' }).stdout.split('\n');
  assert.ok(readFileSync(join(runs, name), 'utf8').includes('reviewer'));
  writeFileSync(join(runs, name), 'garbage\n');
  const broken = json('agents', 'status');
  assert.is(broken.status, 3);
  assert.match(broken.stderr, /is damaged; remove it when no subagent is running/);
  const overview = json('status');
  assert.is(overview.status, 3);
  assert.match(overview.stdout, /is damaged; remove it when no subagent is running/);
  mkdirSync(join(state, 'elsewhere'));
  assert.is(policy(['status', '--cwd', join(project, 'missing')], { cwd: project }).status, 3);
});

test.run();
