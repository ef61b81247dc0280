/** The floor: rules/floor.yaml, and the detectors that its entries name. Nothing loosens what is found here. */
import { posix } from 'node:path';
import type { Command } from '../command/command.js';
import { data, member } from '../generated/data.js';
import type { ShellRedirection, ShellWord } from '../shell/command-line.js';
import type { Claim } from './claim.js';
import { baseName, findCommand, flatten } from './floor-names.js';
import { type FloorPlace, hasOption, meansFolder } from './floor-roots.js';
import { leakingSender, type SenderLists } from './floor-secrets.js';
import { givesProgram, isForkBomb, pipesShell, type ShellWords, scriptDials } from './floor-shells.js';

export { flatten };

interface FloorEntry extends ShellWords {
  readonly id: string;
  readonly kind: 'operand-root' | 'command' | 'device-write' | 'fork-bomb' | 'reverse-shell' | 'script' | 'exfiltration';
  readonly why: string;
  readonly commands?: readonly string[];
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly operands?: Readonly<Record<string, 'first' | 'last'>>;
  readonly folders?: readonly string[];
  readonly producers?: readonly string[];
  readonly carriers?: readonly string[];
  readonly filters?: readonly string[];
  readonly harmless?: Readonly<Record<string, readonly string[]>>;
  readonly devices?: readonly string[];
  readonly loopback?: readonly string[];
  readonly publishers?: Readonly<Record<string, readonly string[]>>;
  readonly environment?: readonly string[];
  readonly copiers?: readonly string[];
}

/** The entries by what they look at. */
interface Floor {
  readonly roots: ReadonlySet<string>;
  readonly rootEntries: readonly FloorEntry[];
  readonly shellEntries: readonly FloorEntry[];
  readonly forkBombs: readonly FloorEntry[];
  readonly exfiltrations: readonly { readonly entry: FloorEntry; readonly lists: SenderLists }[];
  readonly redirectionEntries: readonly FloorEntry[];
  readonly folders: ReadonlyMap<FloorEntry, ReadonlySet<string>>;
  /** Entries that look at one command, by the commands they name: the only look-up that an ordinary command pays for. */
  readonly byCommand: ReadonlyMap<string, readonly FloorEntry[]>;
  /** Every name that an entry about whole lines speaks of; most lines hold none of them and are done at once. */
  readonly lineNames: ReadonlySet<string>;
}

let ready: Floor | null = null;

/** Whether the floor speaks of a command of that name anywhere; most commands need no other look at it. */
function speaksOf(name: string): boolean {
  return member('#floor', name) !== undefined;
}

/** Made ready by the first command line that needs it: a hook that decides another call has no use for it. */
function floor(): Floor {
  ready ??= readFloor();
  return ready;
}

