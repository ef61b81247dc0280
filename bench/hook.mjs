// The hook as a runner starts it: a whole process per call, payload in, answer out, a line in the decision log. Bare node and the
// hook run in turn. On a shared machine the smallest times say most about the program and the medians about the machine; both are
// printed. The gate is on the ratio of the smallest.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const GATE = 1.8;
const GOAL = 1.25;

/** The four calls that the gate is about. */
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

/** Rows for the table: name, figure, details, verdict. */
export function coldHooks(rounds = 50) {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-bench-hook-')));
  try {
    return [...snapshotHits(scratch, rounds), snapshotMiss(scratch, rounds), manyRules(scratch, rounds)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A snapshot that holds, on a copy of the demo repository: the gate. */
function snapshotHits(scratch, rounds) {
  const world = worldIn(join(scratch, 'hit'));
  return CALLS.map(([name, tool, input]) => {
    const call = () => world.run(tool, input(world.project));
    return rowOf(`cold hook, demo repository, ${name}`, measureHits(world, call, rounds));
  });
}

/** As `compare`; throws when a call compiled, for then something else was measured. */
function measureHits(world, call, rounds) {
  call();
  const before = world.snapshot();
  const measured = compare(world.bare, call, rounds);
  if (world.snapshot() !== before) throw new Error('a hook did not take the snapshot');
  return measured;
}

/** Every call finds no snapshot, compiles and stores one. */
function snapshotMiss(scratch, rounds) {
  const world = worldIn(join(scratch, 'miss'));
  let edit = 0;
  const call = () => {
    rmSync(join(world.state, 'snapshots'), { recursive: true, force: true });
    edit += 1;
    return world.run('Bash', { command: `git log -${edit}` });
  };
  const [name, ...rest] = rowOf('cold hook, demo repository, no snapshot', compare(world.bare, call, Math.ceil(rounds / 3)));
  return [name, ...rest.slice(0, 2), 'no gate; spec goal 2.0×'];
}

/** A snapshot of ten thousand rules. */
function manyRules(scratch, rounds) {
  const world = worldIn(join(scratch, 'many'));
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    index % 3 === 0 ? `Bash(tool${index} run *)` : index % 3 === 1 ? `Read(/src/part${index}/**)` : `Bash(git sub${index} *)`,
  );
  mkdirSync(world.config, { recursive: true });
  writeFileSync(
    join(world.config, 'policy.json'),
    JSON.stringify({ version: 1, allow: lines.slice(0, 5000), ask: lines.slice(5000, 8000), deny: lines.slice(8000) }),
  );
  world.settle();
  const call = () => world.run('Bash', { command: 'git status' });
  const [name, ...rest] = rowOf('cold hook, 10,000 rules, git status', measureHits(world, call, Math.ceil(rounds / 3)));
  return [name, ...rest.slice(0, 2), 'no gate; spec goal 1.4×'];
}

/** A project with a repository, and folders of its own for everything that a hook reads and writes. */
function worldIn(folder) {
  const project = join(folder, 'project');
  cpSync('test/fixtures/demo-repo', project, { recursive: true });
  for (const name of ['objects', 'refs']) mkdirSync(join(project, '.git', name), { recursive: true });
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(project, '.git', 'config'), '[core]\n\tbare = false\n');
  writeFileSync(join(folder, 'empty.cjs'), '');
  const config = join(folder, 'config');
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const environment = { HOME: folder, PATH: '/usr/bin:/bin' };
  const payload = { session_id: 's', cwd: project, permission_mode: 'default', hook_event_name: 'PreToolUse', tool_use_id: 't' };
  const words = ['claude-code', '--project', project, '--config-dir', config, '--state-dir', state];
  const settle = () => {
    // What changed this moment is never stored in a snapshot.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  };
  settle();
  return {
    project,
    config,
    state,
    settle,
    bare: () => timed([join(folder, 'empty.cjs')], '', environment),
    run: (tool, input) =>
      timed(
        [resolve('dist/hook.cjs'), ...words],
        JSON.stringify({ ...payload, tool_name: tool, tool_input: input }),
        environment,
      ),
    /** The snapshot that was written last; a hook that compiles writes another. */
    snapshot: () => {
      const [name] = readdirSync(join(state, 'snapshots'));
      return statSync(join(state, 'snapshots', name)).ino;
    },
  };
}

/** Milliseconds of one whole process. */
function timed(args, input, env) {
  const start = process.hrtime.bigint();
  const run = spawnSync(process.execPath, args, { input, env, stdio: ['pipe', 'ignore', 'pipe'] });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (run.status !== 0) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return time;
}

function compare(bare, other, rounds) {
  for (const warm of [bare, other, other]) warm();
  const pairs = Array.from({ length: rounds }, () => [bare(), other()]);
  const [first, second] = [0, 1].map((at) => pairs.map((pair) => pair[at]).sort((a, b) => a - b));
  const middle = Math.floor(rounds / 2);
  return {
    least: second[0],
    bare: first[0],
    ratio: second[0] / first[0],
    median: pairs.map(([a, b]) => b / a).sort((a, b) => a - b)[middle],
  };
}

function rowOf(name, { least, bare, ratio, median }) {
  const verdict = ratio <= GOAL ? 'goal met' : ratio <= GATE ? 'gate met' : 'MISSED';
  return [
    name,
    `${ratio.toFixed(2)}× (median ${median.toFixed(2)}×)`,
    `${least.toFixed(1)} ms, bare ${bare.toFixed(1)} ms`,
    `gate ${GATE}× on the smallest, goal ${GOAL}×: ${verdict}`,
  ];
}
