/** A rule set in a store: every question reads the few values it needs, and remembers them. */
import type { Count } from '../index/command-index.js';
import type { CompiledRule, FieldPattern } from '../index/compiled-rule.js';
import { EMPTY_NODE, type IndexNode } from '../index/index-node.js';
import type { PathEntry } from '../index/path-index.js';
import { keep, type RuleSet, ruleSet, type ToolCoverage } from '../index/rule-index.js';
import { CoverRules, OverlapRules } from '../index/rule-questions.js';
import type { RuleTrees } from '../index/rule-trees.js';
import type { NameEntry, UrlEntry } from '../index/text-index.js';
import type { RuleOfFields, ToolRules } from '../index/tool-rules.js';
import type { PathAnchor } from '../path/pattern.js';
import type { Effect, PatternKind } from '../pattern/permission-rule.js';
import {
  type Check,
  isCoverEntry,
  isFieldPattern,
  isFields,
  isList,
  isNameEntry,
  isNumbers,
  isOverlapEntry,
  isPathEntry,
  isTexts,
  isUrlEntry,
} from './entries.js';
import { type Store, storedNode } from './node.js';
import { COMMANDS, keyOf, NAMES, type StoredGroup, URLS } from './store.js';

/** The facts about tools that are needed to find the rules of one; see StoredTools. */
export interface SoughtTools {
  readonly covers: ToolCoverage;
  /** See call/open-names.ts. */
  readonly keysOf: (canonical: string) => readonly string[] | null;
}

export interface StoredRuleSet {
  readonly rules: RuleSet;
  /** Throws, through the store, when there is no such rule. */
  readonly ruleOf: (number: number) => CompiledRule;
}

/** Reads the set that `storeRules` wrote under this name. */
export function storedRuleSet(store: Store, set: string, tools: SoughtTools): StoredRuleSet {
  let compared = 0;
  const place: Place = {
    store,
    set,
    ruleOf: rulesBy(store, set),
    count: () => {
      compared++;
    },
  };
  const byTool = new Map<string, ToolRules>();
  const groups = new Map<number, GroupAt>();
  const build = (tool: string): ToolRules => {
    const numbers = groupsAbout(place, tool, tools.keysOf);
    const found = numbers.selected.map((number) => {
      const group = groups.get(number) ?? readGroup(place, number);
      groups.set(number, group);
      return group;
    });
    const about = numbers.certain
      ? found
      : found.filter(({ data }) => tools.covers(data.tool, data.meets ? 'deny' : 'allow')(tool));
    const rules = new StoredToolRules(place, about);
    keep(byTool, tool, rules);
    return rules;
  };
  return {
    rules: ruleSet(
      (tool) => byTool.get(tool) ?? build(tool),
      () => compared,
    ),
    ruleOf: place.ruleOf,
  };
}

interface Place {
  readonly store: Store;
  readonly set: string;
  readonly ruleOf: (number: number) => CompiledRule;
  readonly count: Count;
}

function rulesBy(store: Store, set: string): (number: number) => CompiledRule {
  const known = new Map<number, CompiledRule>();
  return (number) => {
    const before = known.get(number);
    if (before !== undefined) return before;
    const key = keyOf.rule(set, number);
    const value = store.get(key);
    const rule = isRule(value) ? value : store.damaged(key);
    known.set(number, rule);
    return rule;
  };
}

const IS_EFFECT: Readonly<Record<Effect, true>> = { allow: true, ask: true, deny: true };

function isRule(value: unknown): value is CompiledRule {
  if (!isFields(value) || typeof value.total !== 'boolean' || !isFields(value.rule)) return false;
  const { effect, tool, pattern, text, layer, source } = value.rule;
  return (
    typeof effect === 'string' &&
    Object.hasOwn(IS_EFFECT, effect) &&
    typeof tool === 'string' &&
    (pattern === null || typeof pattern === 'string') &&
    typeof text === 'string' &&
    typeof layer === 'string' &&
    isFields(source)
  );
}

const NONE: readonly never[] = [];

/** The groups about a tool; for a tool in no table, each group still has to be tested. */
function groupsAbout({ store, set }: Place, tool: string, keysOf: SoughtTools['keysOf']) {
  const numbersAt = (key: string): readonly number[] | undefined => {
    const value = store.get(key);
    return value === undefined || isNumbers(value) ? value : store.damaged(key);
  };
  const known = tool.includes('\0') ? undefined : numbersAt(keyOf.tool(set, tool));
  if (known !== undefined) return { selected: known, certain: true };
  const untouched = store.get(keyOf.untouched(set));
  if (!isTexts(untouched)) return store.damaged(keyOf.untouched(set));
  if (untouched.includes(tool)) return { selected: NONE, certain: true };
  const keys = keysOf(tool);
  if (keys === null) {
    const count = store.get(keyOf.groups(set));
    if (typeof count !== 'number') return store.damaged(keyOf.groups(set));
    return { selected: Array.from({ length: count }, (_, number) => number), certain: false };
  }
  const wild = numbersAt(keyOf.wild(set)) ?? store.damaged(keyOf.wild(set));
  const named = keys.flatMap((key) => numbersAt(keyOf.open(set, key)) ?? []);
  return { selected: [...new Set([...named, ...wild])], certain: false };
}

