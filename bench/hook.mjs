// The hook as a runner starts it, from the copy and with the options for node that `policy install` leaves: a whole process per call,
// payload in, answer out, a line in the decision log. Bare node and all the others run in turn, round by round, so that a busy machine
// is as busy for each. The medians of the rounds count, as multiples of bare node. The smallest times are printed, too, but bare node
// looks for random primes at each start: its smallest time is that of a lucky start, and the hook draws no such lots. Instructions,
// where valgrind is there to count them, hardly depend on the machine at all.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { INDEX, USER_POLICY } from '../build/src/hook/training-calls.js';
import { NODE_VARIABLES } from '../build/src/runner/hook/node-options.js';

/** The calls that the gate of a snapshot hit is about. */
const CALLS = [
  ['git status', 'Bash', () => ({ command: 'git status' })],
  [
    'five commands',
    'Bash',
    () => ({ command: 'cd src && git diff HEAD~1 --stat && cat "index.ts" | grep -n \'value\' 2>/dev/null | head -3 && ls lib' }),
  ],
  ['Read', 'Read', (project) => ({ file_path: join(project, 'src', 'index.ts') })],
  ['Edit', 'Edit', (project) => ({ file_path: join(project, 'src', 'index.ts'), old_string: 'a', new_string: 'b' })],
];
const [STATUS] = CALLS;

/** Multiples of bare node; the peer's is a multiple of the peer. Without code caches (after an update of node) nothing is promised. */
const GATES = { hit: 1.4, line: 1.5, uncached: null, miss: 2.6, rules: 1.5, installed: 1.6, turn: 3.2, peer: 0.55 };
/** Megabytes beyond bare node, and microseconds of an append. */
const MOST_MEMORY = 8;
const MOST_APPEND = 25;

