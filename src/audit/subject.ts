/** What an audit looks at: a project's policy and agents as they stand, and the hooks that its runner asks. */
import { resolve } from 'node:path';
import type { Decision } from '../decide/decision.js';
import { enforceDry } from '../enforce/enforce.js';
import { readText } from '../enforce/files/read.js';
import type { InstallPlaces } from '../enforce/install/target.js';
import { digestOf } from '../enforce/project/trust-record.js';
import type { Workspace } from '../enforce/project/workspace.js';
import { parsePolicy } from '../policy/document.js';
import type { Format } from '../policy/read/located.js';
import type { SettingKey } from '../policy/strictness.js';
import type { Piece } from './examined.js';
import type { InstalledHooks } from './installed-hooks.js';
import type { Place, SettingEvidence } from './report.js';

export interface AuditSubject {
  readonly workspace: Workspace;
  /** Real path of the project. */
  readonly project: string;
  readonly hooks: InstalledHooks;
  readonly places: InstallPlaces;
}

export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agent: string;
}

/** What the policy decides about a call in the project: the very decision that the hook would make, without a trace. */
export function decided({ workspace, project }: AuditSubject, call: AskedCall): Decision {
  return enforceDry(workspace, { ...call, runner: 'claude-code', cwd: project, headless: false, shell: 'union' });
}

/** A setting of the composed policy with the line of the file that wrote it. */
export function settingEvidence(
  subject: AuditSubject,
  { key, value, supports, shows }: { key: SettingKey; value: unknown; supports: boolean; shows: string },
): Piece<SettingEvidence> {
  return { kind: 'setting', key, value: String(value), place: placeOf(subject, key, value), supports, shows };
}

/** The nearest layer's line that wrote this value; null when none did. */
function placeOf({ workspace, project }: AuditSubject, key: SettingKey, value: unknown): Place | null {
  let found: Place | null = null;
  for (const { file, layer } of workspace.policy.sources) {
    const read = readText(resolve(project, file));
    if (!read.ok) continue;
    const { document } = parsePolicy(read.text, { file, layer, format: formatOf(file) });
    const setting = document?.settings.find((one) => one.key === key && one.value === value);
    if (setting !== undefined) found = { file, line: setting.source.line, digest: digestOf(read.text) };
  }
  return found;
}

function formatOf(file: string): Format {
  if (file.endsWith('.json')) return 'json';
  return file.endsWith('.toml') ? 'toml' : 'yaml';
}
