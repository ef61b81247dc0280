/** One command of a command line, judged: its rules, its effects, what it wraps, and why an allow does or does not hold. */
import type { Command, GrammarIssue } from '../command/command.js';
import type { Effect, PermissionRule } from '../rule/permission-rule.js';
import { commandReferences, directoryOf, type PathReference, pathKey } from './analysis.js';
import { type Claim, ruleClaim, strongestClaims, type Verdict } from './claim.js';
import type { Reason } from './decision.js';
import { commandFloor } from './floor.js';
import { guardClaims, isInside, pathAllowance, pathRuleClaims, type ResolvedPath, resolvePath, toolForAccess } from './paths.js';
import type { Scope } from './scope.js';
import { spellings } from './spellings.js';

/** The verdict on one command, with those of the commands that it wraps. */
export interface UnitVerdict extends Verdict {
  readonly command: Command;
  readonly inner: readonly UnitVerdict[];
  /** The verdict comes from a claim, not from what is left to tier and default. */
  readonly settled: boolean;
  /** Every effect is a proven, unguarded read inside the project. */
  readonly provenReads: boolean;
}

/** What holds for all commands of one line. */
export interface LineContext {
  /** The line may run unseen: a total allow rule covers it. */
  readonly total: PermissionRule | null;
  /** Paths that earlier commands of the line may have replaced. */
  readonly replaced: string[];
}

/** Judges one command and everything it wraps. */
export function judgeUnit(command: Command, scope: Scope, line: LineContext): UnitVerdict {
  const inner = command.inner.map((one) => judgeUnit(one, scope, line));
  const paths = commandReferences(command, scope.place).map((reference) => resolvePath(reference, scope.facts));
  const issues = issuesOf(command, scope, paths, line);
  const claims = denyAndAskClaims(command, scope, paths, issues, line);
  const provenReads = isProvenRead(command, paths, issues, inner, claims);
  const allowance = claims.some((claim) => claim.effect !== 'allow')
    ? null
    : allowanceOf(command, scope, paths, issues, inner, line, provenReads);
  if (allowance !== null) claims.push(allowance);
  rememberReplaced(command, paths, line);
  return conclude(command, scope, claims, issues, inner, provenReads);
}

/** Deny and ask claims of the command itself; it is enough that one of them meets. */
function denyAndAskClaims(
  command: Command,
  scope: Scope,
  paths: readonly ResolvedPath[],
  issues: readonly GrammarIssue[],
  line: LineContext,
): Claim[] {
  const claims: Claim[] = [];
  if (command.invocation.argv.length > 0 && scope.restricting.length > 0) {
    for (const words of spellings(command)) {
      for (const rules of scope.restricting) {
        for (const rule of rules.meetsCommand('Bash', words)) {
          scope.matched.add(rule);
          claims.push(ruleClaim(rule.rule));
        }
      }
    }
    for (const rule of scope.clusters.meeting(command)) claims.push(ruleClaim(rule));
    urlClaims(command, scope, claims);
  }
  for (const path of paths) {
    if (scope.restricting.length > 0)
      pathRuleClaims(path, toolForAccess(path.reference), scope.rules, scope.facts, scope.matched, claims);
    if (scope.guard !== null) guardClaims(path, scope.facts, scope.guard.except, line.total !== null, claims);
  }
  if (scope.guard !== null) commandFloor(command, scope.place.home, directoryOf(command, scope.place), claims);
  const preset = scope.preset?.definition;
  if (preset && issues.length > 0 && command.name !== null && preset.refuse.includes(command.name)) {
    for (const issue of issues) {
      if (issue.rating !== 'refuse') continue;
      claims.push({ effect: 'deny', rule: null, reason: issueReason(issue, `preset ${preset.name} refuses it: `) });
    }
  }
  return claims;
}

/** Places that a command talks to meet the ask and deny rules of WebFetch. */
function urlClaims(command: Command, scope: Scope, into: Claim[]): void {
  for (const effect of command.verdict.effects) {
    const url = effect.action === 'network' ? effect.path?.value : null;
    if (url === null || url === undefined) continue;
    for (const rule of scope.rules.meetsUrl('WebFetch', url.includes('://') ? url : `https://${url}`)) {
      scope.matched.add(rule);
      into.push(ruleClaim(rule.rule));
    }
  }
}

