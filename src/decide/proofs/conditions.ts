/**
 * Issues that keep a rule's `*` from covering a command: those from its grammar, and those that result from its conditions and the facts.
 */

import { shadowsModule } from '../../command/languages/python-names.js';
import type { Command, Condition, GrammarIssue } from '../../command/model/command.js';
import { meansOne } from '../../command/model/dispatchers.js';
import { isPlainName } from '../../command/pathnames/producers.js';
import { isPlainWord } from '../../shell/syntax/plain-word.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { placedValue, placeIn } from '../flow/directories.js';
import { pathKey } from '../place/path-references.js';
import { isInside, isOwn, type ResolvedPath } from '../place/paths.js';
import { renewable } from '../place/reinstallable.js';
import { protectedPath } from '../place/sensitive-paths.js';
import type { LineContext, Replacement } from '../policy/command-context.js';
import type { Scope } from '../policy/scope.js';
import type { GitFacts, PathFact } from '../ruling/facts.js';
import { modulePaths, nameSources, settingsPaths } from './condition-facts.js';

/** Returns the issues of the grammar, of conditions that the facts do not confirm, and of replaced paths. */
export function issuesOf(
  command: Command,
  directory: string | null,
  paths: readonly ResolvedPath[],
  scope: Scope,
  line: LineContext,
): readonly GrammarIssue[] {
  const { verdict } = command;
  const own =
    scope.harmlessVariables.length === 0 || verdict.issues.length === 0 ? verdict.issues : withoutAllowed(command, scope);
  const taken = scope.guard === null ? NO_ISSUES : takenIssues(command, paths, scope);
  if (verdict.conditions.length === 0 && line.replaced.length === 0 && taken.length === 0) return own;
  let found: GrammarIssue[] | null = taken.length === 0 ? null : [...taken];
  for (const condition of verdict.conditions) {
    const issue = conditionIssue(command, condition, directory, scope, line);
    if (issue !== null) found = add(found, issue);
  }
  const replaced = line.replaced.length === 0 || paths.length === 0 ? NONE : replacements(command, line);
  for (const path of replaced.length === 0 ? [] : paths) {
    const absolute = path.real?.absolute;
    // Found names lead to whatever is there when the command runs.
    const meets = ({ path: root, committed }: Replacement) =>
      absolute !== undefined &&
      (isInside(absolute, root) || (path.reference.found && isInside(root, absolute))) &&
      !(committed === true && staysPut(path, absolute, command, scope));
    if (replaced.some(meets)) {
      const message = `another command in this line may have replaced ${path.reference.text}`;
      found = add(found, issueOf(command, 'unknown', 'path/replaced', message));
    }
  }
  return found === null ? own : [...own, ...found];
}

const NO_ISSUES: readonly GrammarIssue[] = [];

/** Issues for protected paths that the command deletes: a rule has to name them, a `*` does not cover them. */
function takenIssues(command: Command, paths: readonly ResolvedPath[], { facts }: Scope): readonly GrammarIssue[] {
  let found: GrammarIssue[] | null = null;
  for (const { reference, locations } of paths) {
    if (reference.access !== 'delete') continue;
    const places = reference.glob === null ? locations.map(({ absolute }) => absolute) : [reference.glob];
    for (const place of places) {
      const hit = protectedPath(place, facts.home, facts.ownDirectories);
      const what = hit === null ? null : renewable(place, reference, hit, facts);
      if (what === null) continue;
      const word = command.invocation.argv.findIndex(({ span }) => span === reference.span);
      found = add(found, issueOf(command, 'care', 'path/renewable', `${reference.text}: deletes ${what}`, word));
      break;
    }
  }
  return found ?? NO_ISSUES;
}

/** The grammar's issues except those about variables that the policy allows to be set; as everywhere, their values must be known. */
function withoutAllowed({ invocation, verdict }: Command, { harmlessVariables }: Scope): readonly GrammarIssue[] {
  return verdict.issues.filter(({ code, option, span, word }) => {
    if (code !== 'assignment/unlisted' || option === null || !harmlessVariables.includes(option.slice(0, -1))) return true;
    const set = word < 0 ? invocation.assignments.find((one) => one.span === span) : invocation.argv[word];
    return set === undefined || set.value === null;
  });
}

const NONE: readonly Replacement[] = [];

/**
 * Whether a merge leaves the path in place: the folders that the shell and the project are in. Some git commands only read the
 * text of symlinks.
 */
function staysPut({ reference }: ResolvedPath, absolute: string, { verdict: { words } }: Command, { facts }: Scope): boolean {
  if (words[0] === 'git' && READS_NO_LINKS.has(words[1] ?? '')) return true;
  const names = reference.found || reference.glob !== null || reference.written !== undefined;
  return !names && (absolute === facts.cwd || absolute === facts.project);
}

