/**
 * Rules in a store of values by key, of which a call reads only the few it needs: the keys, and how the store is written.
 * rules.ts reads it. A value is JSON-safe; absent and damaged are different.
 */
import type { CompiledRuleData } from '../index/compiled-rule.js';
import { isAboutFields } from '../index/compiled-rule.js';
import type { IndexNode } from '../index/index-node.js';
import { MutableNode } from '../index/index-node.js';
import { coverTrees, meetTrees, type Numbered, type RuleTrees } from '../index/rule-trees.js';
import { isCovering, isMeeting } from '../index/tool-rules.js';
import { PATH_ANCHORS } from '../path/pattern.js';
import { type Effect, PATTERN_KINDS, type PatternKind } from '../pattern/permission-rule.js';

/** The rules of one direction that are written with the same tool name. */
export interface StoredGroup {
  readonly meets: boolean;
  readonly tool: string;
  /** Rules without a pattern. */
  readonly total: readonly number[];
  readonly patterned: boolean;
  readonly fields: boolean;
  readonly always: Readonly<Partial<Record<PatternKind, readonly number[]>>>;
  /** The trees that are not empty. */
  readonly trees: readonly string[];
}

/**
 * A node: its entries, the lengths of its keys, and whether there is anything below. Child nodes and keyed entries have keys of their own.
 */
export type StoredNodeData = readonly [
  exact: readonly unknown[],
  open: readonly unknown[],
  lengths: readonly number[],
  below: 0 | 1,
];

/** The facts about tools that are needed to store rules. */
export interface StoredTools {
  /** Those of `names` that a rule's tool name stands for. */
  readonly known: (ruleTool: string, effect: Effect) => ReadonlySet<string>;
  /** The names under which calls of known tools occur; for all others, rules are found by keys. */
  readonly names: readonly string[];
  /** See call/open-names.ts. */
  readonly keysOf: (ruleTool: string) => readonly string[] | null;
}

/** The trees of a group, by their names in keys. */
export const COMMANDS = 'c';
export const URLS = 'u';
export const NAMES = 'n';

/** The keys of the values. `set` is the name of one of several rule sets in a store. */
export const keyOf = {
  rule: (set: string, number: number) => `${set}r${number}`,
  /** The numbers of the groups about a known tool, if there are any. */
  tool: (set: string, canonical: string) => `${set}t${canonical}`,
  /** The known tools that no group is about. */
  untouched: (set: string) => `${set}T`,
  /** The groups that may be about a tool with this key. */
  open: (set: string, key: string) => `${set}o${key}`,
  /** The groups that may be about any tool. */
  wild: (set: string) => `${set}w`,
  /** The number of groups. */
  groups: (set: string) => `${set}#`,
  group: (set: string, group: number) => `${set}g${group}`,
  patterned: (set: string, group: number) => `${set}p${group}`,
  fields: (set: string, group: number) => `${set}q${group}`,
  /** The root of a tree; below it, words are joined to the key. */
  node: (set: string, group: number, tree: string) => `${set}N${group}${tree}`,
  child: (node: string, word: string) => `${node}\0${word}`,
  keyed: (node: string, key: string) => `K${node}\0${key}`,
  /** The children of a node, and its keys. */
  below: (node: string) => `B${node}`,
};

/** Puts a value into the store. */
export type Put = (key: string, value: unknown) => void;

/** Puts everything that the store contains about a set of rules. */
export function storeRules(set: string, rules: readonly CompiledRuleData[], tools: StoredTools, put: Put): void {
  rules.forEach(({ rule, total }, number) => {
    put(keyOf.rule(set, number), { rule, total });
  });
  const groups = groupsOf(rules);
  putTools(set, groups, tools, put);
  groups.forEach((group, number) => {
    putGroup(set, number, group, put);
  });
}

interface Group {
  readonly meets: boolean;
  readonly tool: string;
  readonly rules: Numbered[];
}

