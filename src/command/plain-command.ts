/** Commands that run no other command, as far as can be seen. */
import type { Invocation } from '../shell/syntax/types.js';
import { movedGit, movedVerdict, openedBefore } from './git/directory.js';
import type { CalledName } from './model/called-name.js';
import type { Command, GrammarVerdict } from './model/command.js';
import { type Appended, elsewhere } from './model/words.js';
import { bareVerdict, plainVerdict } from './verdict.js';
import type { Unwrapped } from './wrappers/found.js';

/**
 * The command with its verdict; for git, in the directories that its words name.
 * @param appended the arguments that will follow its words
 * @param unwrapped what it would run if it were the wrapper whose name it has
 */
export function plainCommand(
  read: Invocation,
  called: CalledName,
  appended: Appended | null,
  unwrapped: Unwrapped | null,
): Command {
  const moved = called.name === 'git' ? movedGit(read) : null;
  if (moved !== null) {
    const verdict = plainVerdict(moved, called, appended === null ? null : elsewhere(appended), unwrapped);
    const opened = openedBefore(read);
    if (opened === null) return leaf(moved, called.name, movedVerdict(verdict, moved), appended);
    const git = leaf({ ...moved, redirections: [] }, called.name, movedVerdict(verdict, moved), appended);
    const wrapper = { name: 'git', kind: 'transparent' } as const;
    return { invocation: opened, name: null, wrapper, inner: [git], appended: false, verdict: bareVerdict(opened) };
  }
  return leaf(read, called.name, plainVerdict(read, called, appended, unwrapped), appended);
}

export function leaf(invocation: Invocation, name: string | null, verdict: GrammarVerdict, appended: Appended | null): Command {
  return { invocation, name, wrapper: null, inner: [], appended: appended !== null, verdict };
}
