/** The options of `policy audit`, and the place in which it works. */
import type { RunnerId } from '../../call/tool-call.js';
import type { OwnPrograms } from '../../install/own-hook.js';
import type { FoundFiles } from '../../lint/files/read-files.js';
import type { Workspace } from '../../project/workspace.js';
import type { ChecklistId } from './checklist.js';

export interface AuditOptions {
  /** The policy with its agents, opened in the project. */
  readonly workspace: Workspace;
  readonly checklists: readonly ChecklistId[];
  /** Only these runners; empty: all that are installed. */
  readonly runners: readonly RunnerId[];
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stateDirectory: string;
  /** A folder of Claude Code's transcripts; if absent, no transcript is read. */
  readonly transcripts?: string;
  /** Settings files that Claude Code is started with (`--settings`). */
  readonly settings: readonly string[];
  readonly managedDirectory?: string;
  /** Prefix for places of the machine; empty except in tests. */
  readonly machine?: string;
  /** Our own programs; null when their installation is incomplete. */
  readonly own: OwnPrograms | null;
  /** False: no hook is started, so that `enforced` claims stay unproven. */
  readonly probes: boolean;
  /** True if a person said that hooks which are not ours may be started. */
  readonly runHooks: boolean;
  /** The maximum number of milliseconds for a probe, whatever the settings allow. */
  readonly patience?: number;
  /** The files of the project that lint reads, if they were already found; otherwise they are searched for. */
  readonly found?: FoundFiles;
  /** False: no claim gets a patch. */
  readonly patches?: boolean;
  readonly toolVersion: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with a description of each step. */
  readonly tick?: (what: string) => void;
}
