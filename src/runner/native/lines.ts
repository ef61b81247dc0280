/**
 * Command lines and beginnings of command lines; test/runner/native/lines.test.ts checks with the engine what the presets decide
 * about them.
 */
import type { PresetName } from '../../policy/policy.js';

/** Whole lines that presets `safe` and `all` allow, by the words of the allowing rule: for runners whose rules can name an exact line. */
export const EXACT_LINES: Readonly<Record<string, readonly string[]>> = {
  'git status': ['git status', 'git status --short', 'git status -s', 'git status -sb', 'git status --porcelain'],
  'git diff': ['git diff', 'git diff --stat', 'git diff --name-only', 'git diff --staged', 'git diff --cached'],
  'git log': ['git log', 'git log --oneline', 'git log --oneline -10', 'git log -1', 'git log --stat -1'],
  'git show': ['git show --stat'],
  'git branch': ['git branch', 'git branch -a', 'git branch -vv', 'git branch --show-current'],
  'git rev-parse': ['git rev-parse HEAD', 'git rev-parse --show-toplevel', 'git rev-parse --abbrev-ref HEAD'],
  'gh pr list': ['gh pr list'],
  'gh pr view': ['gh pr view'],
  'gh pr status': ['gh pr status'],
  'gh pr checks': ['gh pr checks'],
  'gh pr diff': ['gh pr diff'],
  'gh auth status': ['gh auth status'],
  'gh run list': ['gh run list'],
  'gh issue list': ['gh issue list'],
  'docker ps': ['docker ps', 'docker ps -a'],
  'docker images': ['docker images'],
};

/** Beginnings of lines that only read, for presets that allow proven reads. They allow more than the preset, so they need the hook. */
export const READING_PREFIXES: readonly string[] = ['ls', 'cat', 'head', 'tail', 'wc', 'grep', 'rg', 'pwd'];

/** Words that no rule of a preset is meant to cover; `example` is a line that begins with them, `other` one that does not. */
export interface RefusedPrefix {
  readonly words: readonly string[];
  readonly example: string;
  readonly other: string;
  readonly why: string;
  /** True if preset `all` refuses it, too. */
  readonly always?: true;
}

const PROGRAM = 'It lets the line bring its own program, configuration or place.';
const LOST = 'It discards work that is not kept elsewhere.';

/** Beginnings that every preset except `all` asks about or denies; `all` only those with `always`. */
export const REFUSED_PREFIXES: readonly RefusedPrefix[] = [
  { words: ['git', '-c'], example: 'git -c core.pager=less log', other: 'git commit -m message', why: PROGRAM },
  { words: ['git', '-C'], example: 'git -C /srv/other push', other: 'git push', why: PROGRAM },
  { words: ['git', '--exec-path'], example: 'git --exec-path /srv/bin status', other: 'git status', why: PROGRAM },
  { words: ['git', '--git-dir'], example: 'git --git-dir /srv/repo push', other: 'git status', why: PROGRAM },
  { words: ['git', '--work-tree'], example: 'git --work-tree /srv status', other: 'git status', why: PROGRAM },
  { words: ['git', 'config'], example: 'git config core.pager less', other: 'git commit -m config', why: PROGRAM },
  { words: ['git', 'push', '--force'], example: 'git push --force', other: 'git push', why: LOST },
  { words: ['git', 'push', '-f'], example: 'git push -f', other: 'git push', why: LOST },
  { words: ['git', 'push', '--mirror'], example: 'git push --mirror', other: 'git push', why: LOST },
  { words: ['git', 'push', '--delete'], example: 'git push --delete origin topic', other: 'git push', why: LOST },
  { words: ['git', 'reset', '--hard'], example: 'git reset --hard', other: 'git status', why: LOST },
  { words: ['git', 'clean'], example: 'git clean -fdx', other: 'git status', why: LOST },
  { words: ['gh', 'api'], example: 'gh api repos/o/r -X DELETE', other: 'gh pr list', why: 'It reaches all of GitHub.' },
  { words: ['gh', 'auth', 'token'], example: 'gh auth token', other: 'gh auth status', why: 'It prints a token.' },
  { words: ['sudo'], example: 'sudo make install', other: 'make install', why: 'It runs as another user.' },
  { words: ['rm', '-rf'], example: 'rm -rf build', other: 'rm build/a.o', why: LOST },
  { words: ['rm', '-rf', '/'], example: 'rm -rf /', other: 'rm -rf build', why: 'It deletes the machine.', always: true },
];

export function refusedPrefixes(preset: PresetName): readonly RefusedPrefix[] {
  return preset === 'all' ? REFUSED_PREFIXES.filter(({ always }) => always === true) : REFUSED_PREFIXES;
}
