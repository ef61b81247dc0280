/** One command of a command line, judged: its rules and the guards, what it wraps, and whether it only reads. */

import { isOneNumber } from '../../command/judge/provenance.js';
import { otherCommands } from '../../command/judge/same-commands.js';
import { literalWord } from '../../command/judge/spelled-words.js';
import type { Command, CommandEffect } from '../../command/model/command.js';
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { RuleSet } from '../../rule/rule-set.js';
import type { Invocation, ShellWord, Span } from '../../shell/syntax/types.js';
import { builtinForCommand } from '../builtin/command.js';
import { directoryOf } from '../flow/directories.js';
import { guardUnparsedArguments, redirectedRulings, rulingsBelowVariables } from '../flow/mentioned-paths.js';
import type { PossibleValues } from '../flow/possible-values.js';
import { commandReferences, wordReference } from '../flow/references.js';
import { unpackingRulings } from '../guards/archives.js';
import { credentialRulings } from '../guards/git/credentials.js';
import { hookRulings } from '../guards/git/hooks.js';
import { incomingRulings } from '../guards/git/incoming-files.js';
import { gitOperandRulings } from '../guards/git/operands.js';
import { printedRulings } from '../guards/git/printed-secrets.js';
import { ownCommands } from '../guards/own-commands.js';
import { guardRulings } from '../guards/paths.js';
import { runnerStartRulings } from '../guards/runner-starts.js';
import { isTemporary } from '../guards/temporary.js';
import { isNull, isWrite } from '../place/path-references.js';
import { pathRuleRulings, toolForAccess } from '../place/path-rules.js';
import { checkoutOf, type ResolvedPath, resolvePath } from '../place/paths.js';
import { isRunnerRead } from '../place/runner-files.js';
import type { CommandContext, CommandVerdict, LineContext } from '../policy/command-context.js';
import { commandTool, type Scope } from '../policy/scope.js';
import { foldedSpelling, shorterSpellings, writtenWords } from '../policy/spellings.js';
import { issuesOf } from '../proofs/conditions.js';
import { otherStarts, projectSpellings, startedFile } from '../proofs/script-spellings.js';
import { combineDenyOverrides, type Ruling, rulingOfRule, uncertainRuling } from '../ruling/combine.js';
import { allowanceOf, EDITS, OWN_SERVICES, ruleFor } from './allowance.js';
import { issueReason, whyUndecided } from './reasons.js';
import { rememberFilled, saysForeign, writtenCodeRulings } from './written-code.js';

const NO_VERDICTS: readonly CommandVerdict[] = [];
const NO_PATHS: readonly ResolvedPath[] = [];

/** Judges one command and everything it wraps. */
export function judgeSimpleCommand(command: Command, scope: Scope, line: LineContext): CommandVerdict {
  const inner = command.inner.length === 0 ? NO_VERDICTS : command.inner.map((one) => judgeSimpleCommand(one, scope, line));
  const directory = directoryOf(command, scope.place);
  const paths = line.total === null ? pathsOf(command, scope) : pathsOf(command, scope).map((path) => asWritten(path, directory));
  const issues = issuesOf(command, directory, paths, scope, line);
  const context: CommandContext = { command, scope, line, directory, paths, issues, inner };
  const found = denyAndAskRulings(context);
  const provenReads = isProvenRead(context, found);
  const allowance = found.length > 0 && found.some(restricts) ? null : allowanceOf(context, provenReads);
  const isWritten = allowance?.rule != null && allowance.rule.layer !== 'preset';
  const rulings = isWritten && found.length > 0 ? found.filter(({ yields }) => yields !== true) : found;
  if (allowance !== null) rulings.push(allowance);
  // What keeps a rule with a wildcard from answering the question.
  if (!isWritten && found.some(({ yields }) => yields === true))
    for (const issue of issues) rulings.push({ effect: 'ask', rule: null, reason: issueReason(command, issue) });
  if (paths.length > 0) rememberReplaced(context, allowance === EDITS || allowance === OWN_SERVICES);
  if (command.invocation.enclosures.length > 0 && saysForeign(command)) line.captured.push(command);
  if (bringsIn(command))
    for (const path of broughtTo(directory, scope)) line.replaced.push({ path, by: command, committed: true });
  return noteCommandMeaning(context, rulings, provenReads);
}

