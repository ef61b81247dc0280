/**
 * `echo … > package.json && git commit -m x`: a repository's hooks run its files. A line that writes files before a command that
 * runs hooks would therefore run unreviewed code. Pure.
 */
import { posix } from 'node:path';
import type { Command } from '../../../command/model/command.js';
import type { CallAnalysis } from '../../flow/analysis.js';
import { directoryOf } from '../../flow/directories.js';
import { checkoutOf, isInside } from '../../place/paths.js';
import type { Place } from '../../place/place.js';
import type { LineContext } from '../../policy/command-context.js';
import type { Ruling } from '../../ruling/combine.js';
import type { Facts } from '../../ruling/facts.js';

const OF_COMMITS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-rewrite'];
/** The hooks that a git subcommand may run. Source: githooks(5). */
const HOOKS: Readonly<Record<string, readonly string[]>> = {
  am: ['applypatch-msg', 'pre-applypatch', 'post-applypatch', ...OF_COMMITS],
  checkout: ['post-checkout'],
  'cherry-pick': OF_COMMITS,
  commit: OF_COMMITS,
  merge: ['pre-merge-commit', 'post-merge', ...OF_COMMITS],
  pull: ['pre-merge-commit', 'post-merge', 'pre-rebase', 'post-checkout', ...OF_COMMITS],
  push: ['pre-push'],
  rebase: ['pre-rebase', 'post-checkout', ...OF_COMMITS],
  revert: OF_COMMITS,
  switch: ['post-checkout'],
  worktree: ['post-checkout'],
};

/** The hooks that a command may run; none if it is not such a git command. */
function hooksOf({ name, invocation }: Command): readonly string[] {
  if (name !== 'git') return NONE;
  for (const { value } of invocation.argv.slice(1))
    if (value !== null && Object.hasOwn(HOOKS, value)) return HOOKS[value] ?? NONE;
  return NONE;
}

const NONE: readonly string[] = [];

/** For these commands, whether a hook runs matters even when they are alone in a line. */
const SWITCHES: ReadonlySet<string> = new Set(['checkout', 'switch', 'stash']);

function isSwitch({ name, invocation }: Command): boolean {
  return name === 'git' && SWITCHES.has(invocation.argv[1]?.value ?? '');
}

/** The directories of commands that may run hooks, in lines with several commands, and of commands that switch branches. */
export function hookDirectories({ lines }: CallAnalysis, place: Place): readonly string[] {
  const found = new Set<string>();
  const look = (command: Command, many: boolean) => {
    if ((many && hooksOf(command).length > 0) || isSwitch(command)) found.add(directoryOf(command, place) ?? place.cwd);
    for (const inner of command.inner) look(inner, many);
  };
  for (const { tree } of lines) for (const command of tree.commands) look(command, tree.commands.length > 1);
  return found.size === 0 ? NONE : [...found];
}

/** Adds a question if the command runs hooks of the repository and another command of the line writes a project file first. */
export function hookRulings(command: Command, directory: string | null, facts: Facts, line: LineContext, into: Ruling[]): void {
  if (facts.hooks === undefined) return;
  const own = hooksOf(command);
  const key = directory ?? facts.cwd;
  const enabled = own.length > 0 && Object.hasOwn(facts.hooks, key) ? facts.hooks[key] : [];
  // Null: the hooks folder cannot be listed.
  const hook = enabled === null ? own[0] : own.find((one) => enabled?.includes(one));
  if (hook === undefined) return;
  const isOwn = (by: Command) => by === command && !command.invocation.enclosures.includes('loop');
  const written = [...line.replaced, ...line.written].find(
    ({ path, by, committed }) => committed !== true && !isOwn(by) && mayRun(path, facts),
  );
  if (written === undefined) return;
  const path = posix.relative(checkoutOf(written.path, facts) ?? facts.project, written.path) || 'files of the project';
  const message = `git runs the hook ${hook} of this repository, and the line first writes ${path}; run git in a separate call`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'git/hooks', message, span: command.invocation.span } });
}

/** Extensions of files that no hook runs or reads options from. */
const TEXTS: ReadonlySet<string> = new Set(
  '.md .txt .rst .adoc .log .out .err .csv .tsv .svg .png .jpg .pdf .html .diff .patch'.split(' '),
);

/** Whether nothing runs a file with this name. */
export function isText(path: string): boolean {
  return TEXTS.has(posix.extname(path).toLowerCase()) && !/(?:^|\/)(?:CMakeLists|[^/]*requirements[^/]*)\.txt$/.test(path);
}

function mayRun(path: string, facts: Facts): boolean {
  const top = checkoutOf(path, facts);
  if (top === null || isInside(path, `${top}/.git`)) return false;
  return !isText(path);
}