/** Rows for the table: name, figure, details, verdict. */
export async function coldHooks(rounds = 30) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-bench-hook-')));
  try {
    installed = await installIn(join(scratch, 'home'));
    const hit = worldIn(join(scratch, 'hit'));
    const contenders = [
      ...snapshotHits(hit, scratch),
      ...uncached(hit, scratch),
      snapshotMiss(scratch),
      manyRules(scratch),
      installedLine(scratch),
    ];
    const peer = peerIn(join(scratch, 'peer'), hit);
    const times = inTurn([hit.bare, ...contenders.map(({ run }) => run), ...(peer === null ? [] : [peer])], rounds);
    for (const { check } of contenders) check?.();
    const [bare, ...others] = times;
    return [
      ...contenders.map((one, at) => wallRow(one, others[at], bare)),
      peerRow(others[0], others[contenders.length]),
      ...instructionRows(hit, contenders),
      turnRow(join(scratch, 'home'), rounds),
      memoryRow(hit),
      await appendRow(join(scratch, 'log')),
    ];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Instructions of each call that hits a snapshot, by its name; null where valgrind or cc is not installed. They hardly differ between two
 * runs of one build, but do between versions of node.
 */
export async function hookInstructions() {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-bench-hook-')));
  try {
    installed = await installIn(join(scratch, 'home'));
    const world = worldIn(join(scratch, 'hit'));
    const hits = answered(world);
    const library = libraryWithoutTrace(world.project);
    const counts = hits.map(({ name, args }) => [name, library === null ? null : countedWith(library, args)]);
    return counts.some(([, count]) => count === null) ? null : new Map(counts);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the installed line starts: options of node, and the hook's bundle. */
let installed = null;

async function installIn(home) {
  mkdirSync(home);
  const env = { HOME: home, PATH: '/usr/bin:/bin' };
  const { status, stderr } = spawnSync(process.execPath, ['bin/policy.js', 'install', 'claude-code', '--user', '--yes'], { env });
  if (status !== 0) throw new Error(`the hook could not be installed: ${stderr}`);
  const { readHookLine } = await import('../build/src/install/own-hook.js');
  const settings = JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8'));
  const { command } = settings.hooks.PreToolUse[0].hooks[0];
  return { ...readHookLine(command, ''), command, hooks: settings.hooks };
}

/**
 * A snapshot that holds, on a copy of the demo repository. `check` throws when a call compiled: then something else was measured.
 * Under the user's policy all are answered; where there is none, a person is asked, and told what would settle it.
 */
function snapshotHits(world, scratch) {
  const asking = worldIn(join(scratch, 'asking'), null);
  const asked = asking.callOf(STATUS[1], STATUS[2]());
  expectAnswer('ask', asked);
  return [
    ...answered(world),
    {
      name: 'snapshot hit, git status asked',
      gate: null,
      run: () => asking.timed(asked),
      args: asked,
      check: asking.unchanged,
    },
  ];
}

function answered(world) {
  return CALLS.map(([name, tool, input]) => {
    const args = world.callOf(tool, input(world.project));
    expectAnswer('allow', args);
    const gate = name === 'five commands' ? GATES.line : GATES.hit;
    return { name: `snapshot hit, ${name}`, gate, run: () => world.timed(args), args, check: world.unchanged };
  });
}

/** The same without code caches, as after an update of node. */
function uncached(world, scratch) {
  const dist = join(scratch, 'dist');
  const [READ] = CALLS.filter(([name]) => name === 'Read');
  cpSync(dirname(installed.program), dist, { recursive: true });
  for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(join(dist, name));
  return [STATUS, READ].map(([name, tool, input]) => {
    const args = world.callOf(tool, input(world.project), join(dist, 'hook.cjs'));
    return { name: `without code cache, ${name}`, gate: GATES.uncached, run: () => timed(args), args };
  });
}

/** Every call finds no snapshot, compiles and stores one. */
function snapshotMiss(scratch) {
  const world = worldIn(join(scratch, 'miss'));
  const args = world.callOf('Bash', STATUS[2]());
  const prepare = () => rmSync(join(world.state, 'snapshots'), { recursive: true, force: true });
  const run = () => {
    prepare();
    return timed(args);
  };
  return { name: 'snapshot miss, git status', gate: GATES.miss, run, args, prepare };
}

/** A snapshot of ten thousand rules. */
function manyRules(scratch) {
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    index % 3 === 0 ? `Bash(tool${index} run *)` : index % 3 === 1 ? `Read(/src/part${index}/**)` : `Bash(git sub${index} *)`,
  );
  const rules = { allow: lines.slice(0, 5000), ask: lines.slice(5000, 8000), deny: lines.slice(8000) };
  const world = worldIn(join(scratch, 'many'), JSON.stringify({ version: 1, preset: 'safe', ...rules }), 'policy.json');
  const args = world.callOf('Bash', STATUS[2]());
  expectAnswer('allow', args);
  return {
    name: '10,000 rules, snapshot hit, git status',
    gate: GATES.rules,
    run: () => world.timed(args),
    args,
    check: world.unchanged,
  };
}

/**
 * All that a runner starts: the shell, the whole installed line and the hook in it, in the demo repository with its own policy trusted
 * (76 rules) and its twelve agents.
 */
function installedLine(scratch) {
  const home = join(scratch, 'home');
  const project = join(home, 'desk');
  repositoryIn(project);
  mkdirSync(join(home, '.config', 'policy'), { recursive: true });
  writeFileSync(join(home, '.config', 'policy', 'policy.yaml'), `version: 1\ntrustedRepos: [${JSON.stringify(project)}]\n`);
  settle();
  const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_use_id: 't' };
  const input = JSON.stringify({ ...payload, tool_name: STATUS[1], tool_input: STATUS[2]() });
  const start = () =>
    spawnSync('/bin/sh', ['-c', installed.command], { input, env: environmentIn(home), encoding: 'utf8', cwd: project });
  const first = start();
  if (!first.stdout.includes('"permissionDecision":"allow"')) throw new Error(`expected allow: ${first.stdout}${first.stderr}`);
  const args = [['-c', installed.command], input, environmentIn(home)];
  const run = () => timed(args, [0], '/bin/sh');
  return { name: 'installed line, demo repository, git status', gate: GATES.installed, run, args: null };
}

/** Processor time of all hooks of a turn in which Claude Code makes one call of its shell, waited for or not. After installedLine. */
function turnRow(home, rounds) {
  const events = ['PreToolUse', 'PostToolUse', 'PostToolBatch'];
  const input = (event) => {
    const payload = {
      session_id: 's',
      cwd: join(home, 'desk'),
      permission_mode: 'default',
      hook_event_name: event,
      tool_use_id: 't',
    };
    return JSON.stringify({ ...payload, tool_name: STATUS[1], tool_input: STATUS[2](), tool_response: {} });
  };
  const isMet = ({ matcher = '*' }) => matcher === '*' || new RegExp(matcher).test(STATUS[1]);
  const starts = events.flatMap((event) =>
    installed.hooks[event].filter(isMet).flatMap(({ hooks }) => hooks.map(({ command }) => [['-c', command], input(event)])),
  );
  const turn = () => starts.reduce((sum, [words, text]) => sum + processorTime(['/bin/sh', ...words], text, home), 0);
  const pairs = Array.from({ length: rounds }, () => [processorTime([process.execPath, '-e', '0'], '', home), turn()]);
  const { median } = ratios(
    pairs.map(([, all]) => all),
    pairs.map(([bare]) => bare),
  );
  const waited = installed.hooks.PreToolUse.concat(installed.hooks.PostToolUse.filter(isMet)).flatMap(({ hooks }) =>
    hooks.filter(({ async: isAsync }) => isAsync !== true),
  );
  const details = `${starts.length} hooks, ${waited.length} with node waited for`;
  return ['cpu: a turn of Claude Code, git status', `${median.toFixed(2)}×`, details, promised(GATES.turn, median)];
}

/** Milliseconds of processor time that a program and all that it starts take, as bash counts them. */
function processorTime(words, input, home) {
  const { stdout } = spawnSync('/bin/bash', ['-c', '"$@" >/dev/null 2>&1; times', 'bash', ...words], {
    ...{ input, encoding: 'utf8', cwd: join(home, 'desk'), env: environmentIn(home) },
  });
  const [, ofChildren = ''] = stdout.trim().split('\n');
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60_000 * Number(m) + 1000 * Number(s), 0);
}

