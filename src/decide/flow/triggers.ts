/** Which built-in denials concern which commands. The build precomputes this, so that few calls read the whole list. */
import type { ShellWords } from './shells.js';

export interface BuiltinDenial extends ShellWords {
  readonly id: string;
  readonly kind: 'operand-root' | 'command' | 'device-write' | 'fork-bomb' | 'reverse-shell' | 'script' | 'exfiltration';
  readonly why: string;
  readonly commands?: readonly string[];
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly operands?: Readonly<Record<string, 'first' | 'last' | 'rest'>>;
  readonly folders?: readonly string[];
  readonly harmless?: Readonly<Record<string, readonly string[]>>;
  readonly devices?: readonly string[];
  readonly files?: readonly string[];
  readonly loopback?: readonly string[];
  readonly publishers?: Readonly<Record<string, readonly string[]>>;
  readonly environment?: readonly string[];
  readonly tokens?: Readonly<Record<string, readonly string[]>>;
  readonly ordered?: readonly string[];
  readonly copiers?: readonly string[];
}

/** The lists in rules/builtin-denials.yaml of commands that send data or print the environment. */
export interface SenderLists {
  readonly commands: ReadonlySet<string>;
  readonly publishers: ReadonlyMap<string, readonly string[]>;
  readonly environment: ReadonlySet<string>;
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  /** Senders that read the names of the files to send from their input. */
  readonly ordered: ReadonlySet<string>;
  readonly copiers: ReadonlySet<string>;
}

/** A service and the variables that contain its credentials. */
export interface TokenService {
  readonly variables: readonly string[];
  /** Its machines: these names and all their subdomains. */
  readonly hosts: readonly string[];
  /** The first label of the names that companies give to their own servers (`gitlab.corp.example`). */
  readonly label?: string;
}

/** The built-in denials about commands of one name. */
export interface BuiltinTriggers {
  /** An entry about whole lines mentions it. Most lines contain no such name and need no further check. */
  readonly line: boolean;
  /** Entries of kinds other than `script` examine the command by itself. */
  readonly whole: boolean;
  /** Entries that examine the texts given to such a command; no other built-in denial is needed for them. */
  readonly scripts: readonly BuiltinDenial[];
}

/** The triggers of all command names that a built-in denial mentions. */
export function triggersByName(entries: readonly BuiltinDenial[]): Map<string, BuiltinTriggers> {
  const lines = namesOfLines(entries);
  const byCommand = entriesByCommand(entries);
  return new Map(
    [...new Set([...lines, ...byCommand.keys()])].map((name) => {
      const alone = byCommand.get(name) ?? [];
      const scripts = alone.filter(({ kind }) => kind === 'script');
      return [name, { line: lines.has(name), whole: scripts.length < alone.length, scripts }];
    }),
  );
}

/** The entries that examine a single command, by command name. */
export function entriesByCommand(entries: readonly BuiltinDenial[]): Map<string, BuiltinDenial[]> {
  const byCommand = new Map<string, BuiltinDenial[]>();
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

function namesOfLines(entries: readonly BuiltinDenial[]): Set<string> {
  const names = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'operand-root') for (const name of entry.commands ?? []) names.add(name);
    if (entry.kind === 'exfiltration' || entry.kind === 'reverse-shell') collectNames(entry, names);
  }
  return names;
}

function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value);
  else if (Array.isArray(value)) for (const one of value) collectNames(one, names);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      names.add(key);
      collectNames(one, names);
    }
}
