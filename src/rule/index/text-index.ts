/** URL and name rules by their literal parts: host, host suffix, whole name; all others are in a list. */

import type { NamePattern } from '../pattern/name-pattern.js';
import { type UrlPattern, type UrlReading, urlCovered, urlMet } from '../pattern/url-pattern.js';
import { globMatch, hasWildcard } from '../pattern/wildcard.js';
import type { Count, Hit } from './command-index.js';
import type { IndexNode, MutableNode } from './index-node.js';

export interface UrlEntry {
  readonly rule: number;
  readonly pattern: UrlPattern;
}

/** Adds a pattern under its host, under `.HOST` if it is about all hosts below one, else as `open`. */
export function addUrl(root: MutableNode<UrlEntry>, rule: number, pattern: UrlPattern): void {
  const host = pattern.kind === 'text' ? null : pattern.host;
  if (host?.scope === 'exact') root.put(host.host, { rule, pattern });
  else if (host?.scope === 'below') root.put(`.${host.host}`, { rule, pattern });
  else root.open.push({ rule, pattern });
}

/** URL rules of one tool and one direction. */
export class UrlIndex {
  readonly #root: IndexNode<UrlEntry>;
  readonly #count: Count;

  constructor(root: IndexNode<UrlEntry>, count: Count) {
    this.#root = root;
    this.#count = count;
  }

  covering(reading: UrlReading, hit: Hit): void {
    this.#each(reading, ({ rule, pattern }) => {
      if (urlCovered(pattern, reading)) hit(rule);
    });
  }

  meeting(reading: UrlReading, hit: Hit): void {
    this.#each(reading, ({ rule, pattern }) => {
      if (urlMet(pattern, reading)) hit(rule);
    });
  }

  /** Shows the patterns that may be about the host; all patterns for a URL without one. */
  #each({ host }: UrlReading, show: (entry: UrlEntry) => void): void {
    const counted = (entry: UrlEntry) => {
      this.#count();
      show(entry);
    };
    if (host === '') {
      this.#root.each(counted);
      return;
    }
    this.#root.keyed(host).forEach(counted);
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
      this.#root.keyed(host.slice(dot)).forEach(counted);
    this.#root.open.forEach(counted);
  }
}

export interface NameEntry {
  readonly rule: number;
  readonly glob: string;
}

/** Adds the globs of a pattern: a name without wildcards under itself, any other as `open`. */
export function addName(root: MutableNode<NameEntry>, rule: number, pattern: NamePattern): void {
  for (const glob of pattern.globs) {
    if (hasWildcard(glob)) root.open.push({ rule, glob });
    else root.put(glob, { rule, glob });
  }
}

/** Name rules of one tool and one direction. */
export class NameIndex {
  readonly #root: IndexNode<NameEntry>;
  readonly #count: Count;

  constructor(root: IndexNode<NameEntry>, count: Count) {
    this.#root = root;
    this.#count = count;
  }

  matching(text: string, hit: Hit): void {
    for (const { rule } of this.#root.keyed(text)) hit(rule);
    for (const { rule, glob } of this.#root.open) {
      this.#count();
      if (globMatch(glob, text)) hit(rule);
    }
  }
}
