/** Judges calls of all tools except the shell: rules against their subjects, and guards over their paths. */

import { isRemoveName, isWriteName } from '../../call/mcp-subjects.js';
import { UNSEEN_INPUT } from '../../call/subject.js';
import type { Subject } from '../../call/tool-call.js';
import { strictest } from '../../rule/pattern/permission-rule.js';
import type { CompiledRule, RuleSet } from '../../rule/rule-set.js';
import { deviceWriteDenial } from '../builtin/command.js';
import { inferredPaths } from '../flow/call-references.js';
import { guardRulings } from '../guards/paths.js';
import { isTemporary, TEMPORARY_FILES } from '../guards/temporary.js';
import { judgeLine } from '../line/line.js';
import { isWrite, subjectReference } from '../place/path-references.js';
import { pathAllowance, pathRuleRulings } from '../place/path-rules.js';
import { holdsProject, type ResolvedPath, resolvePath } from '../place/paths.js';
import { isRunnerNote, isRunnerRead, isRunnerWritten } from '../place/runner-files.js';
import type { Scope } from '../policy/scope.js';
import { combineDenyOverrides, type Ruling, rulingOfRule, type Verdict } from '../ruling/combine.js';
import type { Reason } from '../ruling/decision.js';
import { namesFields } from './fields.js';
import { coveredLine, fieldComparison, meetsLine } from './line-rules.js';
import { onlyReads, READ_ONLY } from './read-only-tools.js';

interface JudgedSubject {
  readonly subject: Subject;
  readonly path: ResolvedPath | null;
}

/** Judges a call by its tool and its subjects: an allow must cover every subject, a denial of one is enough. */
export function judgeTool(scope: Scope): Verdict {
  const { analysis } = scope;
  const subjects = analysis.subjects.subjects.map((subject) => ({
    subject,
    path: subject.kind === 'path' ? resolvePath(subjectReference(subject, scope.place, analysis.filter), scope.facts) : null,
  }));
  const rulings: Ruling[] = [];
  for (const rules of scope.restricting) rulings.push(...denyAndAsk(rules, subjects, scope));
  rulings.push(...guards(subjects, scope), ...embedded(scope), ...telling(scope));
  if (rulings.length === 0) {
    const allowing = scope.bodies.map((rules) => allowanceOf(rules, subjects, scope)).find((rule) => rule !== null);
    if (allowing) rulings.push(rulingOfRule(allowing.rule));
    else if (keepsToTemporary(subjects, scope)) rulings.push(TEMPORARY_FILES);
  }
  const inProject = subjects.every((one) => one.path === null || one.path.inProject);
  if (rulings.length > 0) return combineDenyOverrides(rulings);
  const { effect, rule, reason } = scope.fallback({
    tool: analysis.tool,
    provenReads: false,
    inProject: inProject && !analysis.subjects.missing,
  });
  if (effect === 'ask' && reason.code.startsWith('default/')) {
    if (keepsToRunner(subjects, scope)) return { decision: 'allow', rule: null, reasons: [RUNNER_FILES] };
    if (scope.guard !== null && scope.facts.skill?.startsJudged) return { decision: 'allow', rule: null, reasons: [AGENT_START] };
  }
  return { decision: effect, rule, reasons: [reason] };
}

const AGENT_START: Reason = { code: 'agent/start', message: "each of the agent's calls is judged separately" };
const RUNNER_FILES: Reason = { code: 'runner/own-files', message: 'the runner keeps this file for its own session' };

/** Whether one of the runner's own tools touches only files that the runner keeps for its sessions. */
function keepsToRunner(subjects: readonly JudgedSubject[], { guard, analysis, facts }: Scope): boolean {
  const { tool } = analysis;
  if (guard === null || guard.runner === undefined || tool.mcp !== null || subjects.length === 0 || analysis.subjects.missing)
    return false;
  if (tool.access !== 'read' && tool.access !== 'write') return false;
  return subjects.every(
    ({ path }) =>
      path !== null &&
      (isWrite(path.reference) ? isRunnerWritten(path, guard.runner, facts) : isRunnerRead(path, guard.runner, facts)),
  );
}

/** Whether each file that one of the runner's own tools reads or writes is temporary or allowed by a rule or the preset. */
function keepsToTemporary(subjects: readonly JudgedSubject[], scope: Scope): boolean {
  const { tool, subjects: found } = scope.analysis;
  if (tool.mcp !== null || found.missing || (tool.access !== 'read' && tool.access !== 'write')) return false;
  const covered = (one: JudgedSubject) => scope.bodies.some((rules) => coverage(rules, one, scope) !== null);
  return (
    subjects.some(({ path }) => path !== null && isTemporary(path, scope)) &&
    subjects.every((one) => one.path !== null && (isTemporary(one.path, scope) || covered(one)))
  );
}

/**
 * Returns the ask and deny rules that apply: total rules, rules that a subject or another field matches, and, if a subject is
 * missing, every rule with a pattern.
 */
