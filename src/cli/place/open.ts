/** The flags that choose a policy, the same for every command, and the workspace that they open. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { RUNNERS } from '../../call/tool-call.js';
import { type Policy, type PolicyNote, type PolicyProblem, PRESETS } from '../../policy/policy.js';
import { type OpenedWorkspace, openWorkspace, type Workspace } from '../../project/workspace.js';
import { OBSERVE_MODE } from '../../report/printing/observe.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const POLICY = 'The policy:';
const OVERLAY_MODES = ['compose', 'replace'] as const;

export const POLICY_OPTIONS: Takes['options'] = {
  policy: { value: 'FILE', describe: 'Also read this policy file (YAML, JSON or TOML)', group: POLICY },
  preset: { choices: PRESETS, describe: 'Start from a preset', group: POLICY },
  'trust-project': { describe: "Trust the project's own policy for this command, including its allow rules", group: POLICY },
  'permissions-overlay': {
    value: 'FILE',
    describe: "Also apply an agent's permissions: a TOML file from `policy overlay write`",
    group: POLICY,
  },
  'overlay-mode': {
    value: 'MODE',
    choices: OVERLAY_MODES,
    default: 'compose',
    describe: "compose: the overlay only adds restrictions; replace: its rules replace the policy's",
    group: POLICY,
  },
  cwd: { value: 'DIR', default: 'here', describe: 'The directory in which the call is made', group: POLICY },
};

/**
 * The environment at the start of this process, since each access to `process.env` is a system call. Windows keeps the original,
 * which is case-insensitive.
 */
const ENVIRONMENT = process.platform === 'win32' ? process.env : Object.freeze({ ...process.env });

/** Opens the workspace that the flags name; in `cwd` if given. Returns problems as values, for callers that can continue. */
export function openAt(args: Arguments, withAgents: boolean, cwd?: string): OpenedWorkspace {
  const base = resolve(textFlag(args, 'cwd') ?? '.');
  const policyFile = textFlag(args, 'policy');
  const preset = choiceFlag(args, 'preset', PRESETS);
  const runner = choiceFlag(args, 'runner', RUNNERS);
  const overlay = textFlag(args, 'permissions-overlay');
  const mode = choiceFlag(args, 'overlay-mode', OVERLAY_MODES);
  if (mode !== undefined && overlay === undefined) throw new UsageError('--overlay-mode needs --permissions-overlay FILE');
  return openWorkspace({
    cwd: cwd === undefined ? base : resolve(base, cwd),
    home: homedir(),
    platform: process.platform,
    environment: ENVIRONMENT,
    withAgents,
    trustProject: switchFlag(args, 'trust-project'),
    ...(policyFile !== undefined && { policyFile: resolve(policyFile) }),
    ...(preset !== undefined && { preset }),
    ...(runner !== undefined && { runner }),
    ...(overlay !== undefined && { overlay: { file: resolve(overlay), mode: mode ?? 'compose' } }),
  });
}

/**
 * Opens the workspace that the flags name, and warns prominently if its policy only observes. Throws UsageError with every
 * mistake in its files, each with its place.
 */
export function open(args: Arguments, withAgents: boolean): Workspace {
  const workspace = openSilently(args, withAgents);
  tellMode(workspace.policy);
  return workspace;
}

/** Like `open`, for a command that explains the effect of observe mode itself. */
export function openSilently(args: Arguments, withAgents: boolean): Workspace {
  const opened = openAt(args, withAgents);
  if (!opened.ok) throw new UsageError(...opened.problems.map(problemLine));
  return opened.workspace;
}

/** Warns prominently if the policy here only observes, for commands that need no workspace. Mistakes in it are reported elsewhere. */
export function tellModeHere(args: Arguments): void {
  const opened = openAt(args, false);
  if (opened.ok) tellMode(opened.workspace.policy);
}

/** Prints one prominent line on stderr if nothing is blocked. */
export function tellMode({ mode }: Pick<Policy, 'mode'>): void {
  if (mode === 'observe') warn(OBSERVE_MODE);
}

/** Returns `file:line:column: sentence`; a message about a whole file or folder already names it. */
export function problemLine({ source, message }: PolicyProblem): string {
  if (message.startsWith(`${source.file} `)) return message;
  return `${source.file}:${source.line}:${source.column}: ${message}`;
}

/** Reports on stderr which parts of the policy were ignored; of several notes of one kind, only the first and the number of the others. */
export function tellNotes(notes: readonly PolicyNote[]): void {
  const kinds = new Map<string, PolicyNote[]>();
  for (const note of notes) kinds.set(note.code, [...(kinds.get(note.code) ?? []), note]);
  for (const [first, ...more] of kinds.values()) {
    if (first === undefined) continue;
    const place = first.source === undefined ? '' : `${first.source.file}:${first.source.line}:${first.source.column}: `;
    warn(`note: ${place}${first.message}${more.length === 0 ? '' : ` (and ${more.length} more of this kind)`}`);
  }
}
