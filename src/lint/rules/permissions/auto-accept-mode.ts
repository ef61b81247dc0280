import { shown } from '../../../policy/sentences.js';
import type { LintFile } from '../../files/files.js';
import type { ConfigKind } from '../../places/place.js';
import type { LintRule, Report } from '../../project/rule.js';

type Mode = readonly [pointer: string, values: readonly string[]];

const AGENT_MODES: readonly Mode[] = [
  ['/permissionMode', ['acceptEdits', 'auto']],
  ['/permission_mode', ['accept_edits', 'auto']],
  ['/policy/permission_mode', ['accept_edits', 'auto']],
];
const POLICY_MODES: readonly Mode[] = [['/default', ['accept_edits', 'auto']]];
/** The settings of each runner that choose the mode of a session. */
const SETTINGS_MODES: Partial<Readonly<Record<ConfigKind, readonly Mode[]>>> = {
  'claude-settings': [['/permissions/defaultMode', ['acceptEdits', 'auto']]],
  'gemini-settings': [['/general/defaultApprovalMode', ['auto_edit']]],
  'qwen-settings': [['/tools/approvalMode', ['auto-edit', 'auto_edit', 'auto']]],
  'agent-code-settings': [['/permissions/default_mode', ['accept_edits', 'auto']]],
};

export const autoAcceptMode: LintRule = {
  id: 'permissions/auto-accept-mode',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A mode lets edits pass without a question.',
    why: 'A file that is written unseen may be one that runs next: a script, a test, a configuration.',
    bad: '---\nname: fixer\ndescription: Fixes what fails.\npermissionMode: acceptEdits\n---\n',
    good: '---\nname: fixer\ndescription: Fixes what fails.\n---\n',
    fix: 'Leave the mode to the person, and allow by rules what should run without a question.',
  },
  check: ({ files }) => files.flatMap(check),
};

function check(file: LintFile): readonly Report[] {
  if (file.data === null) return [];
  const { data } = file;
  const modes = file.kind === 'agent' ? AGENT_MODES : file.kind === 'policy' ? POLICY_MODES : settingsModes(file);
  return modes.flatMap(([pointer, values]) => {
    const value = data.at(pointer);
    if (typeof value !== 'string' || !values.includes(value)) return [];
    const key = pointer.slice(pointer.lastIndexOf('/') + 1);
    const message = `${key}: ${shown(value)} lets edits pass unasked.`;
    // A person sees the mode of the session, and can leave it; nobody sees an agent's mode.
    return [{ at: data.valueSpan(pointer), message, ...(file.kind === 'config' && { severity: 'info' as const }) }];
  });
}

function settingsModes(file: LintFile): readonly Mode[] {
  return file.kind === 'config' ? (SETTINGS_MODES[file.config] ?? []) : [];
}
