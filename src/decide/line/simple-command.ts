/** Judges one command of a line: its rules and guards, the commands it wraps, and whether it only reads. */

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
  // Explain what prevents a rule with a wildcard from answering the question.
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
 * Names that the shell substitutes for a word are certain only under conditions. In a line that is allowed unchecked nobody asks
 * about these, so the word is treated as known only at run time.
 */
function asWritten(path: ResolvedPath, directory: string | null): ResolvedPath {
  const { written: text } = path.reference;
  if (text === undefined) return path;
  const unknown = { key: null, text, recursive: false, globRoot: null, glob: null, found: false, filter: null };
  return { reference: { ...path.reference, ...unknown, from: directory }, real: null, locations: [], inProject: false };
}

/** Deny and ask rulings about the command itself; one match is enough. */
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
    // For a line that is allowed unchecked, only known facts ask.
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

/** `prettier --write src`: adds rulings of restrictive rules on files in the folder. */
function rewriteRulings({ command, directory, scope }: CommandContext, into: Ruling[]): void {
  const { files = [], places = [] } = command.verdict.rewrites ?? {};
  for (const word of places) {
    const reference = { ...wordReference(word, 'write', directory, scope.place, command, true, false), rewrites: files };
    pathRuleRulings(resolvePath(reference, scope.facts), 'Write', scope.rules, scope.facts, scope.matched, into);
  }
}

/** Whether the last operand is on another machine (`host:`, `scp://host/x`). */
function sendsAway({ invocation: { argv } }: Command): boolean {
  const target = argv.at(-1);
  return argv.length > 2 && /^[^/]{1,256}:/.test(target?.value ?? target?.text ?? '');
}

/** `scp -r . host:`: scp copies everything in a folder, so a secret in it is denied like a secret that is named. */
function denySentSecrets(rulings: Ruling[]): void {
  for (const { reason } of rulings.filter((ruling) => ruling.reason.code === 'secret/tree'))
    rulings.push({ effect: 'deny', rule: null, reason: { ...reason, code: 'builtin/exfiltration' } });
}

