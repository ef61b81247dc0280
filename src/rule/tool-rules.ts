/** The rules of one tool: ask and deny rules in one set of indexes, allow rules in another. */
import type { SubjectKind } from '../call/tool-call.js';
import { CoverIndex, type Hit, MeetIndex } from './command-index.js';
import type { WordIssue } from './command-pattern.js';
import { type CompiledRule, type CompiledRuleData, PATTERN_KINDS, type PatternKind } from './compiled-rule.js';
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

/** Ask and deny rules. A rule whose pattern could not be compiled for a kind meets all of that kind. */
class MeetRules {
  readonly #rules: readonly CompiledRuleData[];
  readonly #commands: MeetIndex;
  readonly #paths: PathIndex;
  readonly #urls: UrlIndex;
  readonly #names: NameIndex;
  readonly #always: Readonly<Record<PatternKind, number[]>> = { command: [], path: [], url: [], name: [] };

  constructor(rules: readonly CompiledRuleData[], count: () => void) {
    this.#rules = rules;
    this.#commands = new MeetIndex(count);
    this.#paths = new PathIndex(count);
    this.#urls = new UrlIndex(count);
    this.#names = new NameIndex(count);
    rules.forEach((rule, number) => {
      this.#commands.add(number, rule.meets);
      if (rule.path) this.#paths.add(number, rule.path);
      if (rule.url) this.#urls.add(number, rule.url);
      if (rule.name) this.#names.add(number, rule.name);
      for (const kind of PATTERN_KINDS) if (rule.always.includes(kind)) this.#always[kind].push(number);
    });
  }

  command(words: readonly (string | null)[]): readonly CompiledRule[] {
    this.#begin('command');
    this.#commands.words(words, hit);
    return found(this.#rules);
  }

  path(locations: readonly PathLocation[]): readonly CompiledRule[] {
    this.#begin('path');
    for (const location of locations) this.#paths.meeting(location, hit);
    return found(this.#rules);
  }

  url(url: string): readonly CompiledRule[] {
    this.#begin('url');
    this.#urls.meeting(readUrl(url), hit);
    return found(this.#rules);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    switch (kind) {
      case 'command':
        this.#begin('command');
        this.#commands.text(text, hit);
        return found(this.#rules);
      case 'path':
        // Nobody said where a bare text lies, so it is taken to lie everywhere.
        return this.path([{ absolute: text, project: text, home: text.replace(/^~\//, ''), caseless: true }]);
      case 'url':
        return this.url(text);
      case 'query':
      case 'name':
      case 'text':
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

/** Allow rules. */
class CoverRules {
  readonly #rules: readonly CompiledRuleData[];
  readonly #commands: CoverIndex;
  readonly #paths: PathIndex;
  readonly #urls: UrlIndex;
  readonly #names: NameIndex;

  constructor(rules: readonly CompiledRuleData[], count: () => void) {
    this.#rules = rules;
    this.#commands = new CoverIndex(count);
    this.#paths = new PathIndex(count);
    this.#urls = new UrlIndex(count);
    this.#names = new NameIndex(count);
    rules.forEach((rule, number) => {
      this.#commands.add(number, rule.covers);
      if (rule.path) this.#paths.add(number, rule.path);
      if (rule.url) this.#urls.add(number, rule.url);
      if (rule.name) this.#names.add(number, rule.name);
    });
  }

  command(words: readonly string[], issues: readonly WordIssue[]): readonly CompiledRule[] {
    begin();
    this.#commands.words(words, issues, hit);
    return found(this.#rules);
  }

  path(location: PathLocation): readonly CompiledRule[] {
    begin();
    this.#paths.covering(location, hit);
    return found(this.#rules);
  }

  url(url: string): readonly CompiledRule[] {
    begin();
    this.#urls.covering(readUrl(url), hit);
    return found(this.#rules);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    if (kind === 'url') return this.url(text);
    if (kind === 'command' || kind === 'path') return NONE;
    begin();
    this.#names.matching(text, hit);
    return found(this.#rules);
  }
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
