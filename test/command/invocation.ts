/** For the grammar tests: from a command line to the answer that its grammars alone would give. */

import { judgeInvocation } from '../../src/command/judge/evaluate.js';
import type { GrammarVerdict } from '../../src/command/model/command.js';
import { readCommandLine } from '../../src/shell/read.js';
import type { CommandLine, ShellWord } from '../../src/shell/syntax/types.js';

export type Answer = 'allow' | 'ask' | 'deny';

/** The verdict on every invocation of a line, by the name that its first word is. */
function verdictsOf(line: string): readonly GrammarVerdict[] {
  return readLine(line).invocations.map((invocation) => judgeInvocation(invocation, invocation.argv[0]?.value ?? ''));
}

/** The verdict on a line of one invocation. */
export function verdictOf(line: string): GrammarVerdict {
  const [verdict] = verdictsOf(line);
  if (verdict === undefined) throw new Error(`No invocation in: ${line}`);
  return verdict;
}

export function readLine(line: string): CommandLine {
  return readCommandLine(line, 'bash');
}

/** What the grammars say of a line in a repository with remote origin, branch feature/x and no hazards: the worst of all invocations. */
export function answerOf(line: string): Answer {
  return verdictsOf(line).map(answerTo).reduce(worse, 'allow');
}

export function answerTo(verdict: GrammarVerdict): Answer {
  const issues = verdict.issues.map(({ rating }): Answer => (rating === 'refuse' ? 'deny' : 'ask'));
  const conditions = verdict.conditions.map((condition): Answer => {
    if (condition.kind === 'remote') return condition.name === 'origin' ? 'allow' : 'ask';
    // Only facts tell: a file may be called like an option.
    if (condition.kind === 'plain-names') return 'ask';
    // A rule that names the command covers settings that are about all of it.
    if (condition.kind === 'no-settings') return condition.word === 0 ? 'allow' : 'ask';
    if (condition.kind !== 'project-path' || isInside(condition.path)) return 'allow';
    return condition.rating === 'refuse' ? 'deny' : 'ask';
  });
  return [...issues, ...conditions].reduce(worse, verdict.known ? 'allow' : 'ask');
}

function worse(one: Answer, other: Answer): Answer {
  if (one === 'deny' || other === 'deny') return 'deny';
  return one === 'ask' || other === 'ask' ? 'ask' : 'allow';
}

/** Lexically inside, for a call made in the project's top folder, which is that of its repository. */
function isInside(word: ShellWord): boolean {
  if (word.origin?.source.kind === 'top') return !word.origin.after.includes('..');
  if (word.value === null || word.tilde || word.value.startsWith('/')) return false;
  let depth = 0;
  for (const part of word.value.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}
