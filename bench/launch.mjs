// `policy run` until the agent's program takes over: a client that says so through a pipe, beside bare node in turn. The first runs of a
// project, which make the copy of the program, try the hook and, with its first call, read the policy, are not counted.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Measured as 3.5× to 6× on a machine with other work to do. All of the command line is loaded, and the policy is read anew: a tenth of a
 * second, where a client takes seconds to begin. A program of its own that did without was faster, and not worth being a second way to
 * start an agent.
 */
const GATE = 5.9;

/** Rows for the table: name, figure, details, verdict. */
export async function launchTimes(rounds = 15) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-bench-launch-')));
  try {
    const world = worldIn(base);
    await world.untilChild();
    world.callHook();
    await world.untilChild();
    const bare = [];
    const started = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(bareTime(world.empty));
      started.push(await world.untilChild());
    }
    const ratio = median(started) / median(bare);
    const verdict = `${ratio.toFixed(2)}×, gate ${GATE}×: ${ratio <= GATE ? 'met' : 'MISSED'}`;
    return [
      [
        'policy run until the client starts',
        `${median(started).toFixed(1)} ms`,
        `bare node ${median(bare).toFixed(1)} ms`,
        verdict,
      ],
    ];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function worldIn(base) {
  const project = join(base, 'project');
  mkdirSync(join(project, '.git', 'objects'), { recursive: true });
  mkdirSync(join(project, '.git', 'refs'));
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(base, '.config', 'policy'), { recursive: true });
  writeFileSync(join(base, '.config', 'policy', 'policy.yaml'), 'version: 1\npreset: safe\n');
  const empty = join(base, 'empty.cjs');
  writeFileSync(empty, '');
  const pipe = join(base, 'pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) throw new Error('no named pipe could be made');
  const client = join(base, 'client');
  const help = ['--settings <file>', '--safe-mode', '--permission-mode <mode>  default, plan', '--model <model>'];
  const printHelp = `cat <<'END'; exit 0\n${help.map((flag) => `  ${flag}`).join('\n')}\nEND\n`;
  const hook = join(base, 'hook.sh');
  writeFileSync(client, `#!/bin/sh\ncase "$1" in --help) ${printHelp};; esac\n[ -e ${hook} ] && . ${hook}\necho > ${pipe}\n`);
  chmodSync(client, 0o755);
  const words = ['run', '--preset', 'safe', '--runner', 'claude-code', '--program', client, '--retries', '0', '--goal', 'g'];
  const env = { HOME: base, PATH: '/usr/bin:/bin' };
  const untilChild = async () => {
    const descriptor = openSync(pipe, 'r+');
    const begin = process.hrtime.bigint();
    const heard = new Promise((done) => {
      read(descriptor, Buffer.alloc(1), 0, 1, null, () => done(Number(process.hrtime.bigint() - begin) / 1e6));
    });
    const child = spawn(process.execPath, [join(process.cwd(), 'bin/policy.js'), ...words], {
      cwd: project,
      env,
      stdio: 'ignore',
    });
    const ended = new Promise((_, fail) => {
      child.once('close', () => setTimeout(() => fail(new Error('policy run ended without a client')), 1_000).unref());
    });
    const closed = new Promise((done) => {
      child.once('close', done);
    });
    const time = await Promise.race([heard, ended]);
    ended.catch(() => {});
    await closed;
    closeSync(descriptor);
    return time;
  };
  return { empty, untilChild, callHook: () => writeFileSync(hook, hookCall(base, project, hook)) };
}

/** What the client runs once: a call through the hook of its settings. */
function hookCall(base, project, file) {
  const folder = join(base, '.local', 'state', 'policy', 'clients');
  const settings = readdirSync(folder).find((name) => name.startsWith('claude-code-'));
  const { hooks } = JSON.parse(readFileSync(join(folder, settings), 'utf8'));
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'index.ts' } };
  const payload = JSON.stringify({ session_id: 'bench', cwd: project, ...call });
  return `rm ${file}\n(${hooks.PreToolUse[0].hooks[0].command}) >/dev/null <<'END'\n${payload}\nEND\n`;
}

function bareTime(empty) {
  const begin = process.hrtime.bigint();
  spawnSync(process.execPath, [empty], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
