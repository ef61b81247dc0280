// How fast, and in how much memory, the numbers of a decision log are counted: decisions and results of ordinary commands, as the hook writes them.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A million lines: a decision and a result of each call. */
const CALLS = 500_000;
/** So many calls are written at once. */
const PIECE = 50_000;
/** Calls of a session. */
const SESSION = 50;
const GATE = 1_000_000;
const MOST_MEGABYTES = 100;

/** What varies in the log of a person with many projects: every combination of these is somewhere in it. */
const MANY = {
  projects: 60,
  folders: ['', '/src', '/packages/api', '/packages/web/src', '/docs'],
  agents: [null, 'reviewer', 'tester', 'researcher'],
  models: ['model-1', 'model-2', 'model-3'],
  modes: ['default', 'acceptEdits', 'plan'],
  policies: 40,
};
const FEW = {
  projects: 2,
  folders: ['', '/src'],
  agents: [null, 'reviewer'],
  models: ['model-1'],
  modes: ['default'],
  policies: 1,
};

/** Rows of the table of `npm run bench`: lines a second of one core. */
export async function logScan() {
  return [await row('count the log', FEW), await row('count a log of many projects', MANY)];
}

async function row(name, variety) {
  const state = join(mkdtempSync(join(tmpdir(), 'policy-bench-log-')), 'state');
  try {
    mkdirSync(join(state, 'log'), { recursive: true, mode: 0o700 });
    for (let call = 0; call < CALLS; call += PIECE)
      appendFileSync(join(state, 'log', 'decisions-2026-01-31.jsonl'), await lines(variety, call), { mode: 0o600 });
    const { records, seconds, megabytes } = counted(state);
    const speed = Math.round(records / seconds);
    const verdict = speed >= GATE && megabytes <= MOST_MEGABYTES ? 'gate met' : 'MISSED';
    const gate = `gate ${GATE} lines/s of one core in ${MOST_MEGABYTES} MB`;
    return [name, `${speed} lines/s`, `${records} lines, ${Math.round(megabytes)} MB`, `${gate}: ${verdict}`];
  } finally {
    rmSync(join(state, '..'), { recursive: true, force: true });
  }
}

/** Counts a log in a process of its own, whose memory is only what that takes: processor seconds, and the most memory ever held. */
function counted(state) {
  const program = `
    import { statsOfLog } from ${JSON.stringify(new URL('../build/src/log/stats.js', import.meta.url).href)};
    const before = process.cpuUsage();
    const { records } = statsOfLog(process.argv[1], {}, () => {});
    const { user, system } = process.cpuUsage(before);
    const megabytes = process.resourceUsage().maxRSS / 1024;
    console.log(JSON.stringify({ records, seconds: (user + system) / 1e6, megabytes }));`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program, state], { encoding: 'utf8' }));
}

async function lines(variety, first) {
  const { resultRecordOf } = await import('../build/src/log/record/record.js');
  const { jsonLine } = await import('../build/src/log/record/json-line.js');
  const { context, NOON, sample } = await import('../build/test/log/sample.js');
  const commands = readFileSync('test/log/ordinary-commands.txt', 'utf8').split('\n');
  const outcome = { result: 'success', canonical: 'Bash', message: null, microseconds: 52_000 };
  const models = commands.map((command) => {
    const changes = { call: { ...context.call, input: { command, description: 'Run a command' } } };
    return [sample(changes), resultRecordOf(outcome, { ...context, ...changes })];
  });
  const texts = [];
  for (let call = first; call < first + PIECE; call += 1) {
    const digits = call.toString(16).padStart(12, '0');
    for (const [index, record] of models[call % models.length].entries()) {
      const [time, session] = [
        new Date(NOON + 10 * call + index).toISOString(),
        `0b5e2c1a-0000-4000-8000-${Math.floor(call / SESSION)}`,
      ];
      const id = `${record.id.slice(0, -12)}${digits}`;
      const changes = { id, time, session, toolUseId: `toolu_01${digits}`, us: 500 + (call % 900) };
      texts.push(jsonLine({ ...record, ...changes, ...varied(record, call, variety) }), '\n');
    }
  }
  return texts.join('');
}

/** Who and where of a call, by its number. */
function varied({ kind }, call, { projects, folders, agents, models, modes, policies }) {
  // Numbers that have nothing to do with each other: all combinations come.
  const [one, two] = [Math.imul(call, 0x9e3779b1) >>> 8, Math.imul(call, 0x85ebca6b) >>> 8];
  const project = `/home/ann/work/project-${Math.floor(call / SESSION) % projects}`;
  const who = {
    project,
    cwd: `${project}${folders[one % folders.length]}`,
    agent: agents[two % agents.length],
    model: models[Math.floor(call / SESSION) % models.length],
  };
  if (kind !== 'decision') return who;
  const policy = `sha256:${(Math.floor(call / 2_000) % policies).toString(16).padStart(64, '0')}`;
  return { ...who, policy, permissionMode: modes[Math.floor(call / SESSION / 7) % modes.length] };
}