const READS_NO_LINKS: ReadonlySet<string> = new Set('add blame commit diff log ls-files merge push rm show status'.split(' '));

/**
 * Paths that other commands may have replaced before or while the command runs; in a loop, also those that its own previous run replaced.
 */
function replacements(command: Command, { replaced }: LineContext): readonly Replacement[] {
  return byOthers(command, replaced);
}

function byOthers(command: Command, changes: readonly Replacement[]): readonly Replacement[] {
  if (command.invocation.enclosures.includes('loop')) return changes;
  return changes.filter(({ by }) => by !== command);
}

/** Whether a command of the line brings files of commits, which may be any, or writes one of these places or a folder above one. */
function bringsOne(places: readonly string[] | null, command: Command, { replaced, written }: LineContext): boolean {
  if (replaced.length + written.length === 0) return false;
  const holds = ({ path, committed }: Replacement) =>
    committed === true || places?.some((place) => isInside(place, path) || isInside(path, place)) === true;
  return byOthers(command, [...replaced, ...written]).some(holds);
}

/** Creates the list only when needed, because conditions usually hold. */
function add(list: GrammarIssue[] | null, issue: GrammarIssue): GrammarIssue[] {
  if (list === null) return [issue];
  list.push(issue);
  return list;
}

function issueOf(command: Command, rating: GrammarIssue['rating'], code: string, message: string, word = -1): GrammarIssue {
  return { rating, code, message, word, option: null, span: command.invocation.argv[word]?.span ?? command.invocation.span };
}

/** Checks a condition against the facts: null if it holds, an issue if it does not or if the facts do not include it. */
function conditionIssue(
  command: Command,
  condition: Condition,
  directory: string | null,
  scope: Scope,
  line: LineContext,
): GrammarIssue | null {
  const git = gitAt(directory, scope.facts.git);
  const care = (code: string, message: string) => issueOf(command, 'care', code, message, condition.word);
  switch (condition.kind) {
    case 'git-config':
      return configIssue(command, directory, scope, line);
    case 'remote':
      if (pushes(command) && git?.local?.remotes.includes(condition.name) === true) return localIssue(command, condition.name);
      return git?.remotes.includes(condition.name)
        ? null
        : care('git/remote-unknown', `${condition.name} is not a configured remote of this repository`);
    case 'current-remote':
      if (pushes(command) && git?.local?.bare === true) return localIssue(command, 'the remote');
      return git !== null && (git.upstream !== null || git.remotes.length > 0)
        ? null
        : care('git/no-remote', 'this repository has no remote');
    case 'branch': {
      // The user's `push.default` determines which of the two branches receives the push.
      const current = [git?.upstream?.branch, git?.branch].filter((name) => typeof name === 'string');
      const names = condition.name === null ? current : [condition.name];
      if (names.length === 0) return care('git/branch-unknown', 'it is unknown which branch this pushes');
      const name = names.find((one) => scope.protectedBranches.includes(one));
      const code = condition.name === null ? 'git/on-protected-branch' : 'git/protected-branch';
      return name === undefined ? null : care(code, `${name} is a protected branch`);
    }
    case 'plain-names':
      return namesIssue(command, condition, directory, scope, line);
    case 'no-settings': {
      const places = settingsPaths(condition, directory, scope.place);
      const found = places?.find((path) => !changesNothing(path, scope));
      const name = command.verdict.words.join(' ');
      if (bringsOne(places, command, line))
        return care('path/settings', `another command in this line may bring files from which ${name} takes options`);
      if (places === null) return care('path/settings', `it is unknown from which files ${name} takes options`);
      if (found === undefined) return null;
      const issue = care('path/settings', `${name} takes options from ${found}`);
      return condition.work === true ? { ...issue, work: true } : issue;
    }
    case 'own-modules':
      return (
        loadedIssue(command, condition, directory, scope) ??
        (condition.isolated ? null : modulesIssue(command, directory, scope, line))
      );
    case 'plain-place': {
      const start = placeIn(condition.path, scope.place);
      return start !== null && isPlainWord(start)
        ? null
        : issueOf(
            command,
            'unknown',
            'word/dynamic',
            `${condition.path.text} may become several words; quote it`,
            condition.word,
          );
    }
    case 'plain-file': {
      const { fact } = factOf(condition.path, directory, scope);
      if (fact?.kind === 'file' && fact.real.endsWith(condition.ending ?? '')) return null;
      return issueOf(command, 'unknown', 'path/no-file', `${condition.path.text} is not known to be a file`, condition.word);
    }
    case 'project-path': {
      const { path, word } = condition;
      const { key, fact } = factOf(path, directory, scope);
      if (key === '/dev/null' || (fact !== undefined && isOwn(fact.real, scope.facts))) return null;
      const rating = fact === undefined ? 'unknown' : condition.rating;
      // After `git -C /elsewhere` or `cd /elsewhere`, the folder itself is more informative than `.`.
      const named = path.value === '.' && directory !== null ? directory : path.text;
      return issueOf(command, rating, 'path/outside-project', `${named} is not known to lie inside the project`, word);
    }
  }
}

