/**
 * The pin of an MCP server: the definitions of its tools as a person saw them, for one project, in the state directory, where no agent
 * can write.
 */
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../disk/read.js';
import { replaceFile } from '../../disk/replace.js';
import { ownDirectory, ownershipProblem } from '../../log/files/directory.js';
import { canonicalJson } from '../../log/record/canonical-json.js';
import { sha256 } from '../../log/record/sha256.js';
import { isRecord, type Members } from '../protocol/message.js';
import type { UpstreamPlace } from '../session/upstream.js';

/** What a model is told about a tool, and what a client shows of it. */
const PARTS = {
  name: 'name',
  title: 'title',
  description: 'description',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
  annotations: 'annotations',
  icons: 'icons',
  execution: 'execution',
  _meta: '_meta',
} as const;

/** Pins of the first version are not about these parts, and stay so until a person pins again. */
const SINCE_SECOND: ReadonlySet<string> = new Set(['icons', 'execution', '_meta']);
export type PinVersion = 1 | 2;
export const NEWEST: PinVersion = 2;

export interface Definition {
  readonly name: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly digest: string;
  /** Canonical JSON of the parts; null in a pin that had no room for it. */
  readonly text: string | null;
}

export interface Pin {
  readonly version: PinVersion;
  /** The day on which it was pinned, such as 2026-11-29. */
  readonly day: string;
  /** How the server was started or reached; headers are only named. */
  readonly upstream: UpstreamPlace;
  readonly tools: ReadonlyMap<string, Definition>;
}

/** `damaged`: there is one, but it must not be believed. */
export type ReadPin = Pin | 'damaged' | null;

/** Characters of the texts that are kept, of one tool and of a server. The digest is about the whole definition. */
export const LONGEST_TEXT = 64 * 1024;
const MOST_TEXT = 2 * 1024 * 1024;
/** No pin is larger: 10,000 tools have names and digests, too. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Returns the definition of a tool as a server lists it, for pins of a version; null if it has no name. */
export function definitionOf(tool: unknown, version: PinVersion): Definition | null {
  if (!isRecord(tool) || typeof tool.name !== 'string') return null;
  const parts = Object.keys(PARTS).filter((part) => Object.hasOwn(tool, part) && !(version === 1 && SINCE_SECOND.has(part)));
  const text = canonicalJson(Object.fromEntries(parts.map((part) => [part, tool[part]])));
  return { name: tool.name, digest: sha256(Buffer.from(text)), text };
}

/** Returns the names of the parts that differ; empty if that is not known. */
export function changedParts(before: Definition, after: Definition): readonly string[] {
  if (before.text === null || after.text === null) return [];
  const [old, now]: Members[] = [JSON.parse(before.text), JSON.parse(after.text)];
  return Object.entries(PARTS).flatMap(([part, name]) =>
    canonicalJson(old?.[part]) === canonicalJson(now?.[part]) ? [] : [name],
  );
}

/** Where a server's pin lies. Rules speak of servers in any case. */
function pinFile(stateDirectory: string, project: string, server: string): string {
  return join(stateDirectory, 'mcp', `${sha256(Buffer.from(`${project}\0${server.toLowerCase()}`)).slice(0, 32)}.pin.json`);
}

/** Returns a function that reads the pin as it is now, and parses it only after it was changed. */
export function pinReader(stateDirectory: string, project: string, server: string): () => ReadPin {
  const file = pinFile(stateDirectory, project, server);
  let stamp = '';
  let pin: ReadPin = null;
  return () => {
    const now = stampOf(file);
    if (now !== stamp) {
      stamp = now;
      pin = now === '' ? null : readPin(file);
    }
    return pin;
  };
}

/** Changes with the file; empty: there is none. */
function stampOf(file: string): string {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.ctimeNs} ${stat.mtimeNs}`;
  } catch {
    return 'it cannot be examined';
  }
}

function readPin(file: string): ReadPin {
  try {
    if (ownershipProblem(lstatSync(file)) !== null) return 'damaged';
    const read = readText(file, { follow: false, limit: MOST_BYTES });
    return read.ok ? pinIn(JSON.parse(read.text)) : 'damaged';
  } catch {
    return 'damaged';
  }
}

function pinIn(found: unknown): ReadPin {
  const version = isRecord(found) && (found.version === 1 || found.version === 2) ? found.version : null;
  if (!isRecord(found) || version === null || typeof found.day !== 'string' || !Array.isArray(found.tools)) return 'damaged';
  const upstream = upstreamIn(found.upstream);
  const tools = found.tools.map(pinnedIn);
  if (upstream === null || !tools.every((tool) => tool !== null)) return 'damaged';
  return { version, day: found.day.slice(0, 10), upstream, tools: new Map(tools.map((tool) => [tool.name, tool])) };
}

function pinnedIn(found: unknown): Definition | null {
  if (!isRecord(found)) return null;
  const { name, digest, text } = found;
  if (typeof name !== 'string' || typeof digest !== 'string' || (typeof text !== 'string' && text !== null)) return null;
  return text === null || sha256(Buffer.from(text)) === digest ? { name, digest, text } : null;
}

function upstreamIn(found: unknown): UpstreamPlace | null {
  if (!isRecord(found)) return null;
  const { kind, command, words, named, url, headers } = found;
  if (kind === 'command' && typeof command === 'string' && isTexts(words) && isTexts(named))
    return { kind, command, words, named };
  const pairs = Array.isArray(headers) && headers.every((pair) => isTexts(pair) && pair.length === 2) ? headers : null;
  if (kind !== 'address' || pairs === null) return null;
  const variable = isRecord(url) ? url.variable : null;
  if (typeof variable === 'string') return { kind, url: { variable }, headers: pairs };
  return typeof url === 'string' && URL.canParse(url) ? { kind, url: new URL(url), headers: pairs } : null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Writes a pin in place of the former one. Throws LogError if the state directory belongs to others, and WriteError. */
export function writePin(stateDirectory: string, project: string, server: string, { tools, ...pin }: Pin): void {
  ownDirectory(stateDirectory);
  ownDirectory(join(stateDirectory, 'mcp'));
  const file = pinFile(stateDirectory, project, server);
  const old = readText(file, { follow: false, limit: MOST_BYTES });
  if (!old.ok) rmSync(file, { force: true });
  let room = MOST_TEXT;
  const kept = [...tools.values()].map((tool) => {
    const length = tool.text?.length ?? 0;
    const isKept = length <= Math.min(LONGEST_TEXT, room);
    if (isKept) room -= length;
    return { ...tool, text: isKept ? tool.text : null };
  });
  const content = { project, server, ...pin, tools: kept };
  replaceFile(file, old.ok ? old.text : null, `${JSON.stringify(content, null, 2)}\n`, 0o600);
}
