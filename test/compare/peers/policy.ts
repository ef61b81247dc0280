/** Our own answers, by the command that a person runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Peer, Verdict } from '../peer.js';
import type { Stage } from '../stage.js';

const COMMAND = resolve('bin/policy.js');

export interface OwnAnswer {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly message: string;
}

/** What `policy check --batch ARGS` says of each line. */
export function ownAnswers(lines: readonly string[], stage: Stage, args: readonly string[]): readonly OwnAnswer[] {
  const calls = lines.map((command) => ({ tool: 'Bash', input: { command }, runner: 'claude-code' }));
  const text = policy(stage, ['check', '--batch', ...args], `${calls.map((call) => JSON.stringify(call)).join('\n')}\n`);
  const answers = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as OwnAnswer);
  if (answers.length !== lines.length) throw new Error(`${answers.length} answers to ${lines.length} lines`);
  return answers;
}

function policy({ project, environment }: Stage, args: readonly string[], input: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    ...{ cwd: project, env: environment, input, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  if (status === 3 || status === null) throw new Error(stderr.trim() || `policy ${args[0]} was ended`);
  return stdout;
}

function verdicts(answers: readonly OwnAnswer[]): readonly Verdict[] {
  return answers.map(({ decision }) => (decision === 'allow' ? 'run' : 'stop'));
}

const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

/** The policy that `policy init` writes for the project. */
export const policyInit: Peer = {
  ...{ name: 'policy', version, packages: [] },
  configuration: 'what `policy init` writes: preset safe, and the scripts that test, check and build',
  judge: async (lines, stage) => {
    policy(stage, ['init', '--yes'], '');
    return verdicts(ownAnswers(lines, stage, []));
  },
};

export const policySafe: Peer = {
  ...{ name: 'policy', version, packages: [] },
  configuration: 'preset safe, no policy file',
  judge: async (lines, stage) => verdicts(ownAnswers(lines, stage, ['--preset', 'safe'])),
};
