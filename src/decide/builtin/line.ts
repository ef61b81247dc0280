/** Built-in denials for a whole line: for dangers that no single command in it shows. */
import { posix } from 'node:path';
import { baseName, findCommand, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import { TRIED } from '../../shell/scope/cwd.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import type { ReadLine } from '../flow/analysis.js';
import { type ConstantCommands, mayHoldConstants, propagateConstants } from '../flow/constants.js';
import { directoryOf, mayLeaveLink } from '../flow/directories.js';
import { builtinDenials, triggersOf } from '../flow/entries.js';
import { commandsInMounts } from '../flow/mounts.js';
import { removesTrees } from '../flow/possible-paths.js';
import { isForkBomb, pipesShell } from '../flow/shells.js';
import { appends, isNew, lineWith, standingFor, stdinAsWord, wordsOf } from '../flow/stdin.js';
import type { BuiltinDenial } from '../flow/triggers.js';
import type { Place } from '../place/place.js';
import type { Ruling } from '../ruling/combine.js';
import { builtinForCommand, denial, hasNeeded, touchesRoot, wrapsOne } from './command.js';
import { credentialSendRulings } from './credentials.js';
import { folderSender, leakingSender, tokenSender } from './exfiltration.js';
import { meansFolder } from './roots.js';

function matters(command: Command): boolean {
  return triggersOf(baseName(command) ?? '')?.line === true || command.inner.some(matters);
}

/** At most this many levels of nesting are followed: a script in the line may give its commands another script. */
const MOST_LEVELS = 3;

/**
 * Adds built-in denials that only the whole line reveals: from the values that it passes to its own commands, and from the line as written.
 */
export function builtinForLine({ subject, tree, constants }: ReadLine, place: Place, into: Ruling[]): void {
  const { value: source } = subject;
  const { commands } = tree;
  builtinAsWritten(source, commands, place.home, into);
  if (source.includes('-v') || source.includes('--mount'))
    for (const command of commandsInMounts(commands)) builtinForCommand(command, place.home, null, into);
  if (constants !== null || mayFeed(source)) builtinWithConstants(source, commands, constants, place, MOST_LEVELS, into);
}

/** A line without pipes or redirected input feeds nothing to its commands. */
function mayFeed(source: string): boolean {
  return source.includes('|') || source.includes('<');
}

function constantsOf(source: string, commands: readonly Command[]): ConstantCommands | null {
  return mayHoldConstants(source) ? propagateConstants(source, commands) : null;
}

/**
 * Judges commands after filling in the values that the line assigns or feeds to them, and does the same inside scripts that it
 * passes to shells.
 */
function builtinWithConstants(
  source: string,
  commands: readonly Command[],
  given: ConstantCommands | null,
  place: Place,
  levels: number,
  into: Ruling[],
): void {
  if (levels === 0) return;
  const isFeeding = mayFeed(source) && commands.some(matters);
  if (given === null && !isFeeding) return;
  const entered: string[] = [];
  // Directories that `cd $x` leads to when x is empty.
  const strayed: string[] = [];
  const judged = new Set<string>();
  for (const [at, command] of commands.entries()) {
    for (const one of flatten([command])) if (changesDirectory(one)) entered.push(...rootsEntered(one, place.home));
    const judge = (one: Command) => {
      for (const directory of directoriesOf(one, place, entered)) builtinForCommand(one, place.home, directory, into);
    };
    if (strayed.length > 0 && isUncertain(command.invocation.directory)) builtinWithUnset(command, place, strayed, 'deny', into);
    for (const one of given?.emptied ?? []) {
      if (one.at !== at) continue;
      if (changesDirectory(one.command) && !one.perhaps) strayed.push(...rootsEntered(one.command, place.home));
      builtinWithUnset(one.command, place, [...entered, ...strayed], one.perhaps ? 'ask' : 'deny', into);
    }
    const judgeText = (text: string) => {
      if (!isNew(`${entered.length} ${text}`, command, judged)) return;
      const inner = readCommands(readCommandLine(text, 'union'), 'union').commands.map((one) => standingFor(one, command));
      builtinAsWritten(text, inner, place.home, into);
      for (const one of flatten(inner)) judge(one);
      builtinWithConstants(text, inner, constantsOf(text, inner), place, levels - 1, into);
    };
    for (const one of given?.filled ?? []) if (one.at === at) judge(one.command);
    for (const one of given?.texts ?? []) if (one.at === at) judgeText(one.text);
    const fed = isFeeding ? withStdin(commands, at) : null;
    if (fed !== null) judgeText(fed);
    const shell = throughWrappers(command);
    if (isFeeding && shell.inner.length > 1) {
      const script = scriptOf(shell);
      builtinWithConstants(script, shell.inner, constantsOf(script, shell.inner), place, levels - 1, into);
    }
  }
}

/**
 * `rm -rf "$dir"/*`, `cd $dir && rm -rf *`: judges the command as it runs when the variable is unset.
 * @param effect `ask` where the environment may well have set the variable (`rm -rf "$BUILD"/*`)
 */
function builtinWithUnset(
  command: Command,
  place: Place,
  entered: readonly string[],
  effect: 'ask' | 'deny',
  into: Ruling[],
): void {
  const rulings: Ruling[] = [];
  for (const directory of directoriesOf(command, place, entered)) builtinForCommand(command, place.home, directory, rulings);
  for (const ruling of rulings) {
    const message = `${ruling.reason.message} if its variable is empty, and the line does not set it; \${x:?} instead of $x would stop there`;
    into.push({ ...ruling, effect, reason: { ...ruling.reason, message } });
  }
}

/** The command line that xargs builds from its standard input. */
function withStdin(commands: readonly Command[], at: number): string | null {
  const command = commands[at];
  if (command === undefined || !appends(command)) return null;
  const word = stdinAsWord(commands, at);
  return word === null ? null : lineWith(command, word);
}

/** The command that `sudo` and similar wrappers finally run. */
function throughWrappers(command: Command): Command {
  const [only, another] = command.inner;
  return only === undefined || another !== undefined ? command : throughWrappers(only);
}

/**
 * The text that a shell's commands were read from: the word that contains them, or, for piped text (not available here), the
 * commands joined again.
 */
function scriptOf({ invocation: { argv }, inner }: Command): string {
  const start = inner[0]?.invocation.span.start;
  const word = argv.slice(1).find(({ span }) => span.start === start);
  return word?.value ?? inner.map(wordsOf).join(' | ');
}

/** Directories where a command may run: the one its `cd`s lead to, or, if that is unknown, every root that was entered. */
function directoriesOf(command: Command, place: Place, entered: readonly string[]): readonly (string | null)[] {
  if (isUncertain(command.invocation.directory)) return entered.length > 0 ? entered : UNKNOWN;
  return [directoryOf(command, place)];
}

const UNKNOWN: readonly null[] = [null];

/** Judges the line as written: fork bombs, pipelines, directory changes, secrets being sent away. */
function builtinAsWritten(source: string, commands: readonly Command[], home: string, into: Ruling[]): void {
  if (source.includes('{') && (source.includes('|') || source.includes('&'))) {
    for (const entry of builtinDenials().forkBombs) {
      if (isForkBomb(source, commands))
        into.push({ effect: 'deny', rule: null, reason: { code: entry.id, message: `this line ${entry.why}` } });
    }
  }
  if (source.includes('rm')) for (const command of flatten(commands)) builtinWithArguments(command, home, into);
  if (source.includes('$') && (source.includes('://') || commands.some(matters)))
    for (const { entry, lists } of builtinDenials().exfiltrations)
      credentialSendRulings(source, commands, entry, lists, builtinDenials().services, into);
  if (!commands.some(matters)) return;
  for (const command of flatten(commands)) if (command.inner.length > 0) builtinWithAppended(command, home, into);
  for (const [at, command] of commands.entries()) {
    const before = commands[at - 1];
    if (before === undefined || !command.invocation.piped) continue;
    for (const entry of builtinDenials().shellEntries) if (pipesShell(before, command, entry)) into.push(denial(entry, command));
  }
  builtinForDirectory(commands, home, into);
  for (const { entry, lists } of builtinDenials().exfiltrations) {
    const sender = leakingSender(commands, lists, builtinDenials().roots, home);
    if (sender !== null) into.push(denial(entry, sender));
    const shown = tokenSender(commands, lists);
    if (shown !== null) into.push({ ...denial(entry, shown), effect: 'ask' });
    const folder = folderSender(commands, lists);
    if (folder !== null) into.push(folderRuling(entry, folder));
  }
}

/** A question: a whole folder is sent, and nobody checks which files are in it. */
function folderRuling({ id }: BuiltinDenial, { invocation: { argv, span } }: Command): Ruling {
  const message = `${argv[0]?.text ?? 'the command'} would send a whole folder, which may contain secrets`;
  return { effect: 'ask', rule: null, reason: { code: id, message, span } };
}

/** `xargs rm -rf <<< /`, `parallel rm -rf ::: /`: the words that a wrapper appends are in the line itself. */
function builtinWithAppended(command: Command, home: string, into: Ruling[]): void {
  const { argv, redirections, span } = command.invocation;
  const texts = redirections.flatMap(({ text }) => (text === null ? [] : text.split(/\s+/).slice(0, MOST_WORDS)));
  const words = texts.map((text) => ({ text, value: text, span, glob: false, tilde: false, literalPrefix: text }));
  if (baseName(command) === 'parallel') words.push(...argv.slice(1).filter(isKnown));
  if (words.length === 0) return;
  for (const entry of builtinDenials().rootEntries) {
    const wanted = builtinDenials().folders.get(entry) ?? builtinDenials().roots;
    if (wrapsAppended(entry, command) && words.some((word) => meansFolder(word, wanted, { home, directory: null })))
      into.push(denial(entry, command));
  }
}

const MOST_WORDS = 1024;

function isKnown(word: ShellWord): word is ShellWord & { readonly value: string } {
  return word.value !== null;
}

/** `nsenter -t 1 rm -rf /`: an unknown program that is given a complete `rm -rf` is assumed to run it. */
function builtinWithArguments(command: Command, home: string, into: Ruling[]): void {
  const { argv } = command.invocation;
  if (command.verdict.known || command.inner.length > 0) return;
  const at = argv.findIndex(({ value }, index) => index > 0 && value !== null && posix.basename(value) === 'rm');
  const words = argv.slice(at + 1);
  if (at < 0 || !removesTrees(words)) return;
  for (const entry of builtinDenials().rootEntries) {
    if (entry.commands?.includes('rm') && touchesRoot(entry, 'rm', words, { home, directory: null }))
      into.push(denial(entry, command));
  }
}

/** `xargs rm`, `sudo xargs chmod -R 777`. parallel counts as appending even when the appended words are in the line. */
function wrapsAppended(entry: BuiltinDenial, command: Command): boolean {
  const appends = baseName(command) === 'parallel';
  const destroys = (inner: Command) => {
    const name = baseName(inner);
    if (!(inner.appended || appends) || name === null || !entry.commands?.includes(name)) return false;
    return hasNeeded(entry, name, inner.invocation.argv.slice(1));
  };
  return findCommand(command.inner, destroys) !== null;
}

/** `cd /; rm -rf ./*`: if the directory is uncertain, the command may be in any root that an earlier `cd` names. */
function builtinForDirectory(commands: readonly Command[], home: string, into: Ruling[]): void {
  if (findCommand(commands, changesDirectory) === null) return;
  const entered: string[] = [];
  for (const command of flatten(commands)) {
    if (changesDirectory(command)) entered.push(...rootsEntered(command, home));
    const name = baseName(command);
    if (entered.length === 0 || !isUncertain(command.invocation.directory) || name === null) continue;
    const words = command.invocation.argv.slice(1);
    for (const entry of builtinDenials().byCommand.get(name) ?? []) {
      if (entry.kind !== 'operand-root' || !(hasNeeded(entry, name, words) || wrapsOne(entry, command))) continue;
      if (entered.some((directory) => touchesRoot(entry, name, words, { home, directory }))) into.push(denial(entry, command));
    }
  }
}

/** The path is unknown, or leads through a folder that may be a symlink (`cd /tmp/..`). */
function isUncertain(steps: readonly string[] | null): boolean {
  return steps === null || steps.some((step) => step.startsWith(TRIED) || mayLeaveLink(step));
}

function changesDirectory(command: Command): boolean {
  const name = command.invocation.argv[0]?.value;
  return name === 'cd' || name === 'pushd';
}

/** The root that a `cd` goes to: one of the root folders, or the home directory (also for a bare `cd`); empty for any other folder. */
function rootsEntered(command: Command, home: string): readonly string[] {
  const operand = command.invocation.argv.slice(1).find((word) => !word.text.startsWith('-'));
  if (operand === undefined) return [home];
  if (!meansFolder(operand, builtinDenials().roots, { home, directory: null })) return [];
  return operand.value?.startsWith('/') ? [posix.normalize(operand.value)] : [home];
}
