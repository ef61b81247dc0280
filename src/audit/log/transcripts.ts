/**
 * The calls in Claude Code's own transcripts (`~/.claude/projects/PROJECT/*.jsonl`, as version 2.1 writes them): everything that
 * ran, no matter who judged it. Read only if a person names the folder, since a transcript contains the whole conversation.
 */

import { join } from 'node:path';
import { isFields } from '../../call/fields.js';
import { linesOf } from '../../disk/file-lines.js';
import { folderEntries } from '../../disk/folder-entries.js';
import { parsedJson } from '../model/parsed-json.js';

export interface ToldCall {
  /** The transcript's file name. */
  readonly source: string;
  /** The time of its result, ISO 8601; null if the line does not state it. */
  readonly time: string | null;
  readonly session: string | null;
  readonly tool: string;
}

export interface Told {
  /** Calls by the runner's id. */
  readonly calls: Map<string, ToldCall>;
  readonly files: number;
  /** False if something was not read. */
  readonly whole: boolean;
}

const MOST_FILES = 2_000;
const MOST_BYTES = 1_073_741_824;
const MOST_CALLS = 200_000;
/** The maximum depth below the named folder: transcripts of subagents are in a folder of their session. */
const DEEPEST = 3;
/**
 * The beginning of the result of a call that was refused before any hook is asked, because it names no existing tool or its input
 * is invalid.
 */
const NEVER_RAN = '<tool_use_error>';

/**
 * Returns the calls in the transcripts of a folder that were made in a project (its real path). Unreadable parts are omitted, and
 * `whole` is false then.
 */
export function toldCalls(folder: string, project: string): Told {
  const told = new Telling(project);
  const files = transcriptsIn(folder, 0);
  for (const file of files.slice(0, MOST_FILES)) told.read(join(folder, file), file);
  const { calls, isWhole } = told;
  return { calls, files: Math.min(files.length, MOST_FILES), whole: isWhole && files.length <= MOST_FILES };
}

/** Returns relative paths of the `.jsonl` files, in an order that does not depend on the file system; symlinks are not followed. */
function transcriptsIn(folder: string, depth: number): readonly string[] {
  return (folderEntries(folder) ?? [])
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isFile()) return entry.name.endsWith('.jsonl') ? [entry.name] : [];
      if (!entry.isDirectory() || depth === DEEPEST) return [];
      return transcriptsIn(join(folder, entry.name), depth + 1).map((file) => join(entry.name, file));
    });
}

class Telling {
  readonly calls = new Map<string, ToldCall>();
  isWhole = true;
  readonly #project: string;
  #left = MOST_BYTES;

  constructor(project: string) {
    this.#project = project;
  }

  read(path: string, source: string): void {
    /** The tools of calls whose result may still follow. */
    const tools = new Map<string, string>();
    let isOurs = true;
    try {
      for (const line of linesOf(path)) {
        this.#left -= line.length;
        if (this.#left < 0 || this.calls.size >= MOST_CALLS) {
          this.isWhole = false;
          return;
        }
        // Most lines contain none of these keys.
        if (line.text === null) this.isWhole = false;
        else if (/"(?:cwd|tool_use_id|tool_use)"/.test(line.text)) isOurs = this.#line(line.text, source, tools, isOurs);
      }
    } catch {
      this.isWhole = false;
    }
  }

  /** Processes one line; true if the following calls are made in the project. */
  #line(text: string, source: string, tools: Map<string, string>, before: boolean): boolean {
    const line = membersOf(parsedJson(text));
    if (line === null) return before;
    const { cwd, timestamp } = line;
    const isOurs = typeof cwd === 'string' ? cwd === this.#project || cwd.startsWith(`${this.#project}/`) : before;
    const session = [line.sessionId, line.session_id].find((id) => typeof id === 'string');
    for (const piece of piecesOf(line)) {
      const { type, id, name, tool_use_id: result } = piece;
      if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string' && tools.size < MOST_CALLS)
        tools.set(id, name);
      if (type !== 'tool_result' || typeof result !== 'string' || !isOurs || neverRan(piece)) continue;
      const time = typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? timestamp : null;
      this.calls.set(result, {
        source,
        time,
        session: typeof session === 'string' ? session : null,
        tool: tools.get(result) ?? '?',
      });
    }
    return isOurs;
  }
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members | null {
  return isFields(value) ? { ...value } : null;
}

function piecesOf({ message }: Members): readonly Members[] {
  const content = membersOf(message)?.content;
  return Array.isArray(content) ? content.map(membersOf).filter((piece) => piece !== null) : [];
}

function neverRan({ is_error: isError, content }: Members): boolean {
  const [first] = Array.isArray(content) ? content : [content];
  const text = typeof first === 'string' ? first : membersOf(first)?.text;
  return isError === true && typeof text === 'string' && text.startsWith(NEVER_RAN);
}
