/** The checklist that an audit works through: what rules/controls says, typed. */
import { data } from '../../generated/data.js';
import type { BrokenPart } from '../hooks/installed-hooks.js';
import type { Priority, ProbeEvidence, Severity } from '../model/report.js';

/** One statement of a control, still to be proved or refuted. */
export interface Claim {
  readonly id: string;
  readonly level: 'defined' | 'enforced';
  readonly statement: string;
  readonly severity: Severity;
  /** False: the control counts as implemented without it; its mitigation is what remains to be done then (default: true). */
  readonly required?: boolean;
  /** Set: it is about the machine, so that the files of a repository alone say nothing about it. */
  readonly scope?: 'machine';
  /** What to say, and what to do, when it does not hold. */
  /** `{runner}` in both stands for the runner that it is about. */
  readonly gap: string;
  readonly mitigation: string;
  /** Ids of lint rules, or `GROUP/*`: a finding of one refutes the claim. */
  readonly lint?: readonly string[];
  /** Ids of checks of `policy doctor`: a problem of one refutes the claim, for each runner. */
  readonly doctor?: readonly string[];
  /** Ids of probes of the control: an unexpected answer refutes the claim, for each runner. */
  readonly probes?: readonly string[];
}

/**
 * A synthetic tool call in Claude Code's names. In its texts `{project}` stands for the project's path, `{settings}` for the file of the
 * project that names the hook of the runner.
 */
export interface ProbeCall {
  readonly id: string;
  readonly expect: ProbeEvidence['expected'];
  readonly permissionMode?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string | boolean>>;
  /** What is broken while the hook is asked. */
  readonly broken?: BrokenPart;
}

export interface ChecklistControl {
  readonly id: string;
  readonly title: string;
  readonly risk: string;
  readonly row: number;
  readonly priority: Priority;
  readonly weight: number;
  /** How bad it is when the control fails, from 1 to 5. */
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

/** The checklists that there are, in the order in which a report that covers all of them goes through them. */
export const CHECKLISTS = ['risk-mitigation', 'agent-security'] as const;
export type ChecklistId = (typeof CHECKLISTS)[number];

/** A checklist; a test holds each against schemas/control-checklist.schema.json. */
export function checklist(id: ChecklistId): Checklist {
  return data(`controls/${id}`) as Checklist;
}
