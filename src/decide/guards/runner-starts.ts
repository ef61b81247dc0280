/**
 * Coding agents that a command starts. If an option, subcommand or variable is not known to leave their installed hooks in place,
 * the start is asked about, whatever allows it (rules/runner-starts.yaml): nothing judges the calls of an agent without hooks.
 */

import { calledAs, flatten } from '../../command/model/called-commands.js';
import { foldedName } from '../../command/model/called-name.js';
import type { Command, GrammarIssue } from '../../command/model/command.js';
import { data, member } from '../../generated/data.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import type { Ruling } from '../ruling/combine.js';

interface RunnerStart {
  readonly flags: readonly string[];
  readonly values: readonly string[];
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  readonly settings?: Readonly<Record<string, readonly string[]>>;
  readonly prints?: readonly string[];
  readonly subcommands?: readonly string[];
}

/** The part that applies to all coding agents. */
interface AllStarts {
  readonly variables: readonly string[];
  readonly paths: Readonly<Record<string, string>>;
}

/** The names in rules/runner-starts.yaml. Other names are not looked up, since every command has one. */
export const RUNNER_PROGRAMS: ReadonlySet<string> = new Set([
  ...['claude', 'claude-code', 'codex', 'gemini', 'gemini-cli', 'copilot', 'opencode', 'opencode-ai', 'qwen', 'qwen-code'],
  'cursor-agent',
]);
/** Programs that run a script named among their words. */
const ENGINES: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno', 'tsx']);
/** Shell commands that may set a variable without visibly naming it, or give a name another meaning. */
const UNSEEN_SETTERS: ReadonlySet<string> = new Set([
  ...['.', 'source', 'eval', 'read', 'mapfile', 'readarray', 'getopts', 'printf', 'let', 'unset', 'alias', 'hash', 'enable'],
]);
/** Shell commands that set the variables they name. */
const SETTERS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);

/**
 * Adds a question if the command starts a coding agent in a way that may keep its hooks from running.
 * @param issues the command's issues, for the variables before it
 * @param line all commands of the line, which may set variables for it
 */
export function runnerStartRulings(
  command: Command,
  issues: readonly GrammarIssue[],
  line: readonly Command[],
  into: Ruling[],
): void {
  const started = startIn(command);
  if (started === null) return;
  const { name, words } = started;
  const start = member('#runner-starts', name) as RunnerStart;
  const doubt = doubtfulWord(words, start, command.appended) ?? doubtfulVariable(command, issues, line);
  if (doubt === null) return;
  const shown = doubt.length > LONGEST ? `${doubt.slice(0, LONGEST)}…` : doubt;
  const message = `${name} is started with ${shown}, which may change its hooks and settings`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'runner/start', message, span: command.invocation.span } });
}

/** The maximum length of a word in a message. */
const LONGEST = 80;

interface Started {
  readonly name: string;
  /** The words after the program. */
  readonly words: readonly ShellWord[];
}

/** `claude …`, `/opt/bin/codex …`, the program that `npx @openai/codex@latest …` runs, `node …/@openai/codex/bin/codex.js …`. */
function startIn(command: Command): Started | null {
  const called = calledAs(command);
  if (called === null) return null;
  const { argv } = command.invocation;
  const name = runnerProgramName(called);
  if (RUNNER_PROGRAMS.has(name)) return { name, words: argv.slice(1) };
  const isEngine = ENGINES.has(name);
  if (!isEngine && argv[0]?.value?.includes('/') !== true) return null;
  for (const [at, { value }] of argv.entries()) {
    const found = value === null || !value.includes('/') ? null : programAt(value);
    if (found !== null) return { name: found, words: argv.slice(at + 1) };
    if (!isEngine) return null;
  }
  return null;
}

/** The canonical name of a started coding agent: without `.cmd` or `.exe`, and without an npm package version (`codex@latest`). */
function runnerProgramName(called: string): string {
  const folded = foldedName(called);
  const version = folded.indexOf('@');
  const name = version > 0 ? folded.slice(0, version) : folded;
  return name.includes('.') ? name.replace(/\.(?:cmd|ps1|[cm]?js)$/, '') : name;
}

