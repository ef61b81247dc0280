/** Many processes of `policy run` at once in one project, and what is found afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sessionRecords } from '../../../src/enforce/launch/session-record.js';
import { readJournal, runsDirectory } from '../../../src/run/journal.js';

export interface Kind {
  readonly name: string;
  readonly queue: boolean;
  /** So many are killed with SIGKILL at a random moment. */
  readonly kills: number;
}

export interface Storm {
  readonly name: string;
  readonly started: number;
  readonly killed: number;
  /** Their agent was at work when they were killed. */
  readonly killedAtWork: number;
  readonly completed: number;
  /** Refused, since another was running. */
  readonly refused: number;
  /** Ends that are none of these: exit codes and what was said. */
  readonly odd: readonly string[];
  /** The most agents that worked at the same moment, by their own word. */
  readonly mostAtOnce: number;
  /** Let in before one that had asked earlier and still waited. */
  readonly overtaken: number;
  /** Agents that worked, and have no record as a whole. */
  readonly lostRecords: number;
  /** Records that still say that their run goes on. */
  readonly stillRunning: number;
  /** Processes that are left. */
  readonly orphans: number;
  /** The next run could not start. */
  readonly stuck: boolean;
  readonly seconds: number;
  /** Seconds of a processor, of all processes together. */
  readonly cpuSeconds: number;
}

/**
 * A client that says when it begins and ends. It appends each in one write, so that the file has one order; it knows no clock but that.
 * The run before it is over when the next one begins, so that an end may not stand behind the next beginning.
 */
const CLIENT = `#!/bin/sh
case "$1" in --help) for f in --settings --permission-mode --tools --append-system-prompt --agent --model --safe-mode --disallowedTools; do echo "  $f  a flag"; done; exit 0;; esac
echo "begin $$" >> "$STORM_MARKS"
sleep 0.1
echo "end $$" >> "$STORM_MARKS"
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"ok","session_id":"s"}'
`;

interface World {
  readonly base: string;
  readonly project: string;
  readonly state: string;
  readonly marks: string;
  readonly start: (queue: boolean) => ChildProcess;
}

