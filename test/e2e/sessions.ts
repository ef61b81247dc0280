/** The few sessions that all properties are read from: a client is slow to start, so each of its turns tries something else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './clients.js';
import type { ModelCall, Scenarios } from './mock-model.js';
import type { RunOptions } from './stage.js';

export const SESSIONS = ['calls', 'failing', 'agent', 'agents', 'untrusted', 'noise'] as const;

export type SessionName = (typeof SESSIONS)[number];

/** The denied forms, by the marker that each of them would make. */
export const DENIED = {
  plain: 'touch plain',
  compound: 'ls && touch compound',
  wrapper: 'env touch wrapper',
  script: "bash -c 'touch script'",
  substitution: 'echo $(touch substitution)',
  question: 'mkfifo question',
} as const;

/** What a broken hook does when it is asked about making a folder of this name. */
export const BROKEN = { crash: 'kill -9 $$', empty: 'exit 0', talk: 'echo welcome; exit 3', hang: 'exec sleep 600' } as const;

export interface Session extends RunOptions {
  readonly scenarios: Scenarios;
}

/** The session of a client. */
export function sessionOf(name: SessionName, client: Client): Session {
  const shell = (line: string) => [client.shell(line)];
  const agent = client.agent ?? ((): ModelCall => ({ tool: 'none', input: {} }));
  switch (name) {
    case 'calls':
      return { scenarios: { main: [shell('mkdir made'), ...Object.values(DENIED).map(shell)] } };
    case 'failing':
      // The deadline is the shipped one: what hangs has to be ended before the client loses patience.
      return {
        scenarios: { main: Object.keys(BROKEN).map((made) => shell(`mkdir ${made}`)) },
        settings: brokenNode,
        deadline: 1.5,
      };
    case 'agent':
      // Codex hands the child what was said before, results among it: the child then starts with a later turn.
      return {
        scenarios: {
          main: [[agent('child')], shell('sleep 2')],
          child: [...Array.from({ length: 4 }, () => shell('mkdir -p made')), shell('touch plain')],
        },
      };
    case 'agents':
      return { scenarios: { main: [[agent('one'), agent('two')]], one: [shell('sleep 3')], two: [shell('sleep 3')] } };
    case 'untrusted':
      return { scenarios: { main: [shell('touch plain')] }, trusted: false };
    case 'noise':
      return { scenarios: { main: [shell('mkdir made')] }, settings: noisyHook };
  }
}

/** The node of the installed line becomes a script that fails in the way that the call names. */
function brokenNode(text: string, base: string): string {
  const cases = Object.entries(BROKEN).map(([made, script]) => `*"mkdir ${made}"*) ${script};;`);
  const file = script(base, 'broken-node', `payload=$(cat)\ncase $payload in ${cases.join(' ')} *) exit 1;; esac`);
  return text.replaceAll(process.execPath, file);
}

/** A hook of our own making, to see what the client itself makes of exit code 2 with a text on both channels. */
function noisyHook(text: string, base: string): string {
  const file = script(base, 'noisy-hook', 'cat >/dev/null; echo welcome; echo no >&2; exit 2');
  const settings = JSON.parse(text) as { hooks: Record<string, { hooks: { command: string; onFailure?: string }[] }[]> };
  // Only before a call: at the end of a turn the same would mean "go on".
  for (const group of [...(settings.hooks.PreToolUse ?? []), ...(settings.hooks.BeforeTool ?? [])])
    for (const hook of group.hooks) {
      hook.command = file;
      delete hook.onFailure;
    }
  return JSON.stringify(settings);
}

function script(base: string, name: string, lines: string): string {
  const file = join(base, name);
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return file;
}
