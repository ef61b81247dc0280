// How long `policy lint` takes: whole processes against bare node, CPU time per definition in this process, and the worst hostile file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is asked of lint; times are those of the machine that the goals were set on. */
const GOALS = { changed: 2.5, repository: 4, collection: 0.8, file: 25, hostile: 1 };
const [REPOSITORY, COLLECTION, WARM] = [150, 10_000, 1_000];

const SENTENCES = [
  'Read the change with its context, and name the files that it touches.',
  '- **Interfaces**: keep the contract of every public function; a new key needs a default',
  '- **Errors**: each message says what happened, why, and what to do about it',
  '- Response time below 200 ms at the 95th percentile, measured with the load of a working day',
  'Prefer small steps: one commit for each idea, with a test that fails without it.',
  '1. Ask for the authentication flow and the token lifetime before you design an endpoint',
  '| Area | Owner | Checked by |',
];

/** A definition of about 6 KB, as collections have them. */
function definition(index) {
  const body = Array.from({ length: 85 }, (_, line) => SENTENCES[(index + line * line) % SENTENCES.length]).join('\n');
  return `---\nname: agent-${index}\ndescription: "Use this agent for part ${index} of the system: it reads, and then it writes."\ntools: Read, Write, Edit, Bash, Glob, Grep\nmodel: sonnet\n---\n\n${body}\n`;
}

function collection(folder, size) {
  const agents = join(folder, '.claude', 'agents');
  mkdirSync(agents, { recursive: true });
  for (let index = 0; index < size; index += 1) writeFileSync(join(agents, `agent-${index}.md`), definition(index));
  return folder;
}

const many = (count, one) => Array.from({ length: count }, (_, index) => one(index));
/** Files of up to 1 MB that were slow once. */
const HOSTILE = {
  '30,000 permission rules': [
    '.claude/settings.json',
    () => JSON.stringify({ permissions: { allow: many(30_000, (index) => `Bash(tool${index} x *)`) } }),
  ],
  '300,000 empty maps': ['.claude/settings.json', () => `{"a":[${many(300_000, () => '{}').join(',')}]}`],
  '50,000 keys': ['.claude/agents/a.md', () => `---\nname: a\n${many(50_000, (index) => `k${index}: v`).join('\n')}\n---\n`],
  '50,000 tools': [
    '.claude/agents/a.md',
    () => `---\nname: a\ntools:\n${many(50_000, (index) => `  - T${index}`).join('\n')}\n---\n`,
  ],
  'a million backticks': ['CLAUDE.md', () => '`'.repeat(1_000_000)],
  '40,000 rules of a policy': [
    'policy.yaml',
    () => `version: 1\nallow:\n${many(40_000, (index) => `  - Bash(c${index} *)`).join('\n')}\n`,
  ],
};

/** CPU microseconds of this process for a definition, once the program is warm. */
async function warmFile(folder) {
  const { findFiles } = await import('../build/src/lint/files/read-files.js');
  const { lint } = await import('../build/src/runner/lint/linter.js');
  const times = [];
  for (let round = 0; round < 8; round += 1) {
    const start = process.cpuUsage();
    lint(findFiles(folder));
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / WARM);
  }
  return Math.min(...times);
}

/**
 * @param compare gives the medians of bare node and of a program, and of their ratio
 * @param reference milliseconds of a bare node on the machine of the goals
 */
export async function lintTimes(scratch, bare, compare, reference) {
  const run = (folder, rounds) => compare(bare, ['bin/policy.js', 'lint', '--exit-zero', folder], rounds);
  const verdict = (figure, goal) => (figure <= goal ? 'met' : 'MISSED');
  const rows = [];
  const inRatio = (name, { other, bare: base, ratio }, goal) => [
    name,
    `${other.toFixed(1)} ms`,
    `bare node ${base.toFixed(1)} ms`,
    `${ratio.toFixed(2)}×, goal ${goal}×: ${verdict(ratio, goal)}`,
  ];
  const changed = run(collection(join(scratch, 'changed'), 1), 9);
  rows.push(inRatio('policy lint, one definition', changed, GOALS.changed));
  const repository = run(collection(join(scratch, 'repository'), REPOSITORY), 9);
  rows.push(inRatio(`policy lint, ${REPOSITORY} definitions`, repository, GOALS.repository));
  const inSeconds = (name, { other, bare: base, ratio }, goal) => {
    const scaled = (ratio * reference) / 1000;
    const text = `${ratio.toFixed(1)}×, ${scaled.toFixed(2)} s at ${reference} ms a start, goal ${goal} s: ${verdict(scaled, goal)}`;
    return [name, `${(other / 1000).toFixed(2)} s`, `bare node ${base.toFixed(1)} ms`, text];
  };
  const whole = run(collection(join(scratch, 'collection'), COLLECTION), 3);
  rows.push(inSeconds(`policy lint, ${COLLECTION} definitions`, whole, GOALS.collection));
  const micros = await warmFile(collection(join(scratch, 'warm'), WARM));
  const scaled = (micros / repository.bare) * reference;
  rows.push([
    'lint of a definition, warm',
    `${micros.toFixed(0)} µs CPU`,
    `${scaled.toFixed(0)} µs at ${reference} ms a start`,
    `goal ${GOALS.file} µs: ${verdict(scaled, GOALS.file)}`,
  ]);
  const worst = Object.entries(HOSTILE)
    .map(([name, [path, text]], index) => {
      const file = join(scratch, `hostile${index}`, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text());
      return [name, run(join(scratch, `hostile${index}`), 3)];
    })
    .sort(([, left], [, right]) => right.ratio - left.ratio)[0];
  rows.push(inSeconds(`policy lint, slowest hostile file: ${worst[0]}`, worst[1], GOALS.hostile));
  return rows;
}
