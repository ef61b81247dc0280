/**
 * A report as a tree, built once and printed as Markdown (markdown.ts) or as a page of HTML (html.ts). A string in it may be a
 * stranger's, and both printers escape it; only `ours` contains Markdown that is used as it is.
 */

/** A status: an icon, and on a page a color. `missing` is proven, `partial` and `pending` are open. */
export type Mark = 'implemented' | 'partial' | 'missing' | 'pending' | 'none' | 'note';

export type Inline =
  | string
  /** Words with commands in backticks. Both printers escape the rest, so that names from an examined file may be among them. */
  | { readonly ours: string }
  | { readonly code: string }
  | { readonly strong: Text }
  | { readonly mark: Mark; readonly word?: string }
  /** A link to the element with this id on the page. */
  | { readonly link: string; readonly text?: string };

export type Text = Inline | readonly Inline[];

export interface Item {
  readonly text: Text;
  readonly id?: string;
  readonly below?: readonly Item[];
  readonly lines?: readonly string[];
}

export interface Section {
  readonly kind: 'section';
  readonly title: Text;
  /** Its name on the page, for links. */
  readonly id: string | null;
  readonly blocks: readonly Block[];
}

export interface Line {
  readonly text: string;
  readonly style: 'plain' | 'dim' | 'primary' | 'related';
}

export type Block =
  | Section
  | { readonly kind: 'paragraph'; readonly text: Text }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly heads: readonly string[]; readonly rows: readonly (readonly Text[])[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  /** A unified diff. */
  | { readonly kind: 'patch'; readonly diff: string }
  /** Expanded by a click, on a page and where Markdown is rendered. */
  | { readonly kind: 'folded'; readonly title: Text; readonly blocks: readonly Block[] }
  /** A switch on a page that hides what holds; it needs no script. */
  | { readonly kind: 'filter'; readonly label: string }
  /** Content for which only a page has room. */
  | { readonly kind: 'page'; readonly blocks: readonly Block[] }
  | { readonly kind: 'frame'; readonly lines: readonly (readonly Line[])[] }
  | { readonly kind: 'chart'; readonly parts: readonly Part[] };

export interface Part {
  readonly mark: Mark;
  readonly word: string;
  readonly count: number;
}

export function section(title: Text, id: string | null, blocks: readonly Block[]): Section {
  return { kind: 'section', title, id, blocks };
}

export function paragraph(...text: readonly Inline[]): Block {
  return { kind: 'paragraph', text };
}

export function list(texts: readonly Text[]): Block {
  return { kind: 'list', items: texts.map((text) => ({ text })) };
}

export function table(heads: readonly string[], rows: readonly (readonly Text[])[]): Block {
  return { kind: 'table', heads, rows };
}

/** Returns the first mark in a text: what it says of its row, entry or section; null without one. */
export function stateOf(text: Text): Mark | null {
  for (const one of partsOf(text)) if (typeof one !== 'string' && 'mark' in one) return one.mark;
  return null;
}

/** Joins texts with commas. */
export function listed(texts: readonly Inline[]): readonly Inline[] {
  return texts.flatMap((text, at) => (at === 0 ? [text] : [', ', text]));
}

/** Returns the parts one after the other, as Markdown and HTML need them. */
export function partsOf(text: Text): readonly Inline[] {
  return isParts(text) ? text : [text];
}

function isParts(text: Text): text is readonly Inline[] {
  return Array.isArray(text);
}