function issueReason(issue: GrammarIssue, prefix = '') {
  return { code: issue.code, message: `${prefix}${issue.message}`, span: issue.span };
}

/** The grammar's issues, those that facts turn conditions into, and those of replaced paths. */
function issuesOf(command: Command, scope: Scope, paths: readonly ResolvedPath[], line: LineContext): readonly GrammarIssue[] {
  const { verdict } = command;
  if (verdict.conditions.length === 0 && line.replaced.length === 0) return verdict.issues;
  const issues = [...verdict.issues];
  for (const condition of verdict.conditions) {
    const issue = conditionIssue(command, condition, scope, line);
    if (issue !== null) issues.push(issue);
  }
  for (const path of line.replaced.length === 0 ? [] : paths) {
    const absolute = path.real?.absolute;
    if (absolute !== undefined && line.replaced.some((root) => isInside(absolute, root))) {
      const message = `an earlier command of this line may have replaced ${path.reference.text}`;
      issues.push(issueOf(command, 'unknown', 'path/replaced', message));
    }
  }
  return issues;
}

function issueOf(command: Command, rating: GrammarIssue['rating'], code: string, message: string, word = -1): GrammarIssue {
  return { rating, code, message, word, option: null, span: command.invocation.argv[word]?.span ?? command.invocation.span };
}

/** What the facts make of a condition: null when it holds, an issue when it does not or when they do not say. */
function conditionIssue(
  command: Command,
  condition: Command['verdict']['conditions'][number],
  scope: Scope,
  line: LineContext,
): GrammarIssue | null {
  const git = scope.facts.git;
  const issue = (code: string, message: string, rating: GrammarIssue['rating'] = 'care') =>
    issueOf(command, rating, code, message, condition.word);
  switch (condition.kind) {
    case 'git-config': {
      const directory = directoryOf(command, scope.place);
      const top =
        directory !== null && git !== null && Object.hasOwn(git.directories, directory) ? git.directories[directory] : undefined;
      if (directory === null) return issue('git/unknown-directory', 'the directory that git runs in cannot be told');
      if (line.replaced.length > 0)
        return issue('git/replaced', 'an earlier command of this line may have changed the repository');
      if (git === null || top === null) return null;
      if (top !== git.top) return issue('git/other-repository', "git would use another repository than the project's");
      const hazard = git.hazards[0];
      return hazard === undefined
        ? null
        : issue('git/config', `${hazard.key} in ${hazard.file}:${hazard.line} can make git run a program`);
    }
    case 'remote':
      return git?.remotes.includes(condition.name)
        ? null
        : issue('git/remote-unknown', `${condition.name} is not a configured remote of this repository`);
    case 'current-remote':
      return git !== null && (git.upstream !== null || git.remotes.length > 0)
        ? null
        : issue('git/no-remote', 'this repository has no remote to talk to');
    case 'branch': {
      const name = condition.name ?? git?.upstream?.branch ?? git?.branch ?? null;
      if (name === null) return issue('git/branch-unknown', 'the branch that this pushes cannot be told');
      return scope.protectedBranches.includes(name) ? issue('git/protected-branch', `${name} is a protected branch`) : null;
    }
    case 'project-path': {
      const base = directoryOf(command, scope.place);
      const value = condition.path.value;
      const key = base === null || value === null ? null : pathKey(base, value, condition.path.tilde, scope.place.home);
      const fact = key !== null && Object.hasOwn(scope.facts.paths, key) ? scope.facts.paths[key] : undefined;
      if (fact !== undefined && isInside(fact.real, scope.facts.project)) return null;
      const rating = fact === undefined ? 'unknown' : condition.rating;
      return issue('path/outside-project', `${condition.path.text} is not known to lie inside the project`, rating);
    }
  }
}

/** The redirections that an allow does not cover by itself: every file but /dev/null needs a path rule. */
function uncoveredRedirection(command: Command, paths: readonly ResolvedPath[], scope: Scope): boolean {
  return command.invocation.redirections.some((redirection) => {
    if (redirection.direction === 'duplicate')
      return redirection.target === null || !/^(?:\d+-?|-)$/.test(redirection.target.value ?? '');
    if (redirection.direction === 'here') return redirection.text === null;
    const target = redirection.target;
    if (target === null || target.value === null) return true;
    if (target.value === '/dev/null') return false;
    const path = paths.find((one) => one.reference.span === target.span);
    if (path === undefined) return true;
    if (redirection.direction === 'read')
      return !(path.inProject || pathAllowance(path, 'Read', scope.rules, scope.matched) !== null);
    return !writeAllowed(path, scope);
  });
}