function makeWorld(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-run-storm-')));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  };
  write('project/.git/HEAD', 'ref: refs/heads/main\n');
  write('project/.git/config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  for (const folder of ['objects', 'refs']) mkdirSync(join(base, 'project/.git', folder));
  write('user/.config/policy/policy.yaml', 'version: 1\npreset: safe\n');
  write('client', CLIENT);
  chmodSync(join(base, 'client'), 0o755);
  const marks = join(base, 'marks');
  writeFileSync(marks, '');
  const env = { HOME: join(base, 'user'), PATH: process.env.PATH ?? '', STORM_MARKS: marks };
  const words = ['run', '--preset', 'safe', '--runner', 'claude-code', '--program', join(base, 'client'), '--goal', 'g'];
  const command = resolve('bin/policy.js');
  return {
    base,
    project: join(base, 'project'),
    state: join(base, 'user/.local/state/policy'),
    marks,
    start: (queue) =>
      spawn(
        process.execPath,
        [command, ...words, '--timeout', '1h', '--keep', '100000', ...(queue ? ['--queue', '--queue-timeout', '2h'] : [])],
        {
          cwd: join(base, 'project'),
          env,
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      ),
  };
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
}

function endOf(child: ChildProcess): Promise<End> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return new Promise((done) => {
    child.once('close', (code, signal) => done({ code, signal, said }));
  });
}

export async function stormOf(runs: number, { name, queue, kills }: Kind): Promise<Storm> {
  const world = makeWorld();
  try {
    // The first makes the state directory, and tries the hook.
    await endOf(world.start(false));
    writeFileSync(world.marks, '');
    const began = performance.now();
    const cpu = cpuOfChildren();
    const children = Array.from({ length: runs }, () => world.start(queue));
    const ends = children.map(endOf);
    await Promise.all([...ends, killSome(children, kills, world)]);
    const seconds = (performance.now() - began) / 1000;
    const cpuSeconds = cpuOfChildren() - cpu;
    const found = await Promise.all(ends);
    // What a killed one had started ends a moment after it.
    await settled(world);
    const beginnings = begun(world);
    const records = sessionRecords(world.state, world.project).slice(1);
    const next = await endOf(world.start(false));
    return {
      name,
      started: runs,
      killed: found.filter(({ signal }) => signal === 'SIGKILL').length,
      killedAtWork: records.filter(({ problem }) => problem?.includes('was killed')).length,
      completed: found.filter(({ code }) => code === 0).length,
      refused: found.filter(isRefused).length,
      odd: found
        .filter((end) => end.code !== 0 && end.signal !== 'SIGKILL' && !isRefused(end))
        .map((end) => JSON.stringify(end))
        .slice(0, 10),
      mostAtOnce: mostAtOnce(world),
      overtaken: overtaken(world),
      lostRecords: Math.max(0, beginnings - records.length),
      stillRunning: records.filter(({ state }) => state === 'running').length,
      orphans: processesOf(world).length,
      stuck: next.code !== 0,
      seconds,
      cpuSeconds,
    };
  } finally {
    for (const pid of processesOf(world)) process.kill(pid, 'SIGKILL');
    rmSync(world.base, { recursive: true, force: true });
  }
}

export function isGood(storm: Storm): boolean {
  const { odd, mostAtOnce, overtaken: before, lostRecords, stillRunning, orphans, stuck } = storm;
  const isAccounted = storm.completed + storm.refused + storm.killed === storm.started;
  return isAccounted && odd.length + before + lostRecords + stillRunning + orphans === 0 && mostAtOnce === 1 && !stuck;
}

function isRefused({ code, said }: End): boolean {
  return code === 1 && said.includes('Concurrent execution detected: preset safe is running, cannot start preset safe.');
}

/** One after another while the queue moves on: some wait, some are about to start, some work. */
async function killSome(children: readonly ChildProcess[], kills: number, world: World): Promise<void> {
  const step = kills === 0 ? 0 : Math.max(1, Math.floor(children.length / kills) - 2);
  for (let done = 0; done < kills; done += 1) {
    const next = begun(world) + step;
    const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
    while (begun(world) < next && children.some(isAlive)) await pause(10);
    const alive = children.filter(isAlive);
    // Every second one while its agent works.
    const atWork = done % 2 === 0 ? holderAtWork(world) : null;
    const chosen = alive.find(({ pid }) => pid === atWork) ?? alive[Math.floor(Math.random() * alive.length)];
    await pause(Math.random() * (atWork === null ? 200 : 50));
    chosen?.kill('SIGKILL');
  }
}

function holderAtWork({ state, project }: World): number | null {
  return sessionRecords(state, project).findLast(({ state: is }) => is === 'running')?.holder?.pid ?? null;
}

function begun({ marks }: World): number {
  return readFileSync(marks, 'utf8').split('begin').length - 1;
}

/** By the marks: an agent that was killed says no end; it is over when its process is, which the next one had to wait for. */
function mostAtOnce({ marks }: World): number {
  const lines = readFileSync(marks, 'utf8').trim().split('\n');
  let most = 0;
  const working = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const [what, pid = ''] = line.split(' ');
    if (what === 'end') {
      working.delete(pid);
      continue;
    }
    // Only those count as at work that say something later on.
    for (const one of working) if (!lines.slice(at).includes(`end ${one}`)) working.delete(one);
    working.add(pid);
    most = Math.max(most, working.size);
  }
  return most;
}

/** By the record of running agents, which is one order of all requests: admitted although an earlier one still waited. */
function overtaken({ state }: World): number {
  let count = 0;
  for (const name of readdirSync(runsDirectory(state))) {
    const waiting: string[] = [];
    for (const event of readJournal(join(runsDirectory(state), name))) {
      if (event.kind === 'wait') waiting.push(event.id);
      const at = waiting.indexOf(event.id);
      if (event.kind === 'answered' && (at > 0 || (at < 0 && waiting.length > 0))) count += 1;
      if ((event.kind === 'answered' || event.kind === 'ended') && at >= 0) waiting.splice(at, 1);
    }
  }
  return count;
}

async function settled(world: World): Promise<void> {
  for (let tries = 0; tries < 100 && processesOf(world).length > 0; tries += 1) await pause(100);
}

/** Whatever still runs and carries the name of this world in its environment or its words. */
function processesOf({ base }: World): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const text = readFileSync(`/proc/${name}/environ`, 'latin1') + readFileSync(`/proc/${name}/cmdline`, 'latin1');
      return text.includes(base) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** Seconds of a processor that children of this process have used, those of theirs included, by /proc (hundredths). */
function cpuOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