interface GroupAt {
  readonly number: number;
  readonly data: StoredGroup;
}

function readGroup({ store, set }: Place, number: number): GroupAt {
  const key = keyOf.group(set, number);
  const data = store.get(key);
  return isGroup(data) ? { number, data } : store.damaged(key);
}

function isGroup(value: unknown): value is StoredGroup {
  if (!isFields(value)) return false;
  const { meets, tool, total, patterned, fields, always, trees } = value;
  return (
    typeof meets === 'boolean' &&
    typeof tool === 'string' &&
    isNumbers(total) &&
    typeof patterned === 'boolean' &&
    typeof fields === 'boolean' &&
    isFields(always) &&
    Object.values(always).every(isNumbers) &&
    isTexts(trees)
  );
}

/** The rules of some groups, which together are those of one tool. */
class StoredToolRules implements ToolRules {
  readonly hasPatterned: boolean;
  readonly hasAllow: boolean;
  readonly #place: Place;
  readonly #groups: readonly GroupAt[];
  #total: readonly CompiledRule[] | null = null;
  #meeting: OverlapRules | null = null;
  #covering: CoverRules | null = null;

  constructor(place: Place, groups: readonly GroupAt[]) {
    this.#place = place;
    this.#groups = groups;
    this.hasPatterned = groups.some(({ data }) => data.patterned);
    this.hasAllow = groups.some(({ data }) => !data.meets);
  }

  get total(): readonly CompiledRule[] {
    this.#total ??= this.#inOrder(this.#groups.flatMap(({ data }) => data.total));
    return this.#total;
  }

  get patterned(): readonly CompiledRule[] {
    const { store, set } = this.#place;
    const numbers = this.#groups.flatMap(({ number, data }): readonly number[] => {
      if (!data.patterned) return NONE;
      const key = keyOf.patterned(set, number);
      const value = store.get(key);
      return isNumbers(value) ? value : store.damaged(key);
    });
    return this.#inOrder(numbers);
  }

  get meeting(): OverlapRules {
    if (this.#meeting === null) {
      const { ruleOf, count } = this.#place;
      this.#meeting = new OverlapRules(this.#trees(true, isOverlapEntry), ruleOf, count);
    }
    return this.#meeting;
  }

  get covering(): CoverRules {
    if (this.#covering === null) {
      const { ruleOf, count } = this.#place;
      this.#covering = new CoverRules(this.#trees(false, isCoverEntry), ruleOf, count);
    }
    return this.#covering;
  }

  get fields(): readonly RuleOfFields[] {
    const { store, set, ruleOf } = this.#place;
    const found = this.#groups.flatMap(({ number, data }) => {
      if (!data.fields) return NONE;
      const key = keyOf.fields(set, number);
      const value = store.get(key);
      return isList(value) && value.every(isRuleOfFields) ? value : store.damaged(key);
    });
    return found.sort(([left], [right]) => left - right).map(([rule, fields]) => ({ rule: ruleOf(rule), fields }));
  }

  #inOrder(numbers: readonly number[]): readonly CompiledRule[] {
    if (numbers.length === 0) return NONE;
    return [...numbers].sort((left, right) => left - right).map(this.#place.ruleOf);
  }

  #trees<CommandEntry>(meets: boolean, check: Check<CommandEntry>): readonly RuleTrees<CommandEntry>[] {
    return this.#groups.flatMap((group) => (group.data.meets === meets ? new StoredTrees(this.#place, group, check) : []));
  }
}

function isRuleOfFields(value: unknown): value is readonly [rule: number, fields: readonly FieldPattern[]] {
  return (
    isList(value) && typeof value[0] === 'number' && isList(value[1]) && value[1].length > 0 && value[1].every(isFieldPattern)
  );
}

class StoredTrees<CommandEntry> implements RuleTrees<CommandEntry> {
  readonly #place: Place;
  readonly #group: GroupAt;
  readonly #check: Check<CommandEntry>;

  constructor(place: Place, group: GroupAt, check: Check<CommandEntry>) {
    this.#place = place;
    this.#group = group;
    this.#check = check;
  }

  commands(): IndexNode<CommandEntry> {
    return this.#root(COMMANDS, this.#check);
  }

  readonly #paths = new Map<PathAnchor, IndexNode<PathEntry>>();

  paths(anchor: PathAnchor): IndexNode<PathEntry> {
    const root = this.#paths.get(anchor) ?? this.#root(anchor, isPathEntry);
    this.#paths.set(anchor, root);
    return root;
  }

  urls(): IndexNode<UrlEntry> {
    return this.#root(URLS, isUrlEntry);
  }

  names(): IndexNode<NameEntry> {
    return this.#root(NAMES, isNameEntry);
  }

  always(kind: PatternKind): readonly number[] {
    return this.#group.data.always[kind] ?? NONE;
  }

  #root<Entry>(tree: string, check: Check<Entry>): IndexNode<Entry> {
    const { number, data } = this.#group;
    if (!data.trees.includes(tree)) return EMPTY_NODE;
    const { store, set } = this.#place;
    const key = keyOf.node(set, number, tree);
    return storedNode(store, key, check) ?? store.damaged(key);
  }
}