/** The git facts for a directory: another checkout of the repository has its own branch. */
function gitAt(
  directory: string | null,
  git: GitFacts | null,
): Pick<GitFacts, 'remotes' | 'branch' | 'upstream' | 'local'> | null {
  const top = directory === null ? null : git?.directories[directory];
  return (typeof top === 'string' ? git?.checkouts?.[top] : undefined) ?? git;
}

function pushes({ verdict: { words } }: Command): boolean {
  return words[1] === 'push';
}

/** The issue is about the command as a whole: a rule with `*` does not cover it, even if it names the remote. */
function localIssue(command: Command, name: string): GrammarIssue {
  const message = `${shownText(name)} is a repository on this machine, and a push runs its hooks here`;
  return issueOf(command, 'care', 'git/local-remote', message);
}

/** The facts about the path that a word names. */
function factOf(
  path: ShellWord,
  directory: string | null,
  scope: Scope,
): { readonly key: string | null; readonly fact: PathFact | undefined } {
  const value = path.value ?? placedValue(path, scope.place);
  const key = directory === null || value === null ? null : pathKey(directory, value, path.tilde, scope.place.home);
  return { key, fact: key !== null && Object.hasOwn(scope.facts.paths, key) ? scope.facts.paths[key] : undefined };
}

/**
 * Whether the facts show that the project has no such file, or one without effect; files of the user and the machine do not
 * belong to the project.
 */
function changesNothing(path: string, { facts }: Scope): boolean {
  const fact = Object.hasOwn(facts.paths, path) ? facts.paths[path] : undefined;
  if (fact === undefined) return false;
  // A folder that is a symlink has different parent folders.
  if (fact.real !== path) return false;
  return fact.kind === 'missing' || fact.harmless === true || !isOwn(path, facts);
}