/** A hook of npm that does a comparable job; null where it cannot be installed. */
function peerIn(folder, world) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const install = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'cc-safety-net'], { cwd: folder });
  const manifest = join(folder, 'node_modules', 'cc-safety-net', 'package.json');
  if (install.status !== 0 || !existsSync(manifest)) return null;
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  const program = join(folder, 'node_modules', 'cc-safety-net', typeof bin === 'string' ? bin : Object.values(bin)[0]);
  const [, input] = world.callOf('Bash', STATUS[2]());
  const args = [[program, 'hook', '--claude-code'], input, environmentIn(folder)];
  return () => timed(args, [0, 2]);
}

/** A copy of the demo repository, as a repository of git. */
function repositoryIn(project) {
  cpSync('test/fixtures/demo-repo', project, { recursive: true });
  for (const name of ['objects', 'refs']) mkdirSync(join(project, '.git', name), { recursive: true });
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(project, '.git', 'config'), '[core]\n\tbare = false\n');
  writeFileSync(join(project, '.git', 'index'), Buffer.from(INDEX, 'base64'));
}

/** A project with a repository, and folders of its own for everything that a hook reads and writes. */
function worldIn(folder, policy = USER_POLICY, name = 'policy.yaml') {
  const project = join(folder, 'project');
  repositoryIn(project);
  writeFileSync(join(folder, 'empty.cjs'), '');
  const config = join(folder, 'config');
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  if (policy !== null) {
    mkdirSync(config);
    writeFileSync(join(config, name), policy);
  }
  const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_use_id: 't' };
  const words = ['claude-code', '--project', project, '--config-dir', config, '--state-dir', state];
  settle();
  const bareArgs = [[join(folder, 'empty.cjs')], '', environmentIn(folder)];
  /** The snapshot that was written last; a hook that compiles writes another. */
  const snapshot = () => {
    const [name] = readdirSync(join(state, 'snapshots'));
    return statSync(join(state, 'snapshots', name)).ino;
  };
  let first = null;
  return {
    project,
    config,
    state,
    bareArgs,
    bare: () => timed(bareArgs),
    timed: (args) => {
      const time = timed(args);
      first ??= snapshot();
      return time;
    },
    unchanged: () => {
      if (first === null || snapshot() !== first) throw new Error('a hook did not take the snapshot');
    },
    callOf: (tool, input, hook = installed.program) => [
      [...installed.nodeOptions, hook, ...words],
      JSON.stringify({ ...payload, tool_name: tool, tool_input: input }),
      { ...environmentIn(folder), ...NODE_VARIABLES },
    ],
  };
}

