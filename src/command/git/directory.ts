/** `git -C DIR …`: git works in DIR, so its paths, its repository and the facts about it are those of DIR. */
import type { Invocation, ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import type { GrammarVerdict } from '../model/command.js';
import { isCertain, staticWord } from '../model/words.js';

/** Options that may accompany `-C`: none takes a value or changes which repository is meant. */
const BESIDE: ReadonlySet<string> = new Set([
  '--no-pager',
  '-P',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  '--no-lazy-fetch',
  '--no-advice',
]);

/** The invocation moved to the directory of its `-C`; null without `-C`, or when the directory is not certain. */
export function movedGit(invocation: Invocation): Invocation | null {
  const { argv, directory } = invocation;
  const steps: string[] = [];
  let at = 1;
  for (; at < argv.length; at += 1) {
    const word = argv[at];
    if (word === undefined || !isCertain(word) || !word.value.startsWith('-')) break;
    if (BESIDE.has(word.value)) continue;
    // Any other option may itself determine where git works.
    if (word.value !== '-C') return null;
    at += 1;
    const step = stepOf(argv[at]);
    if (step === null) return null;
    steps.push(step);
  }
  if (steps.length === 0) return null;
  return { ...invocation, directory: directory === null ? onlyAbsolute(steps) : [...directory, ...steps] };
}

/** The directory as an operand of `cd`; null when it cannot be analysed. */
function stepOf(word: ShellWord | undefined): string | null {
  if (word === undefined || !isCertain(word) || word.value === '') return null;
  return word.value.startsWith('~') && !word.tilde ? `./${word.value}` : word.value;
}

function onlyAbsolute(steps: readonly string[]): readonly string[] | null {
  const from = steps.findLastIndex((step) => step.startsWith('/'));
  return from < 0 ? null : steps.slice(from);
}

/** The verdict on a moved invocation: working elsewhere is no issue as long as that is a directory of the project. */
export function movedVerdict(verdict: GrammarVerdict, { argv, span }: Invocation): GrammarVerdict {
  const folders = new Set(argv.filter((_, at) => argv[at - 1]?.value === '-C'));
  const here = staticWord('.', span);
  return {
    ...verdict,
    issues: verdict.issues.filter(({ code }) => code !== 'git/directory'),
    conditions: [
      ...verdict.conditions.filter((condition) => condition.kind !== 'project-path' || !folders.has(condition.path)),
      { kind: 'project-path', path: here, rating: 'care', word: -1 },
    ],
    effects: verdict.effects.filter(({ path }) => path === null || !folders.has(path)),
  };
}

/**
 * The redirections that the shell opens before git runs, as an invocation without words: their paths are relative to the shell's
 * directory, not to that of `-C`. Null when every redirection means the same in any directory.
 */
export function openedBefore(invocation: Invocation): Invocation | null {
  return invocation.redirections.every(isSameAnywhere) ? null : { ...invocation, argv: [], assignments: [] };
}

/** Whether the target is another descriptor, text in the line, or an absolute path. */
function isSameAnywhere({ direction, target }: ShellRedirection): boolean {
  if (direction === 'here') return true;
  if (target === null) return false;
  if (direction === 'duplicate' && /^(?:\d+-?|-)$/.test(target.value ?? '')) return true;
  return isCertain(target) && (target.value.startsWith('/') || target.tilde);
}
