/** `policy overlay write`: an agent's permissions as a file that `--permissions-overlay` reads (R196). */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Argv } from 'yargs';
import { permissionsToToml } from '../agent/permissions.js';
import { usableAgent } from './agent-lookup.js';
import { type Arguments, switchFlag, textFlag } from './arguments.js';
import { EXIT, type ExitCode, UsageError } from './exit.js';
import { open, policyOptions } from './open.js';
import { print } from './terminal.js';

export const usage =
  "$0 overlay write --agent NAME\n\nWrites an agent's permissions to a new file in the temporary folder that only you can read.";

export function options(program: Argv): Argv {
  return policyOptions(
    program
      .positional('action', { choices: ['write'] as const, describe: 'write' })
      .option('agent', { type: 'string', requiresArg: true, describe: 'The agent' })
      .option('json', { type: 'boolean', describe: 'Print JSON' }),
  )
    .example('$0 overlay write --agent search-only', 'Prints the path and the digest of the file')
    .example('$0 check --permissions-overlay FILE Bash "rm x"', 'Judges a call under it');
}

/** Throws UsageError when the agent is unknown, invalid or has no permissions of its own. */
export async function run(args: Arguments): Promise<ExitCode> {
  const name = textFlag(args, 'agent');
  if (name === undefined) throw new UsageError('Name the agent: policy overlay write --agent NAME');
  const agent = usableAgent(open(args, true), name);
  if (agent.permissions === null)
    throw new UsageError(
      `Agent ${agent.name} declares no permissions of its own; it inherits the policy, so there is nothing to write`,
    );
  const text = permissionsToToml(agent.permissions);
  const written = { path: writeOverlay(text), sha256: createHash('sha256').update(text).digest('hex') };
  await print(switchFlag(args, 'json') ? `${JSON.stringify(written)}\n` : `${written.path}\nsha256 ${written.sha256}\n`);
  return EXIT.allow;
}

/** Creates the file; never follows or overwrites what is there, and nobody else may read it. */
function writeOverlay(text: string): string {
  const path = join(tmpdir(), `policy-perms-${randomUUID()}.toml`);
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
  return path;
}
