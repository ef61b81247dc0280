/**
 * Reads lines without parsing them: each consists of parts known from earlier lines, and of ids, texts and numbers that are
 * scanned byte by byte. A line with anything else has to be parsed; its parts are known from then on. If a long stretch equals
 * that of a recent line, its result is reused.
 */
import {
  callerPasses,
  projectPasses,
  type RecordFilter,
  rulingPasses,
  runPasses,
  sessionPasses,
  toolPasses,
} from '../read/query.js';
import { latin1Of, utf8Length } from '../record/bytes.js';
import { type Bytes, patternOf, standsAt } from './bytes.js';
import { isHex, stringEnd, valueEnd } from './json-bytes.js';
import { KnownParts } from './known-parts.js';
import { LastCalls, readAgain } from './last-calls.js';
import {
  HEAD_LENGTH,
  type LineNumbers,
  MOST,
  NONE,
  quotedEnd,
  readHead,
  readMicroseconds,
  readToolUseId,
  textEnd,
} from './line-fields.js';
import { type LinePlaces, type LineTexts, lineTexts, placesOf } from './line-text.js';
import { addToHash, beginHash, type CallHash } from './recent-calls.js';
import type { CallRecord, RecordCounter, RecordedRuling } from './record-counter.js';
import { Stretch } from './stretch.js';

/** The meaning of a part of a line, and whether the filter lets lines with it pass. */
interface Known<Meaning> {
  readonly meaning: Meaning;
  readonly passes: boolean;
}

interface KnownSession<Meaning> extends Known<Meaning> {
  readonly hash: Readonly<CallHash>;
}

type DecisionRuling = Extract<RecordedRuling, { readonly kind: 'decision' }>;
/** The fields before the rule of a decision. */
type Answer = Omit<DecisionRuling, 'rule' | 'reasons'>;

/** A rule with its reasons, and their combined meanings with each preceding answer. */
interface KnownRule<Meaning> extends Pick<DecisionRuling, 'rule' | 'reasons'> {
  readonly rulings: Map<Answer, Known<Meaning>>;
  /** The answer of the last lookup. */
  answer: Answer | null;
  ruling: Known<Meaning> | null;
}

const [QUOTE, CLOSE_BRACE, NEWLINE, LOWER_D, LOWER_N] = [0x22, 0x7d, 0x0a, 0x64, 0x6e];
const BEFORE_SESSION = patternOf('"session":');
const BEFORE_CWD = patternOf(',"cwd":');
const BEFORE_ID = patternOf(',"toolUseId":');
const BEFORE_POLICY = patternOf('","policy":');
const BEFORE_MODE = patternOf(',"permissionMode":');
const BEFORE_MICROSECONDS = patternOf(',"us":');
const BEFORE_RESULT_MICROSECONDS = patternOf('","us":');
const NULL = patternOf('null');
const DIGEST_LENGTH = 64;
/** Maximum number of answers remembered per rule. */
const MOST_ANSWERS = 64;

/** The lines in a buffer; `session` and the following fields describe the line that was read last. */
export class KnownLines<Session, Caller, Ruling, Tool> {
  readonly #buffer: Bytes;
  readonly #filter: RecordFilter;
  readonly #counter: RecordCounter<Session, Caller, Ruling, Tool>;
  readonly #numbers: LineNumbers;

  readonly #sessions = new KnownParts<KnownSession<Session>>(0, null);
  readonly #noSession: KnownSession<Session>;
  readonly #callers = new KnownParts<Known<Caller>>(12, 48);
  readonly #projects = new KnownParts<boolean>(0, null);
  readonly #versions = new KnownParts<boolean>(8, 24);
  readonly #results = new KnownParts<Known<Ruling>>(16, 32);
  readonly #answers = new KnownParts<Answer>(24, 64);
  readonly #rules = new KnownParts<KnownRule<Ruling>>(8, 72);
  /** For decisions without a rule. */
  readonly #reasons = new KnownParts<KnownRule<Ruling>>(12, 24);
  readonly #tools = new KnownParts<Known<Tool>>(8, 28);
  readonly #pointers = new KnownParts<null>(8, 44);

  #session: KnownSession<Session>;
  #caller: Known<Caller> | null = null;
  #ruling: Known<Ruling> | null = null;
  #tool: Known<Tool> | null = null;
  #projectPasses = false;
  #runPasses = false;
  #isDecision = false;

