/** Types for importing rules from other tools' settings, with a sentence for each one that was not imported unchanged. */

import { parsePolicy } from '../../policy/document.js';
import { newPolicyText } from '../../policy/edit/rules.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { lint } from '../../runner/lint/linter.js';

/** A rule that our policy can express. */
export interface ImportedRule {
  readonly effect: Effect;
  readonly text: string;
}

/** The result for one entry of a settings file. */
export interface ImportNote {
  /** Its file and line: `.claude/settings.json:4`. */
  readonly place: string;
  /** The entry as written, shortened. */
  readonly entry: string;
  /** False: the entry was imported, but has another meaning here. */
  readonly left: boolean;
  readonly why: string;
}

export interface Imported {
  readonly rules: readonly ImportedRule[];
  readonly notes: readonly ImportNote[];
}

export const NOTHING_IMPORTED: Imported = { rules: [], notes: [] };

/** Maximum number of entries of one file that are read. */
export const MOST_ENTRIES = 1_000;

/** Joins several imports; a rule from several files occurs once. */
export function mergedImports(parts: readonly Imported[]): Imported {
  const rules = new Map<string, ImportedRule>();
  for (const rule of parts.flatMap((part) => part.rules)) rules.set(`${rule.effect} ${rule.text}`, rule);
  return { rules: [...rules.values()], notes: parts.flatMap((part) => part.notes) };
}

/**
 * Returns why a rule from another person's settings must not be imported into a policy; null if it may. An allow that lint
 * considers too wide is not imported from a file: a person who wants it has to write it.
 */
export function reasonNotToImport(rule: ImportedRule): string | null {
  const text = newPolicyText(rule, 'yaml');
  const { problems } = parsePolicy(text, { file: 'policy.yaml', format: 'yaml', layer: 'project' });
  const [problem] = problems;
  if (problem !== undefined) return problem.message;
  const kind = { kind: 'policy', format: 'yaml', layer: 'project' } as const;
  const { findings } = lint({ files: [{ path: 'policy.yaml', kind, text, problem: null }], incomplete: [] });
  const finding = findings.find(
    ({ severity, ruleId }) =>
      severity === 'error' || ruleId === 'rules/unknown-tool' || (rule.effect === 'allow' && ruleId.startsWith('permissions/')),
  );
  return finding === undefined ? null : finding.message;
}

export function shownEntry(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : (JSON.stringify(entry) ?? String(entry));
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
