/** The result of a reader of one format: data with the tree of places, or the first problem; and the limits of all readers. */

/** A value's place: offsets into the text after its byte order mark. */
export interface LocatedNode {
  /** The first character, including the quote of a quoted string. */
  readonly start: number;
  /** The characters of a scalar without its quotes; -1 if they are not contiguous in the source. */
  readonly textStart: number;
  readonly textEnd: number;
  /** The offset after the value of a member in TOML; absent for a table under a header, and in other formats. */
  readonly end?: number;
  readonly members: ReadonlyMap<string, { readonly keyStart: number; readonly node: LocatedNode }> | null;
  readonly items: readonly LocatedNode[] | null;
}

/** Why a text cannot be read, with the offset. */
export interface ReadingProblem {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
}

/** `root` is null for an empty text. */
export type Reading = { readonly data: unknown; readonly root: LocatedNode | null } | ReadingProblem;

/** The largest text, in UTF-16 units (1 MiB); larger ones are refused before any parser sees them. */
export const MAX_LENGTH = 1_048_576;
/** The deepest nesting. */
export const MAX_DEPTH = 50;
/** The most values in one file, with aliases counted each time they are used. */
export const MAX_NODES = 100_000;

/** The problem of nesting that is too deep to be read. */
export function tooDeep(offset: number): ReadingProblem {
  return { code: 'file/too-deep', message: `Nesting deeper than ${MAX_DEPTH} levels is not read.`, offset };
}

/** The problem of a file with more values than anyone writes. */
export function tooMany(offset: number): ReadingProblem {
  return { code: 'file/too-large', message: `More than ${MAX_NODES} values in one file are not read.`, offset };
}

/** The problem of a duplicate key in one map; parsers would silently keep one of the two. */
export function duplicateKey(name: string, offset: number): ReadingProblem {
  const message = `The key ${JSON.stringify(name.slice(0, 80))} is written twice in the same map; keep one of them.`;
  return { code: 'file/duplicate-key', message, offset };
}

/** The problem of a key that only makes sense as an attack on JavaScript objects. */
export function forbiddenKey(offset: number): ReadingProblem {
  return { code: 'policy/unknown-key', message: 'Unknown key "__proto__"; it has no meaning anywhere, remove it.', offset };
}
