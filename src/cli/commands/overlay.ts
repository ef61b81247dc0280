/** `policy overlay write`: writes an agent's permissions to a file that `--permissions-overlay` reads. */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissionsToToml } from '../../agent/permissions.js';
import { usableAgent } from '../agents/lookup.js';
import { open, POLICY_OPTIONS } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  arguments: { action: { choices: ['show', 'write'], describe: 'What to do' } },
  options: {
    agent: { value: 'NAME', describe: 'The agent' },
    json: { describe: 'write: print JSON' },
    ...POLICY_OPTIONS,
  },
};

/** Throws UsageError when the agent is unknown, invalid or has no permissions of its own. */
export async function run(args: Arguments): Promise<ExitCode> {
  const name = textFlag(args, 'agent');
  const action = textFlag(args, 'action');
  if (name === undefined) throw new UsageError(`Name the agent: policy overlay ${action} --agent NAME`);
  const agent = usableAgent(open(args, true), name);
  if (agent.permissions === null)
    throw new UsageError(`Agent ${agent.name} declares no permissions; it inherits the policy, so there is nothing to ${action}`);
  const text = permissionsToToml(agent.permissions);
  if (action === 'show') {
    await print(text);
    return EXIT.allow;
  }
  const written = { path: writeOverlay(text), sha256: createHash('sha256').update(text).digest('hex') };
  await print(switchFlag(args, 'json') ? `${JSON.stringify(written)}\n` : `${written.path}\nsha256 ${written.sha256}\n`);
  return EXIT.allow;
}

/** Creates the file with access for the user only; never follows a link or overwrites a file. */
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
