/**
 * Adds up the tokens that transcripts tell of: each call reads only what came since the call before it. A transcript lags behind
 * by about a turn (claude-code.md §0.11), and so does the sum.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Transcript } from '../runner/transcript.js';
import { checkOwnFile, systemWord } from './own-file.js';
import { RunError } from './run-error.js';
import { usageIn } from './usage-line.js';

/** How far a transcript was read, and the sum so far: the two always belong together. */
interface Progress {
  /** Which file it was: a new one under the same name is read from its beginning. */
  readonly inode: number;
  readonly offset: number;
  readonly tokens: number;
  /** The answer that the last line spoke of, and its tokens: a later line may correct them. */
  readonly answer: string | null;
  readonly last: number;
  /** The agent whose transcript it is; null for the main agent's. */
  readonly agent: string | null;
}

export interface SpentTokens {
  readonly tokens: number;
  readonly perAgent: ReadonlyMap<string, number>;
}

const WHAT = 'the count of tokens';
/** Bytes that one call reads of one transcript; what is left is read by the next calls. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_TRANSCRIPTS = 256;
const LARGEST_STATE = 4 * 1024 * 1024;
const CAREFUL = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The tokens of a session so far, of all its transcripts and of each agent. A transcript that is not there yet counts nothing.
 * Calls at the same moment may do the same work twice; none is counted twice, since sum and place are written together.
 * @param file remembers how far each transcript was read
 * @param names the names of agents by their ids
 * Throws RunError when what is remembered cannot be read or written.
 */
export function spentTokens(
  file: string,
  transcript: Transcript,
  caller: string | null,
  names: ReadonlyMap<string, string>,
): SpentTokens {
  const known = recall(file);
  const now = new Map(known);
  for (const [path, agent] of transcriptsOf(transcript, caller, names)) {
    const before = known.get(path) ?? null;
    if (now.size >= MOST_TRANSCRIPTS && before === null) continue;
    const progress = readOn(path, agent, before, transcript.form);
    if (progress !== null) now.set(path, progress);
  }
  if ([...now].some(([path, progress]) => known.get(path) !== progress)) remember(file, now);
  const perAgent = new Map<string, number>();
  let tokens = 0;
  for (const progress of now.values()) {
    tokens += progress.tokens;
    if (progress.agent !== null) perAgent.set(progress.agent, (perAgent.get(progress.agent) ?? 0) + progress.tokens);
  }
  return { tokens, perAgent };
}

/** Each transcript with its agent. Claude Code keeps those of subagents in a folder beside the session's own. */
function transcriptsOf(
  { path, form }: Transcript,
  caller: string | null,
  names: ReadonlyMap<string, string>,
): readonly (readonly [path: string, agent: string | null])[] {
  if (!isAbsolute(path)) return [];
  if (form === 'codex') return [[path, caller]];
  const folder = join(path.replace(/\.jsonl$/, ''), 'subagents');
  const files = namesIn(folder).flatMap((name) => {
    const id = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1];
    return id === undefined ? [] : [[join(folder, name), names.get(id) ?? id] as const];
  });
  return [[path, null], ...files];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_TRANSCRIPTS);
  } catch {
    // No subagent has run yet.
    return [];
  }
}

/** Reads what was added to a transcript, up to its last whole line; null when there is nothing to read. */
function readOn(path: string, agent: string | null, known: Progress | null, form: Transcript['form']): Progress | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, CAREFUL);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return null;
    const same = known !== null && known.inode === stat.ino && known.offset <= stat.size ? known : null;
    const from = same ?? { inode: stat.ino, offset: 0, tokens: 0, answer: null, last: 0, agent };
    if (from.offset === stat.size) return same;
    const bytes = Buffer.allocUnsafe(Math.min(MOST_BYTES, stat.size - from.offset));
    const got = readSync(descriptor, bytes, 0, bytes.length, from.offset);
    const end = bytes.subarray(0, got).lastIndexOf(10) + 1;
    // A line longer than all that is read at once tells of no usage that could be read; it is passed over.
    if (end === 0) return got === MOST_BYTES ? { ...from, offset: from.offset + got, agent } : same;
    return { ...added(from, bytes.toString('utf8', 0, end), form), offset: from.offset + end, agent };
  } finally {
    closeSync(descriptor);
  }
}

function added(from: Progress, text: string, form: Transcript['form']): Progress {
  let { tokens, answer, last } = from;
  for (const line of text.split('\n')) {
    const usage = usageIn(line, form);
    if (usage === null) continue;
    if (usage.answer === null) tokens = Math.max(tokens, usage.tokens);
    else tokens += usage.tokens - (usage.answer === answer ? last : 0);
    answer = usage.answer;
    last = usage.tokens;
  }
  return { ...from, tokens, answer, last };
}

function recall(file: string): ReadonlyMap<string, Progress> {
  let descriptor: number;
  try {
    descriptor = openSync(file, CAREFUL | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (systemWord(error) === 'ENOENT') return new Map();
    throw new RunError(`${WHAT} ${file} cannot be read (${systemWord(error)}); remove it`);
  }
  try {
    const stat = fstatSync(descriptor);
    checkOwnFile(WHAT, file, stat);
    const content: unknown = stat.size > LARGEST_STATE ? null : JSON.parse(readFileSync(descriptor, 'utf8'));
    if (!Array.isArray(content) || !content.every(isEntry)) throw new SyntaxError('no list of transcripts');
    return new Map(content);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw new RunError(`${WHAT} ${file} is damaged; remove it, and the transcripts are read again`);
  } finally {
    closeSync(descriptor);
  }
}

function isEntry(value: unknown): value is [string, Progress] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object' || value[1] === null) return false;
  const { inode, offset, tokens, answer, last, agent } = value[1] as Readonly<Record<string, unknown>>;
  return (
    [inode, offset, tokens, last].every((one) => typeof one === 'number') &&
    [answer, agent].every((one) => one === null || typeof one === 'string')
  );
}

/** Written whole under another name first: a hook that is killed leaves the old one. */
function remember(file: string, progress: ReadonlyMap<string, Progress>): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, JSON.stringify([...progress]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new RunError(`${WHAT} ${file} cannot be written (${systemWord(error)}); free space and make it writable`);
  }
}
