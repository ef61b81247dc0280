/** The entries of rules/builtin-denials.yaml, indexed for look-up. */
import { data, member } from '../../generated/data.js';
import { type BuiltinDenial, type BuiltinTriggers, entriesByCommand, type SenderLists, type TokenService } from './triggers.js';

/** Commands that print file names which another command may read. */
export interface ListingCommands {
  /** Commands that list folders, and commands that print their own words. */
  readonly names: readonly string[];
  readonly printers: ReadonlySet<string>;
  /** Commands that pass on their input, with the options that they need for that. */
  readonly carriers: ReadonlyMap<string, readonly string[]>;
  readonly filters: ReadonlySet<string>;
}

interface WrittenListings {
  readonly listers: readonly string[];
  readonly printers: readonly string[];
  readonly carriers: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly string[];
}

/** The entries by what they examine. */
interface BuiltinDenials {
  readonly roots: ReadonlySet<string>;
  readonly services: readonly TokenService[];
  readonly listings: ListingCommands;
  readonly rootEntries: readonly BuiltinDenial[];
  readonly shellEntries: readonly BuiltinDenial[];
  readonly forkBombs: readonly BuiltinDenial[];
  readonly exfiltrations: readonly { readonly entry: BuiltinDenial; readonly lists: SenderLists }[];
  readonly redirectionEntries: readonly BuiltinDenial[];
  readonly folders: ReadonlyMap<BuiltinDenial, ReadonlySet<string>>;
  readonly files: ReadonlySet<string>;
  /** Entries about a single command, by command name: the only look-up that an ordinary command needs. */
  readonly byCommand: ReadonlyMap<string, readonly BuiltinDenial[]>;
}

let loaded: BuiltinDenials | null = null;

/** The built-in denials about commands of that name; null for most names, which then need no further check. */
export function triggersOf(name: string): BuiltinTriggers | null {
  return (member('#builtin', name) ?? null) as BuiltinTriggers | null;
}

/** Loaded by the first command line that needs it, so that a hook for other calls does not pay for it. */
export function builtinDenials(): BuiltinDenials {
  loaded ??= readBuiltinDenials();
  return loaded;
}

function readBuiltinDenials(): BuiltinDenials {
  const {
    roots: written,
    listings,
    services,
    entries,
  } = data('builtin-denials') as {
    readonly roots: readonly string[];
    readonly listings: WrittenListings;
    readonly services: readonly TokenService[];
    readonly entries: readonly BuiltinDenial[];
  };
  const ofKind = (kind: BuiltinDenial['kind']) => entries.filter((entry) => entry.kind === kind);
  const roots = new Set(written);
  const rootEntries = ofKind('operand-root');
  const shellEntries = ofKind('reverse-shell');
  return {
    roots,
    services,
    listings: {
      names: [...listings.listers, ...listings.printers],
      printers: new Set(listings.printers),
      carriers: new Map(Object.entries(listings.carriers)),
      filters: new Set(listings.filters),
    },
    rootEntries,
    shellEntries,
    forkBombs: ofKind('fork-bomb'),
    exfiltrations: ofKind('exfiltration').map((entry) => ({ entry, lists: senderLists(entry) })),
    redirectionEntries: [...ofKind('device-write'), ...shellEntries],
    folders: new Map(rootEntries.map((entry) => [entry, entry.folders ? new Set(entry.folders) : roots])),
    files: new Set(entries.flatMap(({ files }) => files ?? [])),
    byCommand: entriesByCommand(entries),
  };
}

function senderLists(entry: BuiltinDenial): SenderLists {
  return {
    commands: new Set(entry.commands),
    publishers: new Map(Object.entries(entry.publishers ?? {})),
    environment: new Set(entry.environment),
    tokens: new Map(Object.entries(entry.tokens ?? {})),
    ordered: new Set(entry.ordered),
    copiers: new Set(entry.copiers),
  };
}
