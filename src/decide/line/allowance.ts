/** What allows a single command: a rule that covers it, the commands it wraps, or proof that it only reads. */
import type { Command, GrammarIssue, GrammarVerdict } from '../../command/model/command.js';
import type { WordIssue } from '../../rule/pattern/command-pattern.js';
import { staysOnNamedHosts } from '../../rule/pattern/url-word.js';
import type { CompiledRule } from '../../rule/rule-set.js';
import type { ShellWord, Span } from '../../shell/syntax/types.js';
import { isOwnStream } from '../flow/references.js';
import { outsideWords } from '../guards/outside-words.js';
import { isTemporary, TEMPORARY_FILES } from '../guards/temporary.js';
import { isNull } from '../place/path-references.js';
import { pathAllowance, toolForAccess } from '../place/path-rules.js';
import { isOwn, type ResolvedPath } from '../place/paths.js';
import type { CommandContext, CommandVerdict } from '../policy/command-context.js';
import type { PresetSettings } from '../policy/policy-data.js';
import { commandTool, type Scope } from '../policy/scope.js';
import { isProvenEdit } from '../proofs/edits.js';
import { isHarmlessGitSwitch } from '../proofs/git-switches.js';
import { codeRunOutsideProject, holdsEverywhere, wordsOutsideProject, writesOut } from '../proofs/outside-project.js';
import { isProjectWork, WORK } from '../proofs/project-work.js';
import { projectSpellings, startsUnnamed } from '../proofs/script-spellings.js';
import { type Ruling, rulingOfRule } from '../ruling/combine.js';
import { isExplicit, type Reason } from '../ruling/decision.js';
import { commandsInside } from './inside.js';

/**
 * The ruling that allows the command: from a rule that covers it, the commands it wraps, or proof that it only reads. Null if
 * there is none.
 */
export function allowanceOf(context: CommandContext, provenReads: boolean): Ruling | null {
  const { command, scope, paths, issues, inner, line } = context;
  if (line.total !== null) return rulingOfRule(line.total);
  if (command.invocation.redirections.length > 0 && uncoveredRedirection(command, paths, scope)) return null;
  const words = staticWords(command);
  if (words === null) return null;
  if (words.length === 0 && inner.length === 0) return issues.length === 0 ? EFFECTLESS : null;
  const transparent =
    command.wrapper !== null && (command.wrapper.kind === 'transparent' || command.wrapper.kind === 'appending');
  if (transparent && inner.length > 0) {
    return issues.length === 0 && inner.every((one) => one.decision === 'allow') && coversOwnFiles(context, words)
      ? {
          effect: 'allow',
          rule: inner[0]?.rule ?? null,
          reason: inner.flatMap(({ reasons }) => reasons).find(isLeftOver) ?? INNER_ALLOWED,
        }
      : null;
  }
  const covering = holdingHere(context, coveringRules(context, words));
  for (const rule of covering) scope.matched.add(rule);
  // A preset's prefix alone is weak evidence: it applies only if the grammar knows every word, and it overrides no issue that the
  // grammar or the facts raise. Only the author of a rule can have intended that.
  const isKnown = command.verdict.known && issues.length === 0;
  const byPreset = scope.preset !== null && isKnown ? scope.preset.rules.coversCommand('Bash', words, issues) : [];
  for (const rule of byPreset) scope.matched.add(rule);
  const first = covering[0] ?? byPreset[0] ?? ruleInside(context);
  if (first !== undefined) return rulingOfRule(first.rule);
  if (scope.preset?.definition.loopbackReads === true && asksOwnServices(context)) return OWN_SERVICES;
  if (isProjectWork(context)) return WORK;
  if (isProvenEdit(context)) return EDITS;
  if (isHarmlessGitSwitch(context)) return SWITCHES;
  if (!provenReads || scope.preset?.definition.provenReads !== true) return null;
  // A Python environment in the project's folder may load its own code whenever Python starts.
  const isPython = command.verdict.conditions.some(({ kind }) => kind === 'own-modules');
  const isOwnPlace = context.directory !== null && isOwn(context.directory, scope.facts);
  if (isPython && (scope.preset.definition.leaves === null || !isOwnPlace)) return null;
  if (command.verdict.conditions.some((one) => one.kind === 'own-modules' && one.loads.length > 0)) return WORK;
  const outside = paths.find((path) => !path.inProject && !isNull(path.reference));
  const rule = outside === undefined ? null : ruleFor(outside, scope);
  if (rule !== null) return rulingOfRule(rule.rule);
  return outside !== undefined && isTemporary(outside, scope) ? TEMPORARY_FILES : readRuling(scope.preset.definition, paths);
}

