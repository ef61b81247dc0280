/** The words of importing: rules taken from other tools' settings, and a sentence for each that was not taken as it stands. */

import { parsePolicy } from '../../policy/document.js';
import { newPolicyText } from '../../policy/edit/rules.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { lint } from '../../runner/lint/linter.js';

/** A rule that our policy can hold. */
export interface ImportedRule {
  readonly effect: Effect;
  readonly text: string;
}

/** What became of one entry of a settings file. */
export interface ImportNote {
  /** File and line that it stands in: `.claude/settings.json:4`. */
  readonly place: string;
  /** The entry as written, cut. */
  readonly entry: string;
  /** False: the entry was taken over, but means something else here. */
  readonly left: boolean;
  readonly why: string;
}

export interface Imported {
  readonly rules: readonly ImportedRule[];
  readonly notes: readonly ImportNote[];
}

export const NOTHING_IMPORTED: Imported = { rules: [], notes: [] };

/** Entries of one file that are looked at. */
export const MOST_ENTRIES = 1_000;

/** Several imports as one; a rule that several files hold stands once. */
export function joined(parts: readonly Imported[]): Imported {
  const rules = new Map<string, ImportedRule>();
  for (const rule of parts.flatMap((part) => part.rules)) rules.set(`${rule.effect} ${rule.text}`, rule);
  return { rules: [...rules.values()], notes: parts.flatMap((part) => part.notes) };
}

/**
 * Why a rule cannot stand in a policy that somebody else's settings are read into; null when it can. An allow that lint calls
 * too wide is not taken from a file: whoever wants it writes it.
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
