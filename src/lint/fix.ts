/** Applies the corrections that findings carry to a text. */
import type { Finding, Fix } from './finding.js';

export interface FixedText {
  readonly text: string;
  /** What was done, in the order of the text. */
  readonly done: readonly Fix[];
}

/**
 * The text with every fix applied that overlaps none before it. Offsets count without a byte order mark, which stays.
 * @param findings those of one file
 */
export function applyFixes(text: string, findings: readonly Finding[]): FixedText {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const source = text.slice(mark.length);
  const done: Fix[] = [];
  let fixed = '';
  let at = 0;
  const fixes = findings.flatMap(({ fix }) => (fix === null ? [] : [fix])).sort((left, right) => startOf(left) - startOf(right));
  for (const fix of fixes) {
    if (startOf(fix) < at) continue;
    for (const edit of [...fix.edits].sort((left, right) => left.start - right.start)) {
      fixed += source.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    done.push(fix);
  }
  return { text: mark + fixed + source.slice(at), done };
}

function startOf(fix: Fix): number {
  return Math.min(...fix.edits.map(({ start }) => start));
}
