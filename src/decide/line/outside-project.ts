/** Commands run outside the session's project: its own allows end at its edge (docs/guarantees.md, 1). */
import type { Command } from '../../command/command.js';
import type { PermissionRule } from '../../rule/permission-rule.js';
import type { ShellWord, Span } from '../../shell/syntax/types.js';
import { isOwn } from '../call/paths.js';
import type { RuleReference } from '../decision.js';
import type { PathReference } from '../guards/path-references.js';
import type { Scope } from '../stages/scope.js';
import type { CommandContext } from './command-context.js';
import { directoryOf, enteredKey } from './directories.js';

/** Whoever wrote these rules meant every project. */
const EVERYWHERE: ReadonlySet<RuleReference['layer']> = new Set(['managed', 'user', 'cli']);

/** Of more places only the last are looked at; who enters more folders than these may be anywhere. */
const MOST_PLACES = 16;
const MOST_STEPS = 32;

/** Whether a rule of this layer holds outside the project. */
export function holdsEverywhere(layer: RuleReference['layer']): boolean {
  return EVERYWHERE.has(layer);
}

/**
 * The folder outside the project whose code or configuration a command runs: `cd /elsewhere && npm test` is asked about. Null for all that stay, and
 * for those whose words say what they touch.
 */
export function codeRunOutsideProject({ command, directory, scope, line }: CommandContext): string | null {
  const { invocation, verdict } = command;
  if (invocation.directory?.length === 0) return null;
  if (verdict.known && !verdict.effects.some(({ action, path }) => action === 'execute' && path === null)) return null;
  const places = directory === null ? placesBefore(invocation.span.start, line.commands, scope) : [directory];
  return places.find((place) => !isOwn(scope.facts.paths[place]?.real ?? place, scope.facts)) ?? null;
}

/**
 * The words of a command that name paths relative to another folder than the project's: `dist` in `cd ~ && rm -rf dist`. In a folder of
 * the project only those are meant that lead out of it.
 */
export function wordsOutsideProject({ command, directory, scope, line, paths }: CommandContext): readonly string[] {
  const { facts } = scope;
  if (directory === facts.project || (directory !== null && facts.checkouts?.includes(directory) === true)) return NO_WORDS;
  const { argv, span } = command.invocation;
  const scripts = startedFiles(command);
  const relative = paths.filter(({ reference }) => isRelative(reference));
  if (scripts.length === 0 && relative.length === 0) return NO_WORDS;
  const places = directory === null ? placesBefore(span.start, line.commands, scope) : [directory];
  const outside = places.some((place) => !isOwn(facts.paths[place]?.real ?? place, facts));
  const words = new Set<string>();
  for (const { value, span: own } of scripts) {
    const word = outside || climbs(value ?? '') ? wordAt(argv, own) : undefined;
    if (typeof word?.value === 'string') words.add(word.value);
  }
  for (const { reference, inProject } of relative) {
    // Where it is not certain which of several folders it is, nobody knows where the path itself leads.
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

/** Whether a rule writes one of these words out, or the beginning of one: `src/*`. A star alone stands for any path there is. */
export function writesOut({ pattern }: PermissionRule, strayed: readonly string[]): boolean {
  if (strayed.length === 0) return false;
  const written = (pattern ?? '').replaceAll(/["']/g, '').split(/\s+/);
  return written.some((text) => {
    const wild = text.search(/:\*$|[*?]/);
    return wild < 0 ? strayed.includes(text) : wild > 0 && strayed.some((word) => word.startsWith(text.slice(0, wild)));
  });
}

/** A path that a word certainly is, or looks like where nothing is known of the command: `npm test` names none. */
function isRelative({ text, assumed, found }: PathReference): boolean {
  if (found || /^["']?[/~$]/.test(text)) return false;
  return !assumed || (/\/|^\.|\.[A-Za-z0-9]{1,5}$/.test(text) && !/^@|:\/\//.test(text));
}

function climbs(path: string): boolean {
  return /(?:^|[/=])\.\.(?:\/|$)/.test(path);
}

/** The argument that a path stands in. */
function wordAt(argv: readonly ShellWord[], span: Span | null): ShellWord | undefined {
  if (span === null) return undefined;
  return argv.find((word) => word.span.start <= span.start && span.end <= word.span.end);
}

/** Where the shell may stand at an offset of a line, by each `cd` before it: `cd /elsewhere; npm test`. */
function placesBefore(offset: number, commands: readonly Command[], { facts, place }: Scope): readonly string[] {
  const before = entering(commands)
    .slice(0, MOST_STEPS + 1)
    .filter(({ invocation }) => invocation.span.start < offset);
  if (before.length > MOST_STEPS) return ['/'];
  let places: readonly string[] = [place.cwd];
  for (const command of before) {
    if (command.name !== 'cd') return ['/'];
    const base = directoryOf(command, place);
    const entered = (base === null ? places : [base]).flatMap((from) => enteredKey(command, from, place) ?? []);
    // Into what is certainly there it gets.
    const isThere = entered.length > 0 && entered.every((key) => (facts.paths[key]?.kind ?? 'missing') !== 'missing');
    places = (isThere ? entered : [...places, ...entered]).slice(-MOST_PLACES);
  }
  return places;
}

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

const changes = new WeakMap<readonly Command[], readonly Command[]>();

/** The commands of a line that enter a folder, looked for once. */
function entering(commands: readonly Command[]): readonly Command[] {
  const known = changes.get(commands) ?? commands.filter(({ name }) => name !== null && CHANGERS.has(name));
  changes.set(commands, known);
  return known;
}
