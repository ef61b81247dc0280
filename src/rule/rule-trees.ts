/** The trees over some rules, one for each kind of subject: grown here from compiled rules, each when it is first asked for. */
import { type CoverEntry, growCovering, growMeeting, type MeetEntry } from './command-index.js';
import type { CompiledRuleData, PatternKind } from './compiled-rule.js';
import { EMPTY_NODE, GrownNode, type IndexNode } from './index-node.js';
import { growPath, type PathEntry } from './path/index.js';
import type { PathAnchor } from './path/pattern.js';
import { growName, growUrl, type NameEntry, type UrlEntry } from './text-index.js';

/** Rules are numbers; what a number stands for is known to whoever made the trees. */
export interface RuleTrees<CommandEntry> {
  commands(): IndexNode<CommandEntry>;
  paths(anchor: PathAnchor): IndexNode<PathEntry>;
  urls(): IndexNode<UrlEntry>;
  names(): IndexNode<NameEntry>;
  /** Ask and deny rules whose pattern could not be compiled for a kind: they meet all of it. */
  always(kind: PatternKind): readonly number[];
}

/** A compiled rule, and its number. */
export type Numbered = readonly [number: number, rule: CompiledRuleData];

/** Trees of ask and deny rules. */
export function meetTrees(rules: readonly Numbered[]): RuleTrees<MeetEntry> {
  return new GrownTrees(rules, (root, [number, { meets }]) => growMeeting(root, number, meets));
}

/** Trees of allow rules. */
export function coverTrees(rules: readonly Numbered[]): RuleTrees<CoverEntry> {
  return new GrownTrees(rules, (root, [number, { covers }]) => growCovering(root, number, covers));
}

type Grow<Entry> = (root: GrownNode<Entry>, rule: Numbered) => void;

class GrownTrees<CommandEntry> implements RuleTrees<CommandEntry> {
  readonly #rules: readonly Numbered[];
  readonly #grow: Grow<CommandEntry>;
  #commands: IndexNode<CommandEntry> | null = null;
  #paths: ReadonlyMap<PathAnchor, IndexNode<PathEntry>> | null = null;
  #urls: IndexNode<UrlEntry> | null = null;
  #names: IndexNode<NameEntry> | null = null;
  #always: Readonly<Record<PatternKind, number[]>> | null = null;

  constructor(rules: readonly Numbered[], grow: Grow<CommandEntry>) {
    this.#rules = rules;
    this.#grow = grow;
  }

  commands(): IndexNode<CommandEntry> {
    this.#commands ??= this.#grown(this.#grow);
    return this.#commands;
  }

  paths(anchor: PathAnchor): IndexNode<PathEntry> {
    this.#paths ??= this.#pathTrees();
    return this.#paths.get(anchor) ?? EMPTY_NODE;
  }

  urls(): IndexNode<UrlEntry> {
    this.#urls ??= this.#grown<UrlEntry>((root, [number, { url }]) => {
      if (url) growUrl(root, number, url);
    });
    return this.#urls;
  }

  names(): IndexNode<NameEntry> {
    this.#names ??= this.#grown<NameEntry>((root, [number, { name }]) => {
      if (name) growName(root, number, name);
    });
    return this.#names;
  }

  always(kind: PatternKind): readonly number[] {
    this.#always ??= this.#alwaysMet();
    return this.#always[kind];
  }

  #grown<Entry>(grow: Grow<Entry>): IndexNode<Entry> {
    const root = new GrownNode<Entry>();
    for (const rule of this.#rules) grow(root, rule);
    return root.isEmpty() ? EMPTY_NODE : root;
  }

  #pathTrees(): ReadonlyMap<PathAnchor, IndexNode<PathEntry>> {
    const trees = new Map<PathAnchor, GrownNode<PathEntry>>();
    for (const [number, { path }] of this.#rules) {
      if (!path) continue;
      const root = trees.get(path.anchor) ?? new GrownNode<PathEntry>();
      trees.set(path.anchor, root);
      growPath(root, number, path);
    }
    return trees;
  }

  #alwaysMet(): Record<PatternKind, number[]> {
    const met: Record<PatternKind, number[]> = { command: [], path: [], url: [], name: [] };
    for (const [number, { always }] of this.#rules) for (const kind of always) met[kind].push(number);
    return met;
  }
}