function groupsOf(rules: readonly CompiledRuleData[]): Group[] {
  const groups = new Map<string, Group>();
  rules.forEach((data, number) => {
    const { tool, effect } = data.rule;
    const meets = effect !== 'allow';
    const key = `${meets} ${tool}`;
    const group = groups.get(key) ?? { meets, tool, rules: [] };
    groups.set(key, group);
    group.rules.push([number, data]);
  });
  return [...groups.values()];
}

function putTools(set: string, groups: readonly Group[], { known, names, keysOf }: StoredTools, put: Put): void {
  const about = new Map<string, number[]>();
  groups.forEach(({ meets, tool }, number) => {
    for (const name of known(tool, meets ? 'deny' : 'allow')) {
      const numbers = about.get(name);
      if (numbers === undefined) about.set(name, [number]);
      else numbers.push(number);
    }
  });
  const untouched: string[] = [];
  for (const name of names) {
    const numbers = about.get(name);
    if (numbers === undefined) untouched.push(name);
    else put(keyOf.tool(set, name), numbers);
  }
  put(keyOf.untouched(set), untouched);
  const byKey = new Map<string, number[]>();
  const wild: number[] = [];
  groups.forEach(({ tool }, number) => {
    const keys = keysOf(tool);
    if (keys === null) wild.push(number);
    for (const key of keys ?? []) byKey.set(key, [...(byKey.get(key) ?? []), number]);
  });
  for (const [key, numbers] of byKey) put(keyOf.open(set, key), numbers);
  put(keyOf.wild(set), wild);
  put(keyOf.groups(set), groups.length);
}

function putGroup(set: string, number: number, { meets, tool, rules }: Group, put: Put): void {
  const wanted = rules.filter(([, rule]) => (meets ? isMeeting(rule) : isCovering(rule)) && !isAboutFields(rule));
  const trees = meets ? meetTrees(wanted) : coverTrees(wanted);
  const kept = treesOf(trees);
  const fields = rules.flatMap(([rule, data]) => (data.fields.length > 0 ? [[rule, data.fields]] : []));
  const group: StoredGroup = {
    meets,
    tool,
    total: rules.flatMap(([rule, { total }]) => (total ? rule : [])),
    patterned: meets && wanted.length > 0,
    fields: fields.length > 0,
    always: alwaysOf(trees),
    trees: kept.map(([name]) => name),
  };
  put(keyOf.group(set, number), group);
  if (group.patterned)
    put(
      keyOf.patterned(set, number),
      wanted.map(([rule]) => rule),
    );
  if (group.fields) put(keyOf.fields(set, number), fields);
  for (const [name, root] of kept) putNode(root, keyOf.node(set, number, name), put);
}

/** The trees that are not empty. */
function treesOf(trees: RuleTrees<unknown>): [string, MutableNode<unknown>][] {
  const all: [string, IndexNode<unknown>][] = [
    [COMMANDS, trees.commands()],
    ...PATH_ANCHORS.map((anchor): [string, IndexNode<unknown>] => [anchor, trees.paths(anchor)]),
    [URLS, trees.urls()],
    [NAMES, trees.names()],
  ];
  return all.flatMap(([name, root]) => (root instanceof MutableNode ? [[name, root]] : []));
}

function alwaysOf(trees: RuleTrees<unknown>): StoredGroup['always'] {
  const kinds = PATTERN_KINDS.map((kind) => [kind, trees.always(kind)] as const);
  return Object.fromEntries(kinds.filter(([, numbers]) => numbers.length > 0));
}

/** @param key the key of the node, which the keys of its children begin with */
function putNode(node: MutableNode<unknown>, key: string, put: Put): void {
  const { exact, open, lengths, keys, children } = node;
  const data: StoredNodeData = [exact, open, lengths, children.size > 0 ? 1 : 0];
  put(key, data);
  for (const [one, entries] of keys) put(keyOf.keyed(key, one), entries);
  if (children.size + keys.size > 0) put(keyOf.below(key), [[...children.keys()], [...keys.keys()]]);
  for (const [word, child] of children) putNode(child, keyOf.child(key, word), put);
}