function readFloor(): Floor {
  const { roots: written, entries } = data('floor') as {
    readonly roots: readonly string[];
    readonly entries: readonly FloorEntry[];
  };
  const ofKind = (kind: FloorEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const roots = new Set(written);
  const rootEntries = ofKind('operand-root');
  const shellEntries = ofKind('reverse-shell');
  return {
    roots,
    rootEntries,
    shellEntries,
    forkBombs: ofKind('fork-bomb'),
    exfiltrations: ofKind('exfiltration').map((entry) => ({ entry, lists: senderLists(entry) })),
    redirectionEntries: [...ofKind('device-write'), ...shellEntries],
    folders: new Map(rootEntries.map((entry) => [entry, entry.folders ? new Set(entry.folders) : roots])),
    byCommand: entriesByCommand(entries),
    lineNames: namesOfLines(entries),
  };
}

function entriesByCommand(entries: readonly FloorEntry[]): Map<string, FloorEntry[]> {
  const byCommand = new Map<string, FloorEntry[]>();
  for (const entry of entries) {
    if (entry.kind === 'exfiltration' || entry.kind === 'fork-bomb') continue;
    for (const command of entry.commands ?? []) {
      const known = byCommand.get(command);
      if (known === undefined) byCommand.set(command, [entry]);
      else known.push(entry);
    }
  }
  return byCommand;
}

function senderLists(entry: FloorEntry): SenderLists {
  return {
    commands: new Set(entry.commands),
    publishers: new Map(Object.entries(entry.publishers ?? {})),
    environment: new Set(entry.environment),
    copiers: new Set(entry.copiers),
  };
}

/**
 * Adds the floor denials of one command by itself.
 * @param directory where the command runs, absolute; null when that cannot be told
 */
export function commandFloor(command: Command, home: string, directory: string | null, into: Claim[]): void {
  const name = baseName(command);
  const entries = name === null || !speaksOf(name) ? undefined : floor().byCommand.get(name);
  if (name !== null && entries !== undefined) {
    const place = { home, directory };
    for (const entry of entries) if (meetsCommand(entry, name, command, place)) into.push(denial(entry, command));
  }
  for (const redirection of command.invocation.redirections) {
    if (!namesDevice(redirection)) continue;
    for (const entry of floor().redirectionEntries) {
      if (meetsRedirection(entry, redirection, name)) into.push(denial(entry, command));
    }
  }
}

function meetsCommand(entry: FloorEntry, name: string, command: Command, place: FloorPlace): boolean {
  const words = command.invocation.argv.slice(1);
  switch (entry.kind) {
    case 'operand-root':
      return (hasNeeded(entry, name, words) || wrapsOne(entry, command)) && touchesRoot(entry, name, words, place);
    case 'command':
      return words.length > 0 && !isHarmless(entry, name, words);
    case 'device-write':
      return judgedOperands(entry, name, words).some((word) =>
        isDevice(entry, (word.value ?? word.literalPrefix).replace(/^of=/, '')),
      );
    case 'reverse-shell':
      return words.some((word) => givesProgram(name, word, entry));
    case 'script':
      return scriptDials(command, entry);
    default:
      return false;
  }
}

function touchesRoot(entry: FloorEntry, name: string, words: readonly ShellWord[], place: FloorPlace): boolean {
  const wanted = floor().folders.get(entry) ?? floor().roots;
  return judgedOperands(entry, name, words).some((word) => meansFolder(word, wanted, place));
}

/** The words that a command destroys: all, or without the destination (`mv`), or the destination alone (`cp`, `rsync`). */
function judgedOperands(entry: FloorEntry, name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const which = entry.operands && Object.hasOwn(entry.operands, name) ? entry.operands[name] : undefined;
  if (which === undefined) return words;
  const operands = words.filter((word) => !word.text.startsWith('-'));
  const target = words.findIndex((word) => word.value === '-t' || word.value === '--target-directory');
  const destination = target < 0 ? operands.at(-1) : words[target + 1];
  const named = words.some((word) => word.text.startsWith('--target-directory='));
  if (which === 'first') return operands.filter((word) => named || word !== destination);
  return destination === undefined ? [] : [destination];
}

/** `find / -exec rm {} +`: the operands of the outer command are what the inner one destroys. */
function wrapsOne(entry: FloorEntry, command: Command): boolean {
  return findCommand(command.inner, (inner) => entry.commands?.includes(baseName(inner) ?? '') ?? false) !== null;
}

function hasNeeded(entry: FloorEntry, name: string, words: readonly ShellWord[]): boolean {
  const needed = entry.needs && Object.hasOwn(entry.needs, name) ? entry.needs[name] : undefined;
  return needed === undefined || hasOption(words, needed);
}

/** `--help`, and words that only show (`fdisk -l`), with no other option behind them. */
function isHarmless(entry: FloorEntry, name: string, words: readonly ShellWord[]): boolean {
  if (words.every((word) => word.value === '--help' || word.value === '--version' || word.value === '-V')) return true;
  const harmless = entry.harmless && Object.hasOwn(entry.harmless, name) ? entry.harmless[name] : undefined;
  return (
    harmless?.includes(words[0]?.value ?? '') === true &&
    words.slice(1).every((word) => word.value !== null && !word.value.startsWith('-'))
  );
}

function targetOf({ target }: ShellRedirection): string {
  return target?.value ?? target?.literalPrefix ?? '';
}

function namesDevice(redirection: ShellRedirection): boolean {
  const target = targetOf(redirection);
  return target !== '/dev/null' && target.includes('/dev/');
}

/** For a redirection that names a device. */
function meetsRedirection(entry: FloorEntry, redirection: ShellRedirection, name: string | null): boolean {
  const target = targetOf(redirection);
  if (entry.kind === 'device-write') return redirection.direction !== 'read' && isDevice(entry, target);
  const socket = entry.devices?.find((device) => target.startsWith(device));
  if (socket === undefined) return false;
  // Whether a port of this machine answers is asked this way every day; a shell on it is another matter.
  const near = entry.loopback?.some((host) => target.startsWith(`${socket}${host}/`)) ?? false;
  return !near || name === 'exec' || (entry.shells?.includes(name ?? '') ?? false);
}

function isDevice(entry: FloorEntry, value: string): boolean {
  const path = posix.normalize(value);
  if (!path.startsWith('/dev/')) return false;
  return entry.devices?.some((device) => path.startsWith(device, '/dev/'.length)) ?? false;
}

function denial(entry: FloorEntry, command: Command): Claim {
  const shown = command.invocation.argv[0]?.text ?? 'the redirection';
  return {
    effect: 'deny',
    rule: null,
    reason: { code: entry.id, message: `${shown} ${entry.why}`, span: command.invocation.span },
  };
}

function namesOfLines(entries: readonly FloorEntry[]): Set<string> {
  const names = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'operand-root') for (const name of entry.commands ?? []) names.add(name);
    if (entry.kind === 'exfiltration' || entry.kind === 'reverse-shell') namesIn(entry, names);
  }
  return names;
}

