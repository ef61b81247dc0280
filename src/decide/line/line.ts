/** Judges a command line: every command in it, then the line as a whole. */

import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import type { RuleSet } from '../../rule/rule-set.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import type { Enclosure, Opaque, Span } from '../../shell/syntax/types.js';
import { builtinForLine } from '../builtin/line.js';
import type { ReadLine } from '../flow/analysis.js';
import { directoryOf } from '../flow/directories.js';
import { isLiteralArgument } from '../flow/literal-text.js';
import { PossibleValues } from '../flow/possible-values.js';
import { collectReferences } from '../flow/references.js';
import { gitOperandRulings } from '../guards/git/operands.js';
import { ownCommands } from '../guards/own-commands.js';
import { guardRulings } from '../guards/paths.js';
import { runnerStartRulings } from '../guards/runner-starts.js';
import type { PathReference } from '../place/path-references.js';
import { pathRuleRulings, toolForAccess } from '../place/path-rules.js';
import { resolvePath } from '../place/paths.js';
import type { CommandVerdict, LineContext } from '../policy/command-context.js';
import { commandTool, type Scope } from '../policy/scope.js';
import {
  combineDenyOverrides,
  LINEAR_SEARCH_LIMIT,
  type Ruling,
  referenceTo,
  rulingOfRule,
  type Verdict,
} from '../ruling/combine.js';
import type { CommandDecision, Reason } from '../ruling/decision.js';
import { judgeSimpleCommand } from './simple-command.js';

/** Lines that not even a total rule covers: they could not be read to the end. */
const UNREADABLE: ReadonlySet<Opaque['code']> = new Set(['parse-error', 'too-long', 'control-character', 'nesting']);

export interface LineVerdict extends Verdict {
  readonly commands: readonly CommandDecision[];
}

/**
 * Judges a command line in a scope: the strictest result of its commands, of rules that match its raw text, and of its parts that
 * cannot be analysed.
 */
export function judgeLine(line: ReadLine, scope: Scope): LineVerdict {
  const { tree } = line;
  const total = totalAllow(scope);
  const unreadable = tree.opaque.length > 0 && tree.opaque.some((opaque) => UNREADABLE.has(opaque.code));
  const context: LineContext = {
    total: unreadable ? null : total,
    possible: unreadable || total === null ? null : new PossibleValues(line.subject.value),
    replaced: [],
    naming: new Map(),
    written: [],
    filled: [],
    captured: [],
    commands: tree.commands,
    meeting: meetingWords(scope),
  };
  const rulings: Ruling[] = [];
  textRulings(line, scope, rulings);
  if (context.total === null)
    for (const opaque of tree.opaque)
      if (opaque.code !== 'background-job' && !isLiteralArgument(opaque, tree.commands))
        rulings.push(unseenRuling(opaque, line.subject.value));
  if (scope.guard !== null) builtinForLine(line, scope.place, rulings);
  let verdicts = judgeCommands(tree.commands, scope, context);
  // Only now is it known what later commands replace; commands before them may still read that.
  if (context.replaced.length + context.written.length > 0 && tree.commands.some(isUnordered))
    verdicts = judgeCommands(tree.commands, scope, context);
  if (context.total === null && !verdicts.every(mayOutlive))
    for (const opaque of tree.opaque)
      if (opaque.code === 'background-job') rulings.push(unseenRuling(opaque, line.subject.value));
  constantRulings(line, scope, context, rulings);
  if (verdicts.length === 0 && rulings.length === 0)
    rulings.push(isTest(line) && readsProven(scope) ? ONLY_TESTS : NOTHING_TO_RUN);
  const { decision, rule, reasons: given } = gather(rulings, verdicts);
  // Their spans refer to the translation, not to the person's own text.
  const reasons = line.parts === undefined ? given : given.map(({ code, message }) => ({ code, message }));
  return { decision, rule, reasons, commands: verdicts.map((context) => describe(context, line)) };
}

