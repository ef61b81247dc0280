/**
 * The command line that a runner's settings name as the hook. It fails closed (spec: runners, §1.2): whatever ends the hook
 * otherwise than with 0 or 2, a missing program and a hang among them, becomes a denial. It starts with an empty environment
 * ("Keeping the gate" 2), and everything on it is absolute.
 */
import type { RunnerId } from '../call/tool-call.js';

export interface HookCommand {
  readonly runner: RunnerId;
  readonly platform: NodeJS.Platform;
  /** Absolute paths of node and of the hook's bundle. */
  readonly node: string;
  readonly hook: string;
  /** Null for a line that everybody on the machine shares: then the system says whose home it is, never the environment. */
  readonly home: string | null;
  /** Null: the project of each call. */
  readonly project: string | null;
  /** Null: below the home folder. */
  readonly configDirectory: string | null;
  readonly stateDirectory: string | null;
  /** The shell of the runner's own shell tool, when it is known. */
  readonly shell: string | null;
}

/** Seconds after which a hook that hangs is ended; it usually needs a twentieth of one. */
const PATIENCE = 10;
const PATH = '/usr/local/bin:/usr/bin:/bin';
/** The perl program that stands in for `timeout`. */
export const ALARM = 'alarm shift; exec @ARGV';
const FAILED = 'policy denied this call: the hook did not answer (exit $r); run the same line in a terminal to see why';

/** How every line ends: whatever the hook did that is neither silence, an answer nor a denial becomes a denial. */
export const FAIL_CLOSED = `; r=$?; case $r in 0|2) exit $r;; *) echo "${FAILED}" >&2; exit 2;; esac`;

/**
 * The line for events at which nothing is decided. There a failure of the hook must not count as a denial: some clients take that
 * for a word to a subagent to go on (claude-code.md §2.2). What it could not write down keeps further agents out instead.
 */
export function tellingLine(command: string): string {
  return command.endsWith(FAIL_CLOSED) ? `${command.slice(0, -FAIL_CLOSED.length)} 2>/dev/null; exit 0` : command;
}

/** A line for `sh`, or null on a platform without one. */
export function hookCommandLine(command: HookCommand): string | null {
  if (command.platform === 'win32') return null;
  const linux = command.platform === 'linux';
  // macOS ships no `timeout`; an alarm set before exec stays set.
  const timeout = linux ? `/usr/bin/timeout -k 1 ${PATIENCE}` : `/usr/bin/perl -e '${ALARM}' ${PATIENCE}`;
  // The hook has to see which variables the tool will run with: on Linux those of its parent, elsewhere as printed by the shell.
  const seen = linux ? [] : ['POLICY_ENVIRONMENT="$(export -p)"'];
  const words = [
    timeout,
    '/usr/bin/env -i',
    ...(command.home === null ? [] : [`HOME=${quoted(command.home)}`]),
    `PATH=${PATH}`,
    ...seen,
    quoted(command.node),
    quoted(command.hook),
    command.runner,
    ...option('--project', command.project),
    ...option('--config-dir', command.configDirectory),
    ...option('--state-dir', command.stateDirectory),
    `--environment ${linux ? 'parent' : 'variable'}`,
    ...option('--shell', command.shell),
  ];
  return words.join(' ') + FAIL_CLOSED;
}

function option(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name} ${quoted(value)}`];
}

/** A word that a shell reads back as it is; plain ones need no quotes. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
