/**
 * Adds up the tokens recorded in transcripts: each call reads only what was added since the previous call. A transcript lags by
 * about one turn, and so does the sum.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isOfCaller, type Transcript } from '../runner/hook/transcript.js';
import { type Progress, recall, remember, type Share } from './transcript-progress.js';
import { type Usage, usageIn } from './usage-line.js';

/** The agents to which transcripts of subagents belong. */
export interface AgentNames {
  /** Names by the runner's ids. */
  readonly byId: ReadonlyMap<string, string>;
  /** The agents that were at work at a time, in milliseconds since 1970. */
  readonly at: (milliseconds: number) => readonly string[];
}

export interface SpentTokens {
  readonly tokens: number;
  readonly perAgent: ReadonlyMap<string, number>;
}

/** The maximum number of bytes that one call reads from all transcripts together, and from each; later calls read the rest. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_OF_ONE = MOST_BYTES / 2;
const MOST_TRANSCRIPTS = 256;
/** The maximum number of subagent names that are distinguished within one transcript. */
const MOST_SHARES = 256;
const CAREFUL = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The tokens of a session so far: of all its transcripts, and of each agent. A missing transcript adds nothing. Simultaneous
 * calls may repeat work, but nothing is counted twice, because sum and position are written together.
 * @param file stores how far each transcript was read
 * Throws RunError if that file cannot be read or written.
 */
export function spentTokens(file: string, transcript: Transcript, caller: string | null, names: AgentNames): SpentTokens {
  const known = recall(file);
  const now = new Map(known);
  let left = MOST_BYTES;
  for (const [path, agent] of transcriptsOf(transcript, caller, known)) {
    const before = known.get(path) ?? null;
    if (now.size >= MOST_TRANSCRIPTS && before === null) continue;
    const read = readOn(path, agent, before, transcript.form, Math.min(MOST_OF_ONE, left));
    if (read.progress !== null) now.set(path, read.progress);
    left -= read.bytes;
  }
  if ([...now].some(([path, progress]) => known.get(path) !== progress)) remember(file, now);
  return sumOf(now.values(), names);
}

/** Each transcript with its agent: the session's own, those of its subagents, and those known from earlier calls. */
function transcriptsOf(
  { path, form, children }: Transcript,
  caller: string | null,
  known: ReadonlyMap<string, Progress>,
): ReadonlyMap<string, string | null> {
  if (!isAbsolute(path)) return new Map();
  const files = new Map([[path, isOfCaller(form) ? caller : null]]);
  for (const [other, { agent }] of known) if (!files.has(other)) files.set(other, agent);
  for (const name of children === null ? [] : transcriptNames(children)) {
    const id = /^(?:agent-)?([\w-]+)\.jsonl$/.exec(name)?.[1];
    if (children !== null && id !== undefined) files.set(join(children, name), id);
  }
  return files;
}

function transcriptNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_TRANSCRIPTS);
  } catch {
    // No subagent has run yet.
    return [];
  }
}

interface ReadOn {
  /** Null: nothing new. */
  readonly progress: Progress | null;
  readonly bytes: number;
}

const NOTHING: ReadOn = { progress: null, bytes: 0 };

/** Reads what was added to a transcript, up to its last complete line, and at most this many bytes. */
function readOn(path: string, agent: string | null, known: Progress | null, form: Transcript['form'], most: number): ReadOn {
  let descriptor: number;
  try {
    descriptor = openSync(path, CAREFUL);
  } catch {
    // Does not exist yet, or any more: tokens already counted stay counted.
    return NOTHING;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return NOTHING;
    const from = placeIn(stat, known, agent);
    const bytes = Buffer.allocUnsafe(Math.min(most, stat.size - from.offset));
    const got = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, from.offset);
    const end = bytes.subarray(0, got).lastIndexOf(10) + 1;
    const read = (progress: Progress | null): ReadOn => ({ progress, bytes: got });
    if (end > 0) return read({ ...added(from, bytes.toString('utf8', 0, end), form), offset: from.offset + end });
    // A line longer than one read cannot be parsed for its usage; it is skipped.
    if (got === MOST_OF_ONE) return read({ ...from, offset: from.offset + got });
    return read(from.before === known?.before ? null : from);
  } finally {
    closeSync(descriptor);
  }
}

/** Where to continue reading: at the beginning if the file was cut or replaced. */
function placeIn(
  { ino, size }: { readonly ino: number; readonly size: number },
  known: Progress | null,
  agent: string | null,
): Progress {
  if (known !== null && known.inode === ino && known.offset <= size) return { ...known, agent };
  const before = known === null ? [] : highest(known);
  return { inode: ino, offset: 0, shares: [], before, answer: null, last: 0, agent, began: null };
}

function added(from: Progress, text: string, form: Transcript['form']): Progress {
  const shares = new Map(from.shares);
  let { answer, last, began } = from;
  const add = (usage: Extract<Usage, { readonly kind: 'answer' }>) => {
    const corrected = usage.id !== null && usage.id === answer ? last : 0;
    const agent = usage.agent === null || (shares.size >= MOST_SHARES && !shares.has(usage.agent)) ? null : usage.agent;
    shares.set(agent, (shares.get(agent) ?? 0) + usage.tokens - corrected);
    answer = usage.id;
    last = usage.tokens;
  };
  for (const line of text.split('\n')) {
    const usage = usageIn(line, form);
    if (usage?.kind === 'answer') add(usage);
    else if (usage?.kind === 'sum') shares.set(null, Math.max(shares.get(null) ?? 0, usage.tokens));
    else if (usage?.kind === 'began') began ??= usage.at;
  }
  return { ...from, shares: [...shares], answer, last, began };
}

/** The shares of a transcript, none lower than in an earlier file with the same name. */
function highest({ shares, before }: Progress): readonly Share[] {
  const all = new Map(before);
  for (const [agent, tokens] of shares) all.set(agent, Math.max(tokens, all.get(agent) ?? 0));
  return [...all];
}

function sumOf(progresses: Iterable<Progress>, names: AgentNames): SpentTokens {
  const perAgent = new Map<string, number>();
  let sum = 0;
  for (const progress of progresses) {
    const whose = agentsOf(progress, names);
    for (const [agent, tokens] of highest(progress)) {
      sum += tokens;
      for (const name of agent === null ? whose : [agent]) perAgent.set(name, (perAgent.get(name) ?? 0) + tokens);
    }
  }
  return { tokens: sum, perAgent };
}

/** The agents of a transcript; one without a known name is attributed to every agent at work when it began. */
function agentsOf({ agent, began }: Progress, names: AgentNames): readonly string[] {
  if (agent === null) return [];
  const name = names.byId.get(agent);
  if (name !== undefined) return [name];
  return began === null ? [agent] : names.at(began);
}
