/** The checklist that an audit works through: typed access to rules/controls. */
import { data } from '../../generated/data.js';
import type { BrokenPart } from '../hooks/installed-hooks.js';
import type { Priority, ProbeEvidence, Severity } from '../model/report.js';

/** One statement of a control, to be proved or refuted. */
export interface Claim {
  readonly id: string;
  readonly level: 'defined' | 'enforced';
  readonly statement: string;
  readonly severity: Severity;
  /** False: the control is treated as implemented without it; its mitigation is then the remaining work (default: true). */
  readonly required?: boolean;
  /** Set if it concerns the machine, so that the files of a repository alone prove nothing about it. */
  readonly scope?: 'machine';
  /** The message, and the remedy, when it does not hold. */
  /** `{runner}` in both stands for the claim's runner. */
  readonly gap: string;
  readonly mitigation: string;
  /** Ids of lint rules, or `GROUP/*`: a finding of any of them refutes the claim. */
  readonly lint?: readonly string[];
  /** Ids of checks of `policy doctor`: a problem of any of them refutes the claim, for each runner. */
  readonly doctor?: readonly string[];
  /** Ids of probes of the control: an unexpected answer to any of them refutes the claim, for each runner. */
  readonly probes?: readonly string[];
}

/**
 * A synthetic tool call in Claude Code's names. In its strings, `{project}` stands for the project's path, `{settings}` for the
 * project's file that names the runner's hook.
 */
export interface ProbeCall {
  readonly id: string;
  readonly expect: ProbeEvidence['expected'];
  readonly permissionMode?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string | boolean>>;
  /** The part that is broken while the hook is asked. */
  readonly broken?: BrokenPart;
}

export interface ChecklistControl {
  readonly id: string;
  readonly title: string;
  readonly risk: string;
  readonly row: number;
  readonly priority: Priority;
  readonly weight: number;
  /** The severity of a failure of the control, from 1 to 5. */
  readonly impact: number;
  readonly description: string;
  readonly claims: readonly Claim[];
  readonly needs: readonly string[];
  readonly probes?: readonly ProbeCall[];
}

export interface Checklist {
  readonly id: string;
  readonly title: string;
  readonly controls: readonly ChecklistControl[];
}

/** All checklists, in the order of a report that covers all of them. */
export const CHECKLISTS = ['risk-mitigation', 'agent-security'] as const;
export type ChecklistId = (typeof CHECKLISTS)[number];

/** Returns a checklist; a test checks each against schemas/control-checklist.schema.json. */
export function checklist(id: ChecklistId): Checklist {
  return data(`controls/${id}`) as Checklist;
}
