/**
 * Sets of texts that wildcard patterns describe, as small automata: whether a text is in one, and whether one set includes all of another.
 */

/** One step of a row. */
type Token =
  /** This character. */
  | { readonly kind: 'character'; readonly code: number }
  /** One character, or any run of them; not the character `except` (-1: any). */
  | { readonly kind: 'one' | 'run'; readonly except: number }
  /** This many of the following tokens may be omitted. */
  | { readonly kind: 'skip'; readonly count: number };

/** A sequence of tokens. */
export type Row = readonly Token[];
/** The texts that match any of the rows. */
export type Language = readonly Row[];

/** Any text. */
export const RUN: Row = [{ kind: 'run', except: -1 }];
/** Any one character. */
export const ONE: Row = [{ kind: 'one', except: -1 }];

/** Tokens of characters seen before; patterns use few different ones. */
const characters = new Map<number, Token>();
const MOST_CHARACTERS = 1_000;

export function literal(text: string): Row {
  return Array.from(text, (character) => {
    const code = codeOf(character);
    const before = characters.get(code);
    if (before !== undefined) return before;
    const token: Token = { kind: 'character', code };
    if (characters.size < MOST_CHARACTERS) characters.set(code, token);
    return token;
  });
}

/** A key that is equal for languages with the same rows. */
export function languageKey(language: Language): string {
  let key = '';
  for (const row of language) {
    for (const token of row) {
      if (token.kind === 'character') key += String.fromCodePoint(token.code);
      else key += `\u0001${token.kind}${token.kind === 'skip' ? token.count : token.except}\u0002`;
    }
    key += '\u0003';
  }
  return key;
}

/** Any text without the character. */
export function runWithout(character: string): Row {
  return [{ kind: 'run', except: codeOf(character) }];
}

export function oneWithout(character: string): Row {
  return [{ kind: 'one', except: codeOf(character) }];
}

