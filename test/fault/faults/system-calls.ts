/** A system call of the hook fails: a disk with errors, a kernel without memory. Which of its calls, is left to chance. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import type { Fault, Group } from '../fault.js';
import { OWNER } from '../world.js';

/**
 * The n-th system call of a name fails, as strace makes it.
 * @param times how often the hook makes it, about
 */
function failing(call: string, error: string, times: number, warm: boolean): Fault {
  return {
    name: `a random ${call} fails with ${error}, ${warm ? 'with' : 'without'} a snapshot`,
    // Node itself, without any program, waits for ever for a thread that could not be made.
    ...{ random: true, slow: true, warm, hangs: call === 'mmap' },
    missing: noStrace,
    plant: ({ node }) => {
      const which = 1 + Math.floor(Math.random() * times);
      rmSync(node);
      // Not as the parent (-D): what ends the hook has to meet node, as it does without strace.
      const traced = `strace -D -f -qq -o /dev/null -e inject=${call}:error=${error}:when=${which}`;
      writeFileSync(node, `#!/bin/sh\nexec /usr/bin/${traced} '${process.execPath}' "$@"\n`, { mode: 0o755 });
    },
  };
}

function noStrace(): string | null {
  const { status } = spawnSync('strace', ['-o', '/dev/null', 'true'], { ...OWNER });
  return status === 0 ? null : 'there is no strace, or it is not allowed';
}

export const systemCalls: Group = {
  title: 'System calls',
  faults: [
    failing('openat', 'EIO', 86, false),
    failing('openat', 'EMFILE', 30, true),
    failing('read', 'EIO', 48, false),
    failing('read', 'EIO', 44, true),
    failing('statx', 'EACCES', 130, false),
    failing('statx', 'EIO', 55, true),
    failing('readlink', 'EIO', 50, false),
    failing('write', 'ENOSPC', 7, false),
    failing('write', 'EDQUOT', 5, true),
    failing('close', 'EIO', 45, false),
    failing('mkdir', 'EDQUOT', 7, false),
    failing('mmap', 'ENOMEM', 97, false),
  ],
};
