/** Whether one command of a line may make other commits of what a name stands for, before another command of it looks. Pure. */
import type { Command } from '../command/command.js';

/** Git commands that leave all commits and references where they are. */
const LEAVES_COMMITS: ReadonlySet<string> = new Set('add blame diff log ls-files restore rev-parse show status'.split(' '));
const KEEPS_FILES: ReadonlySet<string> = new Set(['write', 'delete']);

/** Whether `other` may change branches, commits or the repository before `own` looks. */
export function mayMoveCommits(other: Command, own: Command): boolean {
  if (!runsBefore(other, own)) return false;
  const { invocation, verdict, inner } = other;
  if (inner.length > 0) return inner.some((one) => one !== own && mayMoveCommits(one, own));
  if (invocation.argv.length === 0) return false;
  if (!verdict.known) return true;
  if (other.name === 'git' && LEAVES_COMMITS.has(verdict.words[1] ?? '')) return false;
  return verdict.effects.some(({ action, path }) => action !== 'read' && (path === null || !KEEPS_FILES.has(action)));
}

/** The same, files of the work tree and the index among what may change. */
export function changesCommits(other: Command, own: Command): boolean {
  if (!runsBefore(other, own)) return false;
  const { invocation, verdict, inner } = other;
  if (inner.length > 0) return inner.some((one) => one !== own && changesCommits(one, own));
  if (invocation.argv.length === 0) return false;
  return !verdict.known || verdict.effects.some(({ action }) => action !== 'read' && action !== 'network');
}

function runsBefore(other: Command, own: Command): boolean {
  if (other === own || other.inner.includes(own)) return false;
  const { invocation } = other;
  const later = invocation.span.start > own.invocation.span.start && !invocation.background;
  return !later || invocation.enclosures.some((one) => one === 'loop' || one === 'pipeline');
}
