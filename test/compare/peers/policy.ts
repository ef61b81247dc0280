/** Our own answers, by the command that a person runs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Peer, Verdict } from '../peer.js';
import type { Stage } from '../stage.js';

const COMMAND = resolve('bin/policy.js');

export interface OwnAnswer {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly message: string;
  readonly hook: { readonly answer: string };
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

/** The line that `policy install claude-code` writes, asked about each command as Claude Code asks it; silence would leave the line to the client. */
function hookVerdicts(lines: readonly string[], stage: Stage): readonly Verdict[] {
  const installed = policy(stage, ['hook', 'claude-code', '--print-command'], '').trim();
  return lines.map((command, at) => {
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${at}` };
    const session = { session_id: 'compare', transcript_path: `${stage.home}/t.jsonl`, permission_mode: 'default' };
    const payload = JSON.stringify({ ...session, hook_event_name: 'PreToolUse', cwd: stage.project, ...call });
    const { stdout } = spawnSync('sh', ['-c', installed], {
      ...{ cwd: stage.project, env: stage.environment, input: payload, encoding: 'utf8' },
    });
    if (stdout.trim() === '') throw new Error(`the hook says nothing about ${command}`);
    return /"permissionDecision":"allow"/.test(stdout) ? 'run' : 'stop';
  });
}

const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

/** The policy that `policy init` writes for the project. */
export const policyInit: Peer = {
  ...{ name: 'policy', version, packages: [] },
  configuration: 'what `policy init` writes: preset develop',
  judge: async (lines, stage) => {
    policy(stage, ['init', '--yes'], '');
    return hookVerdicts(lines, stage);
  },
};

export const policySafe: Peer = {
  ...{ name: 'policy', version, packages: [] },
  configuration: 'preset safe, no policy of the project',
  judge: async (lines, stage) => {
    mkdirSync(join(stage.home, '.config/policy'), { recursive: true });
    writeFileSync(join(stage.home, '.config/policy/policy.yaml'), 'version: 1\npreset: safe\n');
    return hookVerdicts(lines, stage);
  },
};