function writeAllowed(path: ResolvedPath, scope: Scope): boolean {
  if (pathAllowance(path, 'Write', scope.rules, scope.matched) !== null) return true;
  return scope.preset !== null && pathAllowance(path, 'Write', scope.preset.rules, scope.matched) !== null;
}

/** The claim that allows the command, or null: a rule that covers it, the commands it wraps, or proof that it only reads. */
function allowanceOf(
  command: Command,
  scope: Scope,
  paths: readonly ResolvedPath[],
  issues: readonly GrammarIssue[],
  inner: readonly UnitVerdict[],
  line: LineContext,
  provenReads: boolean,
): Claim | null {
  if (line.total !== null) return ruleClaim(line.total);
  if (uncoveredRedirection(command, paths, scope)) return null;
  const words = staticWords(command);
  if (words === null) return null;
  if (words.length === 0) return issues.length === 0 ? effectless() : null;
  const transparent =
    command.wrapper !== null && (command.wrapper.kind === 'transparent' || command.wrapper.kind === 'appending');
  if (transparent && inner.length > 0) {
    return issues.length === 0 && inner.every((one) => one.decision === 'allow')
      ? { effect: 'allow', rule: inner[0]?.rule ?? null, reason: { code: 'shell/inner', message: 'what it runs is allowed' } }
      : null;
  }
  const covering = scope.rules.coversCommand('Bash', words, issues);
  // A preset's prefix says little by itself: it counts only together with a grammar that knows every word.
  const byPreset = scope.preset !== null && command.verdict.known ? scope.preset.rules.coversCommand('Bash', words, issues) : [];
  const first = covering[0] ?? byPreset[0];
  for (const rule of [...covering, ...byPreset]) scope.matched.add(rule);
  if (first !== undefined) return ruleClaim(first.rule);
  if (provenReads && scope.preset?.definition.provenReads === true) return readClaim(scope.preset.definition.name, paths);
  return null;
}

/** Proven reads; a redirection beside them was allowed by a rule about that file. */
function readClaim(preset: string, paths: readonly ResolvedPath[]): Claim {
  const writes = paths.some((path) => path.reference.access === 'write' && !isWriteToNull(path.reference));
  const message = writes
    ? `preset ${preset} allows its reads, and a rule about edits the file that it writes`
    : `preset ${preset} allows what only reads inside the project`;
  return { effect: 'allow', rule: null, reason: { code: 'preset/proven-read', message } };
}

function effectless(): Claim {
  return { effect: 'allow', rule: null, reason: { code: 'shell/no-effect', message: 'it runs nothing' } };
}

const UNSEEN_WORD = '\uFFFD';

function staticWords(command: Command): string[] | null {
  const words: string[] = [];
  for (const word of command.invocation.argv) {
    if (word.value === null) return null;
    words.push(word.value);
  }
  // Arguments that nobody sees follow: an exact rule does not cover them.
  if (command.appended && command.wrapper === null) words.push(UNSEEN_WORD);
  return words;
}

/** Proof that a command only reads inside the project: a known grammar without issues, and every effect a proven read. */
function isProvenRead(
  command: Command,
  paths: readonly ResolvedPath[],
  issues: readonly GrammarIssue[],
  inner: readonly UnitVerdict[],
  claims: readonly Claim[],
): boolean {
  if (issues.length > 0 || claims.length > 0) return false;
  if (command.invocation.argv.length === 0) return paths.length === 0 && command.invocation.redirections.length === 0;
  const inside = paths.every((path) => path.inProject || (isWriteToNull(path.reference) && path.reference.access === 'write'));
  const reads = command.verdict.effects.every((effect) => effect.action === 'read' && effect.path !== null);
  if (!inside || !reads) return false;
  if (command.wrapper === null || inner.length === 0) return command.verdict.known && command.name !== null;
  const { kind } = command.wrapper;
  return (kind === 'transparent' || kind === 'appending') && inner.every((one) => one.provenReads);
}

