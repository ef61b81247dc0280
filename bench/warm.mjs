// Warm decisions in one process: distinct commands, no cache keyed by command text can help.
import { analyse, compilePolicy, composePolicy, decide, factsNeeded, parseEntry, presetDocument } from '../dist/index.js';

const PROJECT = '/repo';

/** A compiled policy of preset safe and `count` rules of three shapes. */
function policyWith(count) {
  const rules = Array.from({ length: count }, (_, index) => {
    const text =
      index % 3 === 0 ? `Bash(tool${index} run *)` : index % 3 === 1 ? `Read(src/part${index}/**)` : `Bash(git sub${index} *)`;
    const entry = parseEntry(text);
    if (!entry.ok) throw new Error(entry.message);
    const effect = ['allow', 'ask', 'deny'][index % 3];
    return {
      effect,
      tool: entry.tool,
      pattern: entry.pattern,
      text,
      layer: 'user',
      source: { file: 'bench', line: index + 1, column: 1 },
    };
  });
  const { policy } = composePolicy([{ layer: 'cli', trusted: true, document: presetDocument('safe') }], { repository: PROJECT });
  return compilePolicy({ ...policy, rules });
}

/** Facts as a clean repository would give them. */
export function factsOf(call, analysis = analyse(call)) {
  const needed = factsNeeded(analysis, { cwd: PROJECT, home: '/home/me', project: PROJECT });
  return {
    project: PROJECT,
    cwd: PROJECT,
    home: '/home/me',
    platform: 'linux',
    paths: Object.fromEntries(needed.paths.map((path) => [path, { real: path, kind: 'file' }])),
    secretTrees: Object.fromEntries(needed.trees.map((tree) => [tree, []])),
    git: {
      top: PROJECT,
      remotes: ['origin'],
      branch: 'x',
      upstream: { remote: 'origin', branch: 'x' },
      hazards: [],
      directories: Object.fromEntries(needed.gitDirectories.map((one) => [one, PROJECT])),
    },
    environment: [],
    budget: null,
    ownDirectories: [],
  };
}

export const callOf = (command) => ({ tool: 'Bash', input: { command }, cwd: PROJECT, headless: false, shell: 'bash' });

const SIMPLE = (index) =>
  [
    `git log --oneline -${index + 1}`,
    `cat src/file${index}.ts`,
    `ls src/dir${index}`,
    `git show HEAD~${index}`,
    `wc -l docs/page${index}.md`,
  ][index % 5];
const COMPOUND = (index) =>
  `cd src && git diff HEAD~${index} --stat && cat "part${index}.ts" | grep -n 'value${index}' 2>/dev/null | head -${(index % 9) + 1} && ls dir${index}`;

/** Median, and 99th percentile, of microseconds a decision, parse included, over all commands. */
function measure(compiled, commands, rounds) {
  const prepared = commands.map((command) => [callOf(command), factsOf(callOf(command))]);
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [call, facts] of prepared) {
      const start = process.hrtime.bigint();
      decide(compiled, call, facts);
      const time = Number(process.hrtime.bigint() - start) / 1000;
      if (round >= rounds / 2) times.push(time);
    }
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)], p99: times[Math.floor(times.length * 0.99)] };
}

/** Rows for the table: name, figure, gate and goal, verdict. */
export async function warmDecisions() {
  const simple = Array.from({ length: 1000 }, (_, index) => SIMPLE(index));
  const compound = Array.from({ length: 1000 }, (_, index) => COMPOUND(index));
  const small = policyWith(10);
  const large = policyWith(10_000);
  const row = (name, { median, p99 }, gate, goal) => [
    name,
    `${median.toFixed(2)} µs`,
    `p99 ${p99.toFixed(1)} µs`,
    `gate ${gate} µs, goal ${goal} µs: ${median <= goal ? 'goal met' : median <= gate ? 'gate met' : 'MISSED'}`,
  ];
  const simpleSmall = measure(small, simple, 20);
  const compoundSmall = measure(small, compound, 10);
  const simpleLarge = measure(large, simple, 20);
  const again = measure(small, simple, 20);
  const ratio = simpleLarge.median / again.median;
  return [
    row('warm decision, 1,000 simple commands', simpleSmall, 6, 2),
    row('warm decision, 1,000 five-command compounds', compoundSmall, 15, 10),
    [
      '10,000 rules against 10',
      `${ratio.toFixed(2)}×`,
      `${simpleLarge.median.toFixed(2)} µs`,
      `gate 1.5×: ${ratio <= 1.5 ? 'met' : 'MISSED'}`,
    ],
  ];
}
