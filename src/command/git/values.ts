/** Kinds of words that only git uses: revisions, pathspecs, remotes, refspecs, branches, formats. */
import type { ShellWord } from '../../shell/syntax/types.js';
import { addEffect, type Evaluation, type PlacedValue, raisePlaced } from '../grammar/evaluation.js';
import type { Kind } from '../grammar/file.js';
import type { GrammarIssue } from '../model/command.js';
import { judgePathspec, judgeRevision, judgeRevisionOrPathspec } from './paths.js';

/** The usual form of a remote's name; anything else may be an address. */
const REMOTE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;
/** Branch names without characters that the shell or git's revision syntax interprets; neither `@` alone nor `@{` matches. */
const BRANCH_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+#=,/-]*(?:@[A-Za-z0-9_.+#=,/-]+)*$/;
/** `%G?` and, with git's alignment prefix, `%+G?`; `%(signature)` of for-each-ref: these run gpg.program. */
const SIGNATURE_FORMAT = /%[-+ ]?G|%\(\*?signature/;

/** Judges a value of a `git-` kind; its word is certain (or a glob, for a path kind). */
export function judgeGitValue(judgement: Evaluation, place: PlacedValue, kind: GitKind, value: string): void {
  JUDGES[kind](judgement, place, value);
}

/** Accepts only the name of a configured remote: addresses, paths and `helper::` run programs or send the history elsewhere. */
function judgeRemote(judgement: Evaluation, place: PlacedValue, value: string): void {
  if (!REMOTE_NAME.test(value) || place.word.tilde)
    refuse(judgement, place, 'remote-address', 'Only the name of a configured remote is safe, no address, path or helper.');
  else judgement.conditions.push({ kind: 'remote', name: value, word: place.index });
  noteEffects(judgement, place, null);
}

/** Accepts `<branch>` or `<branch>:<same branch>`; every other form moves or deletes something else. */
function judgePushRefspec(judgement: Evaluation, place: PlacedValue, value: string): void {
  if (value.startsWith('+')) raiseGit(judgement, place, 'care', 'force-refspec', 'A leading + overwrites the remote branch.');
  else if (value.startsWith(':'))
    raiseGit(judgement, place, 'care', 'delete-refspec', 'An empty source deletes the remote branch.');
  else judgePushedBranch(judgement, place, value);
}

/** `<source>:<target>`, or one name for both. */
function judgePushedBranch(judgement: Evaluation, place: PlacedValue, value: string): void {
  const { index } = place;
  const colon = value.indexOf(':');
  const source = shortName(colon < 0 ? value : value.slice(0, colon));
  const target = colon < 0 ? source : shortName(value.slice(colon + 1));
  if (source !== target) care(judgement, place, 'other-branch', 'Pushes to a branch of another name than the one it comes from.');
  else if (source === 'tag' || (!isPlainBranch(source) && source !== '@') || source.startsWith('refs/'))
    care(judgement, place, 'odd-refspec', 'This is no plain branch name.');
  const isCurrent = target === 'HEAD' || target === '@';
  judgement.conditions.push({ kind: 'branch', name: isCurrent ? null : target, word: index });
  // A branch may itself be called `heads/x`: then both readings must be fine.
  if (colon < 0 && value.startsWith('heads/')) judgement.conditions.push({ kind: 'branch', name: value, word: index });
}

/** A branch to fetch; a refspec with a colon writes local refs. */
function judgeFetchRefspec(judgement: Evaluation, place: PlacedValue, value: string): void {
  if (value.startsWith('+')) raiseGit(judgement, place, 'care', 'force-refspec', 'A leading + overwrites local references.');
  else if (value.startsWith(':'))
    raiseGit(judgement, place, 'care', 'empty-refspec', 'A refspec without a source writes a local reference.');
  else if (value.includes(':')) care(judgement, place, 'local-refspec', 'A refspec with a colon writes local references.');
  else if (value === 'tag' || (!isPlainBranch(value) && value !== '@'))
    care(judgement, place, 'odd-refspec', 'This is no plain branch name.');
}

/** `refs/heads/x` and `heads/x` are the branch x. */
function shortName(name: string): string {
  if (name.startsWith('refs/heads/')) return name.slice('refs/heads/'.length);
  return name.startsWith('heads/') ? name.slice('heads/'.length) : name;
}

/** A range (`a..b`) is not a name. */
function isPlainBranch(value: string): boolean {
  return BRANCH_NAME.test(value) && !value.includes('..');
}

function judgeBranch(judgement: Evaluation, place: PlacedValue, value: string): void {
  if (!isPlainBranch(value))
    care(judgement, place, 'odd-name', 'Git accepts names here that a shell would run; this one has unusual characters.');
  noteEffects(judgement, place, null);
}

function judgeFormat(judgement: Evaluation, place: PlacedValue, value: string): void {
  if (SIGNATURE_FORMAT.test(value))
    refuse(judgement, place, 'signature', 'Signature placeholders run the configured gpg program.');
  noteEffects(judgement, place, null);
}

function noteEffects(judgement: Evaluation, place: PlacedValue, path: ShellWord | null): void {
  for (const action of place.rule.effects) addEffect(judgement, action, path, false, place.index);
}

function refuse(judgement: Evaluation, place: PlacedValue, code: string, reason: string): void {
  raiseGit(judgement, place, 'refuse', code, reason);
}

function care(judgement: Evaluation, place: PlacedValue, code: string, reason: string): void {
  raiseGit(judgement, place, 'care', code, reason);
}

function raiseGit(judgement: Evaluation, place: PlacedValue, rating: GrammarIssue['rating'], code: string, reason: string): void {
  raisePlaced(judgement, place, rating, `${judgement.table.words.join('/')}/${code}`, reason);
}

type GitKind = Extract<Kind, `git-${string}`>;

/** Whether only git has words of this kind. */
export function isGitKind(kind: Kind): kind is GitKind {
  return kind.startsWith('git-');
}

const JUDGES: Readonly<Record<GitKind, (judgement: Evaluation, place: PlacedValue, value: string) => void>> = {
  'git-pathspec': judgePathspec,
  'git-revision-or-pathspec': judgeRevisionOrPathspec,
  'git-revision': judgeRevision,
  'git-object': judgeRevision,
  'git-remote': judgeRemote,
  'git-push-refspec': judgePushRefspec,
  'git-fetch-refspec': judgeFetchRefspec,
  'git-branch': judgeBranch,
  'git-format': judgeFormat,
};
