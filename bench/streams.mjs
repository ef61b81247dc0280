// How fast the output of runners is read: `node .ci/build.mjs && node bench/streams.mjs [MEGABYTES]`. A stream of 1 GB for each runner
// and for two kinds of long lines, made of the recorded lines while it is read, each in a process of its own.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = 'test/fixtures/streams';
const MEGABYTE = 1_000_000;
/** Bytes that a pipe gives at a time. */
const CHUNK = 65_536;
/** The speed is the median of so many parts of the stream: other processes are in the way of some. */
const PARTS = 20;
/** Megabytes for a second of processor time, and megabytes of memory that are more than the program and a few lines. */
const GOALS = { speed: 100, memory: 300 };

/** Lines as they are recorded. */
function recorded(runner) {
  const folder = join(FIXTURES, runner);
  return readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
}

/** Text as programs print it. */
const output = (length) =>
  'src/index.ts:12:5 - warning: "name" is assigned but never used\n\tat line 7 \\ café\n'.repeat(length / 80);

const item = (length) => ({ id: 'item_1', type: 'command_execution', command: 'npm test', aggregated_output: output(length) });
const LONG = {
  'codex, output of 1 MB': () => [
    'codex',
    [JSON.stringify({ type: 'item.completed', item: { ...item(MEGABYTE), exit_code: 0, status: 'completed' } })],
  ],
  'claude-code, results of 30 KB': () => {
    const content = [{ tool_use_id: 'toolu_1', type: 'tool_result', content: output(30_000), is_error: false }];
    const line = { type: 'user', message: { role: 'user', content }, tool_use_result: { stdout: output(30_000) } };
    return ['claude-code', [...recorded('claude-code'), ...Array.from({ length: 20 }, () => JSON.stringify(line))]];
  },
};

/** The row of one stream. */
async function measured(name, megabytes) {
  const { streamReader } = await import('../build/src/runner/stream/stream-reader.js');
  const { streamFormatOf } = await import('../build/src/runner/launched.js');
  const [runner, lines] = Object.hasOwn(LONG, name) ? LONG[name]() : [name, recorded(name)];
  const cycle = Buffer.from(`${lines.join('\n')}\n`);
  const stream = Buffer.concat(Array.from({ length: Math.max(1, Math.ceil(CHUNK / cycle.length)) }, () => cycle));
  const reader = streamReader(streamFormatOf(runner));
  const speeds = [];
  let [at, bytes, events] = [0, 0, 0];
  for (let part = 1; part <= PARTS; part += 1) {
    const from = bytes;
    const before = process.cpuUsage();
    while (bytes < (megabytes * MEGABYTE * part) / PARTS) {
      const chunk = stream.subarray(at, at + CHUNK);
      events += reader.push(chunk).length;
      bytes += chunk.length;
      at = at + chunk.length === stream.length ? 0 : at + chunk.length;
    }
    const { user, system } = process.cpuUsage(before);
    speeds.push((bytes - from) / (user + system));
  }
  events += reader.end({ code: 0, signal: null }).length;
  const speed = speeds.sort((one, other) => one - other)[PARTS / 2];
  const memory = (process.resourceUsage().maxRSS * 1024) / MEGABYTE;
  const verdict = (isMet) => (isMet ? 'met' : 'MISSED');
  return [
    name.padEnd(30),
    `${speed.toFixed(0)} MB/s (goal ${GOALS.speed}: ${verdict(speed >= GOALS.speed)})`.padEnd(30),
    `${memory.toFixed(0)} MB of memory (goal ${GOALS.memory}: ${verdict(memory <= GOALS.memory)})`,
    `${events} events of ${(bytes / MEGABYTE).toFixed(0)} MB`,
  ].join('  ');
}

const [megabytes = '1000', one] = process.argv.slice(2);
if (one !== undefined) process.stdout.write(`${await measured(one, Number(megabytes))}\n`);
else {
  const program = fileURLToPath(import.meta.url);
  const env = { ...process.env };
  for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS']) delete env[name];
  for (const name of [...readdirSync(FIXTURES), ...Object.keys(LONG)])
    spawnSync(process.execPath, [program, megabytes, name], { env, stdio: 'inherit' });
}
