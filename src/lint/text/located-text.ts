/** The data of a YAML, JSON or TOML text, with the span of every key and value in the file. */

import { splitOutsideParentheses } from '../../agent/fields.js';
import { isFields } from '../../call/fields.js';
import type { Located } from '../../policy/read/located.js';
import { pointerNames, pointerTo } from '../../policy/read/pointer.js';
import type { Span } from './finding.js';
import type { SourceText } from './source-text.js';

/** An entry of a list or of a comma-separated value, with its span. */
interface TextItem {
  readonly text: string;
  readonly span: Span;
  readonly pointer: string;
}

/** Many are made and few are reported, so the span is looked up when it is asked for. A spread does not copy it. */
export class LocatedItem implements TextItem {
  constructor(
    readonly text: string,
    readonly pointer: string,
    private readonly owner: LocatedText,
    readonly start: number,
    readonly ofList: boolean,
  ) {}

  get span(): Span {
    return this.owner.itemSpan(this);
  }
}

export class LocatedText {
  readonly root: unknown;
  readonly #located: Located;
  readonly #source: SourceText;
  readonly #above: number;
  #keys: readonly string[] | null = null;
  /** Nearly all rules ask for the same list. */
  #lastItems: { readonly pointer: string; readonly separators: string; readonly items: readonly LocatedItem[] } | null = null;

  /** @param firstLine line of the file on which the located text starts */
  constructor(located: Located, source: SourceText, firstLine: number) {
    this.root = located.data;
    this.#located = located;
    this.#source = source;
    this.#above = firstLine - 1;
  }

  /** The keys of the top-level map; empty if there is none. */
  get keys(): readonly string[] {
    this.#keys ??= isFields(this.root) ? Object.keys(this.root) : [];
    return this.#keys;
  }

  /** Returns the value at a pointer, own members only; undefined when there is none. */
  at(pointer: string): unknown {
    let value: unknown = this.root;
    for (const name of pointerNames(pointer)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = Object.getOwnPropertyDescriptor(value, name)?.value;
    }
    return value;
  }

  keySpan(pointer: string): Span {
    const start = this.#offset(this.#located.keyAt(pointer));
    return this.#source.textSpan(start, pointerNames(pointer).at(-1) ?? '');
  }

  valueSpan(pointer: string): Span {
    const start = this.#offset(this.#located.valueAt(pointer));
    const end = this.#source.quotedEnd(start);
    if (end !== null) return this.#source.span(start, end);
    const value = this.at(pointer);
    if (typeof value === 'object' || value === undefined) return this.#source.collectionSpan(start);
    return this.#source.textSpan(start, String(value));
  }

  /** Returns the span of the characters `from` to `to` of the string at a pointer. */
  insideSpan(pointer: string, from: number, to: number): Span {
    const value = String(this.at(pointer));
    const start = this.#offset(this.#located.insideAt(pointer, value, from));
    return this.#source.textSpan(start, value.slice(from, to));
  }

  /** Returns the strings of a list, or the parts of one string between separators outside of parentheses. */
  items(pointer: string, separators: string): readonly LocatedItem[] {
    if (this.#lastItems?.pointer === pointer && this.#lastItems.separators === separators) return this.#lastItems.items;
    const value = this.at(pointer);
    if (value === undefined) return [];
    const items = this.#itemsOf(value, pointer, separators);
    this.#lastItems = { pointer, separators, items };
    return items;
  }

  #itemsOf(value: unknown, pointer: string, separators: string): LocatedItem[] {
    if (typeof value === 'string')
      return splitOutsideParentheses(value, separators).map(
        ({ text, start }) => new LocatedItem(text, pointer, this, start, false),
      );
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown, index) => {
      if (typeof item !== 'string' || item.trim() === '') return [];
      const inner = pointerTo(pointer, index);
      return [new LocatedItem(item.trim(), inner, this, item.length - item.trimStart().length, true)];
    });
  }

  /** Returns the span of an entry from `items`: part of a list, or of one string; its start, if that contains escapes or line folds. */
  itemSpan({ text, pointer, start, ofList }: Pick<LocatedItem, 'text' | 'pointer' | 'start' | 'ofList'>): Span {
    if (ofList) return this.insideSpan(pointer, start, start + text.length);
    const value = String(this.at(pointer));
    const base = this.#offset(this.#located.insideAt(pointer, value, 0));
    const exact = this.#source.text.startsWith(value, base);
    return exact ? this.#source.span(base + start, base + start + text.length) : this.valueSpan(pointer);
  }

  /** Whether the value or the key of a pointer starts on a line. */
  isAt(pointer: string, line: number): boolean {
    if (this.at(pointer) === undefined) return false;
    return this.keySpan(pointer).line === line || this.valueSpan(pointer).line === line;
  }

  #offset(place: { readonly line: number; readonly column: number }): number {
    return this.#source.offsetAt({ line: place.line + this.#above, column: place.column });
  }
}
