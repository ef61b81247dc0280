/** Applies the corrections of findings to a text, and discards those that would break it. */
import type { Finding, Fix } from './finding.js';

export interface FixedText {
  readonly text: string;
  /** The applied corrections, in the order of the text. */
  readonly done: readonly Fix[];
}

/** The result of linting a text. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** Whether its YAML, JSON or TOML could be parsed. */
  readonly parsed: boolean;
}

/** Harmful corrections, identified by their description and new text. */
export type Refused = Set<string>;

/**
 * Applies those corrections that cause no new error; the others are added to `refused` and not tried again.
 * @param judge lints a text of this file
 */
export function fixText(text: string, fixes: readonly Fix[], judge: (text: string) => Judged, refused: Refused): FixedText {
  const tried = fixes.filter((fix) => !refused.has(keyOf(fix)));
  const whole = applied(text, tried);
  if (whole.text === text) return { text, done: [] };
  const before = judge(text);
  if (!isWorse(before, judge(whole.text))) return whole;
  const harmless = whole.done.filter((fix) => !isWorse(before, judge(applied(text, [fix]).text)));
  for (const fix of whole.done) if (!harmless.includes(fix)) refused.add(keyOf(fix));
  // If each is harmless alone but not together: apply only one now, and the others to its result later.
  const fixed = applied(text, harmless.length === whole.done.length ? harmless.slice(0, 1) : harmless);
  if (!isWorse(before, judge(fixed.text))) return fixed;
  for (const fix of fixed.done) refused.add(keyOf(fix));
  return { text, done: [] };
}

/** Ignores offsets, since the same correction has other offsets after the text has changed elsewhere. */
function keyOf({ description, edits }: Fix): string {
  return JSON.stringify([description, edits.map(({ text }) => text)]);
}

/**
 * Whether a parsable text no longer is, or some rule has more errors than before; errors that only become visible because the
 * text can now be parsed do not matter.
 */
function isWorse(before: Judged, after: Judged): boolean {
  if (before.parsed !== after.parsed) return before.parsed;
  const known = errorCounts(before);
  return [...errorCounts(after)].some(([ruleId, errors]) => errors > (known.get(ruleId) ?? 0));
}

function errorCounts({ findings }: Judged): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { severity, ruleId } of findings) if (severity === 'error') counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
  return counts;
}

/** Applies every correction of the findings of one file that overlaps no earlier one. */
export function applyFixes(text: string, findings: readonly Pick<Finding, 'fix'>[]): FixedText {
  return applied(
    text,
    findings.flatMap(({ fix }) => (fix === null ? [] : [fix])),
  );
}

/**
 * Applies every correction that overlaps no earlier one. Offsets do not include a byte order mark, which stays; line ends are
 * those of the text.
 */
function applied(text: string, fixes: readonly Fix[]): FixedText {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  const lineEnd = source.includes('\r\n') ? '\r\n' : '\n';
  const done: Fix[] = [];
  let fixed = '';
  let at = 0;
  for (const fix of [...fixes].sort((left, right) => startOf(left) - startOf(right))) {
    const edits = inOrder(fix.edits);
    if (!fits(edits, at, source.length)) continue;
    for (const edit of edits) {
      fixed += source.slice(at, edit.start) + edit.text.replaceAll(/\r\n|\n/g, lineEnd);
      at = edit.end;
    }
    done.push(fix);
  }
  return { text: mark + fixed + source.slice(at), done };
}

/** Whether edits follow one another, between the part that is already done and the end of the text. */
function fits(edits: Fix['edits'], from: number, length: number): boolean {
  let at = from;
  for (const { start, end } of edits) {
    if (start < at || end < start || end > length) return false;
    at = end;
  }
  return true;
}

/** Sorts in the order of the text; an edit that occurs twice is applied once. */
function inOrder(edits: Fix['edits']): Fix['edits'] {
  const sorted = [...edits].sort((left, right) => left.start - right.start || left.end - right.end);
  return sorted.filter(({ start, end, text }, index) => {
    const before = sorted[index - 1];
    return before === undefined || before.start !== start || before.end !== end || before.text !== text || start === end;
  });
}

function startOf({ edits }: Fix): number {
  return Math.min(...edits.map(({ start }) => start));
}