/** Files of the current folder that Python loads, or would load when it runs, instead of its own modules. */
function modulesIssue(command: Command, directory: string | null, { facts }: Scope, line: LineContext): GrammarIssue | null {
  const issue = (message: string) => issueOf(command, 'care', 'path/modules', `${message}; write -I behind python3`);
  const modules = facts.modules;
  const found = directory !== null && modules !== undefined && Object.hasOwn(modules, directory) ? modules[directory] : null;
  if (directory === null || found == null) return issue('it is unknown which modules Python would load');
  if (found[0] !== undefined) return issue(`Python would load ${found[0]} from this folder instead of its own module`);
  const brings = ({ path, committed }: Replacement) =>
    committed === true ||
    isInside(directory, path) ||
    (isInside(path, directory) && shadowsModule(path.slice(directory.length).replace(/^\//, '').split('/')[0] ?? ''));
  const isBrought = byOthers(command, [...line.replaced, ...line.written]).some(brings);
  return isBrought ? issue('another command in this line may bring a file that Python loads instead of its own module') : null;
}

/** Modules that are not the project's own, and modules whose names suggest secrets or effects beyond the project. */
function loadedIssue(
  command: Command,
  { isolated, loads, shows }: Condition & { readonly kind: 'own-modules' },
  directory: string | null,
  { facts, preset }: Scope,
): GrammarIssue | null {
  const isOwnModule = (name: string) =>
    modulePaths(directory ?? '', name).some((path) => {
      const fact = facts.paths[path];
      return fact !== undefined && fact.kind !== 'missing' && isOwn(fact.real, facts);
    });
  const leaves = preset?.definition.leaves ?? [];
  const other = loads.find((name) => isolated || directory === null || !isOwnModule(name));
  const hidden = shows.find((name) => SECRET.test(name) || meansOne(name, leaves));
  if (other === undefined && hidden === undefined) return null;
  return issueOf(command, 'care', 'path/modules', `Python would load ${other ?? hidden}, which is unknown code`);
}

const SECRET = /secret|passw|token|credential|auth|key/i;

/** Names that would be split or expanded on the way, or be mistaken for options. */
function namesIssue(
  command: Command,
  { names, hyphen, word }: Condition & { readonly kind: 'plain-names' },
  directory: string | null,
  scope: Scope,
  line: LineContext,
): GrammarIssue | null {
  const issue = (message: string) => issueOf(command, 'unknown', 'names/odd', message, word);
  if (directory === null) return issue('the directory of the names is unknown');
  const apart = names.split || hyphen || names.expanded === true;
  // The facts do not include files that the line itself creates.
  if (apart && othersMayNameFiles(command, scope, line))
    return issue('another command in this line may make files with other names');
  // A loop's pattern, not the output of a command.
  const isVariable = names.expanded === true && names.written === undefined;
  for (const { kind, directory: folder } of nameSources(names, directory)) {
    const known = scope.facts.names?.[kind];
    const fact = known !== undefined && Object.hasOwn(known, folder) ? known[folder] : undefined;
    if (kind === 'indexes' && fact?.astray !== false) return issue("a name in git's index may lead outside the project");
    if (!apart) continue;
    if (fact === undefined || fact === null)
      return issue(`the names are unknown; ${kind === 'folders' ? FOLDER_HINT : 'write -print0 (or -z) and xargs -0'}`);
    if (kind === 'indexes' && !fact.top && names.from.includes('top-index'))
      return issue('git prints names relative to the top of the repository');
    if (names.split && (names.lines === true ? (fact.torn ?? fact.odd) : fact.odd))
      return issue(
        `a name contains a space or a quote and would be split; ${isVariable ? QUOTES_HINT : 'write -print0 (or -z) and xargs -0'}`,
      );
    if (names.expanded === true && fact.wild)
      return issue(
        `a name contains a wildcard and might match other files; ${isVariable ? QUOTES_HINT : 'give the names to xargs instead'}`,
      );
    if (hyphen && fact.leading)
      return issue('a name begins with a hyphen and would be read as an option; write -- before the names');
  }
  return null;
}

const QUOTES_HINT = 'put the variable in quotes';
const FOLDER_HINT = 'put the pattern after -- or start it with ./';

/** Whether a command of the line may have created files with unknown names; cached, because every glob of a command needs it. */
function othersMayNameFiles(own: Command, { analysis }: Scope, { naming }: LineContext): boolean {
  const known = naming.get(own);
  if (known !== undefined) return known;
  const answer = analysis.lines.some(({ tree }) => tree.commands.some((other) => mayNameFiles(other, own)));
  naming.set(own, answer);
  return answer;
}

/** Whether another command may have created files (or entries of git's index) with unknown names before this one runs. */
function mayNameFiles(other: Command, own: Command): boolean {
  const { invocation, verdict, inner } = other;
  const { span } = own.invocation;
  const later = invocation.span.start > span.start && !invocation.background;
  if (later && !invocation.enclosures.some((one) => one === 'loop' || one === 'pipeline')) return false;
  if (!verdict.known || verdict.effects.some(({ action }) => action !== 'read' && action !== 'network')) return true;
  if (invocation.redirections.some(({ direction, target }) => direction.includes('write') && !isHarmlessName(target)))
    return true;
  return inner.some((one) => mayNameFiles(one, own));
}

function isHarmlessName(target: ShellWord | null): boolean {
  return target?.value != null && !target.glob && isPlainName(target.value) && !/(?:^|\/)[-:]/.test(target.value);
}

/** The issue if a repository makes an ordinary git command run a program or show files elsewhere, or is not the project's repository. */
export function configIssue(command: Command, directory: string | null, scope: Scope, line: LineContext): GrammarIssue | null {
  const { git } = scope.facts;
  const care = (code: string, message: string) => issueOf(command, 'care', code, message);
  if (directory === null) return care('git/unknown-directory', 'the directory in which git runs is unknown');
  // Files of commits are not settings of the repository, but a folder below it may become a repository with its own settings.
  const isTop = git !== null && (directory === git.top || git.checkouts?.[directory] !== undefined);
  if (line.replaced.length > 0 && replacements(command, line).some(({ committed }) => committed !== true || !isTop))
    return care('git/replaced', 'another command in this line may have changed the repository');
  if (git === null) return null;
  // No member of Object.prototype begins with a slash.
  const own = directory.startsWith('/') || Object.hasOwn(git.directories, directory);
  const top = own ? git.directories[directory] : undefined;
  if (top === null)
    return git.astray.includes(directory)
      ? care('git/no-repository', 'git finds no repository there, so it may read any files')
      : null;
  if (top !== git.top && git.checkouts?.[top ?? ''] === undefined)
    return care('git/other-repository', "git would use a repository other than the project's");
  const hazard = git.hazards[0];
  return hazard === undefined
    ? null
    : care('git/config', `${hazard.key} in ${hazard.file}:${hazard.line} can make git run a program or show other files`);
}
