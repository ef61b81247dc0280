/**
 * The policies of nested packages apply to everything in the package, wherever the call is made: `rm packages/a/x`,
 * `cd packages/a && …`, `make -C packages/a`, `npm -w a …`. The paths that a call names are examined, and everything below them
 * if the call may affect all of it. Beyond a limit it is unknown what a package forbids: then the call is asked about.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import type { ToolCall } from '../call/tool-call.js';
import { flatten } from '../command/model/called-commands.js';
import type { Command } from '../command/model/command.js';
import { decide } from '../decide/decide.js';
import type { CallAnalysis } from '../decide/flow/analysis.js';
import { inferredReferences, pathReferences } from '../decide/flow/call-references.js';
import { directoryOf } from '../decide/flow/directories.js';
import type { PathReference } from '../decide/place/path-references.js';
import { checkoutOf, isOwn } from '../decide/place/paths.js';
import { placeOf } from '../decide/place/place.js';
import { segmentsMayMeet } from '../decide/place/sensitive-paths.js';
import type { CompiledPolicy } from '../decide/policy/policy-data.js';
import { type Decision, isAllowedExplicitly } from '../decide/ruling/decision.js';
import type { Facts } from '../decide/ruling/facts.js';
import { folderEntries, namesIn } from '../disk/folder-entries.js';
import { isInside } from '../disk/inside.js';
import { readText } from '../disk/read.js';
import { stricter } from '../rule/pattern/permission-rule.js';
import { POLICY_NAMES, policyFolder } from './policy-folder.js';

/** Returns the policy of the project combined with that of the package in a folder. */
export type PackagePolicy = (folder: string) => CompiledPolicy;

/** A decision and the policy that it comes from. */
export interface Governed {
  readonly decision: Decision;
  readonly compiled: CompiledPolicy;
}

/**
 * Returns the decision about a call, or the stricter one of a package that the call touches.
 * @param given the decision by the policy of the folder in which the call is made
 */
export function withPackages(
  given: Governed,
  call: ToolCall,
  facts: Facts,
  analysis: CallAnalysis,
  policyOf: PackagePolicy | undefined,
): Governed {
  if (policyOf === undefined || given.decision.decision === 'deny') return given;
  let strictest = given;
  const { folders, isAll } = packagesOf(facts, analysis, call.cwd);
  const policies = [...[...folders].map((folder) => () => policyOf(folder)), ...(isAll ? [] : [() => uncounted(given.compiled)])];
  for (const policy of policies) {
    const compiled = policy();
    const decision = decide(compiled, call, facts, analysis);
    if (isStricter(decision, strictest.decision)) strictest = { decision, compiled };
    if (strictest.decision.decision === 'deny') break;
  }
  return strictest;
}

/** If both allow, the one without an allow rule is stricter, since it leaves the call to the runner. */
function isStricter(one: Decision, other: Decision): boolean {
  if (one.decision === other.decision) return isAllowedExplicitly(other) && !isAllowedExplicitly(one);
  return stricter(one.decision, other.decision) === one.decision;
}

/** Returns a policy under which every call is asked about. */
export function unreadable(compiled: CompiledPolicy, folder: string): CompiledPolicy {
  return { ...compiled, policy: { ...compiled.policy, unread: `the policy of ${folder} cannot be used; it might forbid this` } };
}

function uncounted(compiled: CompiledPolicy): CompiledPolicy {
  const unread = 'it touches too many files to check; the policy of a nested package might forbid this';
  return { ...compiled, policy: { ...compiled.policy, unread } };
}