/** The first of the rules for the commands that run on another machine or in a container; undefined if one of them has no rule. */
function ruleInside(context: CommandContext): CompiledRule | undefined {
  const commands = commandsInside(context) ?? [];
  const found = commands.flatMap(({ words, issues }) => context.scope.rules.coversCommand('Bash', words, issues)[0] ?? []);
  if (found.length < commands.length) return undefined;
  for (const rule of found) context.scope.matched.add(rule);
  return found[0];
}

/** The rule about a path that covers how a command uses it (`Read(//tmp/**)`), or for reads one of the preset; null if there is none. */
export function ruleFor(path: ResolvedPath, { rules, preset, matched }: Scope): CompiledRule | null {
  const tool = toolForAccess(path.reference);
  const own = pathAllowance(path, tool, rules, matched);
  return own ?? (preset === null || tool !== 'Read' ? null : pathAllowance(path, tool, preset.rules, matched));
}

/**
 * The rules that cover the command by its words alone, or by its words with the variables set before them: `A=b make test`.
 * Harmless variables may be left out.
 */
function coveringRules(context: CommandContext, words: readonly string[]): readonly CompiledRule[] {
  const { command } = context;
  if (startsUnnamed(context, context.scope.facts) && context.scope.restricting.length > 0) return [];
  if (command.appended && isUnseen(context)) return [];
  const wrapped = wrappedIssues(context);
  const issues: readonly WordIssue[] = wrapped.length === 0 ? context.issues : [...context.issues, ...wrapped];
  for (const spelled of [words, ...projectSpellings(context, words)]) {
    const covering = meantHere(context.scope.rules.coversCommand(commandTool(context.scope), spelled, issues), issues);
    if (covering.length > 0) return covering;
    if (command.invocation.assignments.length === 0) continue;
    const assigned = assignedCovering(context, spelled, issues);
    if (assigned.length > 0) return assigned;
  }
  return [];
}

/** Whether appended words reach a command on another machine, or one with other privileges, as code or as operands that have issues. */
function isUnseen({ command: { wrapper, invocation }, inner }: CommandContext): boolean {
  if (wrapper?.kind !== 'privilege') return false;
  return inner.some((one) => one.issues.length > 0 || isReadAgain(one.command, invocation.argv));
}

/** Whether the command is in a script that another shell reads, so that none of its words is a word of the line. */
function isReadAgain({ invocation }: Command, argv: readonly ShellWord[]): boolean {
  const first = invocation.argv[0];
  return first !== undefined && !argv.includes(first);
}

/** The rules that write out the variables set before a command: all of them, or those that are not harmless. */
function assignedCovering(
  context: CommandContext,
  words: readonly string[],
  issues: readonly WordIssue[],
): readonly CompiledRule[] {
  const { command, scope } = context;
  const open = (span: Span) => context.issues.some((issue) => issue.span === span);
  const unlisted = (span: Span) => context.issues.every((issue) => issue.span !== span || issue.code === 'assignment/unlisted');
  for (const assigned of [
    assignedWords(command, () => true),
    assignedWords(command, open),
    // `NAME=*`: any value of a variable that is not known to change what programs do.
    assignedWords(command, open, unlisted),
    assignedWords(command, () => true, unlisted),
  ]) {
    if (assigned.length === 0) continue;
    // Each of them has to be written out; the other issues are about the words after them.
    const written: WordIssue[] = assigned.map((_, at) => ({ word: at, option: null }));
    for (const issue of issues) {
      if (issue.code?.startsWith('assignment/')) continue;
      written.push(issue.word < 0 ? issue : { ...issue, word: issue.word + assigned.length });
    }
    const covering = meantHere(scope.rules.coversCommand(commandTool(scope), [...assigned, ...words], written), issues);
    if (covering.length > 0) return covering;
  }
  return [];
}

