/** `policy allow|deny|ask`: plans and writes new rules. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../disk/lock.js';
import { replaceFile, WriteError } from '../disk/replace.js';
import type { Finding } from '../lint/text/finding.js';
import { parsePolicy } from '../policy/document.js';
import type { NewRule } from '../policy/edit/insertion.js';
import { addRule, newPolicyText } from '../policy/edit/rules.js';
import { verifyRuleExamples } from '../policy/examples.js';
import type { PolicyProblem } from '../policy/policy.js';
import { isTotalRule } from '../policy/total-rule.js';
import { type RetrustPlaces, standingOf, trustAdded, untrustedBecause } from '../project/retrust.js';
import { ruleMatches } from '../project/rule-examples.js';
import type { Workspace } from '../project/workspace.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { lint } from '../runner/lint/linter.js';
import { type EditedLayer, type EditTarget, editTarget } from './rule-edit-target.js';

export interface RuleEditRequest {
  readonly rules: readonly NewRule[];
  readonly layer: EditedLayer;
  readonly places: RetrustPlaces;
}

/** A file as it will be. */
export interface PlannedEdit {
  readonly target: EditTarget;
  readonly text: string;
  /** The new rules, as the file will contain them. */
  readonly added: readonly PermissionRule[];
  /** Rules that the file already contains. */
  readonly present: readonly PermissionRule[];
}

/** Lint findings about the new rules: `refused` must not be written, `warnings` are for the person to judge. */
export interface RuleFindings {
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

/** Mistakes in a file or a rule, each with its place. Nothing was changed. */
export class EditError extends Error {
  override readonly name = 'EditError';
  readonly problems: readonly PolicyProblem[];

  constructor(problems: readonly PolicyProblem[]) {
    super(problems[0]?.message ?? 'the policy cannot be edited');
    this.problems = problems;
  }
}

/**
 * Plans the edit that adds the rules to their layer's file. Throws WriteError for a file that must not be edited, EditError for
 * one with mistakes.
 */
export function planEdit({ rules, layer, places }: RuleEditRequest): PlannedEdit {
  const target = editTarget(layer, places);
  const before = target.text === null || target.text.trim() === '' ? [] : rulesOf(target.text, target);
  const present = before.filter((rule) => rules.some((one) => one.effect === rule.effect && one.text === rule.text));
  let text = target.text ?? '';
  for (const rule of rules)
    if (!present.some((one) => one.effect === rule.effect && one.text === rule.text)) text = withRule(text, rule, target);
  const after = text.trim() === '' ? [] : rulesOf(text, target);
  const broken = verifyRuleExamples(after, ruleMatches);
  if (broken.length > 0) throw new EditError(broken);
  const added = after.filter((rule) => !before.some((one) => one.effect === rule.effect && one.text === rule.text));
  return { target, text, added, present };
}

function withRule(text: string, rule: NewRule, target: EditTarget): string {
  if (text.trim() === '') return newPolicyText(rule, target.format);
  const edited = addRule(text, rule, target);
  if (!edited.ok) throw new EditError(edited.problems);
  return edited.text;
}

function rulesOf(text: string, target: EditTarget): readonly PermissionRule[] {
  const { document, problems } = parsePolicy(text, target);
  if (document === null) throw new EditError(problems);
  return document.rules;
}

const CERTAIN: ReadonlySet<string> = new Set([
  'secrets/in-rule',
  'rules/unknown-tool',
  'rules/malformed',
  'rules/shadowed',
  'rules/contradiction',
]);

/**
 * Returns the lint findings in the file that the new rules cause. Only mistakes in a new rule itself are refused: a stricter rule
 * that makes an older one ineffective is only a warning, since it may be intended.
 */
export function findingsOf({ target, text, added }: PlannedEdit, tools: readonly string[]): RuleFindings {
  const layer = target.layer === 'local' ? 'local' : 'project';
  const file = (content: string) => ({
    files: [{ path: target.file, kind: { kind: 'policy', format: target.format, layer } as const, text: content, problem: null }],
    incomplete: [],
  });
  const known = new Set(lint(file(target.text ?? '')).findings.map(keyOf));
  const fresh = lint(file(text)).findings.filter((finding) => !known.has(keyOf(finding)) && !aboutDeclared(finding, tools));
  const sentences = (some: readonly Finding[]) => some.map(({ ruleId, message }) => `${message} (${ruleId})`);
  const lines = new Set(added.map(({ source }) => source.line));
  const isCertain = ({ ruleId, location }: Finding) => CERTAIN.has(ruleId) && lines.has(location.line);
  return {
    refused: sentences(fresh.filter(isCertain)),
    warnings: sentences(fresh.filter((finding) => !isCertain(finding) && finding.severity !== 'info')),
  };
}

/** Line numbers change, sentences do not. */
function keyOf({ ruleId, message }: Finding): string {
  return `${ruleId} ${message.replace(/\bline \d+/g, 'line')}`;
}

/** Whether a finding is about a tool that another layer declares, and that is therefore known. */
function aboutDeclared({ ruleId, message }: Finding, tools: readonly string[]): boolean {
  return ruleId === 'rules/unknown-tool' && tools.some((tool) => message.includes(`"${tool}"`));
}

/** Returns why a well-formed rule would have no effect; null if it has one. */
export function withoutEffect(rule: PermissionRule, { policy }: Workspace): string | null {
  if (rule.effect !== 'allow' || !policy.locked || !isTotalRule(rule)) return null;
  return `${rule.text} would be ignored: security.disable_bypass_permissions is set, so no rule may allow everything`;
}

export interface WrittenEdit extends PlannedEdit {
  /** False: the file is written, but its allow rules apply only after `policy trust`. */
  readonly trusted: boolean;
}

/**
 * Writes the rules into the current file, which is read again under a lock, so that no concurrent edit is lost. Trusts new allow
 * rules of a project's file. Throws WriteError, EditError and LockError; then nothing was changed. The state directory exists and
 * belongs to the user alone.
 */
export function writeEdit(request: RuleEditRequest): WrittenEdit {
  const { places } = request;
  // All files of a project share one record of trust, so they share one lock, too.
  const locked = request.layer === 'user' ? places.userDirectory : places.project;
  const name = createHash('sha256').update(locked).digest('hex').slice(0, 32);
  const locks = join(places.stateDirectory, 'locks');
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  return withLock(join(locks, `edit-${name}`), () => {
    const before = standingOf(places);
    const own = request.layer !== 'user';
    const grants = own && request.rules.some(({ effect }) => effect === 'allow');
    const refused = grants ? untrustedBecause(before) : null;
    if (refused !== null) throw new WriteError(refused);
    const plan = writePlanned(request);
    return { ...plan, trusted: !grants || plan.added.length === 0 || trustAdded(places, before, plan.added) };
  });
}

/** Editors do not take our lock: a file that is saved in between is read again, a few times. */
function writePlanned(request: RuleEditRequest): PlannedEdit {
  for (let attempt = 0; ; attempt++) {
    const plan = planEdit(request);
    if (plan.added.length === 0) return plan;
    try {
      replaceFile(plan.target.path, plan.target.text, plan.text, plan.target.mode);
      return plan;
    } catch (error) {
      if (!(error instanceof WriteError) || !error.changed || attempt >= 2) throw error;
    }
  }
}