/** The runner whose program is at this path. */
function programAt(path: string): string | null {
  for (const [part, name] of Object.entries(allStarts().paths)) if (`/${path}`.includes(part)) return name;
  return null;
}

function allStarts(): AllStarts {
  return data('runner-starts') as AllStarts;
}

/** The first word that is not known to be harmless, as written; null if there is none. */
function doubtfulWord(words: readonly ShellWord[], start: RunnerStart, appended: boolean): string | null {
  if (appended) return 'words that cannot be read';
  let head: string | null = null;
  let operands = 0;
  let prints = false;
  let ended = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (ended || !mayBeOption(word)) {
      operands += 1;
      if (operands === 1) head = word.value ?? null;
      continue;
    }
    const { value } = word;
    if (value === '--') ended = true;
    else if (value === null || word.glob) return word.text;
    else if (start.flags.includes(value)) prints ||= start.prints?.includes(value) === true;
    else {
      const equals = value.indexOf('=');
      const option = equals < 0 ? value : value.slice(0, equals);
      const next = equals < 0 ? words[at + 1] : undefined;
      const given = equals < 0 ? (next?.value ?? null) : value.slice(equals + 1);
      if (!takes(start, option, given)) return listsValues(start, option) && given !== null ? `${option} ${given}` : option;
      // A value that looks like an option is judged as one.
      if (next !== undefined && !mayBeOption(next)) at += 1;
    }
  }
  if (head === null || !/^[a-z][\w-]*$/.test(head) || start.subcommands?.includes(head) === true) return null;
  return prints && operands === 1 ? null : `the word ${head}`;
}

/** Whether a word may be an option: it starts with unknown text, or may split into several words. */
function mayBeOption({ value, literalPrefix, glob, text }: ShellWord): boolean {
  if (value !== null && !glob) return value.startsWith('-') && value !== '-';
  return literalPrefix === '' || literalPrefix.startsWith('-') || (value === null && !/^(["']).*\1$/s.test(text));
}

/** Whether the option is known but accepts only listed values. */
function listsValues({ choices = {}, settings = {} }: RunnerStart, option: string): boolean {
  return Object.hasOwn(choices, option) || Object.hasOwn(settings, option);
}

function takes({ values, choices = {}, settings = {} }: RunnerStart, option: string, given: string | null): boolean {
  if (values.includes(option)) return true;
  if (given === null) return false;
  if (Object.hasOwn(choices, option)) return choices[option]?.includes(given) === true;
  if (!Object.hasOwn(settings, option)) return false;
  return settings[option]?.includes(given.slice(0, Math.max(0, given.indexOf('=')))) === true;
}

/** A variable, set by the command or another command of its line, that may make the agent read other settings or run other code. */
function doubtfulVariable(command: Command, issues: readonly GrammarIssue[], line: readonly Command[]): string | null {
  const own = unknownVariable(issues);
  if (own !== null) return own;
  for (const other of flatten(line)) {
    if (other === command) continue;
    const { argv } = other.invocation;
    const name = calledAs(other);
    if (argv.length > 0 && name === null) continue;
    if (name !== null && UNSEEN_SETTERS.has(name) && mayReach(other)) return `variables that ${name} may set`;
    const isSetting = argv.length === 0 || SETTERS.has(name ?? '') || other.inner.some((one) => flatten([one]).includes(command));
    const set = isSetting ? unknownVariable(other.verdict.issues) : null;
    if (set !== null) return set;
  }
  return null;
}

/** `printf` sets a variable only with -v. */
function mayReach({ invocation: { argv } }: Command): boolean {
  return argv[0]?.value !== 'printf' || argv.some(({ value }) => value?.startsWith('-v') === true);
}

/** `NAME=` of an assignment that is not in the list of harmless variables. */
function unknownVariable(issues: readonly GrammarIssue[]): string | null {
  for (const { code, option } of issues) {
    if (code?.startsWith('assignment/') !== true) continue;
    const name = (option ?? '').replace(/=.*$/s, '');
    if (name === '' || !allStarts().variables.includes(name)) return name === '' ? 'a variable' : `${name}= before it`;
  }
  return null;
}