/**
 * Issues of options of a wrapped command: `npx eslint *` allows no more than `eslint *` does. Changing the files that it is given
 * is what such a rule is for (`npx prettier --write src`).
 */
function wrappedIssues({ command, inner }: CommandContext): readonly WordIssue[] {
  if (inner.length === 0) return NO_ISSUES;
  const { argv } = command.invocation;
  const found: WordIssue[] = [];
  for (const { command: one, issues, inner: further } of inner) {
    const { invocation, verdict } = one;
    const name = invocation.argv[0]?.value;
    if (typeof name !== 'string') continue;
    if (isReadAgain(one, argv)) {
      found.push(
        ...[...issues, ...further.flatMap(allIssues)].map((issue) => ({ ...issue, word: wordOf(issue, one, argv), inner: name })),
      );
      continue;
    }
    for (const { word, option, code } of issues) {
      const at = word > 0 ? argv.indexOf(invocation.argv[word] as ShellWord) : -1;
      if (at > 0 && (option === null || argv[at]?.value !== option || !onlyChanges(verdict, argv[at])))
        found.push({ word: at, option, code, inner: name });
    }
  }
  return found;
}

/** The index of the line's word that equals the word an issue is about; -1 if that word is inside a longer text. */
function wordOf({ word }: WordIssue, { invocation }: Command, argv: readonly ShellWord[]): number {
  const value = invocation.argv[word]?.value ?? null;
  return word < 1 || value === null ? -1 : argv.findIndex((one) => one.value === value);
}

function allIssues({ issues, inner }: Pick<CommandVerdict, 'issues' | 'inner'>): readonly GrammarIssue[] {
  return [...issues.map((issue) => ({ ...issue, word: -1 })), ...inner.flatMap(allIssues)];
}

const NO_ISSUES: readonly WordIssue[] = [];

/** Whether the only known effect of an option is to change files that the command names anyway. */
function onlyChanges({ effects }: GrammarVerdict, option: ShellWord | undefined): boolean {
  const own = effects.filter(({ span }) => span === option?.span);
  return own.length > 0 && own.every(({ action, path }) => action === 'write' && path === null);
}

/**
 * Excludes user and managed rules where a repository's own configuration makes git run programs: their authors cannot have meant
 * a configuration that came with this repository. A project rule was written, or trusted, by someone who could see it.
 */
function meantHere(rules: readonly CompiledRule[], issues: readonly WordIssue[]): readonly CompiledRule[] {
  if (!issues.some(({ code }) => code === 'git/config' || code === 'git/local-remote')) return rules;
  return rules.filter(({ rule }) => rule.layer !== 'user' && rule.layer !== 'managed');
}

/**
 * Excludes the project's rules for a command that runs outside the project and depends on what it finds there, and all rules that
 * name a project path where the command would use another file of that name.
 */
function holdingHere(context: CommandContext, rules: readonly CompiledRule[]): readonly CompiledRule[] {
  if (rules.length === 0) return rules;
  const strayed = wordsOutsideProject(context);
  const outside = outsideWords(context);
  const meant = rules.filter(
    ({ rule }) =>
      !writesOut(rule, strayed) &&
      staysOnNamedHosts(rule.pattern ?? '', addressesOf(context)) &&
      staysInside(rule, outside, context.command.wrapper !== null),
  );
  if (meant.length === 0 || codeRunOutsideProject(context) === null) return meant;
  return meant.filter(({ rule }) => holdsEverywhere(rule.layer));
}