function judgeCommands(commands: readonly Command[], scope: Scope, context: LineContext): readonly CommandVerdict[] {
  const verdicts: CommandVerdict[] = [];
  for (const command of commands) verdicts.push(judgeSimpleCommand(command, scope, context));
  return verdicts;
}

/**
 * Adds rulings of guards, ask and deny rules on commands with the line's own values filled in. A line without a total rule is
 * asked about anyway.
 */
function constantRulings({ given, tree }: ReadLine, scope: Scope, { possible }: LineContext, into: Ruling[]): void {
  if (possible === null) return;
  const references: PathReference[] = [];
  for (const command of given) {
    collectReferences(command, scope.place, references);
    if (scope.guard !== null) runnerStartRulings(command, command.verdict.issues, tree.commands, into);
  }
  if (scope.guard !== null)
    for (const command of flatten(given)) {
      ownCommands(command, into);
      gitOperandRulings(command, directoryOf(command, scope.place), scope.facts, into);
    }
  for (const reference of references) {
    const path = resolvePath(reference, scope.facts);
    pathRuleRulings(path, toolForAccess(reference), scope.rules, scope.facts, scope.matched, into);
    if (scope.guard !== null) guardRulings(path, scope.facts, scope.guard.except, possible, into);
  }
}

/**
 * Whether a command may continue after the call has ended: a rule names it, or it touches no files. A command that only reads is
 * allowed for the files as they are now, and a later call may change these.
 */
function mayOutlive(verdict: CommandVerdict): boolean {
  return !verdict.command.invocation.background || goesOnSafely(verdict);
}

/** For a wrapper that no rule names, the command that it runs continues: `nohup make &`. */
function goesOnSafely({ command, decision, rule, inner }: CommandVerdict): boolean {
  if (decision !== 'allow') return false;
  if ((rule !== null && rule.layer !== 'preset') || command.name === 'cd') return true;
  return command.verdict.effects.length === 0 && inner.every(goesOnSafely);
}

/** Inside these, commands run in the order in which they are written. */
const ORDERED: ReadonlySet<Enclosure> = new Set<Enclosure>(['group', 'subshell', 'condition', 'case']);

/** Whether a command may run after one that follows it: in a pipeline or loop, or beside a substitution. A group with `> f` may, too. */
function isUnordered({ invocation }: Command): boolean {
  const { background, argv, enclosures } = invocation;
  return background || argv.length === 0 || enclosures.some((one) => !ORDERED.has(one));
}

/** The rule sets that can ask about or deny a command by its words; usually all that restrict anything. */
function meetingWords(scope: Scope): readonly RuleSet[] {
  const { restricting } = scope;
  const tool = commandTool(scope);
  for (const rules of restricting) if (!rules.hasPatterned(tool)) return restricting.filter((one) => one.hasPatterned(tool));
  return restricting;
}

/** A comment or an empty line: nothing runs, but nothing was proven either. */
const NOTHING_TO_RUN: Ruling = {
  effect: 'ask',
  rule: null,
  reason: { code: 'shell/empty', message: 'it contains no command' },
};

