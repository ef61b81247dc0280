/** The entries of rules/floor.yaml, ready to be looked up. */
import { data, member } from '../generated/data.js';
import type { SenderLists } from './floor-secrets.js';
import type { ShellWords } from './floor-shells.js';

export interface FloorEntry extends ShellWords {
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
  readonly files?: readonly string[];
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
  readonly files: ReadonlySet<string>;
  /** Entries that look at one command, by the commands they name: the only look-up that an ordinary command pays for. */
  readonly byCommand: ReadonlyMap<string, readonly FloorEntry[]>;
  /** Every name that an entry about whole lines speaks of; most lines hold none of them and are done at once. */
  readonly lineNames: ReadonlySet<string>;
}

let ready: Floor | null = null;

/** Whether the floor speaks of a command of that name anywhere; most commands need no other look at it. */
export function speaksOf(name: string): boolean {
  return member('#floor', name) !== undefined;
}

/** Made ready by the first command line that needs it: a hook that decides another call has no use for it. */
export function floor(): Floor {
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
    files: new Set(entries.flatMap(({ files }) => files ?? [])),
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