/** Whether a rule applies everywhere, or writes out every word that leads out of the project. */
function staysInside({ layer, pattern }: CompiledRule['rule'], outside: readonly string[], wraps: boolean): boolean {
  if (outside.length === 0 || holdsEverywhere(layer)) return true;
  const written = (pattern ?? '').split(/\s+/);
  // `npx *`: a rule that allows any program allows any words for it.
  if (wraps && written.slice(1).every((text) => /^\*+$/.test(text))) return true;
  return outside.every((word) =>
    written.some((text) => text === word || (/^[^*?]{2,}\/\*+$/.test(text) && word.startsWith(text.replace(/\*+$/, '')))),
  );
}

/** The addresses that a command contacts; for an unknown command, every word that may be one. */
function addressesOf({ command: { verdict, invocation } }: CommandContext): readonly (string | null)[] {
  if (verdict.known)
    return verdict.effects.flatMap(({ action, path }) => (action === 'network' && path !== null ? [path.value] : []));
  const words = invocation.argv.slice(1).map(({ value }) => value);
  return words.filter((value) => value === null || !value.startsWith('-') || value.includes('://'));
}

/**
 * The assignments before a command, as a rule writes them; none if one of them is uncertain.
 * @param anyValue whether the rule may name an assignment without its value
 */
function assignedWords(
  { invocation }: Command,
  counts: (span: Span) => boolean,
  anyValue: (span: Span) => boolean = () => false,
): readonly string[] {
  const words: string[] = [];
  for (const { name, value, append, span } of invocation.assignments) {
    if (!counts(span)) continue;
    if (value === null || append) return [];
    words.push(`${name}=${anyValue(span) ? '*' : value}`);
  }
  return words;
}

/** Whether the wrapper's own files (`find /etc`, `xargs -a FILE`) are in the project, or a rule allows them or the wrapper. */
function coversOwnFiles({ command, scope, paths }: CommandContext, words: readonly string[]): boolean {
  const { redirections } = command.invocation;
  const outside = paths.filter(
    ({ inProject, reference }) =>
      !inProject && !isNull(reference) && !redirections.some(({ target }) => target !== null && target.span === reference.span),
  );
  return (
    outside.every((path) => pathAllowance(path, toolForAccess(path.reference), scope.rules, scope.matched) !== null) ||
    scope.rules.coversCommand(commandTool(scope), words, command.verdict.issues).length > 0
  );
}

const SWITCHES: Ruling = {
  effect: 'allow',
  rule: null,
  reason: {
    code: 'preset/proven-switch',
    message: 'safe here: it keeps your edits, changes no protected file and starts no git hook',
  },
};

/** The edit tools may do the same with these files. */
export const EDITS: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/proven-edit', message: 'it only changes files that the edit tools may change' },
};

/** A reason from a default must stay visible behind a wrapper. */
const isLeftOver = (reason: Reason) => !isExplicit(reason);

const INNER_ALLOWED = { code: 'shell/inner', message: 'the commands that it runs are allowed' };
const EFFECTLESS: Ruling = { effect: 'allow', rule: null, reason: { code: 'shell/no-effect', message: 'it runs nothing' } };

export const OWN_SERVICES: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/loopback', message: 'it only reads from a service on this machine' },
};

/**
 * Requires that no unseen words are appended, and that the command opens no other file than /dev/null or, if the preset permits,
 * one that stores the answer.
 */
function asksOwnServices({ command, paths, issues, scope }: CommandContext): boolean {
  const { loopback, words } = command.verdict;
  if (loopback === undefined || command.appended || command.name === null || command.wrapper !== null) return false;
  const keeps = loopback === 'kept' && scope.preset?.definition.temporary === true;
  const ofKeeping = [words[0], `${words[0]}/to-file`];
  if (!issues.every(({ code }) => keeps && ofKeeping.includes(code))) return false;
  const { redirections } = command.invocation;
  const isRedirected = (path: ResolvedPath) => redirections.some(({ target }) => target?.span === path.reference.span);
  return paths.every((path) => isNull(path.reference) || isRedirected(path) || (keeps && writeAllowed(path, scope)));
}

