/** What `policy audit` is told about the place it works in. */
import type { RunnerId } from '../../call/tool-call.js';
import type { OwnPrograms } from '../../install/own-hook.js';
import type { FoundFiles } from '../../lint/files/read-files.js';
import type { Workspace } from '../../project/workspace.js';
import type { ChecklistId } from './checklist.js';

export interface AuditOptions {
  /** The policy with its agents, open in the project. */
  readonly workspace: Workspace;
  readonly checklists: readonly ChecklistId[];
  /** Only these; empty: all that are here. */
  readonly runners: readonly RunnerId[];
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stateDirectory: string;
  /** A folder of Claude Code's transcripts; without it none is read. */
  readonly transcripts?: string;
  /** Settings files that Claude Code is started with (`--settings`). */
  readonly settings: readonly string[];
  readonly managedDirectory?: string;
  /** Put before places of the machine; empty but for tests. */
  readonly machine?: string;
  /** Which programs are ours; null when they are not installed whole. */
  readonly own: OwnPrograms | null;
  /** False: no hook is started, so that what is enforced stays unproven. */
  readonly probes: boolean;
  /** A person said that hooks which are not ours may be started. */
  readonly runHooks: boolean;
  /** Milliseconds that a probe may take, whatever the settings say. */
  readonly patience?: number;
  /** The files of the project that lint reads, when they were found before; otherwise they are looked for. */
  readonly found?: FoundFiles;
  /** False: no claim gets a patch. */
  readonly patches?: boolean;
  readonly toolVersion: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told what is being done. */
  readonly tick?: (what: string) => void;
}