const restricts = ({ effect, yields }: Ruling) => effect !== 'allow' && yields !== true;

function pathsOf(command: Command, scope: Scope): readonly ResolvedPath[] {
  const references = commandReferences(command, scope.place);
  if (references.length === 0) return NO_PATHS;
  const paths: ResolvedPath[] = [];
  for (const reference of references) paths.push(resolvePath(reference, scope.facts));
  return paths;
}

/**
 * Names that the shell puts in the place of a word are what they seem only under conditions. In a line that may run unseen nobody asks
 * for these, so there it stays a word that only the shell knows.
 */
function asWritten(path: ResolvedPath, directory: string | null): ResolvedPath {
  const { written: text } = path.reference;
  if (text === undefined) return path;
  const unknown = { key: null, text, recursive: false, globRoot: null, glob: null, found: false, filter: null };
  return { reference: { ...path.reference, ...unknown, from: directory }, real: null, locations: [], inProject: false };
}

/** Deny and ask rulings of the command itself; it is enough that one of them meets. */
function denyAndAskRulings(context: CommandContext): Ruling[] {
  const { command, scope, line, issues } = context;
  const rulings: Ruling[] = [];
  if (command.invocation.argv.length > 0 && scope.restricting.length > 0) {
    if (line.meeting.length > 0) wordRulings(context, line.meeting, rulings);
    carriedRulings(context, line.meeting, rulings);
    otherNameRulings(context, line.meeting, rulings);
    for (const { rule, certain } of scope.restrictions.meeting(command))
      rulings.push(certain ? rulingOfRule(rule) : uncertainRuling(rule));
    urlRulings(command, scope, rulings);
  }
  for (const path of context.paths) {
    if (scope.restricting.length > 0)
      pathRuleRulings(path, toolForAccess(path.reference), scope.rules, scope.facts, scope.matched, rulings);
    if (scope.guard !== null) guardRulings(asFound(path, command, line), scope.facts, scope.guard.except, line.possible, rulings);
  }
  if (scope.restricting.length > 0) rewriteRulings(context, rulings);
  if (scope.guard !== null) {
    builtinForCommand(command, scope.place.home, context.directory, rulings);
    if (line.possible !== null) unseenRulings(context, line.possible, rulings);
    ownCommands(command, rulings);
    gitOperandRulings(command, context.directory, scope.facts, rulings);
    runnerStartRulings(command, issues, line.commands, rulings);
    writtenCodeRulings(context, rulings);
    // A line that may run unseen is asked about only for what is known.
    if (line.possible === null) unpackingRulings(command, context.directory, scope.facts, rulings);
    credentialRulings(command, context.directory, scope.facts, rulings);
    if (command.name === 'git') {
      hookRulings(command, context.directory, scope.facts, line, rulings);
      incomingRulings(command, context.directory, scope, line, rulings);
      printedRulings(command, context.directory, scope.facts, line, rulings);
    }
    if (command.name === 'scp' && sendsAway(command)) denySentSecrets(rulings);
  }
  const preset = scope.preset?.definition;
  if (preset && issues.length > 0 && command.name !== null && preset.refuse.includes(command.name)) {
    for (const issue of issues) {
      if (issue.rating !== 'refuse') continue;
      rulings.push({ effect: 'deny', rule: null, reason: issueReason(command, issue, `preset ${preset.name} refuses it: `) });
    }
  }
  return rulings;
}

/** `prettier --write src`: the folder holds what rules that restrict speak of, and nothing but they make a difference. */
function rewriteRulings({ command, directory, scope }: CommandContext, into: Ruling[]): void {
  const { files = [], places = [] } = command.verdict.rewrites ?? {};
  for (const word of places) {
    const reference = { ...wordReference(word, 'write', directory, scope.place, command, true, false), rewrites: files };
    pathRuleRulings(resolvePath(reference, scope.facts), 'Write', scope.rules, scope.facts, scope.matched, into);
  }
}

