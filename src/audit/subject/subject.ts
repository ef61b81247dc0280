/** What an audit looks at: a project's policy and agents as they stand, and the hooks that its runner asks. */
import { resolve } from 'node:path';
import type { RunnerId } from '../../call/tool-call.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { readText } from '../../disk/read.js';
import { enforceDryForEach } from '../../enforce/enforce.js';
import type { InstallPlaces } from '../../install/target.js';
import type { FoundFiles } from '../../lint/files/read-files.js';
import type { Finding } from '../../lint/text/finding.js';
import { parsePolicy } from '../../policy/document.js';
import { formatOf } from '../../policy/read/located.js';
import type { SettingKey } from '../../policy/strictness.js';
import { digestOf } from '../../project/trust-record.js';
import type { Workspace } from '../../project/workspace.js';
import type { Runner } from '../../runner/hook/runner.js';
import { callAsRun } from '../../runner/runners.js';
import type { DoctorResult } from '../doctor/found/check.js';
import type { Client } from '../doctor/found/client.js';
import type { InstalledHooks } from '../hooks/installed-hooks.js';
import type { MachineFacts } from '../isolation/machine.js';
import type { EvidenceDraft, Examined, ExaminedClaim } from '../model/examined.js';
import type { Place, SettingEvidence } from '../model/report.js';
import type { PermissionTable } from '../model/table.js';
import type { DecisionLog } from '../model/types.js';
import type { LintedOwn } from '../own/lint.js';

/** A runner that is here, and the hooks in its settings. */
export interface AuditedRunner {
  readonly runner: Runner;
  /** The program on PATH. */
  readonly client: Client | null;
  /** A hook of this program is in its settings, whether it runs or not. */
  readonly isInstalled: boolean;
  readonly hooks: InstalledHooks;
}

export interface AuditSubject {
  readonly workspace: Workspace;
  /** Real path of the project. */
  readonly project: string;
  readonly runners: readonly AuditedRunner[];
  /** What the checks of `policy doctor` say that claims rest on. */
  readonly checks: readonly DoctorResult[];
  /** What lint says of every file of the project, comments in them unheeded. */
  readonly linted: LintedProject;
  /** What lint says of the person's own files that count in every project. */
  readonly own: LintedOwn;
  /** Who may do what without a question. */
  readonly permissions: PermissionTable;
  readonly places: InstallPlaces;
  /** What the machine says of itself: read when a control asks for it. */
  readonly machine: () => MachineFacts;
  /** What the decision log says of the project; null when it says nothing. */
  readonly log: DecisionLog | null;
  /** The folder of transcripts that the log is held against; null without one. */
  readonly transcripts: string | null;
  /** Where the decision log lies. */
  readonly stateDirectory: string;
  readonly probeState: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface LintedProject {
  readonly findings: readonly Finding[];
  readonly files: readonly { readonly file: string; readonly digest: string }[];
  /** Each a sentence about something that is there and was not read. */
  readonly unread: readonly string[];
  /** The files with their texts; null where no patches are wanted. */
  readonly found: FoundFiles | null;
}

export async function forEachRunner(
  { runners }: AuditSubject,
  claim: string,
  examine: (one: AuditedRunner) => Examined | Promise<Examined>,
): Promise<readonly ExaminedClaim[]> {
  const examined: ExaminedClaim[] = [];
  for (const one of runners) examined.push({ claim, runner: one.runner.id, found: await examine(one) });
  return examined;
}

export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Absent: the session itself. */
  readonly agent?: string;
}

/**
 * What the policy decides about a call in the project, for each of these callers in their order: the very decisions that the hook would
 * make, without a trace. Null is the session itself.
 */
export function decidedForEach(
  { workspace, project }: Pick<AuditSubject, 'workspace' | 'project'>,
  runner: RunnerId,
  call: Omit<AskedCall, 'agent'>,
  callers: readonly (string | null)[],
): readonly Decision[] {
  const made = callAsRun({ ...call, runner, cwd: project, headless: false, shell: 'union' });
  return enforceDryForEach(workspace, made, callers);
}

/** A setting of the composed policy with the line of the file that wrote it. */
export function settingEvidence(
  subject: AuditSubject,
  { key, value, supports, shows }: { key: SettingKey; value: unknown; supports: boolean; shows: string },
): EvidenceDraft<SettingEvidence> {
  const place = placeOfSetting(subject, key, (written) => written === value);
  return { kind: 'setting', key, value: String(value), place, supports, shows };
}

/** The nearest layer's line that wrote such a value; null when none did. */
export function placeOfSetting(
  { workspace, project }: AuditSubject,
  key: SettingKey,
  isIt: (value: unknown) => boolean,
): Place | null {
  let found: Place | null = null;
  for (const { file, layer } of workspace.policy.sources) {
    const read = readText(resolve(project, file));
    if (!read.ok) continue;
    const { document } = parsePolicy(read.text, { file, layer, format: formatOf(file) });
    const setting = document?.settings.find((one) => one.key === key && isIt(one.value));
    if (setting !== undefined) found = { file, line: setting.source.line, digest: digestOf(read.text) };
  }
  return found;
}
