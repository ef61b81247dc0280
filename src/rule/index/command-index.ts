/** Command rules by their leading words: a call compares only rules that begin as it does, however many there are. */
import { type CoverReading, isConclusive, readingCovers, type WordIssue } from '../pattern/command-pattern.js';
import { globMatch, wildcardsMatchWords } from '../pattern/wildcard.js';
import type { IndexNode, MutableNode } from './index-node.js';

/** Receives the number of every matching rule, perhaps more than once. */
export type Hit = (rule: number) => void;
/** Called for every rule whose pattern is compared beyond its leading words. */
export type Count = () => void;

/** White space other than single spaces between words. */
const UNEVEN = /^\s|\s$|\s\s|[^\S ]/;

export interface OverlapEntry {
  readonly rule: number;
  readonly glob: string;
  /** False when the leading words alone decide, because only stars follow. */
  readonly verify: boolean;
}

/**
 * Adds the globs of an ask or deny rule to the tree that an OverlapIndex searches: below their literal words, as `exact` if the
 * glob ends there, else under the literal beginning of its next word.
 */
export function addOverlapping(root: MutableNode<OverlapEntry>, rule: number, globs: readonly string[]): void {
  for (const glob of globs) {
    const wild = firstWildcard(glob);
    const words = (wild < 0 ? glob : glob.slice(0, wild)).split(' ');
    if (wild < 0) {
      root.grow(words).exact.push({ rule, glob, verify: false });
      continue;
    }
    const beginning = words.pop() ?? '';
    root.grow(words).put(beginning, { rule, glob, verify: !onlyStars(glob, wild) });
  }
}

/** An index of ask and deny rules over commands. */
export class OverlapIndex {
  readonly #root: IndexNode<OverlapEntry>;
  readonly #count: Count;

  constructor(root: IndexNode<OverlapEntry>, count: Count) {
    this.#root = root;
    this.#count = count;
  }

  /** Finds every rule that meets the words; null is a dynamic word, which may be any number of words. */
  words(words: readonly (string | null)[], hit: Hit): void {
    const first = words[0];
    if (typeof first === 'string' && first !== '' && endOfPlainWord(first) === first.length && this.#beginsNothing(first)) return;
    // Without any word (a bare redirection) the text is empty: only a rule that meets everything meets it.
    this.#spellings(words.length === 0 ? [''] : words, hit);
    const base = baseName(words[0]);
    if (base !== null) this.#spellings([base, ...words.slice(1)], hit);
  }

  /** Finds every rule that meets a command line as text, also by the base name of its first word. */
  text(text: string, hit: Hit): void {
    const end = endOfPlainWord(text);
    if (end > 0 && this.#beginsNothing(text.slice(0, end))) return;
    const spellings = UNEVEN.test(text) ? [text.split(' '), text.split(/\s+/).filter((part) => part !== '')] : [text.split(' ')];
    for (const tokens of spellings) {
      this.#tokens(tokens, hit);
      const base = baseName(tokens[0]);
      if (base !== null) this.#tokens([base, ...tokens.slice(1)], hit);
    }
  }

  /** True when no glob can meet a command with this first word, whatever follows: the usual end of a search. */
  #beginsNothing(word: string): boolean {
    const root = this.#root;
    if (word.includes('/') || root.child(word) !== undefined) return false;
    for (const length of root.lengths) if (length <= word.length && root.keyed(word.slice(0, length)).length > 0) return false;
    return true;
  }

  /** Searches the words as given and, if some are empty or contain white space, with white space collapsed as in patterns. */
  #spellings(words: readonly (string | null)[], hit: Hit): void {
    if (words.every(isSingleWord)) {
      this.#tokens(words, hit);
      return;
    }
    this.#tokens(
      words.flatMap((word) => (word === null ? null : word.split(' '))),
      hit,
    );
    const collapsed = words.flatMap((word) => (word === null ? null : word.split(/\s+/).filter((part) => part !== '')));
    this.#tokens(collapsed, hit);
  }

  #tokens(tokens: readonly (string | null)[], hit: Hit): void {
    let node: IndexNode<OverlapEntry> | undefined = this.#root;
    let joined: string | null = null;
    for (let at = 0; node !== undefined; at++) {
      if (at === tokens.length) {
        for (const entry of node.exact) hit(entry.rule);
        return;
      }
      const token: string | null | undefined = tokens[at];
      if (token === null || token === undefined) {
        this.#below(node, tokens, hit);
        return;
      }
      for (const length of node.lengths) {
        if (length > token.length) continue;
        for (const entry of node.keyed(length === token.length ? token : token.slice(0, length))) {
          if (!entry.verify) {
            hit(entry.rule);
            continue;
          }
          this.#count();
          if (tokens.includes(null)) {
            if (wildcardsMatchWords(entry.glob, tokens)) hit(entry.rule);
          } else {
            joined ??= tokens.join(' ');
            if (globMatch(entry.glob, joined)) hit(entry.rule);
          }
        }
      }
      node = node.child(token);
    }
  }

  /** Searches all rules below `node`, any of which a dynamic word may spell. */
  #below(node: IndexNode<OverlapEntry>, tokens: readonly (string | null)[], hit: Hit): void {
    node.each((entry) => {
      this.#count();
      if (wildcardsMatchWords(entry.glob, tokens)) hit(entry.rule);
    });
  }
}

