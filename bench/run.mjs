// `npm run bench [-- --whole]`: whole processes against bare node in the same run, and warm decisions in this process.
// Ratios are pairwise medians; a shared machine is noisy, so only ratios and medians are printed. The gates in microseconds are
// shown twice: absolute, and as a share of a bare node's start in the same run, since they were set on another machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditTimes } from './audit.mjs';
import { gatewayTimes } from './gateway.mjs';
import { coldHooks } from './hook.mjs';
import { launchTimes } from './launch.mjs';
import { lintTimes } from './lint.mjs';
import { logAppend } from './log-append.mjs';
import { logScan } from './log-scan.mjs';
import { worstLongLine } from './long.mjs';
import { warmDecisions } from './warm.mjs';

const environment = { ...process.env };
for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']) delete environment[name];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds of one whole process that reads `input`, or nothing. */
function processTime(args, input) {
  const start = process.hrtime.bigint();
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const options = { env: environment, input, stdio: [stdin, 'ignore', 'pipe'] };
  const run = spawnSync(process.execPath, args, options);
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (run.status === null || run.status > 2) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return time;
}

/** Runs the two in turn and gives the median of each and of the ratio pair by pair. */
function compare(bare, other, rounds) {
  processTime(bare);
  processTime(other);
  const pairs = Array.from({ length: rounds }, () => [processTime(bare), processTime(other)]);
  return {
    bare: median(pairs.map(([a]) => a)),
    other: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => b / a)),
  };
}

/** Lines of a batch, and the seconds that it may take. */
const BATCH_LINES = 100_000;
const BATCH_SECONDS = 3;

/** `policy check --batch` on one call again and again, and on fewer that all differ, which are judged one by one. */
function batches(bare) {
  const line = (command) => `${JSON.stringify({ tool: 'Bash', input: { command } })}\n`;
  return [
    ['the same call', BATCH_LINES, line('git status').repeat(BATCH_LINES)],
    ['different calls', BATCH_LINES / 100, Array.from({ length: BATCH_LINES / 100 }, (_, at) => line(`git log -${at}`)).join('')],
  ].map(([what, lines, input]) => {
    const base = processTime(bare);
    const time = processTime(['bin/policy.js', 'check', '--batch'], input);
    const scaled = ((time / base) * REFERENCE) / 1000;
    const met = (seconds) => (seconds <= BATCH_SECONDS ? 'met' : 'MISSED');
    const gate = `, gate ${BATCH_SECONDS} s: ${met(time / 1000)}, at ${REFERENCE} ms a start (${scaled.toFixed(2)} s): ${met(scaled)}`;
    const verdict = lines < BATCH_LINES ? '' : gate;
    return [
      `policy check --batch, ${lines} times ${what}`,
      `${(time / 1000).toFixed(2)} s`,
      `bare node ${base.toFixed(1)} ms`,
      `${(time / base).toFixed(1)}×${verdict}`,
    ];
  });
}

/** Milliseconds of a bare node on the machine that the gates were set on. */
const REFERENCE = 13.7;

/** The same figure as a share of a bare node's start, which takes out how fast the machine is; shown at the reference's speed. */
function inBareNodes(microseconds, gate, start) {
  const scaled = (microseconds / start) * REFERENCE;
  const verdict = scaled <= gate ? 'gate met' : 'MISSED';
  return ['  as a share of a bare node', `${scaled.toFixed(2)} µs`, `at ${REFERENCE} ms a start`, `gate ${gate} µs: ${verdict}`];
}

const scratch = mkdtempSync(join(tmpdir(), 'policy-bench-'));
try {
  writeFileSync(join(scratch, 'empty.cjs'), '');
  const bare = [join(scratch, 'empty.cjs')];
  const rows = [];
  const starts = [];
  for (const [name, args, gate] of [
    ['policy --version', ['bin/policy.js', '--version'], 2],
    ['policy check Bash "git status"', ['bin/policy.js', 'check', 'Bash', 'git status'], 3],
    ['policy check, simple command', ['bin/policy.js', 'check', '--preset', 'safe', '--cwd', scratch, 'Bash', 'git status']],
    [
      'policy check, demo repository',
      [
        'bin/policy.js',
        'check',
        '--trust-project',
        '--cwd',
        'test/fixtures/demo-repo',
        'Bash',
        'npm test && git log --oneline -5 | head -3',
      ],
    ],
  ]) {
    const { bare: base, other, ratio } = compare(bare, args, 15);
    starts.push(base);
    const verdict = gate === undefined ? '' : `, gate ${gate}×: ${ratio <= gate ? 'met' : 'MISSED'}`;
    rows.push([name, `${other.toFixed(1)} ms`, `bare node ${base.toFixed(1)} ms`, `${ratio.toFixed(2)}×${verdict}`]);
  }
  for (const row of batches(bare)) rows.push(row);
  for (const row of await lintTimes(scratch, bare, compare, REFERENCE)) rows.push(row);
  rows.push(auditTimes(scratch));
  for (const row of await coldHooks()) rows.push(row);
  const start = Math.min(...starts);
  for (const row of await warmDecisions()) {
    rows.push(row);
    const gate = /gate (\d+) µs/.exec(row[3]);
    if (gate !== null) rows.push(inBareNodes(Number.parseFloat(row[1]), Number(gate[1]), start));
  }
  rows.push(await logAppend(), ...(await logScan()));
  rows.push(await worstLongLine());
  for (const row of await launchTimes()) rows.push(row);
  // All of the load takes minutes.
  for (const row of await gatewayTimes(process.argv.includes('--whole') ? 1000 : 100)) rows.push(row);
  const factor = (start / REFERENCE).toFixed(2);
  rows.push([
    'bare node, this machine against the reference',
    `${factor}×`,
    `bare node ${start.toFixed(1)} ms`,
    `reference ${REFERENCE} ms`,
  ]);
  for (const row of rows) console.log(row.map((cell, index) => (index === 0 ? cell.padEnd(52) : cell.padEnd(26))).join(' '));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
