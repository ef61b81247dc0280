/**
 * Distinguishes our own hook from every other command line. The settings of a repository are untrusted text, and starting a command from
 * there runs it with the user's rights: on their own, audit and doctor start only what provably is our own program, with nothing else on
 * the line (SECURITY.md). Uninstalling requires less: a line that can do nothing but start a hook of that shape.
 */

import { basename, delimiter, isAbsolute, join } from 'node:path';
import { ASSUMED_RUNNER } from '../call/tool-call.js';
import { realPath } from '../disk/real-path.js';
import { isWholeCopy } from '../program/program-copy.js';
import { EXPORTS, FORMER_KILL_PROGRAM, KILL_PROGRAM, wrapperAround } from '../runner/hook/command-line.js';
import { NODE_OPTIONS, NODE_VARIABLES } from '../runner/hook/node-options.js';
import { runnerNamed } from '../runner/runners.js';
import { readCommandLine } from '../shell/read.js';
import type { Invocation, ShellWord, Span } from '../shell/syntax/types.js';

/** Our programs, by real path. */
export interface OwnPrograms {
  readonly node: string;
  /** The command `policy`. */
  readonly command: string;
  /** The hook's own bundle. */
  readonly hook: string;
  /** Folders with installed copies of the program. */
  readonly versions?: readonly string[];
}

/** One of our command lines. */
export interface OwnHook {
  /** The position of its state directory; null if it names none. */
  readonly stateDirectory: { readonly value: string; readonly span: Span } | null;
}

/** A command line that starts a hook and does nothing else. */
export interface HookLine {
  readonly runner: string;
  /** As written; `node` null: the program is the command `policy`. */
  readonly node: string | null;
  /** The options for Node.js itself. */
  readonly nodeOptions: readonly string[];
  readonly program: string;
  /** The PATH in which a program without a folder is searched. */
  readonly path: string;
  /** The words after the runner's name. */
  readonly options: readonly HookOption[];
  /** The home directory passed to the hook, and the seconds after which the hook is killed, as written; null if it names none. */
  readonly home: string | null;
  readonly deadline: string | null;
  /** In every case its exit code is 0 or 2, and it ends in time. */
  readonly failsClosed: boolean;
  /** It first checks whether a file exists; lines of former versions do not. */
  readonly looksFirst: boolean;
  /** The wrapper that makes it fail closed is from a former version. */
  readonly former: boolean;
}

interface HookOption {
  readonly value: string;
  readonly span: Span;
}

/** What an installed line passes to the hook if the hook cannot look for itself, now and formerly: commands that only print. */
const PRINTED = [EXPORTS, '"$(export -p)"'];
/** Variables that `env -i` may set: none of them affects what Node.js or the shell loads. */
const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'POLICY_ENVIRONMENT'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'SystemRoot'],
]);
/** Builtins with which a wrapper turns a failure into a denial. */
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set(['echo', 'printf', 'exit', ':', 'true', 'false']);

/**
 * Parses a command line as one of ours; null for all others. Every command on it has to be our hook or a builtin that prints or
 * exits, every word static, no file written.
 * @param path the PATH in which a bare `policy` would be found
 */
export function ownHook(command: string, own: OwnPrograms, path: string, runner: string = ASSUMED_RUNNER): OwnHook | null {
  const line = readHookLine(command, path);
  if (line === null || line.runner !== runner) return null;
  const isOurs =
    line.node === null
      ? resolved(line.program, line.path) === own.command
      : resolved(line.node, line.path) === own.node && isOwnBundle(resolved(line.program, null), own);
  if (!isOurs) return null;
  return { stateDirectory: optionOf(line, '--state-dir') };
}

/** Whether the bundle is the one next to this program, or an unchanged copy that `policy install` made. */
export function isOwnBundle(program: string | null, { hook, versions = [] }: OwnPrograms): boolean {
  return program === hook || (program !== null && isWholeCopy(program, versions));
}

/** Returns the value and position of an option in a hook's line; null if it is absent. */
export function optionOf({ options }: HookLine, name: string): HookOption | null {
  const flag = options.findIndex(({ value }) => value === name);
  const value = flag < 0 ? undefined : options[flag + 1];
  return value === undefined ? null : { value: value.value, span: value.span };
}

/** True for a line that any version of this program may have installed. It may start nothing else. */
export function isHookLine(command: string): boolean {
  return readHookLine(command, '') !== null;
}

