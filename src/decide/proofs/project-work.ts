/**
 * Work on the project with its own code, inside it: what preset `develop` allows in addition to `safe`. Grammars mark the
 * commands that build, test, check, format or run a project (`work`); the project's own programs and scripts are included.
 * Everything that grammars rate otherwise (other places, configurations or programs, publishing) still asks, and so do tasks
 * whose names suggest effects beyond the project (`leaves`).
 */
import { posix } from 'node:path';
import { canExecute } from '../../command/model/assignments.js';
import { isInstalledProgram } from '../../command/model/called-name.js';
import type { Command, GrammarIssue } from '../../command/model/command.js';
import { isInstalled, meansOne, takesCode } from '../../command/model/dispatchers.js';
import { CARRIED } from '../../command/verdict.js';
import type { Span } from '../../shell/syntax/types.js';
import { filledWord } from '../flow/directories.js';
import { isNameOfProgram } from '../flow/program-names.js';
import { wordsLeadingOut } from '../guards/outside-words.js';
import { isTemporary, TEMPORARY } from '../guards/temporary.js';
import { isNull } from '../place/path-references.js';
import { isOwn, type ResolvedPath } from '../place/paths.js';
import { absolutePath } from '../place/place.js';
import { protectedGlob } from '../place/protected-glob.js';
import { protectedBelow } from '../place/sensitive-paths.js';
import type { CommandContext } from '../policy/command-context.js';
import type { Ruling } from '../ruling/combine.js';
import type { Facts } from '../ruling/facts.js';
import { installedPaths } from './condition-facts.js';
import { codeRunOutsideProject, wordsOutsideProject } from './outside-project.js';
import { areHarmlessArguments } from './script-arguments.js';
import { startedFile, startsUnnamed } from './script-spellings.js';

export const WORK: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/project-work', message: 'preset develop allows building, testing, checking and running the project' },
};

/** Whether everything that a command does is such work, in a folder of the project that contains its own code. */
export function isProjectWork(written: CommandContext): boolean {
  const context = filled(written);
  const { command, directory, issues, inner, paths, scope } = context;
  const leaves = scope.preset?.definition.leaves ?? null;
  if (leaves === null || command.appended || directory === null || !isOwnFolder(directory, scope.facts.project)) return false;
  if (tasksOf(context) === null || leavingTask(context) !== null) return false;
  // The words of an inner command are judged as part of that command.
  const isJudged = ({ code, span }: GrammarIssue) => code === 'word/dynamic' && inner.some((one) => isWordOf(one.command, span));
  if (!inner.every(({ decision }) => decision === 'allow') || !issues.every((issue) => isOfWork(issue) || isJudged(issue)))
    return false;
  if (codeRunOutsideProject(context) !== null || wordsOutsideProject(context).length > 0) return false;
  if (
    wordsLeadingOut(context).length > 0 ||
    namesProtected(context) ||
    patternsOf(context).some((one) => mayBeProtected(one, scope.facts))
  )
    return false;
  const { redirections } = command.invocation;
  // The command need not know of a temporary file that its output is redirected to.
  const isPrintedTo = (path: ResolvedPath) =>
    redirections.some(({ direction, target }) => direction === 'write' && target?.span === path.reference.span) &&
    isTemporary(path, scope);
  if (paths.some((path) => fillsProtected(path, scope.facts) || isOfOthers(path, scope.facts))) return false;
  return paths.every((path) => path.inProject || isNull(path.reference) || isPrintedTo(path));
}

/** The context with folders in words expanded: `$PWD/x` is judged like `/repo/x`. */
function filled(context: CommandContext): CommandContext {
  const { command, scope } = context;
  const { invocation } = command;
  if (invocation.argv.every(({ value }) => value !== null)) return context;
  const argv = invocation.argv.map((word) => filledWord(word, scope.place));
  return { ...context, command: { ...command, invocation: { ...invocation, argv } } };
}

/** The project's script or target whose name suggests deploying, publishing or the like; null if there is none, or no such preset. */
export function leavingTask(context: CommandContext): string | null {
  const leaves = context.scope.preset?.definition.leaves ?? null;
  return leaves === null ? null : (tasksOf(context)?.find((word) => meansOne(word, leaves)) ?? null);
}

