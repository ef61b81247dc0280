// How much processor time `policy audit` takes for a project with 1,000 agents, with what it starts: user and system together.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const AGENTS = 1_000;
/** Seconds on the machine that the goals were set on. */
const GOAL = 3;

/** The lists that such projects have: a few dozen that differ. */
const TOOLS = [
  'Read',
  'Grep',
  'Glob',
  'Bash',
  'Edit',
  'Write',
  'WebFetch',
  'Bash(npm test)',
  'Bash(git diff:*)',
  'mcp__github__get_issue',
];

function definition(index) {
  const listed = TOOLS.filter((_, at) => ((index % 40) + 1) & (1 << (at % 6)));
  const line = index % 7 === 0 ? '' : `tools: ${listed.join(', ')}\n`;
  return `---\nname: agent-${index}\ndescription: Use this agent for part ${index} of the system.\n${line}---\n\nRead the change with its context.\n`;
}

/** The row: seconds of processor time of the whole command. */
export function auditTimes(scratch) {
  const project = join(scratch, 'audited');
  const agents = join(project, '.claude', 'agents');
  mkdirSync(agents, { recursive: true });
  writeFileSync(join(project, 'policy.yaml'), 'version: 1\npreset: safe\n');
  for (let index = 0; index < AGENTS; index += 1) writeFileSync(join(agents, `agent-${index}.md`), definition(index));
  const seconds = Math.min(...[1, 2, 3].map(() => processorTime(project, scratch)));
  const verdict = seconds <= GOAL ? 'met' : 'MISSED';
  return [`policy audit, ${AGENTS} agents`, `${seconds.toFixed(2)} s`, 'user and system', `goal ${GOAL} s: ${verdict}`];
}

/** `times` prints what the shell used, then what the commands used that it started. */
function processorTime(project, home) {
  const line = 'node="$1"; shift; "$node" "$@" > audit.json; times';
  const args = ['-c', line, 'sh', process.execPath, join(process.cwd(), 'bin', 'policy.js'), 'audit', '--format', 'json'];
  const { stdout } = spawnSync('sh', args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const used = stdout.trim().split('\n').at(-1) ?? '';
  const [user, system] = used.split(' ').map((text) => {
    const [minutes, seconds] = text.replace('s', '').split('m').map(Number);
    return minutes * 60 + seconds;
  });
  return user + system;
}