function isWriteToNull(reference: PathReference): boolean {
  return reference.key === '/dev/null';
}

/** A program that moves, links or copies may leave another file where a later command of the line looks. */
function rememberReplaced(command: Command, paths: readonly ResolvedPath[], line: LineContext): void {
  const { redirections } = command.invocation;
  for (const { reference, real } of paths) {
    if (real === null || (reference.access !== 'write' && reference.access !== 'delete')) continue;
    // A redirection leaves a plain file where it was told to; that matters only where git would read its configuration.
    const plain = redirections.some((redirection) => redirection.target?.span === reference.span);
    if (!plain || GIT_FILE.test(real.absolute)) line.replaced.push(real.absolute);
  }
}

const GIT_FILE = /\/(?:HEAD|config(?:\.worktree)?|commondir|gitdir|\.git(?:attributes|modules)?)$/;

/** A default that allows still does not cover what only the shell can know, nor writes to files. */
function fallbackClaim(command: Command, scope: Scope, provenReads: boolean): Claim {
  const claim = scope.fallback({ tool: scope.analysis.tool, provenReads, inProject: false });
  if (claim.effect !== 'allow' || (staticWords(command) !== null && !writesFile(command))) return claim;
  return {
    effect: 'ask',
    rule: null,
    reason: {
      code: 'default/unseen',
      message: 'the default does not cover words that only the shell knows, nor redirections to files',
    },
  };
}

function writesFile(command: Command): boolean {
  return command.invocation.redirections.some(
    (one) => one.direction !== 'duplicate' && one.direction !== 'here' && one.target?.value !== '/dev/null',
  );
}

/** Own claims first; then what it wraps; then what is left to preset, tier and default. */
function conclude(
  command: Command,
  scope: Scope,
  claims: readonly Claim[],
  issues: readonly GrammarIssue[],
  inner: readonly UnitVerdict[],
  provenReads: boolean,
): UnitVerdict {
  const own = claims.length > 0 ? strongestClaims(claims) : unclaimed(command, scope, issues, inner, provenReads);
  const settled = claims.length > 0;
  let worst: UnitVerdict | null = null;
  for (const one of inner) {
    // What merely nobody allowed inside does not veto a rule that names the wrapper; explicit asks and denials do.
    const counts = one.decision === 'deny' || (one.decision === 'ask' && one.settled);
    if (counts && isStricter(one.decision, worst?.decision ?? own.decision)) worst = one;
  }
  const { decision, rule, reasons } = worst ?? own;
  return { decision, rule, reasons, settled: worst?.settled ?? settled, command, inner, provenReads };
}

function isStricter(left: Effect, right: Effect): boolean {
  return left !== right && (left === 'deny' || right === 'allow');
}

/** Why a command that only looks was not proven to stay inside the project. */
function placeReasons(command: Command, scope: Scope): Reason[] {
  if (!command.verdict.known || scope.preset?.definition.provenReads !== true) return [];
  const reasons: Reason[] = [];
  for (const reference of commandReferences(command, scope.place)) {
    const path = resolvePath(reference, scope.facts);
    if (path.inProject || reference.key === '/dev/null') continue;
    const known = path.real !== null || reference.globRoot !== null;
    const message = known ? `${reference.text} lies outside the project` : `where ${reference.text} leads is not certain`;
    reasons.push({
      code: known ? 'path/outside-project' : 'path/uncertain',
      message,
      ...(reference.span && { span: reference.span }),
    });
  }
  return reasons;
}

/** The verdict that no claim gave: the fallback, explained by whatever kept an allow away. */
function unclaimed(
  command: Command,
  scope: Scope,
  issues: readonly GrammarIssue[],
  inner: readonly UnitVerdict[],
  provenReads: boolean,
): Verdict {
  const claim = fallbackClaim(command, scope, provenReads);
  if (claim.effect === 'allow') return { decision: 'allow', rule: claim.rule, reasons: [claim.reason] };
  const reasons: Reason[] = issues.map((issue) => issueReason(issue));
  if (reasons.length === 0) reasons.push(...placeReasons(command, scope));
  for (const one of inner) if (one.decision !== 'allow') reasons.push(...one.reasons);
  return { decision: claim.effect, rule: claim.rule, reasons: reasons.length > 0 ? reasons : [claim.reason] };
}
