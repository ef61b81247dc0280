/**
 * Proof that a git command only changes the branch or stashes edits: `git switch x`, `git checkout -b x`, `git stash`, `git stash
 * pop`. No hook of the repository runs, no edit is lost, no ignored file is replaced, and no protected file comes in.
 */
import { incomingOf } from '../../command/git/incoming.js';
import { locate } from '../../rule/path/location.js';
import { incomingKey } from '../guards/git/incoming-needed.js';
import type { CommandContext } from '../policy/command-context.js';
import type { Scope } from '../policy/scope.js';
import type { IncomingFacts } from '../ruling/facts.js';
import { configIssue } from './conditions.js';

/** The words after each subcommand, joined by NUL. Options that discard edits are not included. */
const FORMS: ReadonlyMap<string, RegExp> = new Map([
  ['checkout', /^(?:(?:-q|--quiet)\0)*(?:-b\0[\w][\w./+-]*(?:\0[\w][\w./+~^-]*)?|[\w][\w./+~^-]*|-)$/],
  ['switch', /^(?:(?:-q|--quiet)\0)*(?:(?:-c|--create)\0[\w][\w./+-]*(?:\0[\w][\w./+~^-]*)?|[\w][\w./+-]*|-)$/],
  [
    'stash',
    /^(?:(?:push(?:\0|$))?(?:(?:-q|--quiet|-k|--keep-index)(?:\0|$))*(?:(?:-m|--message)\0[^\0]+)?|(?:pop|apply)(?:\0(?:--index|-q|--quiet))*(?:\0(?:\d{1,4}|stash@\{\d{1,4}\}))?)$/,
  ],
]);

/** Issues that only mean that the grammar does not list the words after the subcommand. */
const UNLISTED = /^git\/(?:(?:stash\/)?unlisted|stash\/missing)-subcommand$/;

/** Hooks that run when the work tree, the index or a branch changes. */
const HOOKS: ReadonlySet<string> = new Set(['post-checkout', 'post-index-change', 'reference-transaction']);

/** Whether the preset allows editing any file of the project, because git may change any. */
function editsFreely({ preset, facts }: Scope): boolean {
  return preset !== null && preset.rules.coversPath('Write', locate(`${facts.project}/any`, facts)).length > 0;
}

/** Whether the command does no more than that. Rulings against it have already been considered. */
export function isHarmlessGitSwitch({ command, scope, line, directory, issues, inner }: CommandContext): boolean {
  if (command.name !== 'git' || directory === null || !editsFreely(scope)) return false;
  const { argv, assignments } = command.invocation;
  const form = FORMS.get(argv[1]?.value ?? '');
  if (form === undefined || command.wrapper !== null || inner.length > 0 || command.appended || assignments.length > 0)
    return false;
  if (!issues.every(({ code }) => UNLISTED.test(code))) return false;
  const words: string[] = [];
  for (const { value, glob, tilde } of argv.slice(2)) {
    if (value === null || glob || tilde || value.includes('\0')) return false;
    words.push(value);
  }
  if (!form.test(words.join('\0'))) return false;
  const { facts } = scope;
  if (
    facts.git === null ||
    facts.git.top === null ||
    !(facts.git.top === facts.project || facts.checkouts?.includes(facts.git.top) === true) ||
    facts.git.directories[directory] !== facts.git.top
  )
    return false;
  if (configIssue(command, directory, scope, line) !== null) return false;
  const hooks = facts.hooks !== undefined && Object.hasOwn(facts.hooks, directory) ? facts.hooks[directory] : null;
  if (!hooks || hooks.some((name) => HOOKS.has(name))) return false;
  const incoming = incomingOf(command);
  if (incoming === null) return true;
  const { source } = incoming;
  if (source?.kind === 'stash') return true;
  if (source?.kind !== 'tree') return false;
  if (argv[1]?.value === 'stash') return true;
  const known: IncomingFacts | null | undefined = facts.incoming?.[incomingKey({ directory, source })];
  return !source.discards && known?.isRevision === true && known.replaces !== true;
}
