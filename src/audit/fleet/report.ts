/**
 * The results of an audit of many repositories: plain data (schemas/fleet-report.schema.json). Every string may contain a stranger's text.
 */
import type { Severity } from '../model/report.js';

/** A claim that does not hold in a repository. */
export interface FleetFinding {
  readonly control: string;
  readonly claim: string;
  readonly severity: Severity;
  readonly message: string;
  /** `file:line` of the first piece of evidence; null if it has no place. */
  readonly place: string | null;
}

/** One repository examined by its files alone: no hook is started. */
export interface ExaminedRepository {
  /** Its name in the list. */
  readonly repository: string;
  /** The commit that was read; null for a work tree, which is read in its current state. */
  readonly commit: string | null;
  readonly problem: null;
  readonly hasPolicy: boolean;
  readonly agents: number;
  /** The number of files that lint recognizes. */
  readonly files: number;
  /** The number of claims of the checklists that hold, and of all claims that could be examined. */
  readonly met: number;
  readonly claims: number;
  /** The worst first, at most 100. */
  readonly findings: readonly FleetFinding[];
}

/** A repository that could not be examined. */
export interface BrokenRepository {
  readonly repository: string;
  readonly problem: string;
}

export type RepositoryResult = ExaminedRepository | BrokenRepository;

/** All repositories, in the order of the list. */
export interface FleetReport {
  readonly version: 1;
  readonly tool: 'policy';
  readonly toolVersion: string;
  readonly generatedAt: string;
  readonly milliseconds: number;
  readonly repositories: readonly RepositoryResult[];
}
