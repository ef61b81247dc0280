/** docs/faults.md: what was broken, and how the denied call was met. */
import { RUNNERS } from '../../src/call/tool-call.js';
import { clientModel } from './client.js';
import type { Fault } from './fault.js';
import type { Met } from './try-fault.js';

export interface Row {
  readonly group: string;
  readonly fault: Fault;
  /** Why it was not tried. */
  readonly missing: string | null;
  readonly met: readonly Met[];
  readonly complaints: readonly string[];
}

/** The page; `perRun` is the number of clients times ways to start it. */
export function faultsPage(rows: readonly Row[], perRun: number): string {
  const tried = rows.filter(({ missing }) => missing === null);
  const calls = tried.reduce((count, { met }) => count + met.length, 0);
  const open = tried.reduce((count, { met }) => count + met.filter((one) => one.open).length, 0);
  const lines = [HEAD];
  lines.push(
    `Run of ${new Date().toISOString().slice(0, 10)} on ${process.platform} with node ${process.versions.node}: **${tried.length} faults, ${calls} calls, ${open} open.**`,
    '',
    `Clients: ${RUNNERS.map((runner) => `${runner} (${clientModel(runner).evidence})`).join(', ')}; each started by dash, by bash, by zsh, and as the line for macOS by bash: ${perRun} calls for each fault, those at a random moment five times as many.`,
  );
  let group = '';
  for (const row of rows) {
    if (row.group !== group)
      lines.push('', `## ${row.group}`, '', '| fault | calls | open | how it was denied |', '| --- | ---: | ---: | --- |');
    group = row.group;
    lines.push(lineOf(row));
  }
  return `${lines.join('\n')}\n${TAIL}`;
}

function lineOf({ fault, missing, met }: Row): string {
  const name = fault.name.replaceAll('|', '\\|');
  if (missing !== null) return `| ${name} | 0 | | not tried: ${missing} |`;
  const open = met.filter((one) => one.open).length;
  return `| ${name} | ${met.length} | ${open} | ${waysOf(met)}${fault.injected === true ? ' (planted error)' : ''} |`;
}

/** "the rule", "the rule or a reason", … in the words of the page's head. */
function waysOf(met: readonly Met[]): string {
  const words = { rule: 'the rule', failure: 'a reason', unheard: 'the exit code alone' } as const;
  const seen = new Set(met.map(({ by }) => words[by]));
  return [...seen].sort().reverse().join(', ');
}

const HEAD = `# Faults

Written by \`npm run faults\`. A fault is planted for real: a process is killed, a disk is full, a file is cut off. Then a small client
starts the installed command line through a shell, as a runner does, with a payload about \`touch MARKER\`, which the policy denies.
The client runs the call exactly when the real one was recorded to do so after the same outcome (exit code, signal, what stands on
both channels); an outcome that nobody recorded counts as "runs". A fault is **open** when the marker lies on the disk afterwards.

"The rule" means that the policy's own reason was told: the fault changed nothing. "A reason" means that the call was denied because of
the fault, in one line that says what to do.
`;

const TAIL = `
## What no command line can close

The runner's shell is the runner's own child. Whoever may kill or stop that shell, or the runner itself, ends the question and not
only the answer; of the clients above only Claude Code from 2.1.329 on (\`onFailure: block\`, which the printed settings set),
Copilot CLI, Cursor with \`failClosed\` and our OpenCode plugin then still block. A client that closes both channels of the hook hears
no denial: most of them run a call after an exit code 2 without a text.
`;