/** Parses a command line that starts our hook, by its shape alone; null for all others. Reads nothing from disk. */
export function readHookLine(command: string, path: string): HookLine | null {
  const around = wrapperAround(command);
  const line = unwrapped(command);
  const readable = PRINTED.reduce((text, printed) => text.replaceAll(printed, 'x'.repeat(printed.length)), line);
  const read = readCommandLine(readable, 'sh');
  const doubts = read.opaque.filter(({ code }) => code !== 'compound-command');
  if (!doubts.every(({ code }) => DOUBTS.has(code))) return null;
  let found: HookLine | null = null;
  let looksFirst = false;
  const taken: Span[] = [];
  for (const invocation of read.invocations) {
    // A command that would run if a file name were a variable with a subscript; the line has no other substitution.
    if (taken.some((whole) => invocation.argv.length > 0 && invocation.argv.every(({ span }) => isSame(span, whole)))) continue;
    const words = plainWords(invocation);
    if (words === null) return null;
    if (HARMLESS_COMMANDS.has(words[0]?.value ?? '')) continue;
    if (isLook(words)) looksFirst ||= found === null && isOneOf(words[1], ['-f']);
    else {
      const hook: HookLine | null = found === null ? hookOf(words, path, around !== null) : null;
      if (hook === null) return null;
      found = hook;
    }
    taken.push(spanOf(words));
  }
  if (!doubts.every(({ span }) => taken.some(({ start, end }) => start <= span.start && span.end <= end))) return null;
  return found === null ? null : { ...found, looksFirst, former: around?.former === true };
}

/**
 * Doubts that the shape of a path may raise, such as `'/home/$(id)'` or `'/home/[a]'`: neither the hook nor the file check treats
 * it as more than a string.
 */
const DOUBTS: ReadonlySet<string> = new Set(['suspicious-quotes', 'subscript-evaluation']);

function isSame(one: Span, other: Span): boolean {
  return one.start === other.start && one.end === other.end;
}

function spanOf(words: readonly PlainWord[]): Span {
  return { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 };
}

/** Whether the words are `[ -f FILE ]` or `[ -d FOLDER ]`. */
function isLook(words: readonly PlainWord[]): boolean {
  return words.length === 4 && isOneOf(words[0], ['[']) && isOneOf(words[1], ['-f', '-d']) && isOneOf(words[3], [']']);
}

/** Wrappers of all versions: they print our texts and exit, nothing else. `$r` is a number. */
const ENDING = '; r=$?; case $r in ';
/** Prints the text in a variable to both channels. */
const TELLING = /echo "\$e" >&2; echo "(?:[^"'`\\$]|\\"|\$e)*"(?: 2>\/dev\/null)?; exit 2/.source;
const TEXT = '[^"`\\\\$]*';
const ENDINGS = new RegExp(
  String.raw`^; r=\$\?; case \$r in (?:(?:\d+(?:\|\d+)*|\*)\) ` +
    String.raw`(?:exit (?:\$r|\d+)|e="${TEXT}(?:\$r${TEXT})?"|echo "${TEXT}(?:\$r${TEXT})?" >&2; exit \d+);; ?)+esac(?:; ${TELLING})?$`,
);
const GUARDS = new RegExp(
  String.raw`^(?:echo\(\) \{ :; \}; unset -f echo; )?r=; trap 'trap - EXIT; \[ "\$r" \] \|\| ` +
    String.raw`\{ (?:echo "[^"\x60\\$']*" >&2; exit 2|e="[^"\x60\\$']*"; ${TELLING}); \}' EXIT(?: [A-Z]{3,4}\d?)+; `,
);

/** Returns the line without the wrapper that makes it fail closed; positions on it stay the same. */
function unwrapped(command: string): string {
  const guard = GUARDS.exec(command)?.[0].length ?? 0;
  const end = command.lastIndexOf(ENDING);
  const line = end >= 0 && ENDINGS.test(command.slice(end)) ? command.slice(0, end) : command;
  return ' '.repeat(guard) + line.slice(guard);
}

interface PlainWord extends ShellWord {
  readonly value: string;
}

/** Returns the words of an invocation that only calls its program in the foreground; null for any other. */
function plainWords({ argv, assignments, redirections, enclosures, background, piped }: Invocation): readonly PlainWord[] | null {
  if (argv.length === 0 || background || piped || enclosures.some((one) => one !== 'group')) return null;
  if (!assignments.every(({ name }) => name === 'POLICY_ENVIRONMENT')) return null;
  if (!redirections.every(({ direction, target }) => direction === 'duplicate' || target?.value === '/dev/null')) return null;
  return argv.every(isPlainWord) ? argv : null;
}

function isPlainWord(word: ShellWord): word is PlainWord {
  return word.value !== null && !word.glob && !word.tilde;
}