/** `rm` for `/bin/rm`; null when no directory precedes the name. */
function baseName(word: string | null | undefined): string | null {
  if (typeof word !== 'string' || !word.includes('/')) return null;
  return word.slice(word.lastIndexOf('/') + 1) || null;
}

function isSingleWord(word: string | null): boolean {
  return word === null || (word !== '' && (endOfPlainWord(word) === word.length || !/\s/.test(word)));
}

/** The end of the first word in the text; 0 if the word contains more than visible ASCII, or ends in white space other than a blank. */
function endOfPlainWord(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) return at;
    if (code < SPACE || code > LAST_VISIBLE) return 0;
  }
  return text.length;
}

const SPACE = 0x20;
const LAST_VISIBLE = 0x7e;

export interface CoverEntry {
  readonly rule: number;
  readonly reading: CoverReading;
}

/**
 * Adds the readings of an allow rule to the tree that a CoverIndex searches: as `exact` if nothing may follow the words, under
 * its text for a `folder`, else as `open`.
 */
export function addCovering(root: MutableNode<CoverEntry>, rule: number, readings: readonly CoverReading[]): void {
  for (const reading of readings) {
    const node = root.grow(reading.words);
    const entry = { rule, reading };
    if (reading.end === 'exact') node.exact.push(entry);
    else if (reading.end === 'folder') node.put(reading.text, entry);
    else node.open.push(entry);
  }
}

/** An index of allow rules over commands. */
export class CoverIndex {
  readonly #root: IndexNode<CoverEntry>;
  readonly #count: Count;

  constructor(root: IndexNode<CoverEntry>, count: Count) {
    this.#root = root;
    this.#count = count;
  }

  /** Finds every rule that covers the whole command and settles its issues. */
  words(words: readonly string[], issues: readonly WordIssue[], hit: Hit): void {
    let node: IndexNode<CoverEntry> | undefined = this.#root;
    for (let at = 0; node !== undefined; at++) {
      for (const entry of node.open) this.#check(entry, words, issues, hit);
      const word: string | undefined = words[at];
      if (word === undefined) {
        for (const entry of node.exact) this.#check(entry, words, issues, hit);
        return;
      }
      if (node.lengths.length > 0) {
        for (const match of word.matchAll(/[/=]/g)) {
          for (const entry of node.keyed(word.slice(0, match.index + 1))) this.#check(entry, words, issues, hit);
        }
      }
      node = node.child(word);
    }
  }

  #check({ rule, reading }: CoverEntry, words: readonly string[], issues: readonly WordIssue[], hit: Hit): void {
    this.#count();
    if (readingCovers(reading, words) && isConclusive(reading, words, issues)) hit(rule);
  }
}

/** The position of the first `*` or `?`; -1 if there is none. */
function firstWildcard(glob: string): number {
  const star = glob.indexOf('*');
  const mark = glob.indexOf('?');
  return star < 0 || (mark >= 0 && mark < star) ? mark : star;
}

/** True if only stars follow from a position on. */
function onlyStars(glob: string, from: number): boolean {
  for (let at = from; at < glob.length; at += 1) if (glob[at] !== '*') return false;
  return true;
}