/** Whether the last of its operands is a place of another machine (`host:`, `scp://host/x`). */
function sendsAway({ invocation: { argv } }: Command): boolean {
  const target = argv.at(-1);
  return argv.length > 2 && /^[^/]{1,256}:/.test(target?.value ?? target?.text ?? '');
}

/** `scp -r . host:`: of a folder that it is given scp leaves nothing out, so a secret in it goes where one that is named may not go. */
function denySentSecrets(rulings: Ruling[]): void {
  for (const { reason } of rulings.filter((ruling) => ruling.reason.code === 'secret/tree'))
    rulings.push({ effect: 'deny', rule: null, reason: { ...reason, code: 'builtin/exfiltration' } });
}

/** Which names are ignored or in git's index, other commands of the line may change before a search looks. */
function asFound(found: ResolvedPath, command: Command, line: LineContext): ResolvedPath {
  const { filter, recursive } = found.reference;
  const path = command.name === 'git' && recursive ? { ...found, reference: { ...found.reference, byGit: true } } : found;
  if (filter?.unhidden !== true && filter?.tracked !== true && filter?.ignoring !== true) return path;
  const after = runningAfter(path, command, line);
  const isAfter = ({ invocation: { span } }: Command) => after.some((one) => holds(one, span));
  // git itself adds what it has looked at, and what runs later changes nothing of that.
  const { span, background, enclosures } = command.invocation;
  const isOnce = filter.untracked === true && !background && enclosures.length === 0;
  const isPast = (one: Command) => isOnce && (one === command || one.invocation.span.start > span.end);
  if (
    line.replaced.every(({ by }) => isAfter(by)) &&
    line.commands.every(
      (one) => isPast(one) || after.includes(one) || onlyReads(one) || (filter.tracked !== true && runsCode(one)),
    )
  )
    return path;
  return { ...path, reference: { ...path.reference, filter: null } };
}

/**
 * `npm test && git add -A`: what a program that a rule let run may do to the names that are ignored, it could do to the secret itself.
 * Where no rule does, the line is asked about for that.
 */
function runsCode({ name, verdict, inner, wrapper }: Command): boolean {
  if (name === 'git' || inner.length > 0 || wrapper !== null) return false;
  return !verdict.known || verdict.effects.some(({ action, path }) => action === 'execute' && path === null);
}

/**
 * The commands that run when it is known what is looked at: who is given names that were found (`git ls-files | xargs eslint`), and, in
 * a line that may run unseen, who is fed by the search (`rg -l x | xargs sed -i s/x/y/`). In a loop there is a next time.
 */
function runningAfter(
  { reference }: ResolvedPath,
  { invocation }: Command,
  { commands, total }: LineContext,
): readonly Command[] {
  if (invocation.enclosures.includes('loop')) return [];
  const at = commands.findIndex((one) => holds(one, invocation.span));
  if (reference.found) return commands.slice(at, at + 1);
  if (total === null || at < 0) return [];
  const behind = commands.slice(at + 1);
  const end = behind.findIndex((one) => !one.invocation.piped);
  return end < 0 ? behind : behind.slice(0, end);
}

function holds({ invocation: { span } }: Command, inner: Span): boolean {
  return span.start <= inner.start && span.end >= inner.end;
}

function onlyReads({ verdict, inner }: Command): boolean {
  return verdict.known && verdict.effects.every(({ action }) => action === 'read') && inner.every(onlyReads);
}

/** What a line that may run unseen says of protected and secret files. */
function unseenRulings({ command, directory, scope }: CommandContext, possible: PossibleValues, into: Ruling[]): void {
  guardUnparsedArguments(command, directory, possible, scope.facts, into);
  rulingsBelowVariables(command, directory, possible, scope.facts, into);
  redirectedRulings(command, into);
}

