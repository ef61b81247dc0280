// Holds what lint says of two rules (one stands for all that the other does) against what is decided about every short line.
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';
import { type Alphabet, linesOf, patternsOf, randomFrom } from './patterns.js';
import { type Judge, type ReadCall, readLine, type System } from './world.js';

/** Which effects lint compares: the first rule would make the second one useless. */
const EFFECTS: readonly (readonly [outer: Effect, inner: Effect])[] = [
  ['deny', 'allow'],
  ['ask', 'allow'],
  ['deny', 'ask'],
  ['allow', 'allow'],
  ['deny', 'deny'],
  ['ask', 'ask'],
];

export interface Wanted {
  readonly system: System;
  readonly alphabet: Alphabet;
  /** Symbols of the longest lines. */
  readonly length: number;
  readonly patterns: number;
  readonly pairs: number;
  readonly seed: number;
}

export interface Compared {
  readonly pairs: number;
  readonly lines: number;
  /** Pairs of which every line that the second rule decides is decided by the first, and there is one. */
  readonly included: number;
  /** Of these, those that lint finds. */
  readonly found: number;
  /** Of these, those that differ on a line longer than all that were tried. */
  readonly longer: number;
  /** Of these, those that lint does not tell although nothing speaks against it. */
  readonly missed: number;
  /** Their names, by why lint leaves the doubt. */
  readonly untold: Readonly<Record<string, readonly string[]>>;
  /** What lint says and is not so; empty. */
  readonly wrong: readonly string[];
  /** Examples in lint's words: the wider rule alone decides each, and the narrower one where both have the same effect. */
  readonly examples: number;
}

interface Tried {
  readonly judge: Judge;
  /** For each line whether the rule decides it. */
  readonly lines: Uint8Array;
  readonly count: number;
}

export function compareWithBruteForce({ system, alphabet, length, patterns, pairs, seed }: Wanted): Compared {
  const random = randomFrom(seed);
  const lines = linesOf(alphabet, length).map(readLine);
  const texts = patternsOf(alphabet, patterns, random);
  const tried = (effect: Effect) => texts.flatMap((pattern) => triedOn(lines, system(effect, pattern)));
  const byEffect = { allow: tried('allow'), ask: tried('ask'), deny: tried('deny') };
  const [included, others]: [Pair[], Pair[]] = [[], []];
  for (const [outerEffect, innerEffect] of EFFECTS)
    for (const outer of byEffect[outerEffect])
      for (const inner of byEffect[innerEffect])
        if (outer !== inner) (isWithin(inner, outer) ? included : others).push({ outer, inner });
  return judged(chosen(included, others, pairs, random), lines);
}

/** A rule with what it decides; nothing for one that decides none of the lines. */
function triedOn(lines: readonly ReadCall[], judge: Judge | null): Tried[] {
  if (judge === null) return [];
  const decided = Uint8Array.from(lines, (line) => (judge.decides(line) ? 1 : 0));
  const count = decided.reduce((sum, one) => sum + one, 0);
  return count === 0 ? [] : [{ judge, lines: decided, count }];
}

interface Pair {
  readonly outer: Tried;
  readonly inner: Tried;
}

function isWithin(inner: Tried, outer: Tried): boolean {
  return inner.count <= outer.count && differenceOf(inner, outer) < 0;
}

/** The number of the first line that the one decides and the other does not; -1 for none. */
function differenceOf(inner: Tried, outer: Tried): number {
  for (let at = 0; at < inner.lines.length; at++) if (inner.lines[at] === 1 && outer.lines[at] !== 1) return at;
  return -1;
}

/** Up to `count` pairs at random, two fifths of them included where there are so many. */
function chosen(included: Pair[], others: Pair[], count: number, random: () => number): Pair[] {
  const wanted = Math.min(included.length, Math.max(Math.round(count * 0.4), count - others.length));
  return [...sample(included, wanted, random), ...sample(others, count - wanted, random)];
}

function sample<Item>(items: Item[], count: number, random: () => number): Item[] {
  const most = Math.min(count, items.length);
  for (let at = 0; at < most; at++) {
    const other = at + Math.floor(random() * (items.length - at));
    const [left, right] = [items[at], items[other]];
    if (left === undefined || right === undefined) continue;
    items[at] = right;
    items[other] = left;
  }
  return items.slice(0, most);
}

function judged(pairs: readonly Pair[], lines: readonly ReadCall[]): Compared {
  const counts = { included: 0, found: 0, longer: 0, missed: 0, examples: 0 };
  const wrong: string[] = [];
  const untold: Record<string, string[]> = {};
  for (const pair of pairs) {
    const [outer, inner] = [pair.outer.judge, pair.inner.judge];
    const name = `${outer.effect} ${outer.text} over ${inner.effect} ${inner.text}`;
    const really = isWithin(pair.inner, pair.outer);
    if (really) counts.included++;
    const covering = outer.covers(inner);
    if (covering === null) {
      if (!really) continue;
      if (differsFurtherOn(outer, inner)) counts.longer++;
      else {
        counts.missed++;
        const why = doubtAbout(outer, inner);
        untold[why] = [...(untold[why] ?? []), name];
      }
      continue;
    }
    if (really) counts.found++;
    else wrong.push(`${name}: not ${JSON.stringify(lines[differenceOf(pair.inner, pair.outer)]?.call.input.command)}`);
    const { example } = covering;
    if (example === null) continue;
    counts.examples++;
    const line = readLine(example);
    for (const one of outer.effect === inner.effect ? [outer, inner] : [outer])
      if (!one.decides(line))
        wrong.push(`${name}: the example ${JSON.stringify(example)} is not decided by ${one.effect} ${one.text}`);
  }
  return { pairs: pairs.length, lines: lines.length, ...counts, untold, wrong };
}

/** Why lint does not say what is so: it compares patterns, and these say more than their texts. */
function doubtAbout(outer: Judge, inner: Judge): string {
  const both = outer.text + inner.text;
  if (both.includes('"')) return 'a pattern with quotes';
  if (both.includes('nohup')) return 'a pattern with a wrapper';
  if (/^Bash\([^ ]*[*?]/.test(outer.text) || /^Bash\([^ ]*[*?]/.test(inner.text)) return 'a wildcard in the name of the program';
  if (both.includes('git')) return 'a command of which facts or other spellings decide';
  return both.includes('?') ? 'a question mark' : 'other';
}

/** What the wildcards of a pattern are tried with, to find a line that is longer than all the others. */
const FILLINGS = ['', 'x', 'b', 'xx y', 'a b a b a b a', 'a a a a a a a', 'aaaaaaaa', '-z', '-z y', 'x -f', '"', ' '];

/** Whether some longer line is decided by the second rule and not by the first. */
function differsFurtherOn(outer: Judge, inner: Judge): boolean {
  const pattern = inner.text.slice('Bash('.length, -1).replace(/:\*$/, ' *');
  return FILLINGS.some((first) =>
    FILLINGS.some((others) => {
      const line = readLine(pattern.replace('*', first).replaceAll('*', others).replaceAll('?', 'x').trim());
      return inner.decides(line) && !outer.decides(line);
    }),
  );
}