export function optional(row: Row): Row {
  return [{ kind: 'skip', count: row.length }, ...row];
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Whether all texts of `inner` are in `outer`; then `witness` is one of them, and otherwise a text of `inner` that is not in `outer`. */
export type Inclusion =
  | { readonly answer: 'included'; readonly witness: string }
  | { readonly answer: 'not-included'; readonly witness: string }
  /** The question is too large for the permitted number of steps. */
  | { readonly answer: 'unknown' };

/** How much more may be examined: states, counted once for each character tried on them. */
export interface Effort {
  left: number;
}

/** The maximum cost of one question, and limits on the pairs of states it may remember and on its size. */
const MOST_EFFORT = 100_000;
const MOST_STEPS = 20_000;
const MOST_TOKENS = 10_000;

/**
 * Compares two languages: walks `inner` and all states that `outer` could be in at the same time, shortest texts first.
 * @param inner not empty
 * @param effort shared by many questions, which use it up; the cost of each one is also limited
 */
export function inclusionOf(inner: Language, outer: Language, effort: Effort = { left: MOST_EFFORT }): Inclusion {
  if (inner.length === 0 || sizeOf(inner) + sizeOf(outer) > MOST_TOKENS) return { answer: 'unknown' };
  const from = automatonOf(inner);
  const into = automatonOf(outer);
  const stranger = strangerTo([...from.letters, ...into.letters]);
  const start = into.start();
  const queue: Step[] = from.start().map((state) => ({ state, states: start, code: -1, before: null }));
  const seen = new Set(queue.map(({ state, states }) => `${state} ${states}`));
  const least = effort.left - MOST_EFFORT;
  for (let at = 0; at < queue.length; at++) {
    const step = queue[at];
    if (step === undefined || queue.length > MOST_STEPS || effort.left < Math.max(least, 0)) return { answer: 'unknown' };
    if (from.isEnd(step.state) && !step.states.some((state) => into.isEnd(state)))
      return { answer: 'not-included', witness: spelled(step) };
    for (const code of from.lettersAt(step.state, into.letters, stranger)) {
      const states = into.after(step.states, code);
      effort.left -= 1 + step.states.length;
      for (const state of from.after([step.state], code)) {
        const key = `${state} ${states}`;
        if (seen.has(key)) continue;
        seen.add(key);
        queue.push({ state, states, code, before: step });
      }
    }
  }
  return { answer: 'included', witness: exampleOf(inner) };
}

/** The position of a walk, and how it got there. */
interface Step {
  readonly state: number;
  readonly states: readonly number[];
  readonly code: number;
  readonly before: Step | null;
}

function spelled(last: Step): string {
  const characters: string[] = [];
  for (let step: Step | null = last; step !== null; step = step.before)
    if (step.code >= 0) characters.push(String.fromCodePoint(step.code));
  return characters.reverse().join('');
}

function sizeOf(language: Language): number {
  return language.reduce((size, row) => size + row.length + 1, 0);
}

/** A character that no pattern names, which represents all such characters. */
function strangerTo(letters: readonly number[]): number {
  const readable = Array.from('xyzabcdefghijklmnopqrstuvw0123456789', codeOf).find((code) => !letters.includes(code));
  let code = readable ?? 0xe000;
  while (letters.includes(code)) code++;
  return code;
}

export function accepts(language: Language, text: string, effort: Effort = { left: 0 }): boolean {
  const automaton = automatonOf(language);
  let states = automaton.start();
  for (const character of text) {
    effort.left -= 1 + states.length;
    states = automaton.after(states, codeOf(character));
    if (states.length === 0) return false;
  }
  return states.some((state) => automaton.isEnd(state));
}

/** A readable text of the language: from the shortest row, with an `x` where there must be something. */
export function exampleOf(language: Language): string {
  const examples = language.map((row) => ({ row, text: exampleOfRow(row) }));
  const [first] = examples.sort((left, right) => left.text.length - right.text.length);
  return first?.text ?? '';
}

function exampleOfRow(row: Row): string {
  let text = '';
  for (let at = 0; at < row.length; at++) {
    const token = row[at];
    if (token === undefined) break;
    if (token.kind === 'skip') at += token.count;
    else if (token.kind === 'character') text += String.fromCodePoint(token.code);
    else if (token.kind === 'one' || standsAlone(row, at)) text += token.except === codeOf('x') ? 'y' : 'x';
  }
  return text;
}

/** Whether a run is between two separators, where an empty one reads badly. */
function standsAlone(row: Row, at: number): boolean {
  return [row[at - 1], row[at + 1]].every(
    (token) => token === undefined || (token.kind === 'character' && isBoundary(token.code)),
  );
}

function isBoundary(code: number): boolean {
  return code <= 0x20 || code === codeOf('/');
}

/** Kept because a language is compared with many others. */
const automata = new WeakMap<Language, Automaton>();

function automatonOf(language: Language): Automaton {
  const before = automata.get(language);
  if (before !== undefined) return before;
  const automaton = new Automaton(language);
  automata.set(language, automaton);
  return automaton;
}

/** The rows one after another; a state is a position between tokens. */
class Automaton {
  readonly #tokens: readonly (Token | null)[];
  /** For each state, the row that it belongs to. */
  readonly #rows: readonly number[];
  /** Runs that make all earlier states of their row irrelevant. */
  readonly #closed: readonly boolean[];
  readonly #starts: readonly number[];
  /** For each state, the last search that reached it. */
  readonly #marks: Uint32Array;
  #round = 0;
  /** Every character that a token names. */
  readonly letters: readonly number[];

  constructor(language: Language) {
    const tokens: (Token | null)[] = [];
    const rows: number[] = [];
    const starts: number[] = [];
    const closed: boolean[] = [];
    const letters = new Set<number>();
    language.forEach((row, number) => {
      starts.push(tokens.length);
      let skippedTo = 0;
      row.forEach((token, at) => {
        if (token.kind === 'skip') skippedTo = Math.max(skippedTo, at + 1 + token.count);
        closed.push(token.kind === 'run' && token.except < 0 && skippedTo <= at + 1);
        if (token.kind === 'character') letters.add(token.code);
        else if (token.kind !== 'skip' && token.except >= 0) letters.add(token.except);
        tokens.push(token);
        rows.push(number);
      });
      tokens.push(null);
      rows.push(number);
      closed.push(false);
    });
    this.#tokens = tokens;
    this.#rows = rows;
    this.#closed = closed;
    this.#starts = starts;
    this.#marks = new Uint32Array(tokens.length);
    this.letters = [...letters];
  }

  start(): number[] {
    return this.#reached(this.#starts);
  }

  isEnd(state: number): boolean {
    return this.#tokens[state] === null;
  }

  /** The states after one more character. */
  after(states: readonly number[], code: number): number[] {
    const next: number[] = [];
    for (const state of states) {
      const token = this.#tokens[state];
      if (token === null || token === undefined || token.kind === 'skip') continue;
      if (token.kind === 'character') {
        if (token.code === code) next.push(state + 1);
      } else if (token.except !== code) next.push(token.kind === 'run' ? state : state + 1);
    }
    return this.#reached(next);
  }

  /** The characters worth trying in a state: one for each way in which the other automaton could distinguish them. */
  lettersAt(state: number, others: readonly number[], stranger: number): readonly number[] {
    const token = this.#tokens[state];
    if (token === null || token === undefined || token.kind === 'skip') return [];
    if (token.kind === 'character') return [token.code];
    return [stranger, ...others.filter((code) => code !== token.except)];
  }

  /** Adds the states that need no character; removes those that a later run of the same row includes. Sorted, each once. */
  #reached(states: readonly number[]): number[] {
    const reached: number[] = [];
    const round = ++this.#round;
    const reach = (state: number) => {
      if (this.#marks[state] === round) return;
      this.#marks[state] = round;
      reached.push(state);
    };
    for (const state of states) reach(state);
    let closes = false;
    for (let at = 0; at < reached.length; at++) {
      const state = reached[at] ?? 0;
      const token = this.#tokens[state];
      if (token?.kind === 'skip') {
        reach(state + 1);
        reach(state + 1 + token.count);
      } else if (token?.kind === 'run') reach(state + 1);
      closes ||= this.#closed[state] === true;
    }
    if (reached.length > 1) reached.sort((left, right) => left - right);
    return closes && reached.length > 1 ? this.#withoutHeld(reached) : reached;
  }

  /** Removes the states before the last run of their row that includes them all. */
  #withoutHeld(ordered: readonly number[]): number[] {
    const kept: number[] = [];
    let run = -1;
    for (let at = ordered.length - 1; at >= 0; at--) {
      const state = ordered[at] ?? 0;
      const row = this.#rows[state] ?? 0;
      if (row === run) continue;
      kept.push(state);
      if (this.#closed[state] === true) run = row;
    }
    return kept.reverse();
  }
}
