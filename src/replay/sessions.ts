/** Finds the sessions that runners keep on this machine, and reads their calls. Nothing in them is trusted: files, lines and depth are bounded. */
import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Fields, isFields } from '../call/fields.js';
import type { RunnerId } from '../call/tool-call.js';
import { linesOf } from '../disk/file-lines.js';
import { folderEntries } from '../disk/folder-entries.js';
import { readText } from '../disk/read.js';
import { sessions } from '../runner/registry/session.js';
import type { CallOutcome, SessionCall, SessionFormat } from '../runner/session/session-format.js';

export interface SessionFile {
  readonly path: string;
  /** Null: to be told from its lines. */
  readonly runner: RunnerId | null;
}

export interface RecordedCall extends SessionCall {
  readonly runner: RunnerId;
  /** Null if the transcript has no result of it. */
  readonly outcome: CallOutcome | null;
}

const FORMATS = Object.entries(sessions).map(([runner, format]) => ({
  runner: runner as RunnerId,
  format: format() as SessionFormat,
}));
/** The maximum depth below a named folder, or one that a runner uses. */
const DEEPEST = 6;
const MOST_FILES = 100_000;
/** Lines of an unknown file in which a runner has to be recognised. */
const FIRST_LINES = 20;

/** Returns the transcripts of all runners below a home directory that were written since `since` (milliseconds since 1970). */
export function sessionsOf(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  since: number,
): readonly SessionFile[] {
  return FORMATS.flatMap(({ runner, format }) =>
    format
      .folders(home, environment)
      .flatMap((folder) => filesBelow(folder, format.files, 0))
      .map((path) => ({ runner, path })),
  ).filter(({ path }) => (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= since);
}

/** Returns a file, or every `.jsonl` below a folder; null if there is neither. */
export function sessionsAt(path: string): readonly SessionFile[] | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) return [{ path, runner: null }];
  return stat?.isDirectory() ? filesBelow(path, /\.jsonl$/, 0).map((file) => ({ path: file, runner: null })) : null;
}

/** In an order that does not depend on the file system; symlinks are not followed. */
function filesBelow(folder: string, names: RegExp, depth: number): readonly string[] {
  const found: string[] = [];
  for (const entry of (folderEntries(folder) ?? []).sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (found.length >= MOST_FILES) break;
    const path = join(folder, entry.name);
    if (entry.isFile() && names.test(entry.name)) found.push(path);
    else if (entry.isDirectory() && depth < DEEPEST) found.push(...filesBelow(path, names, depth + 1));
  }
  return found;
}

/** Returns the calls of one transcript, each once; null if no runner writes such a file, or it cannot be read. */
export function callsOf({ path, runner }: SessionFile): readonly RecordedCall[] | null {
  try {
    return runner === null ? callsOfUnknown(path) : read(path, runner, sessions[runner as keyof typeof sessions]());
  } catch {
    return null;
  }
}

function callsOfUnknown(path: string): readonly RecordedCall[] | null {
  let left = FIRST_LINES;
  for (const { text } of linesOf(path)) {
    const line = text === null ? null : parsed(text);
    const found = line === null ? undefined : FORMATS.find(({ format }) => format.wrote(line));
    if (found !== undefined) return read(path, found.runner, found.format);
    left -= 1;
    if (left === 0) return null;
  }
  return null;
}

function read(path: string, runner: RunnerId, format: SessionFormat): readonly RecordedCall[] {
  const reader = format.reader(format.rootFile === undefined ? null : rootAbove(path, format.rootFile));
  const outcomes = new Map<string, CallOutcome>();
  const calls: SessionCall[] = [];
  const seen = new Set<string>();
  for (const { text } of linesOf(path)) {
    const line = text === null ? null : parsed(text);
    for (const event of line === null ? [] : reader(line)) {
      if (event.kind === 'result') outcomes.set(event.id, event.outcome);
      // A resumed session repeats lines.
      else if (event.id === null || !seen.has(event.id)) {
        if (event.id !== null) seen.add(event.id);
        calls.push(event);
      }
    }
  }
  const session = basename(path);
  return calls.map((call) => ({
    ...call,
    session: call.session ?? session,
    time: call.time === null || Number.isNaN(Date.parse(call.time)) ? null : call.time,
    runner,
    outcome: (call.id === null ? undefined : outcomes.get(call.id)) ?? null,
  }));
}

function rootAbove(path: string, name: string): string | null {
  for (const folder of [dirname(dirname(path)), dirname(path), dirname(dirname(dirname(path)))]) {
    const root = readText(join(folder, name), { follow: false });
    if (root.ok && root.text.trim() !== '') return root.text.trim();
  }
  return null;
}

function parsed(text: string): Fields | null {
  try {
    const line: unknown = JSON.parse(text);
    return isFields(line) ? line : null;
  } catch {
    return null;
  }
}
