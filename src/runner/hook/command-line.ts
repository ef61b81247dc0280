/**
 * The command line that a runner's settings name as the hook. It fails closed: whatever ends the hook
 * otherwise than with 0 or 2, a missing program and a hang among them, becomes a denial. It starts with an empty environment
 * (docs/guarantees.md, 2), and everything on it is absolute.
 */

import type { RunnerId } from '../../call/tool-call.js';
import { quoted } from '../../shell/quote.js';
import { NODE_VARIABLES } from './node-options.js';
import { ANSWER, PROOF } from './proof.js';
import { STDOUT_FAILURES } from './stdout-failures.js';

export interface HookCommand {
  readonly runner: RunnerId;
  readonly platform: NodeJS.Platform;
  /** Absolute paths of node and of the hook's bundle. */
  readonly node: string;
  readonly hook: string;
  /** Words for node itself: NODE_OPTIONS where the code caches of the hook were made under them. */
  readonly nodeOptions?: readonly string[];
  /** Null for a line that everybody on the machine shares: then the system says whose home it is, never the environment. */
  readonly home: string | null;
  /** Null: the project of each call. */
  readonly project: string | null;
  /** Null: below the home folder. */
  readonly configDirectory: string | null;
  readonly stateDirectory: string | null;
  /** The shell of the runner's own shell tool, when it is known. */
  readonly shell: string | null;
  /** Seconds after which a hook that hangs is ended, instead of 1.5. */
  readonly deadline?: number;
  /** False: as the versions wrote it that did not look first whether the bundle is there. */
  readonly looksFirst?: boolean;
  /** True: as the versions wrote it that told a failure on standard error alone, to every client. */
  readonly former?: boolean;
}

/** Seconds: the hook usually needs a twentieth of one, and every client waits longer. */
const DEADLINE = 1.5;
const PATH = '/usr/local/bin:/usr/bin:/bin';
/**
 * The perl program that stands in for `timeout`: a second child ends the hook with a signal that cannot be caught and that a stopped
 * process obeys, too. No alarm: a client may have left that signal blocked. Its own failures are none of the codes that count.
 */
export const KILL_PROGRAM = alarm('open my $a, ">&=3"; close $a; ');
/** As former versions wrote it: the second child kept descriptor 3, and with it the client's standard output. */
export const FORMER_KILL_PROGRAM = alarm('');

/** @param closing what the second child closes besides the standard channels */
function alarm(closing: string): string {
  return (
    'my $t = shift; $SIG{CHLD} = "DEFAULT"; my $p = fork; exit 125 if !defined $p; if (!$p) { exec @ARGV; exit 127 } ' +
    'my $w = fork; if (!defined $w) { kill 9, $p; exit 125 } ' +
    `if (!$w) { close STDIN; close STDOUT; close STDERR; ${closing}select undef, undef, undef, $t; kill 9, $p; exit } ` +
    'waitpid $p, 0; my $r = $?; kill 9, $w; exit($r & 127 ? 137 : $r >> 8)'
  );
}

/** What is told where the hook itself could not: why, and what helps. Nothing in it may mean anything to a shell or in JSON. */
interface Failures {
  /** The shell ended before the hook did. */
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
/** As former versions told it. */
const FORMER_FAILURES: Failures = {
  unasked: `${DENIED}could not be started or was ended from outside; try again`,
  late: `${DENIED}did not answer in time; try again, or install it with a longer --deadline`,
  failed: `${DENIED}did not answer (exit $r); run the same line in a terminal to see why, or install it again`,
};

/** Names that every shell knows: at one that it does not know, it sets no trap at all (ABRT is IOT to zsh). */
const SIGNALS = 'HUP INT QUIT ALRM PIPE TERM USR1 USR2';

/** What the shell exports; `env` also prints the functions that bash exported, which `export -p` leaves out. */
export const EXPORTS = '"$(export -p; /usr/bin/env)"';

/**
 * bash takes functions from its environment, also when it is called `sh`, and one called `echo` could end the line with 0 where a denial
 * is told. (All other words of the line that have no folder belong to the language; zsh objects to unsetting what is not there.)
 */
const OWN_ECHO = 'echo() { :; }; unset -f echo; ';

/** What makes a line fail closed: how it begins and how it ends. */
interface Wrapper {
  readonly guard: string;
  readonly end: string;
}

/**
 * A line begins with a guard: where the shell itself ends before the hook did, because it cannot start another process (bash then
 * ends with 254, which most clients take for consent) or because a signal tells it to, it denies on its way out. And it ends with
 * the exit codes: what is not proved to be silence, an answer or a denial of the hook becomes a denial.
 * @param onStdout the denial that is also told on standard output
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

/** What stands around a line that fails closed, and whether only former versions wrote that; null around any other line. */
export function wrapperAround(command: string): (Wrapper & { readonly former: boolean }) | null {
  const found = [PLAIN, ...WITH_STDOUT.values(), FORMER].find(
    ({ guard, end }) => command.startsWith(guard) && command.endsWith(end),
  );
  return found === undefined ? null : { ...found, former: found === FORMER };
}

/**
 * The line for events at which nothing is decided. There a failure of the hook must not count as a denial: some clients take that
 * for a word to a subagent to go on. What it could not write down keeps further agents out instead.
 */
export function notifyingCommandLine(command: string): string {
  const around = wrapperAround(command);
  return around === null ? command : `${command.slice(around.guard.length, -around.end.length)} 2>/dev/null; exit 0`;
}

/** Below the state directory: there only while an agent was let in that has not begun. */
export const WAITING = 'waiting';

/** The same line for an event that means something only then: else no hook is started, as far as the line says where its state lies. */
export function whileAgentsWait(command: string): string {
  const [, home] = HOME_WORD.exec(command) ?? [];
  const [, state = home && `${home}/${STATE}`] = STATE_WORD.exec(command) ?? [];
  const line = notifyingCommandLine(command);
  return state === undefined ? line : `[ -d ${state}/${WAITING} ] || exit 0; ${line}`;
}

/** A word of a line as `quoted` writes it. */
const WORD = String.raw`((?:[\w@%+=:,./-]|'[^']*'|\\')+)`;
const HOME_WORD = new RegExp(` /usr/bin/env -i HOME=${WORD} `);
const STATE_WORD = new RegExp(` --state-dir ${WORD} `);
/** Where the state lies below the home folder, for a hook whose environment names nothing else. */
const STATE = '.local/state/policy';

/** The line for an event in which the client does not listen to a denial on standard output: a failure is told on standard error alone. */
export function stderrOnlyCommandLine(command: string): string {
  const around = wrapperAround(command);
  return around === null ? command : `${PLAIN.guard}${command.slice(around.guard.length, -around.end.length)}${PLAIN.end}`;
}

/** A line for `sh`, or null on a platform without one. */
export function hookCommandLine(command: HookCommand): string | null {
  if (command.platform === 'win32') return null;
  const linux = command.platform === 'linux';
  const deadline = command.deadline ?? DEADLINE;
  const around = wrapperOf(command);
  // macOS ships no `timeout`.
  const timeout = linux ? `/usr/bin/timeout -k 1 ${deadline}` : `/usr/bin/perl -e '${KILL_PROGRAM}' ${deadline}`;
  // The hook has to see which variables the tool will run with: on Linux those of its parent, elsewhere as printed by the shell.
  const seen = linux ? [] : [`POLICY_ENVIRONMENT=${EXPORTS}`];
  // Of a bundle that is gone node would tell with a stack of its own. `[` is no name that a function from the environment of `sh` can have.
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
