/** `git add . && git status`: a repository in the work tree is added to the index, and then git runs in it. */
import type { Command } from '../../../command/model/command.js';

/** Commands that add repositories from the work tree to the index, and commands that add them from commits. */
const FROM_TREE: ReadonlySet<string> = new Set(['add']);
const FROM_COMMITS: ReadonlySet<string> = new Set(
  'am apply checkout cherry-pick merge pull read-tree rebase reset restore revert stash switch update-index'.split(' '),
);

/** Whether a line may make git run in a repository that was not in the index before. */
export function nestsRepositories(commands: readonly Command[]): boolean {
  const writer = commands.find(takesIn);
  if (writer === undefined) return false;
  return commands.some((other) => other !== writer && obeysConfiguration(other)) || repeats(writer);
}

function takesIn(command: Command): boolean {
  return isOne(command, FROM_TREE) || takesFromCommits(command);
}

export function takesFromCommits(command: Command): boolean {
  return isOne(command, FROM_COMMITS);
}

function isOne({ verdict, inner }: Command, names: ReadonlySet<string>): boolean {
  const [name, subcommand = ''] = verdict.words;
  return (name === 'git' && names.has(subcommand)) || inner.some((one) => isOne(one, names));
}

function obeysConfiguration({ verdict, inner }: Command): boolean {
  return verdict.conditions.some(({ kind }) => kind === 'git-config') || inner.some(obeysConfiguration);
}

/** Whether it runs in a loop, or once for each name that it is given. */
function repeats({ invocation, inner }: Command): boolean {
  return inner.length > 0 || invocation.enclosures.includes('loop');
}