function denyAndAsk(rules: RuleSet, subjects: readonly JudgedSubject[], scope: Scope): Ruling[] {
  const tool = scope.analysis.tool.canonical;
  const met = new Set<CompiledRule>(rules.total(tool).filter((rule) => rule.rule.effect !== 'allow'));
  for (const rule of meetsFields(rules, scope)) met.add(rule);
  const found: Ruling[] = [];
  let unknowable = subjects.length === 0 || scope.analysis.subjects.missing;
  for (const { subject, path } of subjects) {
    if (path !== null) {
      unknowable ||= path.locations.length === 0;
      // A search reads the whole tree below its start, as `grep -r` does.
      pathRuleRulings(path, tool, rules, scope.facts, scope.matched, found);
      if (SHOWING.has(tool)) pathRuleRulings(path, 'Read', rules, scope.facts, scope.matched, found);
    } else if (subject.kind === 'url') for (const rule of rules.meetsUrl(tool, subject.value)) met.add(rule);
    else {
      for (const rule of rules.meetsText(tool, subject.kind, subject.value)) met.add(rule);
      if (subject.kind === 'command') found.push(...meetsLine(rules, subject, scope));
    }
  }
  if (unknowable) for (const rule of rules.patterned(tool)) if (rule.rule.effect !== 'allow') met.add(rule);
  for (const rule of met) scope.matched.add(rule);
  const named = [...met].map((rule) => rulingOfRule(rule.rule));
  return [...found, ...named].filter(({ effect }) => effect !== 'allow');
}

/** The ask and deny rules about input fields that the call meets. */
export function meetsFields(rules: RuleSet, scope: Scope): readonly CompiledRule[] {
  const { analysis } = scope;
  const named = rules.fields(analysis.tool.canonical);
  if (named.length === 0) return NONE;
  const comparison = fieldComparison(scope);
  return named.flatMap((one) => (one.rule.rule.effect !== 'allow' && namesFields(one, analysis, comparison) ? one.rule : NONE));
}

const NONE: readonly never[] = [];

/**
 * Tools whose edits reveal a file: an edit starts from its content, and some runners reply with the new text. Rules against
 * reading the file therefore apply.
 */
const SHOWING: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'ApplyPatch']);

/** Rulings on protected and secret paths and on inputs that widen the call; only if the scope has a guard. */
function guards(subjects: readonly JudgedSubject[], scope: Scope): Ruling[] {
  if (scope.guard === null) return [];
  const rulings: Ruling[] = [];
  const { mcp } = scope.analysis.tool;
  const changes = mcp === null || isWriteName(mcp.tool);
  for (const { subject, path } of subjects) {
    if (path === null) continue;
    const isNote = mcp === null && isRunnerNote(path, scope.guard.runner, scope.facts);
    if (!isNote) guardRulings(path, scope.facts, scope.guard.except, null, rulings);
    if (changes && isWrite(path.reference))
      for (const { absolute } of path.locations) rulings.push(...present(deviceWriteDenial(absolute)));
    if (subject.searched === true && !isThere(path, scope)) rulings.push(searchRuling(subject));
  }
  for (const sentence of scope.analysis.subjects.widening)
    rulings.push({
      effect: 'ask',
      rule: null,
      reason: { code: sentence === UNSEEN_INPUT ? 'input/unseen' : 'input/widening', message: sentence },
    });
  return rulings;
}

function present(ruling: Ruling | null): readonly Ruling[] {
  return ruling === null ? [] : [ruling];
}

function isThere({ reference: { key } }: ResolvedPath, { facts }: Scope): boolean {
  const fact = key !== null && Object.hasOwn(facts.paths, key) ? facts.paths[key] : undefined;
  return fact !== undefined && fact.kind !== 'missing';
}

/** The runner would search for the file, and which one it would find is unknown. */
function searchRuling({ value }: Subject): Ruling {
  const message = `there is no ${value} here, and the runner would change a file with that name elsewhere; give the full path`;
  return { effect: 'ask', rule: null, reason: { code: 'path/searched', message } };
}

/** Command, path and URL fields of an MCP tool are matched against the rules of Bash, Read, Write and WebFetch (docs/guarantees.md, 8). */
function embedded(scope: Scope): Ruling[] {
  const { tool, lines, subjects } = scope.analysis;
  if (tool.mcp === null) return [];
  const rulings: Ruling[] = [];
  for (const line of lines) {
    const verdict = judgeLine(line, { ...scope, preset: null, bodies: [scope.rules] });
    const explicit = verdict.rule !== null && verdict.decision !== 'allow';
    if (explicit || verdict.reasons.some(isGuard))
      for (const reason of verdict.reasons) rulings.push({ effect: verdict.decision, rule: verdict.rule, reason });
  }
  for (const subject of subjects.subjects) {
    if (subject.kind === 'path') {
      // How the server uses a path is unknown: a path that may be written may also be read.
      for (const access of subject.access === 'write' ? (['write', 'read'] as const) : (['read'] as const)) {
        const path = resolvePath(subjectReference({ ...subject, access }, scope.place), scope.facts);
        pathRuleRulings(path, access === 'write' ? 'Write' : 'Read', scope.rules, scope.facts, scope.matched, rulings);
        if (scope.guard !== null) guardRulings(path, scope.facts, scope.guard.except, null, rulings);
      }
      if (scope.guard !== null && isRemoveName(tool.mcp.tool)) rulings.push(...wholeProject(subject, scope));
    } else if (subject.kind === 'url') {
      for (const rule of scope.rules.meetsUrl('WebFetch', subject.value)) {
        scope.matched.add(rule);
        rulings.push(rulingOfRule(rule.rule));
      }
    }
  }
  return rulings.filter((ruling) => ruling.effect !== 'allow');
}