/** Ask and deny rules that meet the command's words, in any of their spellings. */
function wordRulings(context: CommandContext, meeting: readonly RuleSet[], into: Ruling[]): void {
  const { command, scope } = context;
  const written = writtenWords(command);
  // A number is none of the words of a pattern without digits.
  const numbered = written.map((word, at) => {
    const number = command.invocation.argv[at];
    return number !== undefined && isOneNumber(number) ? '7' : word;
  });
  meetWords(written, scope, meeting, into, numbered);
  for (const words of [...projectSpellings(context, written), ...otherStarts(context, written)])
    meetWords(words, scope, meeting, into);
  for (const words of shorterSpellings(written)) meetWords(words, scope, meeting, into);
  const folded = foldedSpelling(written);
  if (folded !== null) meetWords(folded, scope, meeting, into);
}

/** The same under other names, `npx x` for `npm exec x`. */
function otherNameRulings({ command, scope }: CommandContext, meeting: readonly RuleSet[], into: Ruling[]): void {
  for (const argv of otherCommands(command.invocation.argv)) {
    const other = asCommand(command, argv);
    // What stands further behind is met by what rules write out, below.
    const written = writtenWords(other).slice(0, MOST_NAMED);
    for (const words of [written, ...shorterSpellings(written)]) meetWords(words, scope, meeting, into);
    for (const { rule, certain } of scope.restrictions.meeting(other))
      into.push(certain ? rulingOfRule(rule) : uncertainRuling(rule));
  }
}

