/**
 * A canonical name for a script of the project, however a command line spells it: for the rules that allow it, and those that ask or deny.
 */
import { posix } from 'node:path';
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { checkoutOf, type ResolvedPath } from '../place/paths.js';
import type { CommandContext } from '../policy/command-context.js';
import type { Facts } from '../ruling/facts.js';

/** A program whose name contains a slash, or the script that an interpreter runs. */
export interface StartedFile {
  /** Its index among the command's words. */
  readonly at: number;
  /** Relative to the top of the project; symlinks to scripts are resolved first. */
  readonly path: string;
}

/** The project file that a command starts; null if it starts none. */
export function startedFile({ command, paths, directory, project }: Started): StartedFile | null {
  const { argv } = command.invocation;
  const started = command.verdict.effects.flatMap(({ action, path }) =>
    action === 'execute' && path !== null ? [path.span] : [],
  );
  const ofShell = SHELLS.has(command.name ?? '') && argv[1]?.value?.startsWith('-') === false ? 1 : -1;
  const at = argv.findIndex(({ span, value }, index) =>
    index === 0
      ? value?.includes('/') === true
      : index === ofShell || started.some(({ start, end }) => start === span.start && end === span.end),
  );
  const span = argv[at]?.span;
  const named = paths.find(({ reference }) => reference.span?.start === span?.start && reference.span?.end === span?.end);
  const path = at === 0 || at === ofShell ? programPathOf(argv[at], directory, project) : named?.real?.project;
  return at < 0 || path === null || path === undefined || path === '' ? null : { at, path };
}

interface Started {
  readonly command: Command;
  readonly paths: readonly ResolvedPath[];
  /** The directory that the command runs in; null if unknown. */
  readonly directory: string | null;
  readonly project: string;
}

/**
 * The words with the program, or the script that it runs, as rules name it: by its path from the top of the project, for
 * `node ./scripts/a.js`, `node /home/me/project/scripts/a.js` and `cd scripts && node a.js`.
 */
export function projectSpellings<Word extends string | null>(
  { command, paths, directory, scope }: Pick<CommandContext, 'command' | 'paths' | 'directory' | 'scope'>,
  words: readonly Word[],
): readonly (readonly (Word | string)[])[] {
  const started = startedFile({ command, paths, directory, project: topFor(directory, scope) });
  if (started === null) return [];
  const { at, path } = started;
  const names = at === 0 ? [`./${path}`, path] : [path, `./${path}`];
  return names
    .filter((name) => name !== words[at] && (at > 0 || name.includes('/')))
    .map((name) => words.map((word, index) => (index === at ? name : word)));
}

/** The top of the checkout that a command runs in. */
function topFor(directory: string | null, { facts }: CommandContext['scope']): string {
  return (directory === null ? null : checkoutOf(directory, facts)) ?? facts.project;
}

/** The programs that may start a script, by its extension; for a script without one, any of them. */
const STARTERS: readonly (readonly [ending: RegExp, starters: readonly string[]])[] = [
  [/\.(?:sh|bash|zsh)$/, ['bash', 'sh', 'zsh']],
  [/\.py$/, ['python3', 'python']],
  [/\.[cm]?js$/, ['node']],
  [/\.rb$/, ['ruby']],
  [/(?:^|\/)[^.]+$/, ['bash', 'sh', 'python3', 'python', 'node', 'ruby']],
];

/**
 * The words with the script started in another way: `./scripts/a.sh x` for `bash scripts/a.sh x`, and vice versa. For rules that
 * ask or deny: a rule that names a script means it however it is started.
 */
export function otherStarts(
  { command, paths, directory, scope }: Pick<CommandContext, 'command' | 'paths' | 'directory' | 'scope'>,
  words: readonly (string | null)[],
): readonly (readonly (string | null)[])[] {
  const started = startedFile({ command, paths, directory, project: topFor(directory, scope) });
  if (started === null) return [];
  const { at, path } = started;
  const rest = words.slice(at + 1);
  const starters = STARTERS.find(([ending]) => ending.test(path))?.[1] ?? [];
  const named = [path, `./${path}`];
  return [
    ...(at === 0 ? [] : named.filter((name) => name.includes('/')).map((name) => [name, ...rest])),
    ...starters.flatMap((starter) => named.map((name) => [starter, name, ...rest])),
  ];
}

const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh']);

/**
 * Whether a command starts a file that its words only describe: a pattern, or a name for which node adds the extension. Rules
 * that ask about or deny the file would not match such a word.
 */
export function startsUnnamed({ command, paths }: Pick<CommandContext, 'command' | 'paths'>, facts: Facts): boolean {
  const { argv } = command.invocation;
  if (argv[0]?.glob === true || (SHELLS.has(command.name ?? '') && argv[1]?.glob === true)) return true;
  return command.verdict.effects.some(({ action, path }) => {
    if (action !== 'execute' || path === null) return false;
    const word = argv.find(({ span }) => span.start === path.span.start && span.end === path.span.end);
    if (word?.glob === true) return true;
    if (command.name !== 'node' || path.value === null || /\.\w+$/.test(path.value)) return false;
    const key = paths.find(({ reference: { span } }) => span?.start === path.span.start)?.reference.key ?? null;
    return key === null || !Object.hasOwn(facts.paths, key) || facts.paths[key]?.kind !== 'file';
  });
}

/** The path of the program or script that a word names, relative to the top of the project; null if it may be elsewhere. */
function programPathOf(word: ShellWord | undefined, directory: string | null, project: string): string | null {
  const { value = null, tilde = false } = word ?? {};
  if (value === null || tilde || /(?:^|\/)\.\.(?:\/|$)/.test(value) || (directory === null && !value.startsWith('/')))
    return null;
  const path = posix.normalize(value.startsWith('/') ? value : `${directory}/${value}`);
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : null;
}