const environmentIn = (folder) => ({ HOME: folder, PATH: '/usr/bin:/bin' });

/** What changed this moment is never stored in a snapshot. */
function settle() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
}

/** Another answer would be another piece of work. It stores the snapshot, too. */
function expectAnswer(wanted, [args, input, env]) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { input, env, encoding: 'utf8' });
  if (!stdout.includes(`"permissionDecision":"${wanted}"`)) throw new Error(`expected ${wanted}: ${stdout}${stderr}`);
}

/** Milliseconds of one whole process. */
function timed([args, input, env], statuses = [0], program = process.execPath) {
  const start = process.hrtime.bigint();
  const run = spawnSync(program, args, { input, env, stdio: ['pipe', 'ignore', 'pipe'] });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (!statuses.includes(run.status)) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return time;
}

/** Milliseconds of each, over rounds in which every one runs once; the first two rounds only warm up. */
function inTurn(runs, rounds) {
  const times = runs.map(() => []);
  for (let round = -2; round < rounds; round += 1) {
    runs.forEach((run, at) => {
      const time = run();
      if (round >= 0) times[at].push(time);
    });
  }
  return times;
}

/** How often `other` takes the time of `base`: by the smallest times, and by the median of the rounds. */
function ratios(other, base) {
  const inRounds = other.map((time, round) => time / base[round]).sort((a, b) => a - b);
  return { least: Math.min(...other) / Math.min(...base), median: inRounds[Math.floor(inRounds.length / 2)] };
}

const verdictOf = (gate, figure) => (figure <= gate ? 'met' : 'MISSED');
const promised = (gate, figure) => (gate === null ? 'nothing is promised' : `gate ${gate}×: ${verdictOf(gate, figure)}`);

function wallRow({ name, gate }, times, bare) {
  const { least, median } = ratios(times, bare);
  return [
    `wall: ${name}`,
    `${median.toFixed(2)}× (smallest ${least.toFixed(2)}×)`,
    `${Math.min(...times).toFixed(1)} ms, bare ${Math.min(...bare).toFixed(1)} ms`,
    promised(gate, median),
  ];
}

function peerRow(own, peer) {
  const name = 'wall: git status against cc-safety-net';
  if (peer === undefined) return [name, 'not measured', 'npm could not install it', `gate ${GATES.peer}×`];
  const { least, median } = ratios(own, peer);
  return [
    name,
    `${median.toFixed(2)}× (smallest ${least.toFixed(2)}×)`,
    `${Math.min(...peer).toFixed(1)} ms`,
    `gate ${GATES.peer}×: ${verdictOf(GATES.peer, median)}`,
  ];
}

/** Runs of bare node whose mean counts: it looks for random primes at each start, some of which are found late. */
const BARE_RUNS = 9;

/** Instructions as callgrind counts them. */
function instructionRows(world, contenders) {
  const library = libraryWithoutTrace(world.project);
  const instructionsOf = (call) => (library === null ? null : countedWith(library, call));
  const counts = Array.from({ length: BARE_RUNS }, () => instructionsOf(world.bareArgs));
  if (counts.includes(null)) return [['instructions', 'not measured', 'valgrind or cc is not installed', '']];
  const bare = counts.reduce((sum, count) => sum + count, 0) / BARE_RUNS;
  const counted = contenders.filter(({ args }) => args !== null);
  return counted.map(({ name, args, prepare }) => {
    prepare?.();
    const count = instructionsOf(args);
    const ratio = count / bare;
    const details = `${(count / 1e6).toFixed(0)} M, bare ${(bare / 1e6).toFixed(0)} M`;
    return [`instructions: ${name}`, `${ratio.toFixed(2)}×`, details, ''];
  });
}

