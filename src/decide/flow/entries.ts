/** The entries of rules/builtin-denials.yaml, ready to be looked up. */
import { data, member } from '../../generated/data.js';
import { type BuiltinDenial, type BuiltinTriggers, entriesByCommand, type SenderLists, type TokenService } from './triggers.js';

/** What prints names of files that another command may read. */
export interface ListingCommands {
  /** Those that list folders, and those that print their own words. */
  readonly names: readonly string[];
  readonly printers: ReadonlySet<string>;
  /** Commands that hand on what they read, by the words that they need for that. */
  readonly carriers: ReadonlyMap<string, readonly string[]>;
  readonly filters: ReadonlySet<string>;
}

interface WrittenListings {
  readonly listers: readonly string[];
  readonly printers: readonly string[];
  readonly carriers: Readonly<Record<string, readonly string[]>>;
  readonly filters: readonly string[];
}

/** The entries by what they look at. */
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
  /** Entries that look at one command, by the commands they name: the only look-up that an ordinary command pays for. */
  readonly byCommand: ReadonlyMap<string, readonly BuiltinDenial[]>;
}

let loaded: BuiltinDenials | null = null;

/** The built-in denials that concern commands of that name; null of most, which then need no other look at it. */
export function triggersOf(name: string): BuiltinTriggers | null {
  return (member('#builtin', name) ?? null) as BuiltinTriggers | null;
}

/** Made ready by the first command line that needs it: a hook that decides another call has no use for it. */
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
