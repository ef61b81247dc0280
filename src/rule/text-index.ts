/** URL and name rules by what is literal in them: host, host suffix, whole name; the rest is a list. */
import type { Count, Hit } from './command-index.js';
import type { NamePattern } from './name-pattern.js';
import { type UrlPattern, type UrlReading, urlCovered, urlMet } from './url-pattern.js';
import { globMatch, hasWildcard } from './wildcard.js';

type Numbered<Value> = readonly [rule: number, value: Value];

/** URL rules of one tool and one direction. */
export class UrlIndex {
  /** Patterns about one host. */
  readonly #hosts = new Map<string, Numbered<UrlPattern>[]>();
  /** Patterns about all hosts below one. */
  readonly #suffixes = new Map<string, Numbered<UrlPattern>[]>();
  readonly #others: Numbered<UrlPattern>[] = [];
  readonly #all: Numbered<UrlPattern>[] = [];
  readonly #count: Count;

  constructor(count: Count) {
    this.#count = count;
  }

  add(rule: number, pattern: UrlPattern): void {
    this.#all.push([rule, pattern]);
    const scope = pattern.kind === 'text' ? null : pattern.host;
    if (scope?.scope === 'exact') append(this.#hosts, scope.host, [rule, pattern]);
    else if (scope?.scope === 'below') append(this.#suffixes, scope.host, [rule, pattern]);
    else this.#others.push([rule, pattern]);
  }

  covering(reading: UrlReading, hit: Hit): void {
    for (const [rule, pattern] of this.#candidates(reading)) if (urlCovered(pattern, reading)) hit(rule);
  }

  meeting(reading: UrlReading, hit: Hit): void {
    for (const [rule, pattern] of this.#candidates(reading)) if (urlMet(pattern, reading)) hit(rule);
  }

  *#candidates(reading: UrlReading): Generator<Numbered<UrlPattern>> {
    const { host } = reading;
    for (const list of host === '' ? [this.#all] : this.#listsFor(host)) {
      for (const candidate of list) {
        this.#count();
        yield candidate;
      }
    }
  }

  *#listsFor(host: string): Generator<readonly Numbered<UrlPattern>[]> {
    yield this.#hosts.get(host) ?? [];
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
      yield this.#suffixes.get(host.slice(dot + 1)) ?? [];
    yield this.#others;
  }
}

/** Name rules of one tool and one direction. */
export class NameIndex {
  readonly #exact = new Map<string, Numbered<string>[]>();
  readonly #globs: Numbered<string>[] = [];
  readonly #count: Count;

  constructor(count: Count) {
    this.#count = count;
  }

  add(rule: number, pattern: NamePattern): void {
    for (const glob of pattern.globs) {
      if (hasWildcard(glob)) this.#globs.push([rule, glob]);
      else append(this.#exact, glob, [rule, glob]);
    }
  }

  matching(text: string, hit: Hit): void {
    for (const [rule] of this.#exact.get(text) ?? []) hit(rule);
    for (const [rule, glob] of this.#globs) {
      this.#count();
      if (globMatch(glob, text)) hit(rule);
    }
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
