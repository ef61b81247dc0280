/** One name for a script of the project, however a command line spells it: for the rules that allow it, and those that ask or deny. */
import { posix } from 'node:path';
import type { Unit } from './unit.js';

/**
 * The words with the program, or the script that it runs, as rules name it: by its path from the top of the project, for
 * `node ./scripts/a.js`, `node /home/me/project/scripts/a.js` and `cd scripts && node a.js`. Links to scripts are followed first.
 */
export function projectSpellings<Word extends string | null>(
  unit: Pick<Unit, 'command' | 'paths' | 'directory' | 'scope'>,
  words: readonly Word[],
): readonly (readonly (Word | string)[])[] {
  const { command, paths } = unit;
  const { argv } = command.invocation;
  const started = command.verdict.effects.flatMap(({ action, path }) =>
    action === 'execute' && path !== null ? [path.span] : [],
  );
  const at = argv.findIndex(({ span }, index) =>
    index === 0 ? words[0]?.includes('/') === true : started.some(({ start, end }) => start === span.start && end === span.end),
  );
  const span = argv[at]?.span;
  const named = paths.find(({ reference }) => reference.span?.start === span?.start && reference.span?.end === span?.end);
  const path = at === 0 ? programPath(unit) : named?.real?.project;
  if (at < 0 || path === null || path === undefined || path === '') return [];
  const names = at === 0 ? [`./${path}`, path] : [path, `./${path}`];
  return names
    .filter((name) => name !== words[at] && (at > 0 || name.includes('/')))
    .map((name) => words.map((word, index) => (index === at ? name : word)));
}

/** The path of a program from the top of the project, as the words say it; null for one that may lie elsewhere. */
function programPath({ command, directory, scope }: Pick<Unit, 'command' | 'directory' | 'scope'>): string | null {
  const { value = null, tilde = false } = command.invocation.argv[0] ?? {};
  if (value === null || tilde || /(?:^|\/)\.\.(?:\/|$)/.test(value) || (directory === null && !value.startsWith('/')))
    return null;
  const { project } = scope.facts;
  const path = posix.normalize(value.startsWith('/') ? value : `${directory}/${value}`);
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : null;
}