/** `bash vendored/x.sh`, `pytest clones/repo`: a nested repository contains third-party code. */
function isOfOthers({ reference: { key } }: ResolvedPath, { paths }: Facts): boolean {
  return key !== null && Object.hasOwn(paths, key) && paths[key]?.nested === true;
}

/** `babel src -d .claude`: a write into such a folder may replace protected files below it. */
function fillsProtected({ reference, locations }: ResolvedPath, { home, ownDirectories }: Facts): boolean {
  return (
    reference.access === 'write' && locations.some(({ absolute }) => protectedBelow(absolute, home, ownDirectories) !== null)
  );
}

function isWordOf({ invocation }: Command, { start, end }: Span): boolean {
  return invocation.argv.some(({ span }) => span.start === start && span.end === end);
}

/**
 * Whether a word names a folder with agent settings or git hooks, which scripts may empty or fill, or an address that other
 * machines can reach.
 */
function namesProtected({ command, directory, scope: { facts } }: CommandContext): boolean {
  return command.invocation.argv.slice(1).some(({ value }) => {
    const said = value === null ? '' : saidBy(value);
    if (/(?:^|[^\d.])0(?:\.0\.0\.0)?:\d|(?:^|[^\d.])0\.0\.0\.0(?![\d.])|\[::\]/.test(said)) return true;
    if (!PROTECTED_FOLDER.test(said)) return false;
    const path = absolutePath(said, facts.home, directory ?? facts.cwd);
    return protectedBelow(path, facts.home, facts.ownDirectories) !== null;
  });
}

/** Hidden folders, the only ones that are checked further. */
const PROTECTED_FOLDER = /^(?:[\w./-]*\/)?\.[\w-][\w./-]*$/;