/** Other words as a command, by the last part of what it is called. */
function asCommand(command: Command, argv: readonly ShellWord[]): Command {
  const name = argv[0]?.value?.replace(/^.*\//s, '') ?? null;
  return { ...command, name, verdict: { ...command.verdict, known: false }, invocation: { ...command.invocation, argv } };
}

/** From which word on a command may run the words that it is given: a program that policy does not know, and a script (`python3 run.py git push`). */
function carriesFrom({ command, paths, directory, scope }: CommandContext): number | null {
  if (command.wrapper !== null) return null;
  if (!command.verdict.known) return 1;
  const started = startedFile({ command, paths, directory, project: scope.facts.project });
  return started === null || started.at === 0 ? null : started.at + 1;
}

/** A program that policy does not know may run the words that it is given: `./notify.sh git add -A`. */
function carriedRulings(context: CommandContext, meeting: readonly RuleSet[], into: Ruling[]): void {
  const { command, scope } = context;
  const { argv } = command.invocation;
  const tool = commandTool(scope);
  let looked = 0;
  for (let at = carriesFrom(context) ?? argv.length; at < argv.length; at += 1) {
    // `--cmd='rm -R b'`
    const text = argv[at]?.value?.replace(/^-[\w-]*=/, '').trim() ?? '';
    const own = text.includes(' ') ? text.split(/\s+/).map(literalWord) : argv.slice(at, at + MOST_WORDS);
    const carried = asCommand(command, own);
    const { name } = carried;
    if (name === null || name === '') continue;
    const namedBy = [
      ...scope.restrictions.naming(name),
      ...meeting.flatMap((rules) => rulesIn(rules.meetsCommand(tool, [name]))),
    ];
    if (at > MOST_CARRIED && namedBy.length === 0) continue;
    if (namedBy.length > 0) looked += 1;
    const met = [carried, ...otherCommands(own).map((words) => asCommand(command, words))].flatMap((one) => [
      ...meeting.flatMap((rules) => rulesIn(rules.meetsCommand(tool, writtenWords(one).slice(0, MOST_NAMED)))),
      ...scope.restrictions.meeting(one).map(({ rule }) => rule),
    ]);
    // Nobody writes so many: where not all can be looked at, what they name is asked about.
    const rules = met.length > 0 || looked <= MOST_LOOKED ? met : namedBy;
    for (const rule of rules) into.push(uncertainRuling(rule));
    if (rules.length > 0) return;
  }
}

/** Those that write out which command they mean. */
function rulesIn(met: ReturnType<RuleSet['meetsCommand']>): readonly PermissionRule[] {
  return met.map(({ rule }) => rule).filter(({ pattern }) => !/^[*?]/.test(pattern ?? '*'));
}

const MOST_CARRIED = 16;
const MOST_LOOKED = 12;
const MOST_WORDS = 256;
const MOST_NAMED = 24;

/** A word that only the shell knows may be what a rule names; what is met without it is met for certain. Whoever hides a program is denied it. */
function meetWords(
  words: readonly (string | null)[],
  scope: Scope,
  meeting: readonly RuleSet[],
  into: Ruling[],
  numbered = words,
): void {
  const tool = commandTool(scope);
  for (const rules of meeting) {
    const met = rules.meetsCommand(tool, words);
    if (met.length === 0) continue;
    const sure = words.includes(null) ? new Set(rules.meetsCommand(tool, words.map(known))) : null;
    const possible = numbered.some((word, at) => word !== words[at]) ? new Set(rules.meetsCommand(tool, numbered)) : null;
    for (const rule of met) {
      const isSure = sure?.has(rule) ?? true;
      if (!isSure && possible?.has(rule) === false && !/\d/.test(rule.rule.pattern ?? '')) continue;
      scope.matched.add(rule);
      const hides = words[0] === null && !/^[*?]/.test(rule.rule.pattern ?? '');
      into.push(hides || isSure ? rulingOfRule(rule.rule) : uncertainRuling(rule.rule));
    }
  }
}

/** A word that no pattern writes out, in the place of an unknown one. */
const known = (word: string | null) => word ?? '\u0001';

/** Places that a command talks to meet the ask and deny rules of WebFetch. */
function urlRulings(command: Command, scope: Scope, into: Ruling[]): void {
  for (const effect of command.verdict.effects) {
    const url = effect.action === 'network' ? effect.path?.value : null;
    if (url === null || url === undefined) continue;
    for (const rule of scope.rules.meetsUrl('WebFetch', url.includes('://') ? url : `https://${url}`)) {
      scope.matched.add(rule);
      into.push(rulingOfRule(rule.rule));
    }
  }
}

/** Proof that a command only reads inside the project, or what rules let be read: a known grammar without issues, and every effect a proven read. */
function isProvenRead({ command, paths, issues, inner, scope }: CommandContext, rulings: readonly Ruling[]): boolean {
  if (issues.length > 0 || rulings.length > 0) return false;
  if (command.invocation.argv.length === 0) return paths.length === 0 && command.invocation.redirections.length === 0;
  for (const path of paths)
    if (
      !path.inProject &&
      !isNull(path.reference) &&
      !tellsOfMachine(path) &&
      !isRunnersRead(path, scope) &&
      ruleFor(path, scope) === null &&
      !isTemporary(path, scope)
    )
      return false;
  for (const effect of command.verdict.effects) if (!isRead(effect, command)) return false;
  if (command.wrapper === null || inner.length === 0) return command.verdict.known && command.name !== null;
  const { kind } = command.wrapper;
  return (kind === 'transparent' || kind === 'appending') && inner.every((one) => one.provenReads);
}

/** What the runner keeps for its sessions may be read by a command, too; it is written by the runner's own tools alone. */
function isRunnersRead(path: ResolvedPath, { guard, facts }: Scope): boolean {
  return guard !== null && !isWrite(path.reference) && isRunnerRead(path, guard.runner, facts);
}

/** What kind of machine it is, which everybody on it may read: `cat /etc/os-release`. */
function tellsOfMachine({ reference, real }: ResolvedPath): boolean {
  return reference.access === 'read' && real !== null && MACHINE_FILES.has(real.absolute);
}

const MACHINE_FILES: ReadonlySet<string> = new Set(
  (
    '/etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version /etc/alpine-release /etc/redhat-release /etc/shells ' +
    '/etc/timezone /proc/cpuinfo /proc/meminfo /proc/version /proc/loadavg /proc/uptime /System/Library/CoreServices/SystemVersion.plist'
  ).split(' '),
);

/** A read of something that can be named; tee may also keep nothing (others would put their own file in the place of the device). */
function isRead({ action, path }: CommandEffect, { name }: Command): boolean {
  return path !== null && (action === 'read' || (action === 'write' && name === 'tee' && path.value === '/dev/null'));
}

/**
 * A program that moves, links or copies may leave another file where a later command of the line looks.
 * @param plain it is proven to leave plain files alone
 */
function rememberReplaced(context: CommandContext, plain: boolean): void {
  const { command, paths, line, scope } = context;
  const isTarget = targetsOf(command.invocation);
  for (const { reference, real } of paths) {
    if (real === null || (reference.access !== 'write' && reference.access !== 'delete')) continue;
    if (real.absolute === '/dev/null') continue;
    // A redirection leaves a plain file where it was told to; that matters only where git or a search reads its settings.
    const redirected = isTarget(reference.span);
    const list = (!plain && !redirected) || isGitFile(real.absolute) ? line.replaced : line.written;
    list.push({ path: real.absolute, by: command });
    if (reference.access !== 'write' || line.total !== null) continue;
    const isFolder = reference.names !== null && scope.facts.paths[reference.key ?? '']?.kind === 'directory';
    const names = isFolder && !reference.names.some((name) => /[*?[]/.test(name)) ? reference.names : [];
    if (names.length === 0) rememberFilled(context, real.absolute, redirected);
    for (const name of names) rememberFilled(context, `${real.absolute}/${name}`, redirected);
  }
}

/** What puts the files of other commits into the work tree, where a link may stand then in the place of a file. */
const FROM_COMMITS: ReadonlySet<string> = new Set('am apply cherry-pick checkout merge pull rebase revert switch'.split(' '));

/** Where the files of commits come to: the checkout that git runs in. */
function broughtTo(directory: string | null, { facts }: Scope): readonly string[] {
  const top = directory === null ? null : checkoutOf(directory, facts);
  return directory === null ? [facts.project, ...(facts.checkouts ?? [])] : [top ?? facts.project];
}

function bringsIn({ verdict: { words }, invocation: { argv } }: Command): boolean {
  if (words[0] !== 'git') return false;
  // `git stash list` and `git stash show` only print.
  if (words[1] === 'stash') return words[2] === undefined;
  if (words[1] !== undefined) return FROM_COMMITS.has(words[1]);
  // A subcommand without a grammar of its own stands somewhere among the words.
  const among = (is: (value: string) => boolean) => argv.some(({ value }) => value !== null && is(value));
  if (among((value) => value === 'reset') && among((value) => /^--(?:h|k|me)/.test(value))) return true;
  // `git checkout -b x` and `git switch -c x` only name a branch.
  const [, , option, name] = argv;
  const isNewBranch = argv.length === 4 && (option?.value === '-b' || option?.value === '-c');
  return among((value) => FROM_COMMITS.has(value)) && !(isNewBranch && name?.value?.startsWith('-') === false);
}

/** Whether a span is that of a redirection's target; a command may have ten thousand of them. */
function targetsOf({ redirections }: Invocation): (span: Span | null) => boolean {
  if (redirections.length <= FEW) return (span) => redirections.some(({ target }) => target?.span === span);
  const spans = new Set(redirections.map(({ target }) => target?.span ?? null));
  return (span) => span !== null && spans.has(span);
}

const FEW = 8;

const GIT_FILES: ReadonlySet<string> = new Set(
  'HEAD config config.worktree commondir gitdir .git .gitattributes .gitmodules .gitignore .ignore .rgignore exclude'.split(' '),
);

function isGitFile(path: string): boolean {
  return GIT_FILES.has(path.slice(path.lastIndexOf('/') + 1));
}

/** Own rulings first; then what it wraps; then what is left to preset, tier and default. */
function noteCommandMeaning(context: CommandContext, rulings: readonly Ruling[], provenReads: boolean): CommandVerdict {
  const { command, inner } = context;
  const own = rulings.length > 0 ? combineDenyOverrides(rulings) : whyUndecided(context, provenReads);
  const settled = rulings.length > 0;
  let worst: CommandVerdict | null = null;
  for (const one of inner) {
    // What merely nobody allowed inside does not veto a rule that names the wrapper; explicit asks and denials do.
    const counts = one.decision === 'deny' || (one.decision === 'ask' && one.settled);
    if (counts && isStricter(one.decision, worst?.decision ?? own.decision)) worst = one;
  }
  const { decision, rule, reasons } = worst ?? own;
  return { decision, rule, reasons, settled: worst?.settled ?? settled, command, inner, provenReads, issues: context.issues };
}

function isStricter(left: Effect, right: Effect): boolean {
  return left !== right && (left === 'deny' || right === 'allow');
}
