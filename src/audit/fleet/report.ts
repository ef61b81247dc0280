/** What the audit of many repositories finds: plain data (schemas/fleet-report.schema.json). Every text may hold a stranger's. */
import type { Severity } from '../model/report.js';

/** Something that does not hold in a repository. */
export interface FleetFinding {
  readonly control: string;
  readonly claim: string;
  readonly severity: Severity;
  readonly message: string;
  /** `file:line` of the first piece of evidence; null where it has no place. */
  readonly place: string | null;
}

/** One repository by its files alone: no hook is started. */
export interface ExaminedRepository {
  /** As the list names it. */
  readonly repository: string;
  /** The commit that was read; null for a work tree, which is read as it stands. */
  readonly commit: string | null;
  readonly problem: null;
  readonly hasPolicy: boolean;
  readonly agents: number;
  /** Files that lint knows. */
  readonly files: number;
  /** Claims of the checklists that hold, and all that could be examined. */
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
