/** The rules of one tool: ask and deny rules in one set of indexes, allow rules in another. */
import type { SubjectKind } from '../call/tool-call.js';
import { CoverIndex, type Hit, MeetIndex } from './command-index.js';
import type { WordIssue } from './command-pattern.js';
import type { CompiledRule, CompiledRuleData, PatternKind } from './compiled-rule.js';
import { PathIndex } from './path-index.js';
import type { PathLocation } from './path-location.js';
import { NameIndex, UrlIndex } from './text-index.js';
import { readUrl } from './url-pattern.js';
import { globMatch } from './wildcard.js';

const NONE: readonly CompiledRule[] = [];

/** All rules that are about one tool. `count` is told of every pattern that is compared beyond the index. */
export class ToolRules {
  readonly total: readonly CompiledRule[];
  readonly patterned: readonly CompiledRuleData[];
  readonly #rules: readonly CompiledRuleData[];
  readonly #count: () => void;
  #meeting: MeetRules | null = null;
  #covering: CoverRules | null = null;

  constructor(rules: readonly CompiledRuleData[], count: () => void) {
    this.#rules = rules;
    this.#count = count;
    this.total = rules.filter((rule) => rule.total);
    this.patterned = rules.filter((rule) => !rule.total && rule.rule.effect !== 'allow');
  }

  /** Ask and deny rules, indexed on first use. */
  get meeting(): MeetRules {
    this.#meeting ??= new MeetRules(this.patterned, this.#count);
    return this.#meeting;
  }

  /** Allow rules, indexed on first use. */
  get covering(): CoverRules {
    this.#covering ??= new CoverRules(
      this.#rules.filter((rule) => !rule.total && rule.rule.effect === 'allow'),
      this.#count,
    );
    return this.#covering;
  }

  parameters(name: string, value: string): readonly CompiledRule[] {
    return this.#rules.filter(({ parameter }) => parameter?.name === name && globMatch(parameter.value, value));
  }
}

/** Ask and deny rules; each kind is indexed when it is first asked for. A rule whose pattern could not be compiled for a kind meets all of that kind. */
class MeetRules {
  readonly #rules: readonly CompiledRuleData[];
  readonly #count: () => void;
  readonly #always: Readonly<Record<PatternKind, number[]>> = { command: [], path: [], url: [], name: [] };
  #commands: MeetIndex | null = null;
  #paths: PathIndex | null = null;
  #urls: UrlIndex | null = null;
  #names: NameIndex | null = null;

  constructor(rules: readonly CompiledRuleData[], count: () => void) {
    this.#rules = rules;
    this.#count = count;
    rules.forEach(({ always }, number) => {
      for (const kind of always) this.#always[kind].push(number);
    });
  }

  get #commandIndex(): MeetIndex {
    if (this.#commands === null) {
      const index = new MeetIndex(this.#count);
      this.#rules.forEach((rule, number) => {
        index.add(number, rule.meets);
      });
      this.#commands = index;
    }
    return this.#commands;
  }

  command(words: readonly (string | null)[]): readonly CompiledRule[] {
    const index = this.#commandIndex;
    this.#begin('command');
    index.words(words, hit);
    return found(this.#rules);
  }

  path(locations: readonly PathLocation[]): readonly CompiledRule[] {
    this.#paths ??= pathIndexOf(this.#rules, this.#count);
    this.#begin('path');
    for (const location of locations) this.#paths.meeting(location, hit);
    return found(this.#rules);
  }

  url(url: string): readonly CompiledRule[] {
    this.#urls ??= urlIndexOf(this.#rules, this.#count);
    this.#begin('url');
    this.#urls.meeting(readUrl(url), hit);
    return found(this.#rules);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    switch (kind) {
      case 'command': {
        const index = this.#commandIndex;
        this.#begin('command');
        index.text(text, hit);
        return found(this.#rules);
      }
      case 'path':
        // Nobody said where a bare text lies, so it is taken to lie everywhere.
        return this.path([{ absolute: text, project: text, home: text.replace(/^~\//, ''), caseless: true }]);
      case 'url':
        return this.url(text);
      case 'query':
      case 'name':
      case 'text':
        this.#names ??= nameIndexOf(this.#rules, this.#count);
        this.#begin('name');
        this.#names.matching(text, hit);
        return found(this.#rules);
    }
  }

  #begin(kind: PatternKind): void {
    begin();
    for (const number of this.#always[kind]) hit(number);
  }
}

/** Allow rules; each kind is indexed when it is first asked for. */
class CoverRules {
  readonly #rules: readonly CompiledRuleData[];
  readonly #count: () => void;
  #commands: CoverIndex | null = null;
  #paths: PathIndex | null = null;
  #urls: UrlIndex | null = null;
  #names: NameIndex | null = null;

  constructor(rules: readonly CompiledRuleData[], count: () => void) {
    this.#rules = rules;
    this.#count = count;
  }

  command(words: readonly string[], issues: readonly WordIssue[]): readonly CompiledRule[] {
    if (this.#commands === null) {
      const index = new CoverIndex(this.#count);
      this.#rules.forEach((rule, number) => {
        index.add(number, rule.covers);
      });
      this.#commands = index;
    }
    begin();
    this.#commands.words(words, issues, hit);
    return found(this.#rules);
  }

  path(location: PathLocation): readonly CompiledRule[] {
    this.#paths ??= pathIndexOf(this.#rules, this.#count);
    begin();
    this.#paths.covering(location, hit);
    return found(this.#rules);
  }

  url(url: string): readonly CompiledRule[] {
    this.#urls ??= urlIndexOf(this.#rules, this.#count);
    begin();
    this.#urls.covering(readUrl(url), hit);
    return found(this.#rules);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    if (kind === 'url') return this.url(text);
    if (kind === 'command' || kind === 'path') return NONE;
    this.#names ??= nameIndexOf(this.#rules, this.#count);
    begin();
    this.#names.matching(text, hit);
    return found(this.#rules);
  }
}

function pathIndexOf(rules: readonly CompiledRuleData[], count: () => void): PathIndex {
  const index = new PathIndex(count);
  rules.forEach(({ path }, number) => {
    if (path) index.add(number, path);
  });
  return index;
}

function urlIndexOf(rules: readonly CompiledRuleData[], count: () => void): UrlIndex {
  const index = new UrlIndex(count);
  rules.forEach(({ url }, number) => {
    if (url) index.add(number, url);
  });
  return index;
}

function nameIndexOf(rules: readonly CompiledRuleData[], count: () => void): NameIndex {
  const index = new NameIndex(count);
  rules.forEach(({ name }, number) => {
    if (name) index.add(number, name);
  });
  return index;
}

/** Numbers of the rules that the search in hand hit; searches never overlap, and most hit nothing, so one list serves all. */
const hits: number[] = [];
const hit: Hit = (rule) => {
  hits.push(rule);
};

function begin(): void {
  if (hits.length > 0) hits.length = 0;
}

/** The rules that were hit: in rule order, each rule once. */
function found(rules: readonly CompiledRuleData[]): readonly CompiledRule[] {
  if (hits.length === 0) return NONE;
  const unique = hits.length === 1 ? hits : [...new Set(hits)].sort((left, right) => left - right);
  const result: CompiledRule[] = [];
  for (const number of unique) {
    const rule = rules[number];
    if (rule !== undefined) result.push(rule);
  }
  return result;
}
