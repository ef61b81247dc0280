/**
 * Work on the project with its own code, inside it: what preset `develop` allows besides `safe`. The grammars say which commands build, test,
 * check, format or run a project (`work`), and the project's own programs and scripts count as such. What the grammars rate otherwise
 * (another place, configuration or program, publishing) asks as ever, and so does what is named for reaching out (`leaves`).
 */
import { posix } from 'node:path';
import type { GrammarIssue } from '../../command/command.js';
import { outsideWords } from '../guards/outside-words.js';
import { isNull } from '../guards/path-references.js';
import type { CommandContext } from '../line/command-context.js';
import { codeRunOutsideProject, wordsOutsideProject } from '../line/outside-project.js';
import { startedFile, startsUnnamed } from '../line/script-spellings.js';
import { isInstalled } from '../remedy/dispatchers.js';
import type { Ruling } from '../stages/combine.js';

export const WORK: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/project-work', message: 'preset develop lets the project be built, tested, checked and run' },
};

/** Whether all that a command does is such work, in a folder of the project that holds its own code. */
export function isProjectWork(context: CommandContext): boolean {
  const { command, directory, issues, inner, paths, scope } = context;
  const leaves = scope.preset?.definition.leaves ?? null;
  if (leaves === null || command.appended || directory === null || !isOwnFolder(directory, scope.facts.project)) return false;
  const named = tasksOf(context);
  if (named === null || named.some((word) => meansOne(word, leaves))) return false;
  if (!inner.every(({ decision }) => decision === 'allow') || !issues.every(isOfWork)) return false;
  if (codeRunOutsideProject(context) !== null || wordsOutsideProject(context).length > 0 || outsideWords(context).length > 0)
    return false;
  return paths.every(({ inProject, reference }) => inProject || isNull(reference));
}

/** What the project's own code leaves where other code of it is run is its own, too. */
function isOfWork({ work, code }: GrammarIssue): boolean {
  return work === true || code === 'path/replaced';
}

/** The words that say which of the project's own code runs: a script, its arguments, targets; null where the command is no such work. */
function tasksOf(context: CommandContext): readonly string[] | null {
  const { command, scope } = context;
  const words = command.invocation.argv.map(({ value }) => value ?? '');
  const { work } = command.verdict;
  const started = startedFile({ ...context, project: scope.facts.project });
  if (started === null) {
    if (work === undefined || words[0]?.includes('/') === true) return null;
    if (work === 'script' && context.inner.length === 0) return null;
    return work === 'tasks' ? words.slice(1).filter((word) => !word.startsWith('-')) : [];
  }
  // Of the other programs with a grammar a script is no work: they would have said so.
  if (command.verdict.known && work === undefined && started.at > 0 && !SHELLS.has(command.name ?? '')) return null;
  if (isInstalled(started.path) || startsUnnamed(context, scope.facts)) return null;
  return [...started.path.split('/'), ...words.slice(started.at + 1).filter((word) => !word.startsWith('-'))];
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh']);

/** The project's folder, or one below it that no package manager fills. */
function isOwnFolder(directory: string, project: string): boolean {
  return directory === project || (directory.startsWith(`${project}/`) && !isInstalled(posix.relative(project, directory)));
}

/** `deploy`, `db:migrate:prod`, `deployProd.sh` and `release_notes.py` each hold one of the words; `product` holds none. */
function meansOne(text: string, words: readonly string[]): boolean {
  const parts = text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return parts.some((part) => words.includes(part));
}
