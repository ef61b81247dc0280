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

/** The flags. */
export const POLICY_OPTIONS: Takes['options'] = {
  policy: { value: 'FILE', describe: 'Also read this policy file (YAML, JSON or TOML)', group: POLICY },
  preset: { choices: PRESETS, describe: 'Start from a preset', group: POLICY },
  'trust-project': { describe: "Trust the project's own policy for this command, its allow rules included", group: POLICY },
  'permissions-overlay': {
    value: 'FILE',
    describe: "Judge under an agent's permissions too: a TOML file from `policy overlay write`",
    group: POLICY,
  },
  'overlay-mode': {
    value: 'MODE',
    choices: OVERLAY_MODES,
    default: 'compose',
    describe: 'compose: the overlay only adds restrictions; replace: its rules replace those of the policy',
    group: POLICY,
  },
  cwd: { value: 'DIR', default: 'here', describe: 'The directory in which the call is made', group: POLICY },
};

/** As this process was started with it: each look into `process.env` is a call of the system. On Windows only that knows names in any case. */
const ENVIRONMENT = process.platform === 'win32' ? process.env : Object.freeze({ ...process.env });

/** Opens the workspace that the flags name; in `cwd` when it is given. Problems are values, for a caller that can go on. */
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
 * Opens the workspace that the flags name, and says loudly when its policy only observes. Throws UsageError with every mistake
 * in its files, each with its place.
 */
export function open(args: Arguments, withAgents: boolean): Workspace {
  const workspace = openSilently(args, withAgents);
  tellMode(workspace.policy);
  return workspace;
}

/** `open`, for a command that says by itself what observe mode means for it. */
export function openSilently(args: Arguments, withAgents: boolean): Workspace {
  const opened = openAt(args, withAgents);
  if (!opened.ok) throw new UsageError(...opened.problems.map(problemLine));
  return opened.workspace;
}

/** For commands that need no workspace: says loudly when the policy here only observes. Mistakes in it are told elsewhere. */
export function tellModeHere(args: Arguments): void {
  const opened = openAt(args, false);
  if (opened.ok) tellMode(opened.workspace.policy);
}

/** One loud line on stderr when nothing is blocked. */
export function tellMode({ mode }: Pick<Policy, 'mode'>): void {
  if (mode === 'observe') warn(OBSERVE_MODE);
}

/** `file:line:column: sentence`; what is said of a whole file or folder names it already. */
export function problemLine({ source, message }: PolicyProblem): string {
  if (message.startsWith(`${source.file} `)) return message;
  return `${source.file}:${source.line}:${source.column}: ${message}`;
}

/** Tells on stderr what of the policy was left out; of many notes of one kind the first and how many more there are. */
export function tellNotes(notes: readonly PolicyNote[]): void {
  const kinds = new Map<string, PolicyNote[]>();
  for (const note of notes) kinds.set(note.code, [...(kinds.get(note.code) ?? []), note]);
  for (const [first, ...more] of kinds.values()) {
    if (first === undefined) continue;
    const place = first.source === undefined ? '' : `${first.source.file}:${first.source.line}:${first.source.column}: `;
    warn(`note: ${place}${first.message}${more.length === 0 ? '' : ` (and ${more.length} more of this kind)`}`);
  }
}
