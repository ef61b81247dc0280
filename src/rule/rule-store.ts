/**
 * Rules in a store of values by key, of which a call reads only those that it comes by: what the keys are, and how it is written.
 * `stored-rules.ts` reads it. A value is JSON-safe; absent and damaged are two things.
 */
import type { CompiledRuleData, PatternKind } from './compiled-rule.js';
import { PATTERN_KINDS } from './compiled-rule.js';
import type { IndexNode } from './index-node.js';
import { GrownNode } from './index-node.js';
import { PATH_ANCHORS } from './path-pattern.js';
import type { ToolCoverage } from './rule-index.js';
import { coverTrees, meetTrees, type Numbered, type RuleTrees } from './rule-trees.js';
import { isCovering, isMeeting } from './tool-rules.js';

/** The rules of one direction that are written with the same tool name. */
export interface StoredGroup {
  readonly meets: boolean;
  readonly tool: string;
  /** Rules without a pattern. */
  readonly total: readonly number[];
  readonly patterned: boolean;
  readonly parameters: boolean;
  readonly always: Readonly<Partial<Record<PatternKind, readonly number[]>>>;
  /** The trees that are not empty. */
  readonly trees: readonly string[];
}

/** A node: what it holds and the lengths of its keys; whether anything lies below. Further nodes and keyed entries have keys of their own. */
export type StoredNodeData = readonly [
  exact: readonly unknown[],
  open: readonly unknown[],
  lengths: readonly number[],
  below: 0 | 1,
];

/** What has to be known about tools to store rules. */
export interface StoredTools {
  readonly covers: ToolCoverage;
  /** The names that calls of known tools have; about all others rules are found by keys. */
  readonly names: readonly string[];
  /** See call/open-names.ts. */
  readonly keysOf: (ruleTool: string) => readonly string[] | null;
}

/** The trees of a group by their names in keys. */
export const COMMANDS = 'c';
export const URLS = 'u';
export const NAMES = 'n';

const joined = (words: readonly string[]) => words.map((word) => `\0${word}`).join('');

/** Keys of the values. `set` names one of several sets of rules in a store. */
export const keyOf = {
  rule: (set: string, number: number) => `${set}r${number}`,
  /** The numbers of the groups about a known tool. */
  tool: (set: string, canonical: string) => `${set}t${canonical}`,
  /** Those that may be about a tool with this key. */
  open: (set: string, key: string) => `${set}o${key}`,
  /** Those that may be about any tool. */
  wild: (set: string) => `${set}w`,
  /** How many there are. */
  groups: (set: string) => `${set}#`,
  group: (set: string, group: number) => `${set}g${group}`,
  patterned: (set: string, group: number) => `${set}p${group}`,
  parameters: (set: string, group: number) => `${set}q${group}`,
  node: (set: string, group: number, tree: string, words: readonly string[]) => `${set}N${group}${tree}${joined(words)}`,
  keyed: (node: string, key: string) => `K${node}\0${key}`,
  /** What lies below a node, and its keys. */
  below: (node: string) => `B${node}`,
};

export type StoredValue = readonly [key: string, value: unknown];

/** Everything that the store holds about a set of rules. */
export function* storedRules(set: string, rules: readonly CompiledRuleData[], tools: StoredTools): Generator<StoredValue> {
  for (const [number, { rule, total }] of rules.entries()) yield [keyOf.rule(set, number), { rule, total }];
  const groups = groupsOf(rules);
  yield* toolEntries(set, groups, tools);
  for (const [number, group] of groups.entries()) yield* groupEntries(set, number, group);
}

interface Group {
  readonly meets: boolean;
  readonly tool: string;
  readonly rules: Numbered[];
}

function groupsOf(rules: readonly CompiledRuleData[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [number, data] of rules.entries()) {
    const { tool, effect } = data.rule;
    const meets = effect !== 'allow';
    const key = `${meets} ${tool}`;
    const group = groups.get(key) ?? { meets, tool, rules: [] };
    groups.set(key, group);
    group.rules.push([number, data]);
  }
  return [...groups.values()];
}

function* toolEntries(set: string, groups: readonly Group[], { covers, names, keysOf }: StoredTools): Generator<StoredValue> {
  const about = groups.map(({ meets, tool }) => covers(tool, meets ? 'deny' : 'allow'));
  for (const name of names) yield [keyOf.tool(set, name), about.flatMap((covered, number) => (covered(name) ? number : []))];
  const byKey = new Map<string, number[]>();
  const wild: number[] = [];
  for (const [number, { tool }] of groups.entries()) {
    const keys = keysOf(tool);
    if (keys === null) wild.push(number);
    for (const key of keys ?? []) byKey.set(key, [...(byKey.get(key) ?? []), number]);
  }
  for (const [key, numbers] of byKey) yield [keyOf.open(set, key), numbers];
  yield [keyOf.wild(set), wild];
  yield [keyOf.groups(set), groups.length];
}

function* groupEntries(set: string, number: number, { meets, tool, rules }: Group): Generator<StoredValue> {
  const wanted = rules.filter(([, rule]) => (meets ? isMeeting(rule) : isCovering(rule)));
  const trees = meets ? meetTrees(wanted) : coverTrees(wanted);
  const kept = treesOf(trees);
  const parameters = rules.flatMap(([rule, { parameter }]) => (parameter ? [[rule, parameter.name, parameter.value]] : []));
  const group: StoredGroup = {
    meets,
    tool,
    total: rules.flatMap(([rule, { total }]) => (total ? rule : [])),
    patterned: meets && wanted.length > 0,
    parameters: parameters.length > 0,
    always: alwaysOf(trees),
    trees: kept.map(([name]) => name),
  };
  yield [keyOf.group(set, number), group];
  if (group.patterned) yield [keyOf.patterned(set, number), wanted.map(([rule]) => rule)];
  if (group.parameters) yield [keyOf.parameters(set, number), parameters];
  for (const [name, root] of kept) yield* nodeEntries(root, (words) => keyOf.node(set, number, name, words), []);
}

/** The trees that hold anything. */
function treesOf(trees: RuleTrees<unknown>): [string, GrownNode<unknown>][] {
  const all: [string, IndexNode<unknown>][] = [
    [COMMANDS, trees.commands()],
    ...PATH_ANCHORS.map((anchor): [string, IndexNode<unknown>] => [anchor, trees.paths(anchor)]),
    [URLS, trees.urls()],
    [NAMES, trees.names()],
  ];
  return all.flatMap(([name, root]) => (root instanceof GrownNode ? [[name, root]] : []));
}

function alwaysOf(trees: RuleTrees<unknown>): StoredGroup['always'] {
  const kinds = PATTERN_KINDS.map((kind) => [kind, trees.always(kind)] as const);
  return Object.fromEntries(kinds.filter(([, numbers]) => numbers.length > 0));
}

function* nodeEntries(
  node: GrownNode<unknown>,
  keyFor: (words: readonly string[]) => string,
  words: readonly string[],
): Generator<StoredValue> {
  const key = keyFor(words);
  const { exact, open, lengths, keys, children } = node;
  const data: StoredNodeData = [exact, open, lengths, children.size > 0 ? 1 : 0];
  yield [key, data];
  for (const [one, entries] of keys) yield [keyOf.keyed(key, one), entries];
  if (children.size + keys.size > 0) yield [keyOf.below(key), [[...children.keys()], [...keys.keys()]]];
  for (const [word, child] of children) yield* nodeEntries(child, keyFor, [...words, word]);
}