/** Whether a redirection is not covered by an allow of the command: every file except /dev/null needs a path rule. */
function uncoveredRedirection(command: Command, paths: readonly ResolvedPath[], scope: Scope): boolean {
  let pathAt: ReadonlyMap<unknown, ResolvedPath> | null = null;
  return command.invocation.redirections.some((redirection) => {
    if (redirection.direction === 'duplicate')
      return redirection.target === null || !/^(?:\d+-?|-)$/.test(redirection.target.value ?? '');
    if (redirection.direction === 'here') return redirection.text === null;
    const target = redirection.target;
    if (redirection.direction === 'read' && target?.origin?.source.kind === 'pipe') return false;
    if (redirection.direction === 'read' && target?.names !== undefined) return !readsAllowed(target.span, paths, scope);
    if (target === null || target.value === null) return true;
    if (target.value === '/dev/null' || isOwnStream(redirection)) return false;
    pathAt ??= new Map(paths.map((one) => [one.reference.span, one]));
    const path = pathAt.get(target.span);
    if (path === undefined) return true;
    if (redirection.direction === 'read')
      return !(path.inProject || pathAllowance(path, 'Read', scope.rules, scope.matched) !== null || isTemporary(path, scope));
    return !writeAllowed(path, scope);
  });
}

/** Whether every path that a word expands to may be read. */
function readsAllowed(span: Span, paths: readonly ResolvedPath[], scope: Scope): boolean {
  return paths.every(
    (path) => path.reference.span !== span || path.inProject || pathAllowance(path, 'Read', scope.rules, scope.matched) !== null,
  );
}

function writeAllowed(path: ResolvedPath, scope: Scope): boolean {
  if (pathAllowance(path, 'Write', scope.rules, scope.matched) !== null) return true;
  if (scope.preset !== null && pathAllowance(path, 'Write', scope.preset.rules, scope.matched) !== null) return true;
  return isTemporary(path, scope);
}

/** The ruling for proven reads; any redirection was allowed by a rule about its file. */
function readRuling(preset: PresetSettings, paths: readonly ResolvedPath[]): Ruling {
  let worded = readWordings.get(preset);
  if (worded === undefined) {
    worded = {
      reads: provenRead(`preset ${preset.name} allows reading inside the project`),
      writes: provenRead(`preset ${preset.name} allows the reads, and a rule about edits allows the written file`),
    };
    readWordings.set(preset, worded);
  }
  for (const { reference } of paths) if (reference.access === 'write' && !isNull(reference)) return worded.writes;
  return worded.reads;
}

function provenRead(message: string): Ruling {
  return { effect: 'allow', rule: null, reason: { code: 'preset/proven-read', message } };
}

/** Cached, because a preset's messages never change. */
const readWordings = new WeakMap<PresetSettings, { readonly reads: Ruling; readonly writes: Ruling }>();

const UNSEEN_WORD = '\uFFFD';
/** Longer than any single `?` of a rule can match. */
const UNKNOWN_TEXT = '\uFFFD\uFFFD\uFFFD';

/** The words as the program receives them; null if one is known only at run time. */
export function staticWords(command: Command): string[] | null {
  const words: string[] = [];
  for (const word of command.invocation.argv) {
    // A text or file names for which the grammar would raise an issue elsewhere in the command; without a grammar their position
    // means nothing.
    const isText = (word.data !== undefined || word.names !== undefined) && command.verdict.known;
    if (word.value === null && !isText) return null;
    words.push(isText ? UNKNOWN_TEXT : (word.value ?? UNKNOWN_TEXT));
  }
  // Unseen arguments follow, so an exact rule does not cover them.
  if (command.appended && command.wrapper === null) words.push(UNSEEN_WORD);
  return words;
}
