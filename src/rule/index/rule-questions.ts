/** The questions that a call asks of the rules of its tool: ask and deny rules meet a subject, allow rules cover it. */
import type { SubjectKind } from '../../call/tool-call.js';
import type { PathLocation } from '../path/location.js';
import type { WordIssue } from '../pattern/command-pattern.js';
import type { PatternKind } from '../pattern/permission-rule.js';
import { readUrl } from '../pattern/url-pattern.js';
import { type Count, type CoverEntry, CoverIndex, type Hit, type OverlapEntry, OverlapIndex } from './command-index.js';
import type { CompiledRule } from './compiled-rule.js';
import { PathIndex } from './path-index.js';
import type { RuleTrees } from './rule-trees.js';
import { NameIndex, UrlIndex } from './text-index.js';

const NONE: readonly CompiledRule[] = [];

/** Returns the rule whose number is in a tree. */
export type RuleOf = (number: number) => CompiledRule;

/** The indexes of one direction; all kinds except commands are the same for both. */
class Indexes<CommandEntry, CommandIndex> {
  readonly trees: readonly RuleTrees<CommandEntry>[];
  readonly #count: Count;
  readonly #commandIndex: (trees: RuleTrees<CommandEntry>) => CommandIndex;
  #commands: readonly CommandIndex[] | null = null;
  #paths: readonly PathIndex[] | null = null;
  #urls: readonly UrlIndex[] | null = null;
  #names: readonly NameIndex[] | null = null;

  constructor(
    trees: readonly RuleTrees<CommandEntry>[],
    count: Count,
    commandIndex: (trees: RuleTrees<CommandEntry>) => CommandIndex,
  ) {
    this.trees = trees;
    this.#count = count;
    this.#commandIndex = commandIndex;
  }

  get commands(): readonly CommandIndex[] {
    this.#commands ??= this.trees.map(this.#commandIndex);
    return this.#commands;
  }

  get paths(): readonly PathIndex[] {
    this.#paths ??= this.trees.map((trees) => new PathIndex((anchor) => trees.paths(anchor), this.#count));
    return this.#paths;
  }

  get urls(): readonly UrlIndex[] {
    this.#urls ??= this.trees.map((trees) => new UrlIndex(trees.urls(), this.#count));
    return this.#urls;
  }

  get names(): readonly NameIndex[] {
    this.#names ??= this.trees.map((trees) => new NameIndex(trees.names(), this.#count));
    return this.#names;
  }
}

/** Ask and deny rules. A rule whose pattern could not be compiled for a kind meets all of that kind. */
export class OverlapRules {
  readonly #indexes: Indexes<OverlapEntry, OverlapIndex>;
  readonly #ruleOf: RuleOf;

  constructor(trees: readonly RuleTrees<OverlapEntry>[], ruleOf: RuleOf, count: Count) {
    this.#indexes = new Indexes(trees, count, (one) => new OverlapIndex(one.commands(), count));
    this.#ruleOf = ruleOf;
  }

  command(words: readonly (string | null)[]): readonly CompiledRule[] {
    const indexes = this.#indexes.commands;
    this.#begin('command');
    for (const index of indexes) index.words(words, hit);
    return found(this.#ruleOf);
  }

  path(locations: readonly PathLocation[]): readonly CompiledRule[] {
    const indexes = this.#indexes.paths;
    this.#begin('path');
    for (const index of indexes) for (const location of locations) index.meeting(location, hit);
    return found(this.#ruleOf);
  }

  url(url: string): readonly CompiledRule[] {
    const indexes = this.#indexes.urls;
    this.#begin('url');
    if (indexes.length > 0) {
      const reading = readUrl(url);
      for (const index of indexes) index.meeting(reading, hit);
    }
    return found(this.#ruleOf);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    switch (kind) {
      case 'command': {
        const indexes = this.#indexes.commands;
        this.#begin('command');
        for (const index of indexes) index.text(text, hit);
        return found(this.#ruleOf);
      }
      case 'path':
        // A bare text has no known location, so it is assumed to be anywhere.
        return this.path([{ absolute: text, project: text, home: text.replace(/^~\//, ''), caseless: true }]);
      case 'url':
        return this.url(text);
      case 'query':
      case 'name':
      case 'text': {
        const indexes = this.#indexes.names;
        this.#begin('name');
        for (const index of indexes) index.matching(text, hit);
        return found(this.#ruleOf);
      }
    }
  }

  #begin(kind: PatternKind): void {
    begin();
    for (const trees of this.#indexes.trees) for (const number of trees.always(kind)) hit(number);
  }
}

export class CoverRules {
  readonly #indexes: Indexes<CoverEntry, CoverIndex>;
  readonly #ruleOf: RuleOf;

  constructor(trees: readonly RuleTrees<CoverEntry>[], ruleOf: RuleOf, count: Count) {
    this.#indexes = new Indexes(trees, count, (one) => new CoverIndex(one.commands(), count));
    this.#ruleOf = ruleOf;
  }

  command(words: readonly string[], issues: readonly WordIssue[]): readonly CompiledRule[] {
    const indexes = this.#indexes.commands;
    begin();
    for (const index of indexes) index.words(words, issues, hit);
    return found(this.#ruleOf);
  }

  path(location: PathLocation): readonly CompiledRule[] {
    const indexes = this.#indexes.paths;
    begin();
    for (const index of indexes) index.covering(location, hit);
    return found(this.#ruleOf);
  }

  url(url: string): readonly CompiledRule[] {
    const indexes = this.#indexes.urls;
    if (indexes.length === 0) return NONE;
    begin();
    const reading = readUrl(url);
    for (const index of indexes) index.covering(reading, hit);
    return found(this.#ruleOf);
  }

  text(kind: SubjectKind, text: string): readonly CompiledRule[] {
    if (kind === 'url') return this.url(text);
    if (kind === 'command' || kind === 'path') return NONE;
    const indexes = this.#indexes.names;
    begin();
    for (const index of indexes) index.matching(text, hit);
    return found(this.#ruleOf);
  }
}

/** Numbers of the rules that the current search hit; searches never overlap, and most hit nothing, so all share one list. */
const hits: number[] = [];
const hit: Hit = (rule) => {
  hits.push(rule);
};

function begin(): void {
  if (hits.length > 0) hits.length = 0;
}

/** The rules that were hit, in rule order, each once. */
function found(ruleOf: RuleOf): readonly CompiledRule[] {
  if (hits.length === 0) return NONE;
  const unique = hits.length === 1 ? hits : [...new Set(hits)].sort((left, right) => left - right);
  return unique.map(ruleOf);
}
