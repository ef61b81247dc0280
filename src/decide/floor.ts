/** The floor: rules/floor.yaml, and the detectors that its entries name. Nothing loosens what is found here. */
import { posix } from 'node:path';
import type { Command } from '../command/command.js';
import { data } from '../generated/data.js';
import type { ShellWord } from '../shell/command-line.js';
import type { Claim } from './claim.js';
import { secretPath } from './sensitive-paths.js';

interface FloorEntry {
  readonly id: string;
  readonly kind: 'operand-root' | 'command' | 'device-write' | 'fork-bomb' | 'reverse-shell' | 'exfiltration';
  readonly why: string;
  readonly commands?: readonly string[];
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly devices?: readonly string[];
  readonly words?: readonly string[];
  readonly prefixes?: readonly string[];
  readonly publishers?: Readonly<Record<string, readonly string[]>>;
  readonly environment?: readonly string[];
}

const floor = data('floor') as { readonly roots: readonly string[]; readonly entries: readonly FloorEntry[] };
const roots = new Set(floor.roots);
/** Entries that look at one command, by the commands they name; entries that look at every command; entries for whole lines. */
const byCommand = new Map<string, FloorEntry[]>();
for (const entry of floor.entries) {
  if (entry.kind === 'exfiltration' || entry.kind === 'fork-bomb') continue;
  for (const command of entry.commands ?? []) byCommand.set(command, [...(byCommand.get(command) ?? []), entry]);
}
const redirectionEntries = floor.entries.filter((entry) => entry.kind === 'device-write' || entry.kind === 'reverse-shell');
const forkBombs = floor.entries.filter((entry) => entry.kind === 'fork-bomb');
const exfiltrations = floor.entries.filter((entry) => entry.kind === 'exfiltration');
const senders = new Map(exfiltrations.map((entry) => [entry.id, new Set(entry.commands)]));

/** Where a command is judged: what `~` and relative operands mean; `directory` is null when unknown. */
interface FloorPlace {
  readonly home: string;
  readonly directory: string | null;
}

/** Adds the floor denials of one command by itself. */
export function commandFloor(command: Command, home: string, directory: string | null, into: Claim[]): void {
  const name = baseName(command);
  const entries =
    name === null ? undefined : (byCommand.get(name) ?? (name.startsWith('mkfs.') ? byCommand.get('mkfs') : undefined));
  if (name !== null && entries !== undefined) {
    const place = { home, directory };
    for (const entry of entries) if (meetsCommand(entry, name, command, place)) into.push(denial(entry, command));
  }
  for (const redirection of command.invocation.redirections) {
    const target = redirection.target?.value ?? redirection.target?.literalPrefix ?? '';
    for (const entry of redirectionEntries) {
      const meets =
        entry.kind === 'device-write'
          ? redirection.direction !== 'read' && isDevice(entry, target)
          : startsWithAny(target, entry.devices);
      if (meets) into.push(denial(entry, command));
    }
  }
}

/** Name for the floor's purposes: the last part of whatever path was written. */
function baseName(command: Command): string | null {
  const value = command.invocation.argv[0]?.value;
  if (value === null || value === undefined || value === '') return null;
  return value.includes('/') ? posix.basename(value) : value;
}

function meetsCommand(entry: FloorEntry, name: string, command: Command, place: FloorPlace): boolean {
  const words = command.invocation.argv.slice(1);
  switch (entry.kind) {
    case 'operand-root':
      return (hasNeeded(entry, name, words) || wrapsOne(entry, command)) && words.some((word) => isRoot(word, place));
    case 'command':
      return (
        words.length > 0 && !words.every((word) => word.value === '--help' || word.value === '--version' || word.value === '-V')
      );
    case 'device-write':
      return words.some((word) => isDevice(entry, (word.value ?? word.literalPrefix).replace(/^of=/, '')));
    case 'reverse-shell':
      return words.some((word) => isShellWord(entry, word));
    default:
      return false;
  }
}

/** `find / -exec rm {} +`: the operands of the outer command are what the inner one destroys. */
function wrapsOne(entry: FloorEntry, command: Command): boolean {
  return flatten(command.inner).some((inner) => {
    const name = baseName(inner);
    return name !== null && (entry.commands?.includes(name) ?? false);
  });
}

/** `-R` also inside a cluster (`-fR`), for the one-letter options an entry needs. */
function hasNeeded(entry: FloorEntry, name: string, words: readonly ShellWord[]): boolean {
  const needed = entry.needs && Object.hasOwn(entry.needs, name) ? entry.needs[name] : undefined;
  if (needed === undefined) return true;
  return words.some((word) => {
    const value = word.value ?? word.text;
    if (needed.includes(value)) return true;
    return (
      /^-[A-Za-z]{2,}$/.test(value) &&
      needed.some((option) => option.length === 2 && option.startsWith('-') && value.includes(option.charAt(1)))
    );
  });
}

const HOME_WORD = /^["']?\$(?:HOME|\{HOME(?::[-?=][^}]*)?\})["']?\/?(?:\.?\*|\{[^}]*\})?["']?$/;

