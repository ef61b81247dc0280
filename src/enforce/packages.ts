/**
 * The policies of nested packages hold for what lies in the package, wherever the call is made: `rm packages/a/x`, `cd packages/a && …`,
 * `make -C packages/a`, `npm -w a …`. Only what a call names is looked at, so that no tree is walked.
 */
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type { ToolCall } from '../call/tool-call.js';
import type { Command } from '../command/command.js';
import type { CallAnalysis } from '../decide/analysis.js';
import { flatten } from '../decide/builtin/names.js';
import { placeOf } from '../decide/call/place.js';
import type { CompiledPolicy } from '../decide/compiled/policy-data.js';
import { decide } from '../decide/decide.js';
import type { Decision } from '../decide/decision.js';
import type { Facts } from '../decide/facts.js';
import { directoryOf } from '../decide/line/directories.js';
import { stricter } from '../rule/permission-rule.js';
import { isInside } from './facts/inside.js';
import { readText } from './files/read.js';
import { policyFolder } from './project/policy-folder.js';

/** The policy of the project together with those of a package, by its folder. */
export type PackagePolicy = (folder: string) => CompiledPolicy;

/** A decision and the policy that gave it. */
export interface Governed {
  readonly decision: Decision;
  readonly compiled: CompiledPolicy;
}

/**
 * The decision about a call, or the stricter one of a package that the call touches.
 * @param given by the policy of the folder that the call is made in
 */
export function withPackages(
  given: Governed,
  call: ToolCall,
  facts: Facts,
  analysis: CallAnalysis,
  policyOf: PackagePolicy | undefined,
): Governed {
  let strictest = given;
  for (const folder of policyOf === undefined ? [] : packagesOf(facts, analysis, call.cwd)) {
    if (policyOf === undefined || strictest.decision.decision === 'deny') break;
    const compiled = policyOf(folder);
    const decision = decide(compiled, call, facts, analysis);
    if (stricter(decision.decision, strictest.decision.decision) !== strictest.decision.decision)
      strictest = { decision, compiled };
  }
  return strictest;
}

/** A policy under which every call is asked about. */
export function unreadable(compiled: CompiledPolicy, folder: string): CompiledPolicy {
  return { ...compiled, policy: { ...compiled.policy, unread: `the policy of ${folder} cannot be used; it might forbid this` } };
}

/** So many names of a call are looked up, and so many folders listed for its patterns. */
const MOST_NAMES = 512;
const MOST_ENTRIES = 256;

/** Folders below the project with a policy of their own that the call touches; without those that its directory lies in. */
function packagesOf(facts: Facts, analysis: CallAnalysis, cwd: string): readonly string[] {
  const { project } = facts;
  const names = new Set<string>();
  for (const [path, { real }] of Object.entries(facts.paths)) names.add(posix.normalize(path)).add(real);
  for (const paths of Object.values(facts.globs ?? {})) for (const path of paths ?? []) names.add(path);
  const place = placeOf(cwd, facts);
  for (const command of analysis.lines.flatMap(({ tree }) => flatten(tree.commands)))
    for (const path of namedBy(command, directoryOf(command, place) ?? facts.cwd, project)) names.add(path);
  const base = isInside(facts.cwd, project) ? policyFolder(project, facts.cwd) : project;
  const found = new Set<string>();
  for (const name of [...names].slice(0, MOST_NAMES)) {
    if (name === project || !isInside(name, project)) continue;
    const folder = policyFolder(project, name);
    if (folder !== project && !isInside(base, folder)) found.add(folder);
  }
  return [...found];
}

/** Where a command runs, and every path that its words may be, whatever they are for: `-C x`, `--prefix=x`, `-Cx`. */
function namedBy({ invocation: { argv } }: Command, directory: string, project: string): readonly string[] {
  const found = [directory];
  for (const [at, { value, text, glob }] of argv.entries()) {
    const word = value ?? text;
    if (at === 0 || word.length > 1024 || /[\0\n]/.test(word)) continue;
    for (const piece of new Set([word, word.slice(word.indexOf('=') + 1), word.replace(/^-\w/, '')])) {
      if (piece === '' || piece.startsWith('-')) continue;
      const path = posix.resolve(directory, piece.replace(/^\.{3}|\.{3}$/g, ''));
      if (glob || /[*?[]/.test(piece)) found.push(...matched(path));
      else found.push(path);
    }
    if (argv[at - 1]?.value?.startsWith('-') === true || /^-.*=/.test(word))
      found.push(...workspaces(project, word.slice(word.indexOf('=') + 1)));
  }
  return found;
}

/** The folders that the first pattern of a path stands for, each with what follows. */
function matched(path: string): readonly string[] {
  const parts = path.split('/');
  const at = parts.findIndex((part) => /[*?[]/.test(part));
  const top = parts.slice(0, at).join('/') || '/';
  return entriesOf(top).map((entry) => [top, entry, ...parts.slice(at + 1).filter((part) => !/[*?[]/.test(part))].join('/'));
}

/** Files that say where the packages of a project lie: `"workspaces": ["packages/*"]`, `members = ["crates/*"]`. */
const WORKSPACE_FILES = ['package.json', 'pnpm-workspace.yaml', 'lerna.json', 'Cargo.toml'];

/** Where the package of a name may lie (`-w a`, `--filter @x/a`, `-p a`), by the name of its folder or that in its package.json. */
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
    entriesOf(top)
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

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MOST_ENTRIES);
  } catch {
    // It is no folder that can be listed.
    return [];
  }
}
