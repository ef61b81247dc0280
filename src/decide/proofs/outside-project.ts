/** Commands that run outside the session's project: the project's own allows end at its edge (docs/guarantees.md, 1). */
import { posix } from 'node:path';
import type { Command } from '../../command/model/command.js';
import { isInstalled } from '../../command/model/dispatchers.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { ShellWord, Span } from '../../shell/syntax/types.js';
import { placesBefore } from '../flow/entered-folders.js';
import type { PathReference } from '../place/path-references.js';
import { isOwn } from '../place/paths.js';
import type { CommandContext } from '../policy/command-context.js';
import type { RuleReference } from '../ruling/decision.js';
import type { PathFact } from '../ruling/facts.js';

/** The authors of rules in these layers meant every project. */
const EVERYWHERE: ReadonlySet<RuleReference['layer']> = new Set(['managed', 'user', 'cli']);

/** Whether a rule of this layer applies outside the project. */
export function holdsEverywhere(layer: RuleReference['layer']): boolean {
  return EVERYWHERE.has(layer);
}

/**
 * The folder outside the project, or with third-party code (installed, or a repository of its own), whose code or configuration a
 * command runs: `cd /elsewhere && npm test` and `cd vendor/x && make test` are asked about. Null for a command that stays inside,
 * or whose words determine what it touches.
 */
export function codeRunOutsideProject(context: CommandContext): string | null {
  const { invocation, verdict } = context.command;
  if (invocation.directory?.length === 0) return null;
  if (verdict.known && !verdict.effects.some(({ action, path }) => action === 'execute' && path === null)) return null;
  return placeOutside(
    context,
    (fact) => fact.nested === true || isInstalled(posix.relative(context.scope.facts.project, fact.real)),
  );
}

/** An unknown folder is treated as outside. */
export const UNKNOWN_FOLDER = '';

/**
 * The folder outside the project that a command may run in; null if it certainly stays inside.
 * @param isForeign whether a folder of the project contains third-party code
 */
function placeOutside(
  { command, directory, scope, line: { commands } }: CommandContext,
  isForeign: (folder: Pick<PathFact, 'real' | 'nested'>) => boolean = () => false,
): string | null {
  const { facts, place } = scope;
  const factOf = (folder: string) => (Object.hasOwn(facts.paths, folder) ? facts.paths[folder] : undefined);
  const leaves = (folder: Pick<PathFact, 'real' | 'nested'>) => !isOwn(folder.real, facts) || isForeign(folder);
  if (directory !== null) return leaves(factOf(directory) ?? { real: directory }) ? directory : null;
  const isThere = (folder: string) => (factOf(folder)?.kind ?? 'missing') !== 'missing';
  const line = scope.analysis.lines.find(({ tree }) => tree.commands === commands);
  const places = line === undefined ? null : placesBefore(command, line, place, isThere);
  if (places === null) return UNKNOWN_FOLDER;
  return places.find((folder) => leaves(factOf(folder) ?? { real: folder === place.cwd ? folder : '/' })) ?? null;
}

/**
 * The words of a command that name paths relative to a folder other than the project's: `dist` in `cd ~ && rm -rf dist`. In a
 * folder of the project, only words that lead out of it.
 */
export function wordsOutsideProject(context: CommandContext): readonly string[] {
  const { command, directory, scope, paths } = context;
  const { facts } = scope;
  if (directory === facts.project || (directory !== null && facts.checkouts?.includes(directory) === true)) return NO_WORDS;
  const { argv } = command.invocation;
  const scripts = startedFiles(command);
  const relative = paths.filter(({ reference }) => isRelative(reference));
  if (scripts.length === 0 && relative.length === 0) return NO_WORDS;
  const outside = placeOutside(context) !== null;
  const words = new Set<string>();
  for (const { value, span: own } of scripts) {
    const word = outside || climbs(value ?? '') ? wordAt(argv, own) : undefined;
    if (typeof word?.value === 'string') words.add(word.value);
  }
  for (const { reference, inProject } of relative) {
    // If the folder is uncertain, the path's own target is unknown too.
    const stays = directory === null ? !climbs(reference.text) : inProject;
    const word = outside || !stays ? wordAt(argv, reference.span) : undefined;
    if (typeof word?.value === 'string') words.add(word.value);
  }
  return [...words];
}

const NO_WORDS: readonly string[] = [];

/** The programs and scripts with a relative path that a command runs: `./build.sh`, `bash deploy.sh`. */
function startedFiles({ invocation: { argv }, verdict }: Command): readonly ShellWord[] {
  const scripts = verdict.effects.flatMap(({ action, path }) => (action === 'execute' && path !== null ? [path] : []));
  const program = argv[0]?.value?.includes('/') === true ? argv.slice(0, 1) : [];
  return [...program, ...scripts].filter(({ value, tilde }) => value !== null && !value.startsWith('/') && !tilde);
}

/** Whether a rule writes out one of these words, or its beginning (`src/*`). A star alone matches any path and does not. */
export function writesOut({ pattern }: PermissionRule, strayed: readonly string[]): boolean {
  if (strayed.length === 0) return false;
  const written = (pattern ?? '').replaceAll(/["']/g, '').split(/\s+/);
  return written.some((text) => {
    const wild = text.search(/:\*$|[*?]/);
    return wild < 0 ? strayed.includes(text) : wild > 0 && strayed.some((word) => word.startsWith(text.slice(0, wild)));
  });
}

/** Whether a word certainly is a path, or looks like one in an unknown command: `npm test` names none. */
function isRelative({ text, assumed, found }: PathReference): boolean {
  if (found || /^["']?[/~$]/.test(text)) return false;
  return !assumed || (/\/|^\.|\.[A-Za-z0-9]{1,5}$/.test(text) && !/^@|:\/\//.test(text));
}

function climbs(path: string): boolean {
  return /(?:^|[/=])\.\.(?:\/|$)/.test(path);
}

/** The argument that contains a path. */
function wordAt(argv: readonly ShellWord[], span: Span | null): ShellWord | undefined {
  if (span === null) return undefined;
  return argv.find((word) => word.span.start <= span.start && span.end <= word.span.end);
}