/** `/`, `/*`, `~`, `$HOME`, `/etc/`, `../../..` up to a root: operands that mean a whole root folder. */
function isRoot(word: ShellWord, place: FloorPlace): boolean {
  if (HOME_WORD.test(word.text)) return true;
  const value = word.value;
  if (value === null || value === '' || value.startsWith('-')) return false;
  const bare = value.replace(/\/+(?:\.?\*+|\.)?\/*$/, '') || (value.startsWith('/') ? '/' : '');
  if (word.tilde && bare === '~') return true;
  if (/^\.?\*+$/.test(value)) return place.directory !== null && (roots.has(place.directory) || place.directory === place.home);
  if (word.tilde || (!bare.startsWith('/') && place.directory === null)) return false;
  const path = posix.normalize(bare.startsWith('/') ? bare : `${place.directory ?? ''}/${bare}`).replace(/(.)\/$/, '$1');
  return roots.has(path) || path === place.home;
}

function isDevice(entry: FloorEntry, value: string): boolean {
  const path = posix.normalize(value);
  return path.startsWith('/dev/') && startsWithAny(path.slice('/dev/'.length), entry.devices);
}

function isShellWord(entry: FloorEntry, word: ShellWord): boolean {
  const value = word.value ?? word.text;
  if (entry.words?.includes(value) || startsWithAny(value, entry.prefixes)) return true;
  return /^-[a-z]*[ec][a-z]*$/.test(value) && (entry.words?.includes('-e') ?? false);
}

function startsWithAny(text: string, prefixes: readonly string[] | undefined): boolean {
  return prefixes?.some((prefix) => text.startsWith(prefix)) ?? false;
}

function denial(entry: FloorEntry, command: Command): Claim {
  const shown = command.invocation.argv[0]?.text ?? 'the redirection';
  return {
    effect: 'deny',
    rule: null,
    reason: { code: entry.id, message: `${shown} ${entry.why}`, span: command.invocation.span },
  };
}

/** Adds floor denials that only a whole line shows: fork bombs, and secrets or the environment on their way to the network. */
export function lineFloor(source: string, commands: readonly Command[], home: string, into: Claim[]): void {
  if (source.includes('()') || source.includes('( )')) {
    for (const entry of forkBombs) {
      if (isForkBomb(source))
        into.push({ effect: 'deny', rule: null, reason: { code: entry.id, message: `this line ${entry.why}` } });
    }
  }
  for (const entry of exfiltrations) {
    const sender = findCommand(commands, (command) => isSender(entry, command));
    if (sender === null) continue;
    const leaks = (command: Command) => flowsInto(command, sender) && readsSecret(entry, command, command === sender, home);
    if (findCommand(commands, leaks) !== null) into.push(denial(entry, sender));
  }
}

function findCommand(commands: readonly Command[], wanted: (command: Command) => boolean): Command | null {
  for (const command of commands) {
    const found = wanted(command) ? command : command.inner.length > 0 ? findCommand(command.inner, wanted) : null;
    if (found !== null) return found;
  }
  return null;
}

/** All commands, wrapped ones included. */
export function flatten(commands: readonly Command[]): Command[] {
  return commands.flatMap((command) => [command, ...flatten(command.inner)]);
}

/** What the command prints can reach the sender: the same command, earlier in its pipeline, or substituted into the line. */
function flowsInto(command: Command, sender: Command): boolean {
  if (command === sender || sender.invocation.piped) return true;
  return command.invocation.enclosures.some((enclosure) => enclosure === 'substitution' || enclosure === 'process-substitution');
}

function isForkBomb(source: string): boolean {
  if (source.length > 4096 || !source.includes('&') || !source.includes('|')) return false;
  const match = /([^\s(){}|&;]{1,64})\(\)\{([^\s(){}|&;]{1,64})\|([^\s(){}|&;]{1,64})&;?\}/.exec(source.replace(/\s+/g, ''));
  return match !== null && match[2] === match[1] && match[3] === match[1];
}

function isSender(entry: FloorEntry, command: Command): boolean {
  const name = baseName(command);
  if (name === null) return false;
  if (senders.get(entry.id)?.has(name)) return true;
  const first = entry.publishers && Object.hasOwn(entry.publishers, name) ? entry.publishers[name] : undefined;
  return (
    first !== undefined && command.invocation.argv.slice(1).some((word) => word.value !== null && first.includes(word.value))
  );
}

/** A secret file among the words (`@.env`, `file=@x`, `x:` left of a colon is a host) or redirections, or a command that prints the environment. */
function readsSecret(entry: FloorEntry, command: Command, sender: boolean, home: string): boolean {
  const name = baseName(command);
  if (name !== null && entry.environment?.includes(name) && printsEnvironment(command)) return true;
  const files = command.invocation.redirections.flatMap((redirection) =>
    redirection.direction === 'read' && redirection.target ? [redirection.target] : [],
  );
  const words = [...command.invocation.argv.slice(1), ...files];
  return words.some((word) => {
    const text = word.value ?? word.literalPrefix;
    if (sender && KEY_OPTION.test(text)) return false;
    const path = text
      .replace(/^-[A-Za-z-]*=?(?=[@/~.])/, '')
      .replace(/^[^@]{0,256}@(?=[./~\w])/, (prefix) => (prefix.includes(':') ? prefix : ''));
    return (
      path !== '' && !isIdentityOperand(command, word) && secretPath(word.tilde ? `${home}${path.slice(1)}` : path, home) !== null
    );
  });
}

const KEY_OPTION = /^(?:-i|--identity|--key|--cert|--cacert|-E|--pinnedpubkey)/;

/** `ssh -i ~/.ssh/id_rsa host`: the key is used, not sent. */
function isIdentityOperand(command: Command, word: ShellWord): boolean {
  const words = command.invocation.argv;
  const before = words[words.indexOf(word) - 1]?.value;
  return before === '-i' || before === '--key' || before === '--cert' || before === '--cacert' || before === '-E';
}

/** `env`, `printenv HOME`, bare `set`, `export -p`; not `env A=1 cmd`, `set -e`, `export A=1`. */
function printsEnvironment(command: Command): boolean {
  const words = command.invocation.argv.slice(1).map((word) => word.value);
  const name = baseName(command);
  if (command.inner.length > 0) return false;
  if (name === 'env' || name === 'printenv') return words.every((word) => word !== null && !word.includes('='));
  return words.every((word) => word === '-p' || word === '-x');
}
