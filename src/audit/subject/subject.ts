/** The subject of an audit: a project's policy and agents in their current state, and the hooks that its runner asks. */
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

/** An installed runner, and the hooks in its settings. */
export interface AuditedRunner {
  readonly runner: Runner;
  /** The runner's program on PATH. */
  readonly client: Client | null;
  /** Whether a hook of this program is in its settings, running or not. */
  readonly isInstalled: boolean;
  readonly hooks: InstalledHooks;
}

export interface AuditSubject {
  readonly workspace: Workspace;
  /** Real path of the project. */
  readonly project: string;
  readonly runners: readonly AuditedRunner[];
  /** The results of `policy doctor` checks on which claims rest. */
  readonly checks: readonly DoctorResult[];
  /** Lint's findings in every file of the project, regardless of comments that disable rules. */
  readonly linted: LintedProject;
  /** Lint's findings in the person's own files that apply in every project. */
  readonly own: LintedOwn;
  /** Who may do what without a prompt. */
  readonly permissions: PermissionTable;
  readonly places: InstallPlaces;
  /** The machine's own facts: read only when a control asks for them. */
  readonly machine: () => MachineFacts;
  /** The decision log's data about the project; null when there is none. */
  readonly log: DecisionLog | null;
  /** The folder of transcripts to compare with the log; null without one. */
  readonly transcripts: string | null;
  /** The place of the decision log. */
  readonly stateDirectory: string;
  readonly probeState: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface LintedProject {
  readonly findings: readonly Finding[];
  readonly files: readonly { readonly file: string; readonly digest: string }[];
  /** One sentence for each existing file that was not read. */
  readonly unread: readonly string[];
  /** The files with their texts; null if no patches are wanted. */
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
 * Returns the policy's decisions about a call in the project, for each of these callers in their order: exactly the decisions
 * that the hook would make, without a trace. Null is the session itself.
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

/** Returns a setting of the composed policy as evidence, with the line of the file that set it. */
export function settingEvidence(
  subject: AuditSubject,
  { key, value, supports, shows }: { key: SettingKey; value: unknown; supports: boolean; shows: string },
): EvidenceDraft<SettingEvidence> {
  const place = placeOfSetting(subject, key, (written) => written === value);
  return { kind: 'setting', key, value: String(value), place, supports, shows };
}

/** Returns the nearest layer's line that set such a value; null when no layer did. */
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