/** Whether the line is only `[[ -f a ]]`. */
function isTest({ subject, tree }: ReadLine): boolean {
  return tree.opaque.length === 0 && /^\s*\[\[ [^;&|<>`\n]* \]\]\s*$/.test(subject.value) && !subject.value.includes(']] ');
}

function readsProven({ preset }: Scope): boolean {
  return preset?.definition.provenReads === true;
}

const ONLY_TESTS: Ruling = {
  effect: 'allow',
  rule: null,
  reason: { code: 'preset/proven-read', message: 'it is a test and runs nothing' },
};

/** The strictest of the line's own rulings and its commands' verdicts, with all reasons for it, each listed once. */
function gather(rulings: readonly Ruling[], verdicts: readonly CommandVerdict[]): Verdict {
  const own = rulings.length > 0 ? combineDenyOverrides(rulings) : null;
  let decision: Effect = own?.decision ?? 'allow';
  for (const context of verdicts)
    if (context.decision === 'deny' || (context.decision === 'ask' && decision === 'allow')) decision = context.decision;
  const reasons: Reason[] = own?.decision === decision ? [...own.reasons] : [];
  let rule = own?.decision === decision ? own.rule : null;
  let many: Set<string> | null = null;
  for (const context of verdicts) {
    if (context.decision !== decision) continue;
    rule ??= context.rule;
    for (const reason of context.reasons) {
      if (reasons.length >= LINEAR_SEARCH_LIMIT) many ??= new Set(reasons.map(keyOf));
      if (many === null ? isGiven(reason, reasons) : many.has(keyOf(reason))) continue;
      many?.add(keyOf(reason));
      reasons.push(reason);
    }
  }
  return { decision, rule, reasons };
}

function isGiven(reason: Reason, reasons: readonly Reason[]): boolean {
  for (const one of reasons) if (one === reason || (one.code === reason.code && one.message === reason.message)) return true;
  return false;
}

/** A key that distinguishes reasons; no code contains a blank. */
function keyOf({ code, message }: Reason): string {
  return `${code} ${message}`;
}

/** The rule that allows unchecked: `Bash`, `Bash(*)`, `*`, preset `all`. */
function totalAllow(scope: Scope): PermissionRule | null {
  for (const rules of scope.bodies) {
    for (const one of rules.total(scope.analysis.tool.canonical)) if (one.rule.effect === 'allow') return one.rule;
  }
  return null;
}

/** Matches ask and deny rules against the text as written, whatever the parser made of it. */
function textRulings(line: ReadLine, scope: Scope, into: Ruling[]): void {
  if (scope.restricting.length === 0) return;
  const text = line.subject.value.trim();
  for (const rules of scope.restricting) {
    for (const rule of rules.meetsText(commandTool(scope), 'command', text)) {
      scope.matched.add(rule);
      into.push(rulingOfRule(rule.rule));
    }
  }
}

/** Codes for which the message shows the part of the line that cannot be analysed. */
const SHOWN: ReadonlySet<Opaque['code']> = new Set([
  'dynamic-command',
  'dynamic-word',
  'glob-command',
  'brace-expansion',
  'command-substitution',
  'process-substitution',
  'parameter-expansion',
  'arithmetic',
  'double-expansion',
  'suspicious-quotes',
  'array',
  'special-variable',
  'subscript-evaluation',
]);

function unseenRuling({ code, message, span }: Opaque, source: string): Ruling {
  const part = SHOWN.has(code) ? shownText(source.slice(span.start, span.end)) : '';
  const shown = part === '' ? message : `${message.replace(/\.$/, '')}: ${part}`;
  return { effect: 'ask', rule: null, reason: { code: `shell/${code}`, message: shown, span } };
}

function describe(context: CommandVerdict, line: ReadLine): CommandDecision {
  const span = line.parts === undefined ? context.command.invocation.span : originOf(line.parts, context.command.invocation.span);
  return {
    text: (line.written ?? line.subject.value).slice(span.start, span.end),
    span,
    decision: context.decision,
    rule: context.rule && referenceTo(context.rule),
    reasons: line.parts === undefined ? context.reasons : context.reasons.map(({ code, message }) => ({ code, message, span })),
    inner: context.inner.length === 0 ? NO_COMMANDS : context.inner.map((one) => describeInner(one, line)),
  };
}

/** Shows a wrapped command by its own words, because its span may be that of the string that contains it. */
function describeInner(context: CommandVerdict, line: ReadLine): CommandDecision {
  const text = context.command.invocation.argv.map((word) => word.text).join(' ');
  return { ...describe(context, line), text };
}

/** The place in the person's text that corresponds to a command of the translation. */
function originOf(parts: NonNullable<ReadLine['parts']>, { start }: Span): Span {
  return (parts.findLast((part) => part.start <= start) ?? parts[0])?.from ?? { start: 0, end: 0 };
}

const NO_COMMANDS: readonly CommandDecision[] = [];
