/** A command line, judged: every command in it, then what holds for the line as a whole. */
import type { PermissionRule } from '../rule/permission-rule.js';
import { strictest } from '../rule/permission-rule.js';
import type { Opaque } from '../shell/command-line.js';
import type { ReadLine } from './analysis.js';
import { type Claim, referenceTo, ruleClaim, type Verdict } from './claim.js';
import type { CommandDecision } from './decision.js';
import { lineFloor } from './floor.js';
import type { Scope } from './scope.js';
import { judgeUnit, type LineContext, type UnitVerdict } from './shell-unit.js';

/** What even a total rule does not cover: a line that could not be read to its end. */
const UNREADABLE: ReadonlySet<Opaque['code']> = new Set(['parse-error', 'too-long', 'control-character']);

export interface LineVerdict extends Verdict {
  readonly commands: readonly CommandDecision[];
}

/** Judges a command line in a scope: the strictest of its commands, of rules that meet its raw text, and of what stayed unseen. */
export function judgeLine(line: ReadLine, scope: Scope): LineVerdict {
  const total = totalAllow(scope);
  const unreadable = line.tree.opaque.some((opaque) => UNREADABLE.has(opaque.code));
  const context: LineContext = { total: unreadable ? null : total, replaced: [] };
  const units = line.tree.commands.map((command) => judgeUnit(command, scope, context));
  const claims = [...textClaims(line, scope), ...unseenClaims(line, context.total), ...floorClaims(line, scope)];
  const decision =
    units.length === 0 && claims.length === 0
      ? emptyLine()
      : strictest([...units.map((unit) => unit.decision), ...claims.map((claim) => claim.effect)]);
  const worst = units.filter((unit) => unit.decision === decision);
  const reasons = [
    ...claims.filter((claim) => claim.effect === decision).map((claim) => claim.reason),
    ...worst.flatMap((unit) => unit.reasons),
  ];
  const rule =
    claims.find((claim) => claim.effect === decision && claim.rule)?.rule ?? worst.find((unit) => unit.rule)?.rule ?? null;
  return { decision, rule, reasons: unique(reasons), commands: units.map((unit) => describe(unit, line.subject.value)) };
}

/** A comment or nothing at all: nothing runs, but nothing was proven either. */
function emptyLine(): 'ask' {
  return 'ask';
}

/** The rule that says "run it unseen": `Bash`, `Bash(*)`, `*`, preset `all`. */
function totalAllow(scope: Scope): PermissionRule | null {
  const tool = scope.analysis.tool.canonical;
  for (const rules of scope.preset === null ? [scope.rules] : [scope.rules, scope.preset.rules]) {
    const found = rules.total(tool).find((one) => one.rule.effect === 'allow');
    if (found) return found.rule;
  }
  return null;
}

/** Ask and deny rules also meet the text as it was written, whatever became of it in the parser. */
function textClaims(line: ReadLine, scope: Scope): Claim[] {
  const claims: Claim[] = [];
  for (const rules of scope.preset === null ? [scope.rules] : [scope.rules, scope.preset.rules]) {
    for (const rule of rules.meetsText('Bash', 'command', line.subject.value.trim())) {
      scope.matched.add(rule);
      claims.push(ruleClaim(rule.rule));
    }
  }
  return claims;
}

function unseenClaims(line: ReadLine, total: PermissionRule | null): Claim[] {
  if (total !== null) return [];
  return line.tree.opaque.map((opaque) => ({
    effect: 'ask',
    rule: null,
    reason: { code: `shell/${opaque.code}`, message: opaque.message, span: opaque.span },
  }));
}

function floorClaims(line: ReadLine, scope: Scope): Claim[] {
  return scope.guard === null ? [] : lineFloor(line.subject.value, line.tree.commands, scope.place.home);
}

function unique<T extends { readonly code: string; readonly message: string }>(reasons: readonly T[]): T[] {
  const seen = new Set<string>();
  return reasons.filter((reason) => {
    const key = `${reason.code}\n${reason.message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function describe(unit: UnitVerdict, source: string): CommandDecision {
  const { span } = unit.command.invocation;
  return {
    text: textOf(unit, source),
    span,
    decision: unit.decision,
    rule: unit.rule && referenceTo(unit.rule),
    reasons: unit.reasons,
    inner: unit.inner.map((one) => describe(one, source)),
  };
}

/** A wrapped command is shown by its own words, since its span may be that of the string it was written in. */
function textOf(unit: UnitVerdict, source: string): string {
  const words = unit.command.invocation.argv;
  const last = words.at(-1);
  if (words[0] === undefined || last === undefined)
    return source.slice(unit.command.invocation.span.start, unit.command.invocation.span.end);
  return words.map((word) => word.text).join(' ');
}
