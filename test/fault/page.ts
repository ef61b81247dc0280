/** docs/evidence/faults.md: what was broken, and how the denied call was met. */
import { readFileSync } from 'node:fs';
import { RUNNERS, type RunnerId } from '../../src/call/tool-call.js';
import { clientModel } from './client.js';
import type { Fault } from './fault.js';
import { type Met, WAYS, type Way } from './try-fault.js';

/** One call of a row. */
export interface MetBy extends Met {
  readonly runner: RunnerId;
  readonly way: Way;
}

export interface Row {
  readonly group: string;
  readonly fault: Fault;
  /** Why it was not tried. */
  readonly missing: string | null;
  readonly met: MetBy[];
  readonly complaints: string[];
}

export function faultsPage(rows: readonly Row[]): string {
  const tried = rows.filter(({ missing }) => missing === null);
  const calls = tried.flatMap(({ met }) => met);
  const open = calls.filter((one) => one.open).length;
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const lines = [HEAD];
  lines.push(
    `Run of ${new Date().toISOString().slice(0, 10)}, agent-policy ${version}, node ${process.versions.node}, ${process.platform}: **${tried.length} faults, ${calls.length} calls, ${open} open.**`,
    '',
    `Clients: ${RUNNERS.map((runner) => `${runner} (${clientModel(runner).evidence})`).join(', ')}.`,
    `Ways: ${WAYS.map((way) => `${wayName(way)} ${calls.filter((one) => one.way === way).length} calls`).join(', ')}. Every fault meets every client in the first way.`,
  );
  let group = '';
  for (const row of rows) {
    if (row.group !== group)
      lines.push(
        ...['', `## ${row.group}`, ''],
        `| fault | calls | ${RUNNERS.join(' | ')} |`,
        `| --- | ---: | ${RUNNERS.map(() => '---').join(' | ')} |`,
      );
    group = row.group;
    lines.push(lineOf(row));
  }
  return `${lines.join('\n')}\n${TAIL}`;
}

function wayName({ shell, platform }: Way): string {
  const name = shell.slice(shell.lastIndexOf('/') + 1);
  return platform === 'darwin' ? `${name} with the line for macOS` : name;
}

function lineOf({ fault, missing, met }: Row): string {
  const name = fault.name.replaceAll('|', '\\|') + (fault.injected === true ? ' (planted error)' : '');
  if (missing !== null) return `| ${name} | 0 | not tried: ${missing} |${' |'.repeat(RUNNERS.length - 1)}`;
  const results = RUNNERS.map((runner) => resultsOf(met.filter((one) => one.runner === runner)));
  return `| ${name} | ${met.length} | ${results.join(' | ')} |`;
}

const WORDS = { rule: 'rule', failure: 'reason', unheard: 'code', asked: 'question' } as const;

/** "rule", or "rule, reason" where the calls met it differently; an open one is told whatever the others did. */
function resultsOf(met: readonly MetBy[]): string {
  if (met.some(({ open }) => open)) return '**OPEN**';
  const seen = new Set(met.map(({ by }) => WORDS[by]));
  return Object.values(WORDS)
    .filter((one) => seen.has(one))
    .join(', ');
}

const HEAD = `# Faults

Written by \`npm run faults\`. A fault is planted for real: a process is killed, a disk is full, a file is cut off. Then a small client
starts the installed command line through a shell, as a runner does, with a payload about \`touch MARKER\`, which the policy denies.
The client runs the call exactly when the real one was recorded to do so after the same outcome (exit code, signal, what stands on
both channels); an outcome that nobody recorded counts as "runs". A fault is **open** when the marker lies on the disk afterwards.

- **rule**: denied with the policy's own reason; the fault changed nothing.
- **reason**: denied because of the fault, in one line that says what to do.
- **code**: denied by the exit code alone, since nobody could be told more.
- **question**: a person is asked.

A hook that hangs is ended after the 1.5 seconds of every installation. Where nothing hangs, the line gives it 15 seconds, so that a
busy machine hides nothing; a hook that needs them counts as a mistake. Reasons about the program itself (\`internal/\`) appear only
where an error was planted.
`;

const TAIL = `
## What no command line can close

- The runner's shell is the runner's own child. Whoever may kill or stop that shell, what watches over the hook (\`timeout\`), or the
  runner itself ends the question and not only the answer. Of the clients above only Claude Code from 2.1.329 on
  (\`onFailure: block\`, which the printed settings set), Copilot CLI, Cursor with \`failClosed\` and our OpenCode plugin then still block.
- A client that closes both channels of the hook hears no denial: most of them run a call after an exit code 2 without a text.
- Some shells do other things before they read the line, because of the environment that the client was started with: \`BASH_ENV\`, exported
  functions (of bash, named like \`exit\`), \`SHELLOPTS=noexec\`, \`~/.zshenv\`, \`LD_PRELOAD\`. Whoever can set these could also start the
  client without the hook. Such variables in a call's own environment are seen and asked about.
- The line is written for \`sh\`: dash and bash deny where they cannot start a process. zsh, when it has no descriptor or no process
  left, ends with 1 before it looks at the rest of the line, and runs none of its traps. Those two faults are not tried with it.
- A policy that was cut off at the end of a line may still be a policy, with fewer rules. Cut off anywhere else, emptied or filled with
  zeros, it denies.
- Of a code cache with flipped bits most programs crash, and the call is denied. Nothing in the process proves each bit of its own program; \`policy
  doctor\` compares the installed files with their digests.
`;
