/**
 * Tells our own hook from every other command line. The settings of an audited repository are a stranger's text, and to start a
 * command from there runs it with the user's rights: an audit starts by itself only what provably is our own program, with
 * nothing else on the line (R041; SECURITY.md).
 */
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ALARM, FAIL_CLOSED } from '../runner/command-line.js';
import type { Invocation, ShellWord, Span } from '../shell/command-line.js';
import { readCommandLine } from '../shell/read.js';

/** The programs that are ours, by real path. */
export interface OwnPrograms {
  /** The node that runs them. */
  readonly node: string;
  /** The command `policy`. */
  readonly command: string;
  /** The hook's own bundle. */
  readonly hook: string;
}

/** A command line of ours. */
export interface OwnHook {
  /** Where its state directory is written; null when it names none. */
  readonly stateDirectory: { readonly value: string; readonly span: Span } | null;
}

/** What the installed line hands to the hook where it cannot look for itself: a shell builtin that only prints. */
const EXPORTS = '"$(export -p)"';
/** Variables that `env -i` may set: none of them changes what node or the shell loads. */
const HARMLESS_VARIABLES: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'POLICY_ENVIRONMENT'],
  ...['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'SystemRoot'],
]);
/** Builtins with which a wrapper turns a failure into a denial. */
const HARMLESS_COMMANDS: ReadonlySet<string> = new Set(['echo', 'printf', 'exit', ':', 'true', 'false']);

/**
 * The command line read as one of ours; null for everything else. Every command on it has to be our hook or a builtin that
 * prints or exits, every word static, no file written.
 * @param path the PATH in which a bare `policy` would be found
 */
export function ownHook(command: string, own: OwnPrograms, path: string): OwnHook | null {
  const line = command.endsWith(FAIL_CLOSED) ? command.slice(0, -FAIL_CLOSED.length) : command;
  const readable = line.replaceAll(EXPORTS, 'x'.repeat(EXPORTS.length));
  const read = readCommandLine(readable, 'sh');
  if (read.opaque.some(({ code }) => code !== 'compound-command')) return null;
  let found: OwnHook | null = null;
  for (const invocation of read.invocations) {
    const words = plainWords(invocation);
    if (words === null) return null;
    if (HARMLESS_COMMANDS.has(words[0]?.value ?? '')) continue;
    const hook: OwnHook | null = found === null ? hookOf(words, own, path) : null;
    if (hook === null) return null;
    found = hook;
  }
  return found;
}

interface PlainWord extends ShellWord {
  readonly value: string;
}

/** The words of an invocation that does nothing but call its program in the foreground; null for any other. */
function plainWords({ argv, assignments, redirections, enclosures, background, piped }: Invocation): readonly PlainWord[] | null {
  if (argv.length === 0 || background || piped || enclosures.some((one) => one !== 'group')) return null;
  if (!assignments.every(({ name }) => name === 'POLICY_ENVIRONMENT')) return null;
  if (!redirections.every(({ direction, target }) => direction === 'duplicate' || target?.value === '/dev/null')) return null;
  return argv.every(isPlain) ? argv : null;
}

function isPlain(word: ShellWord): word is PlainWord {
  return word.value !== null && !word.glob && !word.tilde;
}

/**
 * `[exec] [timeout N | perl -e ALARM N] [env -i NAME=VALUE…] (policy hook | node hook.cjs) claude-code …`. Programs that are not
 * ours have to be named with their folder: a PATH may lead into the repository.
 */
function hookOf(words: readonly PlainWord[], own: OwnPrograms, path: string): OwnHook | null {
  let rest = words;
  let searched = path;
  if (rest[0]?.value === 'exec') rest = rest.slice(1);
  if (isOneOf(rest[0], ['/usr/bin/timeout', '/bin/timeout'])) rest = rest.slice(afterTimeout(rest));
  else if (rest[0]?.value === '/usr/bin/perl' && rest[1]?.value === '-e' && rest[2]?.value === ALARM) rest = rest.slice(4);
  if (isOneOf(rest[0], ['/usr/bin/env', '/bin/env'])) {
    if (rest[1]?.value !== '-i') return null;
    const end = rest.findIndex(({ value }, at) => at > 1 && !value.includes('='));
    for (const { value } of rest.slice(2, end)) {
      const [name = ''] = value.split('=', 1);
      if (!HARMLESS_VARIABLES.has(name)) return null;
      if (name === 'PATH') searched = value.slice('PATH='.length);
    }
    rest = end === -1 ? [] : rest.slice(end);
  }
  const program = resolved(rest[0]?.value, searched);
  if (program === null) return null;
  if (program === own.command && rest[1]?.value === 'hook') return withOptions(rest.slice(2));
  if (program === own.node && resolved(rest[1]?.value, null) === own.hook) return withOptions(rest.slice(2));
  return null;
}

function isOneOf(word: PlainWord | undefined, names: readonly string[]): boolean {
  return word !== undefined && names.includes(word.value);
}

/** How many words `timeout` takes before its command: options that start with a dash (`-k 1`), and the duration. */
function afterTimeout(words: readonly PlainWord[]): number {
  let at = 1;
  while (words[at]?.value.startsWith('-') === true) at += words[at]?.value === '-k' || words[at]?.value === '-s' ? 2 : 1;
  return at + 1;
}

/** The hook reads its own options strictly; only the state directory matters here. */
function withOptions(words: readonly PlainWord[]): OwnHook | null {
  if (words[0]?.value !== 'claude-code') return null;
  const flag = words.findIndex(({ value }) => value === '--state-dir');
  const directory = flag === -1 ? undefined : words[flag + 1];
  return { stateDirectory: directory === undefined ? null : { value: directory.value, span: directory.span } };
}

/** Real path of a program as a shell would find it; null when there is none. `path` null: only absolute names count. */
function resolved(name: string | undefined, path: string | null): string | null {
  if (name === undefined || name === '') return null;
  if (name.includes('/')) return isAbsolute(name) ? realOrNull(name) : null;
  for (const folder of path?.split(delimiter) ?? []) {
    // A relative folder depends on where the hook is started: then it is not certain what runs.
    if (!isAbsolute(folder)) return null;
    const real = realOrNull(join(folder, name));
    if (real !== null) return real;
  }
  return null;
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
