/**
 * The command line that a runner's settings register as the hook. It fails closed: unless the exit code proves that the hook
 * itself passed or denied the call (see proof.ts), the call is denied, also when a program is missing or hangs. The hook starts
 * with an empty environment (docs/guarantees.md, 2), and every path on the line is absolute.
 */

import { quoted } from '../../call/quote.js';
import type { RunnerId } from '../../call/tool-call.js';
import { NODE_VARIABLES } from './node-options.js';
import { ANSWER, PROOF } from './proof.js';
import { STDOUT_FAILURES } from './stdout-failures.js';

export interface HookCommand {
  readonly runner: RunnerId;
  readonly platform: NodeJS.Platform;
  /** Absolute paths of node and of the hook's bundle. */
  readonly node: string;
  readonly hook: string;
  /** Arguments for node itself: NODE_OPTIONS if the hook's code caches were made with them. */
  readonly nodeOptions?: readonly string[];
  /**
   * Null for a line that all users of the machine share: the operating system then determines the home directory, never the environment.
   */
  readonly home: string | null;
  /** Null: the project of each call. */
  readonly project: string | null;
  /** Null: below the home directory. */
  readonly configDirectory: string | null;
  readonly stateDirectory: string | null;
  /** The shell of the runner's own shell tool, if known. */
  readonly shell: string | null;
  /** Seconds after which a hook that hangs is killed; the default is 1.5. */
  readonly deadline?: number;
  /** False: the line as older versions wrote it, without first checking that the bundle exists. */
  readonly looksFirst?: boolean;
  /** True: the line as older versions wrote it, reporting a failure only on standard error, for every runner. */
  readonly former?: boolean;
}

/** Seconds. The hook usually needs a twentieth of a second, and every runner waits longer than this. */
const DEADLINE = 1.5;
const PATH = '/usr/local/bin:/usr/bin:/bin';
/**
 * The perl program that replaces `timeout`: a second child process kills the hook with a signal that cannot be caught and that
 * also ends a stopped process. It does not use an alarm because a runner may have left that signal blocked. The exit codes for
 * its own failures are none of the hook's proof codes.
 */
export const KILL_PROGRAM = alarm('open my $a, ">&=3"; close $a; ');
/** The program as older versions wrote it: the second child kept descriptor 3 open, and with it the runner's standard output. */
export const FORMER_KILL_PROGRAM = alarm('');

/** @param closing what the second child closes besides the standard streams */
function alarm(closing: string): string {
  return (
    'my $t = shift; $SIG{CHLD} = "DEFAULT"; my $p = fork; exit 125 if !defined $p; if (!$p) { exec @ARGV; exit 127 } ' +
    'my $w = fork; if (!defined $w) { kill 9, $p; exit 125 } ' +
    `if (!$w) { close STDIN; close STDOUT; close STDERR; ${closing}select undef, undef, undef, $t; kill 9, $p; exit } ` +
    'waitpid $p, 0; my $r = $?; kill 9, $w; exit($r & 127 ? 137 : $r >> 8)'
  );
}

/**
 * The messages for cases in which the hook itself could not answer: the reason, and what helps. They contain nothing that is
 * special to a shell or in JSON.
 */
interface Failures {
  /** The shell ended before the hook answered. */
  readonly unasked: string;
  readonly late: string;
  /** `$r` is the exit code. */
  readonly failed: string;
}

const DENIED = 'policy denied this call: the hook ';
const FAILURES: Failures = {
  unasked: `${DENIED}could not be started or was ended from outside. Try again; if it fails again, a person runs: policy doctor`,
  late: `${DENIED}did not answer in time. Try again; if it fails again, a person runs: policy doctor (policy install --deadline gives it longer)`,
  failed: `${DENIED}did not answer (exit $r). Try again; if it fails again, a person runs: policy doctor (it names what repairs the hook)`,
};
/** The messages of older versions. */
const FORMER_FAILURES: Failures = {
  unasked: `${DENIED}could not be started or was ended from outside; try again`,
  late: `${DENIED}did not answer in time; try again, or install it with a longer --deadline`,
  failed: `${DENIED}did not answer (exit $r); run the same line in a terminal to see why, or install it again`,
};

/** Signal names that every shell knows: a shell sets no trap at all if one name is unknown to it (zsh calls ABRT IOT). */
const SIGNALS = 'HUP INT QUIT ALRM PIPE TERM USR1 USR2';

/** Prints the shell's exported variables; `env` also prints functions that bash exported, which `export -p` omits. */
export const EXPORTS = '"$(export -p; /usr/bin/env)"';

/**
 * bash imports functions from its environment, even when called as `sh`. An imported function called `echo` could end the line
 * with 0 where a denial is to be printed. (All other words of the line without a folder are part of the shell language. zsh
 * reports an error when asked to unset a function that does not exist, hence the definition first.)
 */
const OWN_ECHO = 'echo() { :; }; unset -f echo; ';

/** The beginning and the end that make a line fail closed. */
interface Wrapper {
  readonly guard: string;
  readonly end: string;
}

/**
 * A line begins with a guard: if the shell itself ends before the hook did, because it cannot start another process (bash then ends with
 * 254, which most runners take for consent) or because of a signal, the guard denies the call on exit. The line ends with a check of the
 * exit code: unless the code proves that the hook was silent, answered or denied the call, the call is denied.
 * @param onStdout the denial that is also printed to standard output
 */