  /** The bytes of the line before, whose meaning holds again if they recur. */
  readonly #origin = new Stretch();
  readonly #decision = new Stretch();
  readonly #settings = new Stretch();
  #decided: Known<Ruling> | null = null;
  readonly #calls: LastCalls<KnownSession<Session>, Known<Tool> | null>;

  constructor(buffer: Bytes, filter: RecordFilter, counter: RecordCounter<Session, Caller, Ruling, Tool>, numbers: LineNumbers) {
    this.#buffer = buffer;
    this.#filter = filter;
    this.#counter = counter;
    this.#numbers = numbers;
    this.#noSession = this.#sessionOf(null);
    this.#session = this.#noSession;
    this.#calls = new LastCalls(this.#noSession, null);
  }

  /** Reads the line at `from` and sets its numbers. Returns the place after its line break; -1 if it has to be parsed. */
  read(from: number, end: number): number {
    const buffer = this.#buffer;
    const { bytes } = buffer;
    if (!readHead(buffer, from, end, this.#numbers)) return NONE;
    let at = this.#readOrigin(from + HEAD_LENGTH, end);
    if (at === NONE) return NONE;
    at = this.#readRuling(at, end);
    if (at === NONE) return NONE;
    at = this.#readCall(at, end);
    if (at === NONE) return NONE;
    at = this.#readEnd(at, end);
    return at === NONE || at + 2 > end || bytes[at] !== CLOSE_BRACE || bytes[at + 1] !== NEWLINE ? NONE : at + 2;
  }

  /** Must be called when the content of the buffer has changed. */
  forgetPlaces(): void {
    this.#origin.forget();
    this.#decision.forget();
    this.#settings.forget();
    this.#calls.forget();
  }

  /** True if the filter lets the line that was read last pass, apart from its time. */
  get passes(): boolean {
    return (
      this.#session.passes &&
      this.#projectPasses &&
      this.#runPasses &&
      this.#caller?.passes === true &&
      this.#ruling?.passes === true &&
      this.#tool?.passes === true
    );
  }

  /** Passes the line that was read last to the counter. */
  count(numbers: Parameters<RecordCounter<Session, Caller, Ruling, Tool>['add']>[4]): void {
    const [caller, ruling, tool] = [this.#caller, this.#ruling, this.#tool];
    if (caller !== null && ruling !== null && tool !== null)
      this.#counter.add(this.#session.meaning, caller.meaning, ruling.meaning, tool.meaning, numbers);
  }

  /** Reads the session and the text before it. */
  #readSession(at: number, end: number): number {
    const buffer = this.#buffer;
    if (!standsAt(buffer, at, end, BEFORE_SESSION)) return NONE;
    const start = at + BEFORE_SESSION.length;
    const again = this.#sessions.again(buffer, start, end);
    if (again !== null) {
      this.#session = again.meaning;
      return start + again.pattern.length;
    }
    if (buffer.bytes[start] !== QUOTE) {
      this.#session = this.#noSession;
      return standsAt(buffer, start, end, NULL) ? start + NULL.length : NONE;
    }
    const behind = stringEnd(buffer, start, end);
    if (behind === NONE) return NONE;
    const known = this.#sessions.find(buffer, start, behind);
    const session = known === null ? this.#newSession(start, behind) : known.meaning;
    if (session === null) return NONE;
    this.#session = session;
    return behind;
  }

  /** Learns a session whose text needs no decoding; null for any other. */
  #newSession(start: number, behind: number): KnownSession<Session> | null {
    const buffer = this.#buffer;
    if (quotedEnd(buffer, start, behind + 1, MOST.name) !== behind) return null;
    const text = latin1Of(buffer.bytes, start, behind);
    const session = this.#sessionOf(text.slice(1, -1));
    this.#sessions.learn(buffer, start, behind, text, session);
    return session;
  }

  #sessionOf(session: string | null): KnownSession<Session> {
    const hash = { high: 0, low: 0 };
    beginCall(hash, session);
    return { meaning: this.#counter.sessionOf(session), passes: sessionPasses(session, this.#filter), hash };
  }

  /** Reads the session, caller and place of the record, and the version that wrote it. */
  #readOrigin(from: number, end: number): number {
    const behind = this.#origin.again(this.#buffer, from, end);
    if (behind !== NONE) return behind;
    // The fields are those of another line until all of this one is read.
    this.#origin.forget();
    let at = this.#readSession(from, end);
    if (at === NONE) return NONE;
    at = this.#readCaller(at, end);
    if (at === NONE) return NONE;
    const version = this.#versions.find(this.#buffer, at, end);
    if (version === null) return NONE;
    this.#runPasses = version.meaning;
    return this.#origin.keep(from, at + version.pattern.length);
  }

