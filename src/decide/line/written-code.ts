/**
 * `gh pr diff 1 > a.sh; bash a.sh`: a line that writes a file and runs it would run unreviewed code. So would a line that puts
 * data from other machines into the project's code before that runs. Pure.
 */
import { posix } from 'node:path';
import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { isInstalled } from '../../command/model/dispatchers.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { isText } from '../guards/git/hooks.js';
import { isInside, isOwn } from '../place/paths.js';
import { absolutePath } from '../place/place.js';
import type { CommandContext, Filled } from '../policy/command-context.js';
import { modulePaths } from '../proofs/condition-facts.js';
import type { Ruling } from '../ruling/combine.js';

/** Adds a question if the command runs a file that another command of the line writes. */
export function writtenCodeRulings(context: CommandContext, into: Ruling[]): void {
  const { command, line } = context;
  const { effects, work } = command.verdict;
  const modules = ownModules(context);
  const runs = modules.length > 0 || effects.some(({ action }) => action === 'execute');
  if (line.total !== null || line.filled.length === 0 || !runs) return;
  const isLoop = command.invocation.enclosures.includes('loop');
  const written = line.filled.filter(({ by }) => by !== command || isLoop);
  if (written.length === 0) return;
  const started = startedBy(context);
  const isStarted = ({ path }: Filled) =>
    started.some((one) => meets(one, path)) ||
    modules.some((one) => isInside(path, one)) ||
    (work === 'tasks' && TASKS.test(path));
  const isMet = (one: Filled) => isStarted(one) || (one.foreign && mayBeCode(one.path, context));
  const found = written.length > MOST_FILES ? written[0] : written.find(isMet);
  if (found === undefined) return;
  const path = posix.relative(context.scope.facts.project, found.path);
  const source = isStarted(found) ? '' : ' with text from elsewhere';
  const message = `it runs project files, and the line first writes ${path}${source}; run it in a separate call`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'line/written', message, span: command.invocation.span } });
}

/** Paths of the project's modules that code in the line imports. */
function ownModules({ command: { verdict }, directory, scope }: CommandContext): readonly string[] {
  return verdict.conditions.flatMap((condition) =>
    condition.kind === 'own-modules' ? condition.loads.flatMap((name) => modulePaths(directory ?? scope.place.cwd, name)) : [],
  );
}

/** Beyond this many files, any of them is assumed to be run. */
const MOST_FILES = 256;

/** Files that define tasks. */
const TASKS = /\/(?:(?:GNU)?[Mm]akefile|package\.json|composer\.json|[Jj]ustfile|[Tt]askfile\.ya?ml|[Rr]akefile|noxfile\.py)$/;

/** The paths of what a command starts; only a base name if its folder is unknown, and null if nothing is known about it. */
function startedBy({ command, directory, scope }: CommandContext): readonly (string | null)[] {
  const { facts, place } = scope;
  const pathOf = ({ value, glob, tilde }: ShellWord) => {
    if (value === null || glob) return null;
    if (directory === null && !value.startsWith('/') && !tilde) return posix.basename(value);
    const path = posix.normalize(absolutePath(value, place.home, directory ?? '/'));
    return (Object.hasOwn(facts.paths, path) ? facts.paths[path]?.real : undefined) ?? path;
  };
  return startedWords(command).map(pathOf);
}

function startedWords({ name, verdict, invocation: { argv } }: Command): readonly ShellWord[] {
  const named = verdict.effects.flatMap(({ action, path }) => (action === 'execute' && path !== null ? [path] : []));
  const [program, ...words] = argv;
  if (program?.value?.includes('/') === true) named.push(program);
  if (INTERPRETERS.test(name ?? '') && !verdict.known) named.push(...words.filter(({ value }) => value === null));
  // An operand of a compiler or test is what it works on.
  if (verdict.work !== 'files') named.push(...words.filter(({ value }) => value !== null && SCRIPT.test(value)));
  const at = words.findIndex(({ value }) => value === '-m');
  const module = at < 0 ? undefined : words[at + 1];
  if (typeof module?.value === 'string') named.push({ ...module, value: `${module.value.replaceAll('.', '/')}.py` });
  return named;
}

const INTERPRETERS = /^(?:ba|da|k|z)?sh$|^perl$/;
const SCRIPT = /\.(?:sh|bash|zsh|[cm]?[jt]sx?|py|rb|pl|php|go|lua|awk|sed|mk)$/;

function meets(started: string | null, written: string): boolean {
  if (started === null) return !isText(written);
  return started.startsWith('/') ? isInside(started, written) : started === posix.basename(written);
}

/** Whether a file of the project is code, or may change code that runs. */
function mayBeCode(path: string, { scope: { facts } }: CommandContext): boolean {
  const isNew = (Object.hasOwn(facts.paths, path) ? facts.paths[path]?.kind : undefined) === 'missing';
  return isOwn(path, facts) && !isText(path) && !(isNew && PLAIN_DATA.test(path));
}

const PLAIN_DATA = /\/(?!package|composer|deno|turbo|nx|[tj]sconfig|[^/]*(?:config|rc)\b)[a-z][\w-]*\.json$/;

/** Commands that do not change a file's content. */
const KEEPING: ReadonlySet<string> = new Set(['chmod', 'chown', 'chgrp', 'touch', 'mkdir']);

/**
 * Remembers a file that a command writes, except for results of the project's own tasks.
 * @param redirected whether the shell writes the command's output there
 */
export function rememberFilled(context: CommandContext, path: string, redirected: boolean): void {
  const { command, line } = context;
  if (!redirected && (KEEPING.has(command.name ?? '') || command.verdict.work !== undefined)) return;
  const before = line.filled.at(-1);
  line.filled.push({ path, by: command, foreign: before?.by === command ? before.foreign : isForeign(context) });
}

function isForeign({ command, line, paths, scope: { facts } }: CommandContext): boolean {
  if (line.captured.some((one) => one !== command) || saysForeign(command) || printsFetched(command)) return true;
  const read = paths.flatMap(({ reference, real }) => (reference.access === 'read' && real !== null ? [real.absolute] : []));
  if (read.some((path) => !isOwn(path, facts) || isInstalled(posix.relative(facts.project, path)))) return true;
  const sources = line.filled.length > MOST_FILES ? [] : line.filled.filter(({ foreign }) => foreign);
  return sources.length > 0 && read.some((one) => sources.some(({ path }) => isInside(one, path)));
}

/** Whether git prints content from other repositories: only revisions that were certainly made here are exempt. */
function printsFetched({ name, verdict, invocation: { argv } }: Command): boolean {
  if (name !== 'git' || !PRINTING.has(verdict.words[1] ?? '')) return false;
  const operands = argv.slice(argv.findIndex(({ value }) => value === verdict.words[1]) + 1);
  const end = operands.findIndex(({ value }) => value === '--');
  return operands
    .slice(0, end < 0 ? undefined : end)
    .some(({ value }) => value === null || (!/^-|^\d+$/.test(value) && !MADE_HERE.test(value)));
}

const PRINTING: ReadonlySet<string> = new Set([
  'show',
  'cat-file',
  'log',
  'diff',
  'grep',
  'archive',
  'format-patch',
  'blame',
  'whatchanged',
]);
const MADE_HERE = /^(?!FETCH_HEAD|[0-9a-f]{4,40}\b)[\w@][\w.@{}~^-]*(?::.*)?$/;

/** Whether a command prints data from a service or another machine. */
export function saysForeign(command: Command): boolean {
  return flatten([command]).some(
    ({ verdict: { effects, work } }) => work === undefined && effects.some(({ action }) => action === 'network'),
  );
}
