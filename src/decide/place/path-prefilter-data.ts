/** The data that the build precomputes from path patterns for the quick check in path-prefilter.ts. */
import { type FilterData, LONGEST } from './path-prefilter.js';

type Table = Map<number, number>;

/** The filter for patterns with segments separated by `/`; `*` is their only wildcard. */
export function filterData(patterns: readonly string[]): FilterData {
  const [starts, open, endings]: [Table, Table, Table] = [new Map(), new Map(), new Map()];
  const names = new Set<string>();
  const beginnings = new Set<string>();
  let always = false;
  for (const pattern of patterns) {
    const first = pattern
      .toLowerCase()
      .split('/')
      .find((segment) => segment !== '');
    if (first === undefined) continue;
    if (!/^[\x21-\x7e]+$/.test(first)) throw new Error(`${pattern} begins with what is no ASCII`);
    const star = first.indexOf('*');
    if (star < 0) {
      add(starts, first, 1 << lengthOf(first));
      names.add(first);
    } else if (star > 0) {
      add(open, first, -1 << lengthOf(first.replaceAll('*', '')));
      beginnings.add(first.slice(0, star));
    } else if (isEnding(first.slice(1))) add(endings, first.slice(2), 1 << lengthOf(first.slice(1)));
    else always = true;
  }
  const pairs = (table: Table) => [...table].flat();
  return {
    starts: pairs(starts),
    names: `/${[...names].join('/')}/`,
    open: pairs(open),
    beginnings: [...beginnings],
    endings: pairs(endings),
    always,
  };
}

/** Adds bits to the entry of the text's first character. */
function add(table: Table, text: string, bits: number): void {
  const code = text.charCodeAt(0);
  table.set(code, (table.get(code) ?? 0) | bits);
}

function lengthOf(text: string): number {
  return Math.min(text.length, LONGEST);
}

/** `.pem`: a dot, then no further dot or star. */
function isEnding(text: string): boolean {
  return text.length > 1 && text.startsWith('.') && text.lastIndexOf('.') === 0 && !text.includes('*');
}