/** Removes the name filter if other commands of the line may change which names are ignored or in git's index before a search runs. */
function asFound(found: ResolvedPath, command: Command, line: LineContext): ResolvedPath {
  const { filter, recursive } = found.reference;
  const path = command.name === 'git' && recursive ? { ...found, reference: { ...found.reference, byGit: true } } : found;
  if (filter?.unhidden !== true && filter?.tracked !== true && filter?.ignoring !== true) return path;
  const after = runningAfter(path, command, line);
  const isAfter = ({ invocation: { span } }: Command) => after.some((one) => holds(one, span));
  // git itself adds the files that it has examined, and commands that run later do not change that.
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
 * `npm test && git add -A`: a program that a rule allows could change which names are ignored, but it could just as well read the
 * secret itself. If no rule allows it, the line is asked about for that reason.
 */
function runsCode({ name, verdict, inner, wrapper }: Command): boolean {
  if (name === 'git' || inner.length > 0 || wrapper !== null) return false;
  return !verdict.known || verdict.effects.some(({ action, path }) => action === 'execute' && path === null);
}

/**
 * The commands that run only after it is known what is searched: the receiver of found names (`git ls-files | xargs eslint`), and, in a
 * line that is allowed unchecked, commands fed by the search (`rg -l x | xargs sed -i s/x/y/`). None in a loop, which may run again.
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

/** Rulings on protected and secret files that a line which is allowed unchecked mentions. */
function unseenRulings({ command, directory, scope }: CommandContext, possible: PossibleValues, into: Ruling[]): void {
  guardUnparsedArguments(command, directory, possible, scope.facts, into);
  rulingsBelowVariables(command, directory, possible, scope.facts, into);
  redirectedRulings(command, into);
}

/** Adds ask and deny rules that match the command's words, in any of their spellings. */
function wordRulings(context: CommandContext, meeting: readonly RuleSet[], into: Ruling[]): void {
  const { command, scope } = context;
  const written = writtenWords(command);
  // A number cannot match a word of a pattern without digits.
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

/** Matches the command under its other names: `npx x` for `npm exec x`. */
function otherNameRulings({ command, scope }: CommandContext, meeting: readonly RuleSet[], into: Ruling[]): void {
  for (const argv of otherCommands(command.invocation.argv)) {
    const other = asCommand(command, argv);
    // Words further back are matched by the rules' literal words, below.
    const written = writtenWords(other).slice(0, MOST_NAMED);
    for (const words of [written, ...shorterSpellings(written)]) meetWords(words, scope, meeting, into);
    for (const { rule, certain } of scope.restrictions.meeting(other))
      into.push(certain ? rulingOfRule(rule) : uncertainRuling(rule));
  }
}

/** Builds a command from other words, named by the last segment of its first word. */
function asCommand(command: Command, argv: readonly ShellWord[]): Command {
  const name = argv[0]?.value?.replace(/^.*\//s, '') ?? null;
  return { ...command, name, verdict: { ...command.verdict, known: false }, invocation: { ...command.invocation, argv } };
}

/**
 * The index from which a command may run its words: for an unknown program, or after a script (`python3 run.py git push`); null
 * if it does not.
 */
function carriesFrom({ command, paths, directory, scope }: CommandContext): number | null {
  if (command.wrapper !== null) return null;
  if (!command.verdict.known) return 1;
  const started = startedFile({ command, paths, directory, project: scope.facts.project });
  return started === null || started.at === 0 ? null : started.at + 1;
}

/** An unknown program may run the words that it is given: `./notify.sh git add -A`. */
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
    // Nobody writes this many: if not all can be examined, the rules that name them ask.
    const rules = met.length > 0 || looked <= MOST_LOOKED ? met : namedBy;
    for (const rule of rules) into.push(uncertainRuling(rule));
    if (rules.length > 0) return;
  }
}

/** The rules whose pattern begins with a literal command name. */
function rulesIn(met: ReturnType<RuleSet['meetsCommand']>): readonly PermissionRule[] {
  return met.map(({ rule }) => rule).filter(({ pattern }) => !/^[*?]/.test(pattern ?? '*'));
}

const MOST_CARRIED = 16;
const MOST_LOOKED = 12;
const MOST_WORDS = 256;
const MOST_NAMED = 24;

/**
 * Matches rules against words. A word known only at run time may be the one that a rule names; a rule that matches without it
 * matches for certain. If the program name itself is unknown, the rule applies as if it matched for certain.
 */
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

/** Replaces an unknown word with one that no pattern contains. */
const known = (word: string | null) => word ?? '\u0001';

/** Matches addresses that a command contacts against the ask and deny rules of WebFetch. */
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

/**
 * Whether a command is proven to read only inside the project, or what rules allow: its grammar is known, has no issues, and
 * every effect is a proven read.
 */
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

/** Files that the runner keeps for its sessions may be read by commands too; only the runner's own tools may write them. */
function isRunnersRead(path: ResolvedPath, { guard, facts }: Scope): boolean {
  return guard !== null && !isWrite(path.reference) && isRunnerRead(path, guard.runner, facts);
}

/** Files that describe the machine and that every user may read: `cat /etc/os-release`. */
function tellsOfMachine({ reference, real }: ResolvedPath): boolean {
  return reference.access === 'read' && real !== null && MACHINE_FILES.has(real.absolute);
}

const MACHINE_FILES: ReadonlySet<string> = new Set(
  (
    '/etc/os-release /usr/lib/os-release /etc/lsb-release /etc/debian_version /etc/alpine-release /etc/redhat-release /etc/shells ' +
    '/etc/timezone /proc/cpuinfo /proc/meminfo /proc/version /proc/loadavg /proc/uptime /System/Library/CoreServices/SystemVersion.plist'
  ).split(' '),
);

/** A read of a known path. tee may also write to /dev/null (other programs would replace the device with a file). */
function isRead({ action, path }: CommandEffect, { name }: Command): boolean {
  return path !== null && (action === 'read' || (action === 'write' && name === 'tee' && path.value === '/dev/null'));
}

/**
 * Remembers files that a program writes, moves, links or copies: a later command of the line may find another file there.
 * @param plain whether it is proven to leave only plain files
 */
function rememberReplaced(context: CommandContext, plain: boolean): void {
  const { command, paths, line, scope } = context;
  const isTarget = targetsOf(command.invocation);
  for (const { reference, real } of paths) {
    if (real === null || (reference.access !== 'write' && reference.access !== 'delete')) continue;
    if (real.absolute === '/dev/null') continue;
    // A redirection leaves a plain file at its target; that matters only where git or a search reads settings.
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

/** Subcommands that bring files of other commits into the work tree, possibly with a symlink in place of a file. */
const FROM_COMMITS: ReadonlySet<string> = new Set('am apply cherry-pick checkout merge pull rebase revert switch'.split(' '));

/** Where files of commits are put: the checkout that git runs in. */
function broughtTo(directory: string | null, { facts }: Scope): readonly string[] {
  const top = directory === null ? null : checkoutOf(directory, facts);
  return directory === null ? [facts.project, ...(facts.checkouts ?? [])] : [top ?? facts.project];
}

function bringsIn({ verdict: { words }, invocation: { argv } }: Command): boolean {
  if (words[0] !== 'git') return false;
  // `git stash list` and `git stash show` only print.
  if (words[1] === 'stash') return words[2] === undefined;
  if (words[1] !== undefined) return FROM_COMMITS.has(words[1]);
  // A subcommand without its own grammar is somewhere among the words.
  const among = (is: (value: string) => boolean) => argv.some(({ value }) => value !== null && is(value));
  if (among((value) => value === 'reset') && among((value) => /^--(?:h|k|me)/.test(value))) return true;
  // `git checkout -b x` and `git switch -c x` only create a branch.
  const [, , option, name] = argv;
  const isNewBranch = argv.length === 4 && (option?.value === '-b' || option?.value === '-c');
  return among((value) => FROM_COMMITS.has(value)) && !(isNewBranch && name?.value?.startsWith('-') === false);
}

/** Returns a test for whether a span is a redirection's target; a command may have ten thousand of them. */
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

/** The verdict of a command: its own rulings come first, then the commands it wraps, then preset, tier and default. */
function noteCommandMeaning(context: CommandContext, rulings: readonly Ruling[], provenReads: boolean): CommandVerdict {
  const { command, inner } = context;
  const own = rulings.length > 0 ? combineDenyOverrides(rulings) : whyUndecided(context, provenReads);
  const settled = rulings.length > 0;
  let worst: CommandVerdict | null = null;
  for (const one of inner) {
    // An inner command that is merely not allowed does not override a rule that names the wrapper; explicit asks and denials do.
    const counts = one.decision === 'deny' || (one.decision === 'ask' && one.settled);
    if (counts && isStricter(one.decision, worst?.decision ?? own.decision)) worst = one;
  }
  const { decision, rule, reasons } = worst ?? own;
  return { decision, rule, reasons, settled: worst?.settled ?? settled, command, inner, provenReads, issues: context.issues };
}

function isStricter(left: Effect, right: Effect): boolean {
  return left !== right && (left === 'deny' || right === 'allow');
}