function namesIn(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value);
  else if (Array.isArray(value)) for (const one of value) namesIn(one, names);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      names.add(key);
      namesIn(one, names);
    }
}

function matters(command: Command): boolean {
  const name = baseName(command) ?? '';
  return (speaksOf(name) && floor().lineNames.has(name)) || command.inner.some(matters);
}

/** Adds floor denials that only a whole line shows: fork bombs, pipelines, changes of directory, secrets on their way out. */
export function lineFloor(source: string, commands: readonly Command[], home: string, into: Claim[]): void {
  if (source.includes('{') && (source.includes('|') || source.includes('&'))) {
    for (const entry of floor().forkBombs) {
      if (isForkBomb(source, commands))
        into.push({ effect: 'deny', rule: null, reason: { code: entry.id, message: `this line ${entry.why}` } });
    }
  }
  if (!commands.some(matters)) return;
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

/** `xargs rm`, `sudo xargs chmod -R 777`. */
function wrapsAppended(entry: FloorEntry, command: Command): boolean {
  const destroys = (inner: Command) => {
    const name = baseName(inner);
    if (!inner.appended || name === null || !entry.commands?.includes(name)) return false;
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
  const words = producer.invocation.argv.slice(1);
  if (words.some((word) => entry.filters?.includes(word.value ?? ''))) return false;
  return words.some((word) => meansFolder(word, floor().folders.get(entry) ?? floor().roots, { home, directory: null }));
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
    if (entered.length === 0 || command.invocation.directory !== null || name === null) continue;
    const words = command.invocation.argv.slice(1);
    for (const entry of floor().byCommand.get(name) ?? []) {
      if (entry.kind !== 'operand-root' || !(hasNeeded(entry, name, words) || wrapsOne(entry, command))) continue;
      if (entered.some((directory) => touchesRoot(entry, name, words, { home, directory }))) into.push(denial(entry, command));
    }
  }
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
