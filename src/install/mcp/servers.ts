/** `policy mcp install` and `uninstall`: plans the change of each file of a client that lists MCP servers, and carries it out. */
import { statSync } from 'node:fs';
import { gatewayLine } from '../../call/gateway-line.js';
import { canonical, isMap, type JsonValue } from '../../disk/json-text.js';
import { replaceFile, WriteError } from '../../disk/replace.js';
import { digestOf } from '../../project/trust-record.js';
import { PROJECT, type ServerFile } from '../../runner/servers/client.js';
import { guarded } from '../hook-text.js';
import { withFileLock } from '../install.js';
import { hookPath, type InstallPlaces, targetFile } from '../target.js';
import type { KnownClient } from './clients.js';
import { readConfig, valueAt, withEntry } from './config-text.js';
import { type Entry, type GatewayProgram, wordsOf, wrapping } from './entry.js';
import {
  middleOf,
  type RecordedEntry,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  textBefore,
  writeServerRecord,
} from './record.js';

/** What becomes of one server. */
export interface ServerLine {
  readonly server: string;
  /** `already`: it is behind the gateway, or is not. */
  readonly kind: 'wrapped' | 'restored' | 'already' | 'left';
  /** Why it is left, and whatever else a person has to know. */
  readonly why: string | null;
}

export interface ServerChange {
  readonly client: KnownClient;
  /** As the client names it; and its real path. */
  readonly file: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly lines: readonly ServerLine[];
  /** Null: nothing of ours is left in it. */
  readonly record: ServerRecord | null;
}

/** What selects and finds things. */
export interface ServerChoice {
  readonly places: InstallPlaces;
  readonly stateDirectory: string;
  /** Only servers with this name; null: all. */
  readonly server: string | null;
  /** Why the gateway's line in an entry does not start ours; null: it does. See own-gateway.ts. */
  readonly whyUngoverned: (entry: JsonValue, client: KnownClient) => string | null;
}

/** Larger than any list of servers; that of Claude Code is in a file with histories. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A server in a file: the path of its entry, and the entry. */
export interface ListedServer {
  readonly at: readonly string[];
  readonly entry: JsonValue;
}

export interface ServerList {
  readonly file: string;
  readonly path: string;
  readonly text: string;
  readonly servers: readonly ListedServer[];
}

/** Returns null if there is no such file. Throws WriteError for a file that cannot be read or must not be written. */
export function serverList(file: ServerFile, places: InstallPlaces): ServerList | null {
  const named = hookPath(undefined, file.scope, places, file);
  if (named === null) return null;
  const { path, text } = targetFile(named, file.scope, places, MOST_BYTES);
  if (text === null) return null;
  const root = guarded(named, () => readConfig(text, file.form));
  const servers = file.keys.flatMap((key) => {
    const at = key.map((name) => (name === PROJECT ? places.project : name));
    const map = valueAt(root, at);
    return isMap(map) ? [...map].map(([name, entry]) => ({ at: [...at, name], entry })) : [];
  });
  return { file: named, path, text, servers };
}

/**
 * Plans one file of a client with the gateway before its servers; null: there is no such file. Throws WriteError.
 * @param program starts the gateway
 */
export function planServers(
  client: KnownClient,
  file: ServerFile,
  program: GatewayProgram,
  choice: ServerChoice,
): ServerChange | null {
  const list = serverList(file, choice.places);
  if (list === null) return null;
  const known = readServerRecord(choice.stateDirectory, list.path);
  const lines: ServerLine[] = [];
  const made: RecordedEntry[] = [];
  let text = list.text;
  for (const { at, entry } of list.servers) {
    const server = at.at(-1) ?? '';
    if (choice.server !== null && server !== choice.server) continue;
    // What an older program wrote is written anew.
    const former = known?.entries.find((one) => isSame(one.at, at) && canonical(one.after) === canonical(entry));
    const own = former?.before ?? entry;
    const found = wrapping(server, own, client, program, choice.whyUngoverned);
    if (found.kind !== 'wrapped' || canonical(found.entry) === canonical(entry)) {
      const why = found.kind === 'left' ? found.why : null;
      lines.push({ server, kind: found.kind === 'left' ? 'left' : 'already', why });
      continue;
    }
    text = guarded(list.file, () => withEntry(text, file.form, at, found.entry));
    if (isMap(own)) made.push({ at, before: own, after: found.entry });
    lines.push({ server, kind: 'wrapped', why: former === undefined ? null : 'by the current program' });
  }
  const isKept = (one: RecordedEntry) =>
    !made.some(({ at }) => isSame(at, one.at)) && list.servers.some(({ at }) => isSame(at, one.at));
  const entries = [...(known?.entries ?? []).filter(isKept), ...made];
  const record = recordOf(list.path, textBefore(known, list.text) ?? list.text, text, entries);
  return { client, ...changeOf(list, text), lines, record };
}