/**
 * Parses `[exec] [timeout N | perl -e KILL_PROGRAM N] [env -i NAME=VALUE…] (policy hook | node [OPTIONS] hook.cjs) claude-code
 * …`. Programs that are not ours have to be named with their folder: a PATH may lead into the repository.
 */
function hookOf(words: readonly PlainWord[], path: string, wrapped: boolean): HookLine | null {
  let rest = words;
  let searched = path;
  if (rest[0]?.value === 'exec') rest = rest.slice(1);
  const timing = wordsOfTimer(rest);
  const deadline = timing === 0 ? null : (rest[timing - 1]?.value ?? null);
  rest = rest.slice(timing);
  let home: string | null = null;
  if (isOneOf(rest[0], ['/usr/bin/env', '/bin/env'])) {
    if (rest[1]?.value !== '-i') return null;
    const end = rest.findIndex(({ value }, at) => at > 1 && !value.includes('='));
    for (const { value } of rest.slice(2, end)) {
      const [name = ''] = value.split('=', 1);
      if (!HARMLESS_VARIABLES.has(name) && value !== `${name}=${NODE_VARIABLES[name]}`) return null;
      if (name === 'PATH') searched = value.slice('PATH='.length);
      if (name === 'HOME') home = value.slice('HOME='.length);
    }
    rest = end === -1 ? [] : rest.slice(end);
  }
  const failsClosed = wrapped && timing > 0;
  const nodeOptions = optionsOfNode(rest);
  rest = rest.filter((_, at) => at === 0 || at > nodeOptions.length);
  const [first, second, third] = rest.map(({ value }) => value);
  const found = (node: string | null, program: string, options: readonly PlainWord[]): HookLine | null => {
    const [runner, ...more] = options;
    if (runner === undefined || runnerNamed(runner.value) === undefined) return null;
    return {
      runner: runner.value,
      node,
      nodeOptions,
      program,
      path: searched,
      options: more,
      home,
      deadline,
      failsClosed,
      looksFirst: false,
      former: false,
    };
  };
  if (first === undefined || second === undefined) return null;
  if (COMMAND_NAMES.has(basename(first)) && second === 'hook')
    return nodeOptions.length > 0 ? null : found(null, first, rest.slice(2));
  if (COMMAND_NAMES.has(basename(second)) && third === 'hook') return found(first, second, rest.slice(3));
  return basename(second) === 'hook.cjs' ? found(first, second, rest.slice(2)) : null;
}

/**
 * Returns our options between a program and its arguments, of this version and earlier ones: they affect the speed of Node.js,
 * not what it runs.
 */
function optionsOfNode([, ...rest]: readonly PlainWord[]): readonly string[] {
  const words = rest.map(({ value }) => value);
  const end = words.findIndex((word) => !NODE_OPTIONS.includes(word));
  return words.slice(0, end === -1 ? words.length : end);
}

/** Replacements for `timeout`, in this version and earlier ones. */
const ALARMS: ReadonlySet<string> = new Set([KILL_PROGRAM, FORMER_KILL_PROGRAM, 'alarm shift; exec @ARGV']);
const COMMAND_NAMES: ReadonlySet<string> = new Set(['policy', 'policy.js']);

function isOneOf(word: PlainWord | undefined, names: readonly string[]): boolean {
  return word !== undefined && names.includes(word.value);
}

/** Returns how many words precede the command that a timer kills; the last of them is the seconds. 0 if there is no timer. */
function wordsOfTimer(words: readonly PlainWord[]): number {
  if (isOneOf(words[0], ['/usr/bin/timeout', '/bin/timeout'])) return afterTimeout(words);
  return words[0]?.value === '/usr/bin/perl' && words[1]?.value === '-e' && ALARMS.has(words[2]?.value ?? '') ? 4 : 0;
}

/** Returns how many words `timeout` takes before its command: options that start with a dash (`-k 1`), and the duration. */
function afterTimeout(words: readonly PlainWord[]): number {
  let at = 1;
  while (words[at]?.value.startsWith('-') === true) at += words[at]?.value === '-k' || words[at]?.value === '-s' ? 2 : 1;
  return at + 1;
}

/** Returns the real path of a program as a shell would find it; null if there is none. `path` null: only absolute names are accepted. */
export function resolved(name: string | undefined, path: string | null): string | null {
  if (name === undefined || name === '') return null;
  if (name.includes('/')) return isAbsolute(name) ? realPath(name) : null;
  for (const folder of path?.split(delimiter) ?? []) {
    // A relative folder depends on where the hook is started, so it is uncertain what runs.
    if (!isAbsolute(folder)) return null;
    const real = realPath(join(folder, name));
    if (real !== null) return real;
  }
  return null;
}
