/** What a preset means for a Codex session: sandbox, approvals, arguments; and where each field of it came from. */
import type { RunnerId } from '../../call/tool-call.js';
import type { PresetName } from '../../policy/policy.js';

/** The runner of these sessions. */
export const PROFILED = 'codex' as const satisfies RunnerId;

export const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type Sandbox = (typeof SANDBOXES)[number];

export interface ProfileWarning {
  readonly code: 'preset/unsandboxed';
  readonly message: string;
}

/** The permission profile of a session. */
export interface Profile {
  readonly sandbox: Sandbox;
  readonly approvalPolicy: 'never' | 'on-request' | 'untrusted';
  /** Always false: exec mode runs without questions by itself. */
  readonly fullAuto: false;
  readonly behaviour: string;
  readonly warnings: readonly ProfileWarning[];
}

const BEHAVIOUR: Readonly<Record<PresetName, string>> = {
  readOnly: 'Inspection only: no write, edit or shell tools; any write or network request fails at once.',
  inspect: 'Inspection only, with shell commands that provably only read the project.',
  safe: 'Edits files and runs selected git and gh commands. A Codex session with this preset cannot ask, so there a question is a denial.',
  develop: 'As safe, and builds, tests, checks, formats and runs the project with its own code.',
  all: 'Full automation with unrestricted shell; only for repositories that a person trusts.',
};

const UNSANDBOXED: ProfileWarning = {
  code: 'preset/unsandboxed',
  message:
    'This preset starts Codex without a sandbox (danger-full-access), as the original mapping does; isolate the session yourself, or map it with --sandboxed to get workspace-write.',
};

/** The profile of a preset. `sandboxed` asks for workspace-write where the original mapping switches the sandbox off. */
export function mapPreset(name: PresetName, options: { readonly sandboxed?: boolean } = {}): Profile {
  const base = { approvalPolicy: 'never', fullAuto: false, behaviour: BEHAVIOUR[name] } as const;
  if (name === 'readOnly' || name === 'inspect') return { ...base, sandbox: 'read-only', warnings: [] };
  if (options.sandboxed === true) return { ...base, sandbox: 'workspace-write', warnings: [] };
  return { ...base, sandbox: 'danger-full-access', warnings: [UNSANDBOXED] };
}

/**
 * The arguments after `codex` for a session: approvals go through `-c`, since `codex exec` has no flag for
 * them. Never `--full-auto` and never `--dangerously-bypass-approvals-and-sandbox`.
 */
export function codexArguments(profile: Pick<Profile, 'sandbox' | 'approvalPolicy'>): string[] {
  return ['exec', '--json', '--sandbox', profile.sandbox, '-c', `approval_policy=${profile.approvalPolicy}`];
}

/** The fields of a profile that settings may fill, one by one. */
export interface ProfileFields {
  readonly sandbox?: Sandbox;
  readonly approvalPolicy?: Profile['approvalPolicy'];
  readonly model?: string;
}

/** Where a field may come from, strongest first. */
export const PROFILE_SOURCES = ['explicit', 'derived', 'repoDefaults', 'globalDefaults'] as const;
export type ProfileSource = (typeof PROFILE_SOURCES)[number];

/** Each field with its source; a field that nothing fills is absent. */
export type ResolvedProfile = {
  readonly [Field in keyof ProfileFields]: { readonly value: NonNullable<ProfileFields[Field]>; readonly source: ProfileSource };
};

/**
 * Fills a profile field by field: explicit overrides, then what the preset derives, then the repository's, then the global
 * defaults; a stronger source fills only what it names.
 */
export function resolvePreset(sources: Readonly<Partial<Record<ProfileSource, ProfileFields>>>): ResolvedProfile {
  return {
    ...filled('sandbox', sources),
    ...filled('approvalPolicy', sources),
    ...filled('model', sources),
  };
}

function filled<Field extends keyof ProfileFields>(
  field: Field,
  sources: Readonly<Partial<Record<ProfileSource, ProfileFields>>>,
) {
  for (const source of PROFILE_SOURCES) {
    const value = sources[source]?.[field];
    if (value !== undefined) return { [field]: { value, source } };
  }
  return {};
}

/** What starts a Codex session; `env` is handed on and never printed. */
export interface CodexRunnerConfig {
  readonly type: typeof PROFILED;
  readonly cwd: string;
  readonly prompt: string;
  readonly model: string | null;
  readonly sandbox: Sandbox;
  readonly approvalPolicy: Profile['approvalPolicy'];
  readonly fullAuto: false;
  readonly resumeSessionId?: string;
}

/** The runner configuration of a session, without its environment: safe to print. */
export function codexRunnerConfig(
  profile: Pick<Profile, 'sandbox' | 'approvalPolicy'>,
  session: { readonly cwd: string; readonly prompt: string; readonly model?: string; readonly resumeSessionId?: string },
): CodexRunnerConfig {
  return {
    type: PROFILED,
    cwd: session.cwd,
    prompt: session.prompt,
    model: session.model ?? null,
    sandbox: profile.sandbox,
    approvalPolicy: profile.approvalPolicy,
    fullAuto: false,
    ...(session.resumeSessionId === undefined ? {} : { resumeSessionId: session.resumeSessionId }),
  };
}