/** Plans one file of a client without the gateway: the text before the installation, or each entry as it was. Throws WriteError. */
export function planWithout(client: KnownClient, file: ServerFile, choice: ServerChoice): ServerChange | null {
  const list = serverList(file, choice.places);
  if (list === null) return null;
  const known = readServerRecord(choice.stateDirectory, list.path);
  const original = textBefore(known, list.text);
  const wrapped = list.servers.filter(({ entry }) => lineOf(entry) !== null);
  const chosen = wrapped.filter(({ at }) => choice.server === null || at.at(-1) === choice.server);
  const lines: ServerLine[] = [];
  const gone: (readonly string[])[] = [];
  let text = list.text;
  for (const { at, entry } of chosen) {
    const recorded = known?.entries.find((one) => isSame(one.at, at)) ?? null;
    const back = isMap(entry) ? restored(entry, recorded, client) : null;
    const server = at.at(-1) ?? '';
    if (back === null) {
      lines.push({
        server,
        kind: 'left',
        why: 'its entry was changed by hand, and its former text is unknown; restore it by hand',
      });
      continue;
    }
    text = guarded(list.file, () => withEntry(text, file.form, at, back.entry));
    gone.push(at);
    lines.push({ server, kind: 'restored', why: back.why });
  }
  const entries = (known?.entries ?? []).filter(({ at }) => !gone.some((one) => isSame(one, at)));
  // Whatever was wrapped by hand before the first installation stays in the original text.
  const isWhole = original !== null && gone.length === wrapped.length && entries.length === 0;
  const after = isWhole && hasNoGateway(original, file, choice.places) ? original : text;
  const record = entries.length === 0 || after === original ? null : recordOf(list.path, original ?? after, after, entries);
  return { client, ...changeOf(list, after), lines, record };
}

function hasNoGateway(text: string, file: ServerFile, places: InstallPlaces): boolean {
  const root = readConfig(text, file.form);
  return file.keys.every((key) => {
    const map = valueAt(
      root,
      key.map((name) => (name === PROJECT ? places.project : name)),
    );
    return !isMap(map) || [...map.values()].every((entry) => lineOf(entry) === null);
  });
}

function changeOf({ file, path, text: before }: ServerList, after: string) {
  return { file, path, before, after };
}

function recordOf(path: string, before: string, after: string, entries: readonly RecordedEntry[]): ServerRecord {
  return { path, after: digestOf(after), middle: middleOf(before, after), entries };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

/** Returns the gateway's line in an entry; null if there is none. */
export function lineOf(entry: JsonValue) {
  const words = isMap(entry) ? wordsOf(entry) : null;
  return words === null ? null : gatewayLine(words);
}

interface Back {
  readonly entry: Entry;
  readonly why: string | null;
}

/** Returns an entry without the gateway: as recorded, with what a person changed since; else its own command. */
function restored(entry: Entry, recorded: RecordedEntry | null, client: KnownClient): Back | null {
  if (recorded !== null) {
    const { before, after } = recorded;
    const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => shown(before, name) !== shown(after, name));
    if (names.every((name) => shown(entry, name) === shown(after, name))) {
      const isMore = [...entry].some(([name, value]) => shown(after, name) !== canonical(value)) || entry.size !== after.size;
      const kept = [...entry].filter(([name]) => !names.includes(name) || before.has(name));
      const own = new Map(kept.map(([name, value]) => [name, names.includes(name) ? (before.get(name) ?? value) : value]));
      for (const name of names) if (before.has(name) && !own.has(name)) own.set(name, before.get(name) ?? null);
      return { entry: isMore ? own : before, why: isMore ? 'later changes to its entry stay' : null };
    }
  }
  const words = wordsOf(entry);
  const line = words === null ? null : gatewayLine(words);
  if (words === null || line?.command == null) return null;
  const [command = '', ...args] = words.slice(line.command);
  const made = client.command === 'list' ? { command: [command, ...args] } : { command, args };
  const back = new Map<string, JsonValue>([...entry, ...Object.entries(made)]);
  return {
    entry: back,
    why: 'policy mcp install did not write its entry, or it has changed since; its own command is restored',
  };
}

function shown(entry: Entry, name: string): string | null {
  const value = entry.get(name);
  return value === undefined ? null : canonical(value);
}

/** Writes a planned file as a whole. Throws WriteError, LockError and LogError; then nothing was changed. */
export function applyServers(
  plan: () => ServerChange | null,
  path: string,
  { stateDirectory }: ServerChoice,
): ServerChange | null {
  return withFileLock(path, stateDirectory, () => {
    const change = plan();
    if (change === null) return null;
    const { before, after, record } = change;
    if (before !== after) refuseReadOnly(path);
    if (record !== null && record.entries.length > 0) writeServerRecord(stateDirectory, record);
    if (before !== after) replaceFile(path, before, after, 0o600);
    if (record === null) removeServerRecord(stateDirectory, path);
    return change;
  });
}

function refuseReadOnly(path: string): void {
  if ((statSync(path).mode & 0o200) === 0)
    throw new WriteError(`${path} is read-only; make it writable first (chmod u+w). Nothing was changed`);
}

/** Whether a person put exactly this entry behind the gateway on this machine, by `policy mcp install`. */
export function isRecorded(stateDirectory: string, path: string, at: readonly string[], entry: JsonValue): boolean {
  const found = readServerRecord(stateDirectory, path)?.entries.find((one) => isSame(one.at, at));
  return found !== undefined && isMap(entry) && canonical(found.after) === canonical(entry);
}