/** Quoted patterns, which the program itself expands: `prettier --write '.claude/*.json'`. */
function patternsOf({ command, directory, scope: { facts } }: CommandContext): readonly string[] {
  return command.invocation.argv
    .slice(1)
    .flatMap(({ value }) => (value !== null && /[*?[{]/.test(value) && !/\s/.test(value) ? alternatives(saidBy(value)) : []))
    .map((pattern) => absolutePath(pattern, facts.home, directory ?? facts.cwd));
}

function mayBeProtected(pattern: string, facts: Facts): boolean {
  const folder = pattern.slice(0, pattern.lastIndexOf('/', pattern.search(/[*?[]|$/)));
  return protectedGlob(pattern, facts, true, false) !== null || protectedBelow(folder, facts.home, facts.ownDirectories) !== null;
}

/** The expansions of brace lists; if there are too many, a protected name stands for them. */
function alternatives(pattern: string): readonly string[] {
  let found = [pattern];
  for (let braces = BRACES.exec(pattern); braces !== null; braces = BRACES.exec(found[0] ?? '')) {
    found = found.flatMap((one) => {
      const [whole = '', inner = ''] = BRACES.exec(one) ?? [];
      return inner.split(',').map((part) => one.replace(whole, () => part));
    });
    if (found.length > MOST_ALTERNATIVES) return ['.claude/*'];
  }
  return found;
}

const BRACES = /\{([^{}]*)\}/;
const MOST_ALTERNATIVES = 64;

/** Files that the project's code writes where other project code then runs are the project's own, too. */
function isOfWork({ work, code }: GrammarIssue): boolean {
  return work === true || code === 'path/replaced';
}

/** The words that determine which project code runs: a script, its arguments, targets; null if the command is not such work. */
function tasksOf(context: CommandContext): readonly string[] | null {
  const { command, scope } = context;
  const words = command.invocation.argv.map(({ value }) => value ?? '');
  const { work, script } = command.verdict;
  if (runsInstalled(context)) return [];
  if (work === 'installed') return null;
  if (script !== undefined) {
    const listed = scope.facts.scripts?.[`${context.directory}/${script.file}`];
    const isListed = script.word === 1 && USUAL.test(words[1] ?? '') && listed?.includes(words[1] ?? '') === true;
    return isListed && areHarmlessArguments(words.slice(2), scope.facts) ? words.slice(1).map(saidBy) : null;
  }
  const started = startedFile({ ...context, project: scope.facts.project });
  if (started === null) {
    if (work === undefined || words[0]?.includes('/') === true) return null;
    if (work === 'script' && context.inner.length === 0) return null;
    if (work !== 'tasks') return [];
    if (!(TASKS.get(command.name ?? '') ?? ANY).test(words[1] ?? '') || !namesWhole(command.name ?? '', words)) return null;
    if (!isTargeting(command.name ?? '') && !areHarmlessArguments(argumentsOf(command, words), scope.facts)) return null;
    return PASTES.has(command.name ?? '') && !words.slice(1).every(isHarmlessWord) ? null : words.slice(1).map(saidBy);
  }
  // For other programs with a grammar, a script is not work; otherwise the grammar would mark it.
  if (command.verdict.known && work === undefined && started.at > 0 && !SHELLS.has(command.name ?? '')) return null;
  if (isInstalled(started.path) || startsUnnamed(context, scope.facts)) return null;
  if (started.at === 0 && !isOwnProgram(context, words[0] ?? '')) return null;
  const own = words.slice(started.at + 1);
  const name = posix.basename(started.path);
  const tasks = TASKS.get(name) ?? (takesCode(name) ? CHECKS : null);
  if (!namesWhole(name, words.slice(started.at))) return null;
  if (CARRIED.has(name)) return [...started.path.split('/'), ...own.map(saidBy)];
  if (tasks === null ? !areHarmlessArguments(own, scope.facts) : !tasks.test(own[0] ?? '')) return null;
  return [...started.path.split('/'), ...own.map(saidBy)];
}

/** `.venv/bin/pytest`, `npx tsc`: a program installed in the project, judged by its own name. */
function runsInstalled({ command, directory, scope: { facts } }: CommandContext): boolean {
  const [{ value: program = null } = {}, ...words] = command.invocation.argv;
  const name = command.inner[0]?.name ?? null;
  if (program === null || name === null || directory === null || command.inner.length > 1) return false;
  if (command.name === null && isInstalledProgram(program))
    return isOwnInstalled(absolutePath(program, facts.home, directory), facts);
  if (command.verdict.work !== 'installed') return false;
  const at = words.findIndex(({ value }) => value === null || !RUNS.test(value));
  return words[at]?.value === name && installedPaths(name, directory, facts.project).some((path) => isOwnInstalled(path, facts));
}

/** Words before the program in `npx --no tsc` and `pnpm exec tsc`. */
const RUNS = /^(?:exec|x|-y|--yes|--no|--no-install|-q|--quiet|-s|--silent|--bun|--)$/;

/** Whether the file exists and leads to the project or, like the interpreter of a virtual environment, to a place where no agent writes. */
function isOwnInstalled(path: string, facts: Facts): boolean {
  const fact = facts.paths[path];
  if (fact?.kind !== 'file' || !isOwn(posix.normalize(path), facts)) return false;
  return isOwn(fact.real, facts) || (INTERPRETER.test(fact.real) && !TEMPORARY.test(fact.real));
}

const INTERPRETER = /\/(?:python|pypy|ruby|php|node)[\d.]*$/;

/** Follows symlinks, because a link would start a program elsewhere. */
function isOwnProgram({ directory, scope: { facts } }: CommandContext, program: string): boolean {
  const found = facts.paths[absolutePath(program, facts.home, directory ?? facts.cwd)];
  const real = found?.real ?? null;
  return real !== null && isOwn(real, facts) && !isInstalled(posix.relative(facts.project, real));
}

/** Programs that insert their words into shell lines. */
const PASTES: ReadonlySet<string> = new Set(['make', 'gmake', 'just', 'task']);

/** A target, an option, or a variable that does not make a program run another one. */
function isHarmlessWord(word: string): boolean {
  if (!/^[\w./,:@%+=-]*$/.test(word)) return false;
  if (word.startsWith('-') || !word.includes('=')) return true;
  const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/.exec(word) ?? [];
  return name !== '' && !canExecute(name) && !isNameOfProgram(value);
}

/** Programs whose operands are all targets, or a framework's task and its arguments. */
function isTargeting(name: string): boolean {
  return TARGETING.has(name) || TASKS.has(name);
}

const TARGETING: ReadonlySet<string> = new Set('make gmake ninja rake gradle mvn mix dotnet tox nox meson swift'.split(' '));

/** The words after the name of a script, or after a subcommand that is one (`npm test`). */
function argumentsOf({ verdict }: CommandContext['command'], words: readonly string[]): readonly string[] {
  const operands = words.flatMap((word, at) => (at === 0 || word.startsWith('-') ? [] : [at]));
  const named =
    /^(?:test|start|stop|restart|t|tst)$/.test(verdict.words.at(-1) ?? '') || verdict.words.join(' ') === 'cargo run' ? 0 : 1;
  return words.slice((operands[verdict.words.length - 2 + named] ?? words.length) + 1);
}

/** Usual script names that are not subcommands of a package manager: if a name is both, the subcommand runs. */
const USUAL =
  /^(?:analy[sz]e|build|codegen|coverage|cs|dev|e2e|fix|fmt|format|generate|lint|phpstan|prettier|preview|serve|start|storybook|test|tests|tsc|type-?check|types|unit|watch)(?:[:.][\w:.-]+)?$|^[\w-]+:[\w:.-]+$/;

/**
 * Tasks for the project that are accepted from programs that run any code of a framework: `bin/rails test`, `python3 manage.py migrate`.
 */
const TASKS: ReadonlyMap<string, RegExp> = new Map([
  [
    'rails',
    /^(?:tests?|spec|assets|tailwindcss|css|javascript|tmp)(?::[\w:-]+)?$|^(?:about|generate|g|log:clear|notes|routes|server|s|stats|zeitwerk:check)$|^db:(?:create|migrate|migrate:status|prepare|rollback|schema:\w+|seed|setup|test:prepare|version)$/,
  ],
  [
    'manage.py',
    /^(?:check|collectstatic|makemessages|compilemessages|makemigrations|migrate|runserver|showmigrations|sqlmigrate|test)$/,
  ],
  ['setup.py', /^(?:build|build_ext|check|test)$/],
  [
    'artisan',
    /^(?:about|list|migrate|migrate:status|route:list|serve|test)$|^(?:make|view|cache|route):\w+$|^config:(?:cache|clear)$/,
  ],
]);
const ANY = /^/;
const CHECKS = /^(?:tests?|check|spec)(?::[\w:-]+)?$/;

/** Whether task names are complete and literal: Gradle completes them (`pub` is `publish`), and other programs accept patterns. */
function namesWhole(name: string, words: readonly string[]): boolean {
  const tasks = words.slice(1).filter((word, at) => !word.startsWith('-') && !/^-[^=]*$/.test(words[at] ?? ''));
  if (/^gradlew?$/.test(name)) return tasks.every((task) => GRADLE.test(task.slice(task.lastIndexOf(':') + 1)));
  return !/^(?:mise|deno|nox)$/.test(name) || tasks.every((task) => !/[*?[]/.test(task));
}

const GRADLE =
  /^(?:build|tests?|check|assemble|clean|classes|testClasses|jar|run|bootRun|dependencies|tasks|help|properties|projects|javadoc|detekt|lint|[a-z]+(?:Test|Tests|Check|Apply)|(?:compile|test|lint|ktlint|detekt|process|generate|check|assemble|spotless|jacoco|pmd|checkstyle|spotbugs|format|verify|connected)[A-Z]\w*)$/;

/** The word without its option name. */
function saidBy(word: string): string {
  if (!word.startsWith('-')) return word;
  return word.startsWith('--') ? word.replace(/^[^=]*=?/, '') : word.slice(2);
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh']);

/** Whether it is the project's folder, or one below it that no package manager fills. */
function isOwnFolder(directory: string, project: string): boolean {
  return directory === project || (directory.startsWith(`${project}/`) && !isInstalled(posix.relative(project, directory)));
}
