/** The checklist that an audit works through: what rules/controls says, typed. */
import { data } from '../generated/data.js';
import type { Priority, Severity } from './report.js';

/** One statement of a control, still to be proved or refuted. */
export interface Claim {
  readonly id: string;
  readonly level: 'defined' | 'enforced';
  readonly statement: string;
  readonly severity: Severity;
  /** What to say, and what to do, when it does not hold. */
  readonly gap: string;
  readonly mitigation: string;
}

/** A synthetic tool call; `{project}` in its texts stands for the project's path. */
export interface ProbeCall {
  readonly id: string;
  readonly expect: 'blocked' | 'not blocked';
  readonly permissionMode?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, string | boolean>>;
}

export interface ChecklistControl {
  readonly id: string;
  readonly title: string;
  readonly risk: string;
  readonly row: number;
  readonly priority: Priority;
  readonly weight: number;
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

/** The risk and mitigation checklist; a test holds it against schemas/control-checklist.schema.json. */
export function riskMitigation(): Checklist {
  return data('controls/risk-mitigation') as Checklist;
}