/** At most this many names of a call are looked up; MOST_MATCHES limits the matches of its patterns, MOST_FOLDERS the folders searched. */
const MOST_NAMES = 2048;
const MOST_MATCHES = 1024;
const MOST_FOLDERS = 2000;
const LARGEST_INDEX = 64 * 1024 * 1024;
const LONGEST_PATH = 4096;
const WILDCARD = /[*?[]/;

interface Touched {
  readonly names: Set<string>;
  /** Folders whose whole content may be touched. */
  readonly trees: Set<string>;
  /** False once a limit has left something out. */
  isAll: boolean;
}

/** Returns the folders below the project with a policy of their own that the call touches, without those that contain its directory. */
function packagesOf(facts: Facts, analysis: CallAnalysis, cwd: string): { folders: ReadonlySet<string>; isAll: boolean } {
  const { project } = facts;
  const touched: Touched = { names: new Set(), trees: new Set(), isAll: true };
  for (const [path, { real }] of Object.entries(facts.paths)) touched.names.add(posix.normalize(path)).add(real);
  for (const paths of Object.values(facts.globs ?? {})) for (const path of paths ?? []) touched.names.add(path);
  const place = placeOf(cwd, facts);
  for (const command of analysis.lines.flatMap(({ tree }) => flatten(tree.commands)))
    namedBy(command, directoryOf(command, place) ?? facts.cwd, project, touched);
  for (const reference of [...pathReferences(analysis, place), ...inferredReferences(analysis, place)])
    treesOf(reference, facts, touched);
  const seen = new Map<string, boolean>();
  const base = isInside(facts.cwd, project) ? policyFolder(project, facts.cwd, seen) : project;
  const folders = new Set<string>();
  const own = [...touched.names].filter((name) => isOwn(name, facts));
  if (own.length > MOST_NAMES) touched.isAll = false;
  for (const name of own.slice(0, MOST_NAMES))
    for (const [top, path] of placesOf(name, facts)) {
      const folder = policyFolder(top, path, seen);
      if (folder !== top && !isInside(base, folder)) folders.add(folder);
    }
  search(touched, facts, folders);
  return { folders, isAll: touched.isAll };
}

/** Returns where a path is: in its checkout, and at the same place in the project, whose policies apply. */
function placesOf(path: string, facts: Facts): readonly (readonly [top: string, path: string])[] {
  const top = checkoutOf(path, facts);
  if (top === null || top === facts.project) return top === null ? [] : [[top, path]];
  return [
    [top, path],
    [facts.project, posix.join(facts.project, posix.relative(top, path))],
  ];
}

/** Adds folders whose whole content may be touched: those that are read or removed as a whole, and those passed to an unknown command. */
function treesOf(reference: PathReference, facts: Facts, touched: Touched): void {
  if (reference.listing || !(reference.recursive || reference.assumed)) return;
  if (reference.glob !== null) matched(posix.normalize(reference.glob), touched, touched.trees);
  else if (reference.key !== null) touched.trees.add(facts.paths[reference.key]?.real ?? posix.normalize(reference.key));
}

/** Adds every package with a policy below the trees; installed packages and git's own files contain none. */
function search(touched: Touched, facts: Facts, folders: Set<string>): void {
  const tops = [facts.project, ...(facts.checkouts ?? [])];
  const waiting = new Set<string>();
  for (const tree of touched.trees)
    for (const top of isOwn(tree, facts) ? [tree] : tops.filter((one) => isInside(one, tree))) waiting.add(top);
  for (const folder of waiting) {
    if (waiting.size > MOST_FOLDERS) {
      touched.isAll &&= tops.every((top) => addIndexed(top, touched.trees, folders));
      return;
    }
    const entries = folderEntries(folder) ?? [];
    if (entries.some(({ name }) => POLICY_NAMES.has(name)) && !tops.includes(folder)) folders.add(folder);
    for (const entry of entries)
      if (entry.isDirectory() && !UNSEARCHED.has(entry.name)) waiting.add(posix.join(folder, entry.name));
  }
}

/**
 * For a tree that takes too long to search, adds the packages whose policies are in git's index (a policy that was never added is
 * not among them).
 * @returns false if that cannot be determined
 */
function addIndexed(top: string, trees: ReadonlySet<string>, folders: Set<string>): boolean {
  const file = posix.join(top, '.git/index');
  try {
    if (statSync(file).size > LARGEST_INDEX) return false;
    const index = readFileSync(file, 'latin1');
    // Version 4 omits the part that a name has in common with the one before.
    if (!index.startsWith('DIRC') || index.charCodeAt(7) === 4) return false;
    for (const name of POLICY_NAMES)
      for (let at = index.indexOf(`/${name}\0`); at >= 0; at = index.indexOf(`/${name}\0`, at + 1)) {
        // The bytes before a path contain its length, and may look like a letter.
        const path = index.slice(index.lastIndexOf('\0', at) + 1, at);
        for (const folder of [path, path.slice(1)].map((one) => posix.join(top, one)))
          if (existsSync(posix.join(folder, name)) && [...trees].some((tree) => isInside(folder, tree) || isInside(tree, folder)))
            folders.add(folder);
      }
    return true;
  } catch {
    return false;
  }
}

const UNSEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Adds where a command runs, and every path that its words may be, whatever their purpose: `-C x`, `--prefix=x`, `-Cx`. */
function namedBy({ invocation: { argv } }: Command, directory: string, project: string, touched: Touched): void {
  touched.names.add(directory);
  for (const [at, { value, text, glob }] of argv.entries()) {
    const word = value ?? text;
    if (at === 0 || /[\0\n]/.test(word)) continue;
    for (const piece of new Set([word, word.slice(word.indexOf('=') + 1), word.replace(/^-\w/, '')])) {
      if (piece === '' || piece.startsWith('-')) continue;
      const path = posix.resolve(directory, piece.replace(/^\.{3}|\.{3}$/g, ''));
      const isPattern = glob || WILDCARD.test(piece);
      // No system call accepts a longer path.
      if (piece.length > LONGEST_PATH) touched.isAll &&= !isPattern;
      else if (isPattern) matched(path, touched, touched.names);
      else touched.names.add(path);
    }
    if (argv[at - 1]?.value?.startsWith('-') === true || /^-.*=/.test(word))
      for (const path of workspaces(project, word.slice(word.indexOf('=') + 1))) touched.names.add(path);
  }
}

/** Adds the paths that a pattern matches, and the folders below which `**` may match anything. */
function matched(path: string, touched: Touched, into: Set<string>): void {
  let ways = ['/'];
  for (const part of path.split('/')) {
    if (part === '**') {
      for (const way of ways) touched.trees.add(way);
      return;
    }
    ways = WILDCARD.test(part)
      ? ways.flatMap((way) =>
          namesIn(way)
            .filter((entry) => segmentsMayMeet(part, entry))
            .map((entry) => posix.join(way, entry)),
        )
      : ways.map((way) => posix.join(way, part));
    if (ways.length > MOST_MATCHES) touched.isAll = false;
    ways = ways.slice(0, MOST_MATCHES);
  }
  for (const way of ways) into.add(way);
}

/** Files that list the packages of a project: `"workspaces": ["packages/*"]`, `members = ["crates/*"]`. */
const WORKSPACE_FILES = ['package.json', 'pnpm-workspace.yaml', 'lerna.json', 'Cargo.toml'];

/** Returns where the package of a name may be (`-w a`, `--filter @x/a`, `-p a`), by the name of its folder or that in its package.json. */
function workspaces(project: string, name: string): readonly string[] {
  const last = /^(?:@[\w.-]+\/)?([\w.-]+)$/.exec(name)?.[1];
  if (last === undefined) return [];
  const tops = WORKSPACE_FILES.flatMap((file) => {
    const read = readText(posix.join(project, file), { limit: 256 * 1024 });
    return read.ok
      ? [...read.text.matchAll(/["'\s]((?:[\w@.-]+\/){1,4})\*/g)].map(([, top = '']) => posix.join(project, top))
      : [];
  });
  return [...new Set(tops)].flatMap((top) =>
    namesIn(top)
      .filter((entry) => entry === last || manifestNames(posix.join(top, entry), name))
      .map((entry) => posix.join(top, entry)),
  );
}

function manifestNames(folder: string, name: string): boolean {
  return ['package.json', 'Cargo.toml'].some((file) => {
    const read = readText(posix.join(folder, file), { limit: 256 * 1024 });
    return read.ok && /["']?\bname["']?\s*[:=]\s*["']([^"']+)["']/.exec(read.text)?.[1] === name;
  });
}
