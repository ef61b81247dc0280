/** The trees over some rules, one for each kind of subject: built here from compiled rules, each on first use. */

import type { PathAnchor } from '../path/pattern.js';
import type { PatternKind } from '../pattern/permission-rule.js';
import { addCovering, addOverlapping, type CoverEntry, type OverlapEntry } from './command-index.js';
import type { CompiledRuleData } from './compiled-rule.js';
import { EMPTY_NODE, type IndexNode, MutableNode } from './index-node.js';
import { addPath, type PathEntry } from './path-index.js';
import { addName, addUrl, type NameEntry, type UrlEntry } from './text-index.js';

/** Trees of rule numbers, whose meaning only the creator of the trees knows. */
export interface RuleTrees<CommandEntry> {
  commands(): IndexNode<CommandEntry>;
  paths(anchor: PathAnchor): IndexNode<PathEntry>;
  urls(): IndexNode<UrlEntry>;
  names(): IndexNode<NameEntry>;
  /** Ask and deny rules whose pattern could not be compiled for a kind: they meet every subject of it. */
  always(kind: PatternKind): readonly number[];
}

export type Numbered = readonly [number: number, rule: CompiledRuleData];

/** Trees of ask and deny rules. */
export function meetTrees(rules: readonly Numbered[]): RuleTrees<OverlapEntry> {
  return new GrownTrees(rules, (root, [number, { meets }]) => addOverlapping(root, number, meets));
}

export function coverTrees(rules: readonly Numbered[]): RuleTrees<CoverEntry> {
  return new GrownTrees(rules, (root, [number, { covers }]) => addCovering(root, number, covers));
}

type Grow<Entry> = (root: MutableNode<Entry>, rule: Numbered) => void;

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
      if (url) addUrl(root, number, url);
    });
    return this.#urls;
  }

  names(): IndexNode<NameEntry> {
    this.#names ??= this.#grown<NameEntry>((root, [number, { name }]) => {
      if (name) addName(root, number, name);
    });
    return this.#names;
  }

  always(kind: PatternKind): readonly number[] {
    this.#always ??= this.#alwaysMet();
    return this.#always[kind];
  }

  #grown<Entry>(grow: Grow<Entry>): IndexNode<Entry> {
    const root = new MutableNode<Entry>();
    for (const rule of this.#rules) grow(root, rule);
    return root.isEmpty() ? EMPTY_NODE : root;
  }

  #pathTrees(): ReadonlyMap<PathAnchor, IndexNode<PathEntry>> {
    const trees = new Map<PathAnchor, MutableNode<PathEntry>>();
    for (const [number, { path }] of this.#rules) {
      if (!path) continue;
      const root = trees.get(path.anchor) ?? new MutableNode<PathEntry>();
      trees.set(path.anchor, root);
      addPath(root, number, path);
    }
    return trees;
  }

  #alwaysMet(): Record<PatternKind, number[]> {
    const met: Record<PatternKind, number[]> = { command: [], path: [], url: [], name: [] };
    for (const [number, { always }] of this.#rules) for (const kind of always) met[kind].push(number);
    return met;
  }
}