/** Removing the project's folder also removes its .git and everything protected in it. */
function wholeProject(subject: Subject, scope: Scope): readonly Ruling[] {
  const { locations, reference } = resolvePath(subjectReference(subject, scope.place), scope.facts);
  if (!locations.some(({ absolute }) => holdsProject(absolute, scope.facts))) return [];
  const message = `removing ${reference.text} can delete the whole project, including .git`;
  return [{ effect: 'ask', rule: null, reason: { code: 'protected/project', message } }];
}

function isGuard({ code }: Reason): boolean {
  return /^(?:builtin|protected|secret)\//.test(code);
}

/**
 * Paths and command lines in fields whose names do not identify them. A text that is not known to be run matters only if a guard
 * forbids it.
 */
export function telling(scope: Scope): Ruling[] {
  const { subjects, inferredLines } = scope.analysis;
  const rulings: Ruling[] = [];
  for (const line of inferredLines) {
    const verdict = judgeLine(line, { ...scope, preset: null, bodies: [scope.rules] });
    const explicit = line.likely && verdict.rule !== null;
    if (verdict.decision === 'allow') continue;
    for (const reason of verdict.reasons)
      if (explicit || isGuard(reason)) rulings.push({ effect: verdict.decision, rule: verdict.rule, reason });
  }
  for (const reference of subjects.telling.flatMap((subject) => inferredPaths(subject, scope.place))) {
    const path = resolvePath(reference, scope.facts);
    pathRuleRulings(path, reference.access === 'write' ? 'Write' : 'Read', scope.rules, scope.facts, scope.matched, rulings);
    if (scope.guard !== null) guardRulings(path, scope.facts, scope.guard.except, null, rulings);
  }
  return rulings.filter((ruling) => ruling.effect !== 'allow');
}

/** The rule that allows the call: a total rule, one about its input fields, or the first of rules that cover every subject. */
function allowanceOf(rules: RuleSet, subjects: readonly JudgedSubject[], scope: Scope): CompiledRule | null {
  const { tool } = scope.analysis;
  const total = rules.total(tool.canonical).find((rule) => rule.rule.effect === 'allow');
  if (total) {
    scope.matched.add(total);
    return total;
  }
  const comparison = fieldComparison(scope);
  const named = rules
    .fields(tool.canonical)
    .find((one) => one.rule.rule.effect === 'allow' && namesFields(one, scope.analysis, comparison));
  if (named !== undefined) {
    scope.matched.add(named.rule);
    return named.rule;
  }
  const readOnly = readOnlyAllowance(rules, subjects, scope);
  if (readOnly !== null || subjects.length === 0 || scope.analysis.subjects.missing) return readOnly;
  let first: CompiledRule | null = null;
  for (const one of subjects) {
    const covering = coverage(rules, one, scope);
    if (covering === null) return null;
    first ??= covering;
  }
  return first;
}

/** The rule for an MCP server's read-only tools; files outside the project need a rule of their own. */
function readOnlyAllowance(
  rules: RuleSet,
  subjects: readonly JudgedSubject[],
  { analysis, matched }: Scope,
): CompiledRule | null {
  const { tool } = analysis;
  if (tool.mcp === null) return null;
  const rule = rules.coversText(tool.canonical, 'name', READ_ONLY).find((one) => one.rule.pattern === READ_ONLY);
  if (rule === undefined || !subjects.every(({ path }) => path?.inProject !== false) || !onlyReads(analysis)) return null;
  matched.add(rule);
  return rule;
}

function coverage(rules: RuleSet, { subject, path }: JudgedSubject, scope: Scope): CompiledRule | null {
  const tool = scope.analysis.tool.canonical;
  if (path !== null) return pathAllowance(path, tool, rules, scope.matched);
  if (subject.kind === 'command') return coveredLine(rules, subject, scope);
  const covering =
    subject.kind === 'url' ? rules.coversUrl(tool, subject.value) : rules.coversText(tool, subject.kind, subject.value);
  for (const rule of covering) scope.matched.add(rule);
  return covering[0] ?? null;
}

/** Combines verdicts: the strictest decision, with the reasons of the verdicts that gave it. */
export function combine(verdicts: readonly Verdict[]): Verdict {
  const decision = strictest(verdicts.map((verdict) => verdict.decision));
  const winners = verdicts.filter((verdict) => verdict.decision === decision);
  return {
    decision,
    rule: winners.find((verdict) => verdict.rule)?.rule ?? null,
    reasons: winners.flatMap((verdict) => verdict.reasons),
  };
}