  /** Reads the caller and the directory of the record. */
  #readCaller(from: number, end: number): number {
    const buffer = this.#buffer;
    const caller = this.#callers.find(buffer, from, end);
    if (caller === null) return NONE;
    this.#caller = caller.meaning;
    const at = this.#readProject(from + caller.pattern.length, end);
    if (at === NONE || !standsAt(buffer, at, end, BEFORE_CWD)) return NONE;
    return textEnd(buffer, at + BEFORE_CWD.length, end, MOST.path);
  }

  #readProject(at: number, end: number): number {
    const buffer = this.#buffer;
    if (this.#filter.project === undefined || buffer.bytes[at] !== QUOTE) {
      this.#projectPasses = this.#filter.project === undefined;
      return textEnd(buffer, at, end, MOST.path);
    }
    const again = this.#projects.again(buffer, at, end);
    if (again !== null) {
      this.#projectPasses = again.meaning;
      return at + again.pattern.length;
    }
    const behind = stringEnd(buffer, at, end);
    if (behind === NONE) return NONE;
    const known = this.#projects.find(buffer, at, behind);
    if (known !== null) {
      this.#projectPasses = known.meaning;
      return behind;
    }
    if (quotedEnd(buffer, at, behind + 1, MOST.path) !== behind) return NONE;
    const text = latin1Of(buffer.bytes, at, behind);
    this.#projectPasses = projectPasses(text.slice(1, -1), this.#filter);
    this.#projects.learn(buffer, at, behind, text, this.#projectPasses);
    return behind;
  }

  #readRuling(at: number, end: number): number {
    const buffer = this.#buffer;
    this.#isDecision = buffer.bytes[at] === LOWER_D;
    if (this.#isDecision) return this.#readDecision(at, end);
    const result = this.#results.find(buffer, at, end);
    if (result === null) return NONE;
    this.#ruling = result.meaning;
    return textEnd(buffer, at + result.pattern.length, end, MOST.message);
  }

  #readDecision(from: number, end: number): number {
    const buffer = this.#buffer;
    const again = this.#decision.again(buffer, from, end);
    if (again !== NONE) {
      this.#ruling = this.#decided;
      return again;
    }
    const answer = this.#answers.find(buffer, from, end);
    if (answer === null) return NONE;
    const at = from + answer.pattern.length;
    const rule = (buffer.bytes[at] === LOWER_N ? this.#reasons : this.#rules).find(buffer, at, end);
    if (rule === null) return NONE;
    const { meaning } = rule;
    if (meaning.answer !== answer.meaning) this.#combine(answer.meaning, meaning);
    this.#ruling = meaning.ruling;
    const behind = textEnd(buffer, at + rule.pattern.length, end, MOST.message);
    if (behind === NONE) return NONE;
    this.#decided = meaning.ruling;
    return this.#decision.keep(from, behind);
  }

  /** Looks up, or creates, the combined meaning of an answer and a rule. */
  #combine(answer: Answer, known: KnownRule<Ruling>): void {
    const { rule, reasons, rulings } = known;
    let ruling = rulings.get(answer);
    if (ruling === undefined) {
      const recorded = { ...answer, rule, reasons };
      ruling = { meaning: this.#counter.rulingOf(recorded), passes: rulingPasses(recorded, this.#filter) };
      if (rulings.size >= MOST_ANSWERS) rulings.clear();
      rulings.set(answer, ruling);
    }
    known.answer = answer;
    known.ruling = ruling;
  }

  /** Reads the call's id, tool, input and digest. A result repeats those of its decision. */
  #readCall(from: number, end: number): number {
    const [buffer, numbers] = [this.#buffer, this.#numbers];
    if (!this.#isDecision) {
      const call = this.#calls.find(buffer, from, end, this.#session);
      if (call !== null) {
        this.#tool = call.tool;
        return readAgain(call, from, numbers);
      }
    }
    if (!standsAt(buffer, from, end, BEFORE_ID)) return NONE;
    let at = readToolUseId(buffer, from + BEFORE_ID.length, end, this.#session.hash, numbers);
    if (at === NONE) return NONE;
    at = this.#readInput(at, end);
    if (at !== NONE && this.#isDecision) this.#calls.keep(from, at, this.#session, this.#tool, numbers);
    return at;
  }

  /** Reads the tool, its input and the digest. */
  #readInput(from: number, end: number): number {
    const buffer = this.#buffer;
    const tool = this.#tools.find(buffer, from, end);
    if (tool === null) return NONE;
    this.#tool = tool.meaning;
    const at = valueEnd(buffer, from + tool.pattern.length, end);
    if (at === NONE) return NONE;
    const pointers = this.#pointers.find(buffer, at, end);
    if (pointers === null) return NONE;
    const digest = at + pointers.pattern.length;
    return digest + DIGEST_LENGTH <= end && isHex(buffer, digest, DIGEST_LENGTH) ? digest + DIGEST_LENGTH : NONE;
  }

  /** Reads the text after the digest, up to the closing brace. */
  #readEnd(from: number, end: number): number {
    const buffer = this.#buffer;
    if (!this.#isDecision)
      return standsAt(buffer, from, end, BEFORE_RESULT_MICROSECONDS)
        ? readMicroseconds(buffer, from + BEFORE_RESULT_MICROSECONDS.length, end, true, this.#numbers)
        : NONE;
    const at = this.#readSettings(from, end);
    return at === NONE ? NONE : readMicroseconds(buffer, at, end, false, this.#numbers);
  }

  /** Reads the policy and the permission mode of a decision, up to its microseconds. */
  #readSettings(from: number, end: number): number {
    const buffer = this.#buffer;
    const again = this.#settings.again(buffer, from, end);
    if (again !== NONE) return again;
    if (!standsAt(buffer, from, end, BEFORE_POLICY)) return NONE;
    let at = textEnd(buffer, from + BEFORE_POLICY.length, end, MOST.name);
    if (at === NONE || !standsAt(buffer, at, end, BEFORE_MODE)) return NONE;
    at = textEnd(buffer, at + BEFORE_MODE.length, end, MOST.name);
    if (at === NONE || !standsAt(buffer, at, end, BEFORE_MICROSECONDS)) return NONE;
    return this.#settings.keep(from, at + BEFORE_MICROSECONDS.length);
  }

  /** Learns the parts of the line at `from`, if it is exactly as our writer writes its record. */
  learn(record: CallRecord, text: string, from: number, end: number): void {
    const texts = lineTexts(record);
    if (text.slice(HEAD_LENGTH) !== Object.values(texts).join('')) return;
    const [filter, counter] = [this.#filter, this.#counter];
    const places = placesOf(texts, from + HEAD_LENGTH);
    const learn = <Meaning>(known: KnownParts<Meaning>, name: keyof LineTexts, meaning: () => Meaning) => {
      const at = places[name];
      if (known.find(this.#buffer, at, end) === null) known.learn(this.#buffer, at, end, texts[name], meaning());
    };
    this.#learnTexts(record, texts, places);
    learn(this.#callers, 'caller', () => ({ meaning: counter.callerOf(record), passes: callerPasses(record, filter) }));
    learn(this.#tools, 'tool', () => ({ meaning: counter.toolOf(record), passes: toolPasses(record, filter) }));
    learn(this.#pointers, 'pointers', () => null);
    learn(this.#versions, 'version', () => runPasses(record, filter));
    if (record.kind === 'result') {
      learn(this.#results, 'ruling', () => ({ meaning: counter.rulingOf(record), passes: rulingPasses(record, filter) }));
      return;
    }
    const { kind, mode, decision, would, stage, rule, reasons } = record;
    learn(this.#answers, 'ruling', () => ({ kind, mode, decision, ...(would !== undefined && { would }), stage }));
    learn(rule === null ? this.#reasons : this.#rules, 'rule', () => {
      return { rule, reasons, rulings: new Map(), answer: null, ruling: null };
    });
  }

  /** Learns a session and a project that need decoding; others are learned when they are read. */
  #learnTexts({ session, project }: CallRecord, texts: LineTexts, places: LinePlaces): void {
    const buffer = this.#buffer;
    const learn = <Meaning>(known: KnownParts<Meaning>, at: number, text: string, meaning: () => Meaning) => {
      const behind = at + utf8Length(text);
      if (known.find(buffer, at, behind) === null) known.learn(buffer, at, behind, text, meaning());
    };
    const text = texts.session.slice(BEFORE_SESSION.length);
    if (session !== null) learn(this.#sessions, places.session + BEFORE_SESSION.length, text, () => this.#sessionOf(session));
    if (project !== null) learn(this.#projects, places.project, texts.project, () => projectPasses(project, this.#filter));
  }
}

/** Begins the hash of a call of a session; the caller adds the call's id. */
export function beginCall(hash: CallHash, session: string | null): void {
  beginHash(hash);
  addToHash(hash, Buffer.from(`${session ?? ''}\n`));
}
