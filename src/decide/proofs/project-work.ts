/**
 * Work on the project with its own code, inside it: what preset `develop` allows besides `safe`. The grammars say which commands build, test,
 * check, format or run a project (`work`); what they rate otherwise (another place, configuration or program, publishing) asks as ever.
 */
import { outsideWords } from '../guards/outside-words.js';
import { isNull } from '../line/allowance.js';
import type { CommandContext } from '../line/command-context.js';
import { codeRunOutsideProject, wordsOutsideProject } from '../line/outside-project.js';
import { isInstalled } from '../remedy/dispatchers.js';
import type { Ruling } from '../stages/combine.js';

export const WORK: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/project-work', message: 'preset develop lets the project be built, tested, checked and run' },
};

/** Whether all that a command does is such work, in a folder of the project that holds its own code. */
export function isProjectWork(context: CommandContext): boolean {
  const { command, directory, issues, paths, scope } = context;
  if (command.verdict.work !== true || command.appended || command.wrapper !== null || directory === null) return false;
  if (!issues.every(({ work }) => work === true)) return false;
  const { project } = scope.facts;
  if (directory !== project && (!directory.startsWith(`${project}/`) || isInstalled(directory.slice(project.length + 1))))
    return false;
  if (codeRunOutsideProject(context) !== null || wordsOutsideProject(context).length > 0 || outsideWords(context).length > 0)
    return false;
  return paths.every(({ inProject, reference }) => inProject || isNull(reference));
}
