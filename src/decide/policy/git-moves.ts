/** Whether one command of a line may change the commits that a name refers to before another command reads them. Pure. */
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';

/** Git commands that change no commits or references. */
const LEAVES_COMMITS: ReadonlySet<string> = new Set('add blame diff log ls-files restore rev-parse show status'.split(' '));
const KEEPS_FILES: ReadonlySet<string> = new Set(['write', 'delete']);

/**
 * Whether `other` may change branches, commits or the repository before `own` reads them.
 * @param index whether `own` reads the index too: `git restore --staged --source=x` puts files of a commit there
 */
export function mayMoveCommits(other: Command, own: Command, index = false): boolean {
  if (!runsBefore(other, own)) return false;
  const { invocation, verdict, inner } = other;
  if (inner.length > 0) return inner.some((one) => one !== own && mayMoveCommits(one, own, index));
  if (invocation.argv.length === 0) return false;
  if (!verdict.known) return true;
  const subcommand = other.name === 'git' ? (verdict.words[1] ?? '') : '';
  if (index && subcommand === 'restore') return true;
  if (LEAVES_COMMITS.has(subcommand)) return false;
  return verdict.effects.some(({ action, path }) => action !== 'read' && (path === null || !KEEPS_FILES.has(action)));
}

/**
 * Like `mayMoveCommits`, but also considers changes to some files of the work tree and their index entries.
 * @param files paths relative to the top of the repository
 */
export function changesCommits(other: Command, own: Command, files: readonly string[]): boolean {
  if (!runsBefore(other, own)) return false;
  const { invocation, verdict, inner } = other;
  if (inner.length > 0) return inner.some((one) => one !== own && changesCommits(one, own, files));
  if (invocation.argv.length === 0) return false;
  if (!verdict.known) return true;
  const isAdd = other.name === 'git' && verdict.words[1] === 'add';
  const changes = verdict.effects.filter(({ action, path }) =>
    isAdd ? action === 'read' || path !== null : action !== 'read' && action !== 'network',
  );
  return changes.some(({ path }) => path === null || mayMean(path, files));
}

/** Whether a word may name one of the files or a folder above one, wherever the command runs: only its last segment is compared. */
function mayMean({ value, glob }: ShellWord, files: readonly string[]): boolean {
  const name = glob ? '' : (value?.split('/').findLast((one) => one !== '') ?? '');
  return /^\.{0,2}$|[*?[:\\]/.test(name) || files.some((file) => `/${file}/`.includes(`/${name}/`));
}

/** `cmd <(git diff)`: both run at the same time. */
function holdsProcess({ argv, redirections }: Command['invocation']): boolean {
  return [...argv, ...redirections.map(({ target }) => target)].some((word) => word !== null && /[<>=]\(/.test(word.text));
}

function runsBefore(other: Command, own: Command): boolean {
  if (other === own || other.inner.includes(own)) return false;
  const { invocation } = other;
  const { span } = own.invocation;
  // A command around a substitution runs after it, except a process substitution, whose output it reads while that is written.
  const isAround = invocation.span.start <= span.start && span.end <= invocation.span.end && !holdsProcess(invocation);
  const later = (invocation.span.start > span.start || isAround) && !invocation.background;
  return !later || invocation.enclosures.some((one) => one === 'loop' || one === 'pipeline');
}
