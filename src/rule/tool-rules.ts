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
    return this.#found('command', (hit) => this.#commands.words(words, hit));
  }

  path(locations: readonly PathLocation[]): readonly CompiledRule[] {
    return this.#found('path', (hit) => {
      for (const location of locations) this.#paths.meeting(location, hit);
    });
  }

  url(url: string): readonly CompiledRule[] {
    return this.#found('url', (hit) => this.#urls.meeting(readUrl(url), hit));
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    switch (kind) {
      case 'command':
        return this.#found('command', (hit) => this.#commands.text(text, hit));
      case 'path':
        // Nobody said where a bare text lies, so it is taken to lie everywhere.
        return this.path([{ absolute: text, project: text, home: text.replace(/^~\//, ''), caseless: true }]);
      case 'url':
        return this.url(text);
      case 'query':
      case 'name':
      case 'text':
        return this.#found('name', (hit) => this.#names.matching(text, hit));
    }
  }

  #found(kind: PatternKind, search: (hit: Hit) => void): readonly CompiledRule[] {
    const always = this.#always[kind];
    return collect(this.#rules, (hit) => {
      for (const number of always) hit(number);
      search(hit);
    });
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
    return collect(this.#rules, (hit) => this.#commands.words(words, issues, hit));
  }

  path(location: PathLocation): readonly CompiledRule[] {
    return collect(this.#rules, (hit) => this.#paths.covering(location, hit));
  }

  url(url: string): readonly CompiledRule[] {
    return collect(this.#rules, (hit) => this.#urls.covering(readUrl(url), hit));
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    if (kind === 'url') return this.url(text);
    if (kind === 'command' || kind === 'path') return NONE;
    return collect(this.#rules, (hit) => this.#names.matching(text, hit));
  }
}

/** The rules that a search hits: in rule order, each rule once. */
function collect(rules: readonly CompiledRuleData[], search: (hit: Hit) => void): readonly CompiledRule[] {
  const numbers: number[] = [];
  search((number) => {
    numbers.push(number);
  });
  if (numbers.length === 0) return NONE;
  const unique = numbers.length === 1 ? numbers : [...new Set(numbers)].sort((left, right) => left - right);
  return unique.flatMap((number) => rules[number] ?? []);
}