/**
 * valgrind puts LD_PRELOAD into the environment, a variable that lets another program run: the hook asks about every command line then,
 * and says why. This library takes it away before node starts. Null where there is no compiler.
 */
function libraryWithoutTrace(project) {
  const [source, library] = ['trace.c', 'trace.so'].map((name) => join(project, '..', name));
  writeFileSync(
    source,
    `#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void clear(void) {
  const char *value = getenv("LD_PRELOAD");
  if (value && strstr(value, "vgpreload")) unsetenv("LD_PRELOAD");
}
`,
  );
  return spawnSync('cc', ['-shared', '-fPIC', '-o', library, source]).status === 0 ? library : null;
}

/** Null where there is no valgrind. */
function countedWith(library, [args, input, given]) {
  const env = { ...given, LD_PRELOAD: library };
  const options = ['--tool=callgrind', `--callgrind-out-file=${join(env.HOME, 'callgrind.out')}`];
  const { status, stderr } = spawnSync('valgrind', [...options, process.execPath, ...args], { input, env, encoding: 'utf8' });
  return status === 0 ? Number(/Collected : (\d+)/.exec(stderr)?.[1]) : null;
}

/** The largest resident set of the hook and of bare node, as they report it themselves on their way out. */
function memoryRow(world) {
  const report = join(world.project, '..', 'memory.txt');
  const preload = join(world.project, '..', 'memory.cjs');
  const note = `require('node:fs').appendFileSync(${JSON.stringify(report)}, process.resourceUsage().maxRSS + '\\n')`;
  // Bare node ends by the first, the hook by the second.
  const ends = `process.on('exit', note); const end = process.reallyExit; process.reallyExit = (code) => { note(); end.call(process, code); };`;
  writeFileSync(preload, `const note = () => ${note}; ${ends}`);
  const largest = ([args, input, env]) => {
    writeFileSync(report, '');
    for (let run = 0; run < 5; run += 1) timed([['--require', preload, ...args], input, env]);
    const sizes = readFileSync(report, 'utf8').trim().split('\n').map(Number);
    return sizes.sort((a, b) => a - b)[2] / 1024;
  };
  const bare = largest(world.bareArgs);
  const beyond = largest(world.callOf(CALLS[1][1], CALLS[1][2]())) - bare;
  return [
    'memory: snapshot hit, five commands',
    `bare + ${beyond.toFixed(1)} MB`,
    `bare ${bare.toFixed(1)} MB`,
    `gate + ${MOST_MEMORY} MB: ${verdictOf(MOST_MEMORY, beyond)}`,
  ];
}

/** One append of a record of usual length to the decision log, in a process that has done so before. */
async function appendRow(state) {
  const { appendRecord } = await import('../build/src/log/append.js');
  mkdirSync(state, { mode: 0o700 });
  const world = worldIn(join(state, 'world'));
  timed(world.callOf('Bash', STATUS[2]()));
  const [log] = readdirSync(join(world.state, 'log')).filter((name) => name.startsWith('decisions-'));
  const record = JSON.parse(readFileSync(join(world.state, 'log', log), 'utf8').split('\n')[0]);
  const times = Array.from({ length: 2000 }, () => {
    const start = process.hrtime.bigint();
    appendRecord(world.state, record);
    return Number(process.hrtime.bigint() - start) / 1000;
  }).sort((a, b) => a - b);
  const median = times[times.length / 2];
  return [
    'append to the decision log',
    `${median.toFixed(1)} µs`,
    `p99 ${times[Math.floor(times.length * 0.99)].toFixed(1)} µs`,
    `gate ${MOST_APPEND} µs: ${verdictOf(MOST_APPEND, median)}`,
  ];
}