function wrapper({ unasked, late, failed }: Failures, onStdout: ((message: string) => string) | null): Wrapper {
  const speak = onStdout && `echo "$e" >&2; echo "${onStdout('$e').replaceAll('"', '\\"')}" 2>/dev/null; exit 2`;
  const tell = (text: string) => (speak === null ? `echo "${text}" >&2; exit 2` : `e="${text}"; ${speak}`);
  const guard = `${OWN_ECHO}r=; trap 'trap - EXIT; [ "$r" ] || { ${tell(unasked)}; }' EXIT ${SIGNALS}; `;
  const codes = `; r=$?; case $r in ${PROOF.passed}) exit 0;; ${PROOF.denied}) exit 2;; 124|137) `;
  return speak === null
    ? { guard, end: `${codes}${tell(late)};; *) ${tell(failed)};; esac` }
    : { guard, end: `${codes}e="${late}";; *) e="${failed}";; esac; ${speak}` };
}

const FORMER = wrapper(FORMER_FAILURES, null);
const PLAIN = wrapper(FAILURES, null);
const WITH_STDOUT = new Map([...STDOUT_FAILURES].map(([runner, onStdout]) => [runner, wrapper(FAILURES, onStdout)]));

function wrapperOf({ runner, former }: Pick<HookCommand, 'runner' | 'former'>): Wrapper {
  return former ? FORMER : (WITH_STDOUT.get(runner) ?? PLAIN);
}

/** Returns the beginning and end of a line that fails closed, and whether only older versions wrote them; null for any other line. */
export function wrapperAround(command: string): (Wrapper & { readonly former: boolean }) | null {
  const found = [PLAIN, ...WITH_STDOUT.values(), FORMER].find(
    ({ guard, end }) => command.startsWith(guard) && command.endsWith(end),
  );
  return found === undefined ? null : { ...found, former: found === FORMER };
}

/**
 * Returns the line for events at which nothing is decided. There a failure of the hook must not be a denial: some runners take one as an
 * instruction to a subagent to continue. If the hook could not record an event, further agents are kept from starting instead.
 */
export function notifyingCommandLine(command: string): string {
  const around = wrapperAround(command);
  return around === null ? command : `${command.slice(around.guard.length, -around.end.length)} 2>/dev/null; exit 0`;
}

/** A folder below the state directory that exists only while an agent has been allowed to start and has not started yet. */
export const WAITING = 'waiting';

/**
 * Returns the same line for an event that matters only while agents wait: otherwise it starts no hook, provided that the line
 * shows where its state is stored.
 */
export function whileAgentsWait(command: string): string {
  const [, home] = HOME_WORD.exec(command) ?? [];
  const [, state = home && `${home}/${STATE}`] = STATE_WORD.exec(command) ?? [];
  const line = notifyingCommandLine(command);
  return state === undefined ? line : `[ -d ${state}/${WAITING} ] || exit 0; ${line}`;
}

/** Matches a word of a line as `quoted` writes it. */
const WORD = String.raw`((?:[\w@%+=:,./-]|'[^']*'|\\')+)`;
const HOME_WORD = new RegExp(` /usr/bin/env -i HOME=${WORD} `);
const STATE_WORD = new RegExp(` --state-dir ${WORD} `);
/** The state directory below the home directory, for a hook whose environment does not name another. */
const STATE = '.local/state/policy';

/** Returns the line for an event at which the runner ignores a denial on standard output: a failure is reported on standard error only. */
export function stderrOnlyCommandLine(command: string): string {
  const around = wrapperAround(command);
  return around === null ? command : `${PLAIN.guard}${command.slice(around.guard.length, -around.end.length)}${PLAIN.end}`;
}

/** Returns a line for `sh`, or null on a platform without `sh`. */
export function hookCommandLine(command: HookCommand): string | null {
  if (command.platform === 'win32') return null;
  const linux = command.platform === 'linux';
  const deadline = command.deadline ?? DEADLINE;
  const around = wrapperOf(command);
  // macOS ships no `timeout`.
  const timeout = linux ? `/usr/bin/timeout -k 1 ${deadline}` : `/usr/bin/perl -e '${KILL_PROGRAM}' ${deadline}`;
  // The hook has to see the variables that the tool will run with: on Linux it reads its parent's, elsewhere the shell prints them.
  const seen = linux ? [] : [`POLICY_ENVIRONMENT=${EXPORTS}`];
  // If the bundle is missing, node would print a stack trace. No function from the environment of `sh` can be called `[`.
  const words = [
    ...(command.looksFirst === false ? [] : [`[ -f ${quoted(command.hook)} ] &&`]),
    timeout,
    '/usr/bin/env -i',
    ...(command.home === null ? [] : [`HOME=${quoted(command.home)}`]),
    `PATH=${PATH}`,
    ...Object.entries(NODE_VARIABLES).map(([name, value]) => `${name}=${value}`),
    ...seen,
    quoted(command.node),
    ...(command.nodeOptions ?? []),
    quoted(command.hook),
    command.runner,
    ...option('--project', command.project),
    ...option('--config-dir', command.configDirectory),
    ...option('--state-dir', command.stateDirectory),
    `--environment ${linux ? 'parent' : 'variable'}`,
    '--proof line',
    ...option('--shell', command.shell),
    ...(around === WITH_STDOUT.get(command.runner) ? [`--answer ${ANSWER} ${ANSWER}>&1 >/dev/null`] : []),
  ];
  return around.guard + words.join(' ') + around.end;
}

function option(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name} ${quoted(value)}`];
}
