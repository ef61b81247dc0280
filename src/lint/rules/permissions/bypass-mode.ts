import { shown } from '../../../policy/sentences.js';
import type { LintFile } from '../../files/files.js';
import type { ConfigKind } from '../../places/place.js';
import type { LintRule, Report } from '../../project/rule.js';

type Mode = readonly [pointer: string, values: readonly string[], does: string];

const ASKS_NOTHING = 'asks about nothing';
const MODES: Readonly<Record<'agent' | 'policy', readonly Mode[]>> = {
  agent: [
    ['/permissionMode', ['bypassPermissions'], ASKS_NOTHING],
    ['/permission_mode', ['allow'], ASKS_NOTHING],
    ['/policy/permission_mode', ['allow'], ASKS_NOTHING],
  ],
  policy: [
    ['/default', ['allow'], ASKS_NOTHING],
    ['/onAsk', ['allow'], ASKS_NOTHING],
    ['/tiers/dangerous', ['allow'], ASKS_NOTHING],
    ['/mode', ['observe'], 'blocks nothing'],
  ],
};
/** The settings of each runner that choose the mode of a session. Gemini CLI accepts yolo only on its command line. */
const SETTINGS_MODES: Partial<Readonly<Record<ConfigKind, readonly Mode[]>>> = {
  'claude-settings': [['/permissions/defaultMode', ['bypassPermissions'], 'starts every session without permission prompts']],
  'qwen-settings': [['/tools/approvalMode', ['yolo'], 'starts every session without permission prompts']],
  'agent-code-settings': [['/permissions/default_mode', ['allow'], ASKS_NOTHING]],
  'cursor-cli': [['/approvalMode', ['unrestricted'], 'starts every session without permission prompts']],
};

export const bypassMode: LintRule = {
  id: 'permissions/bypass-mode',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A definition, a policy or settings switch the questions off.',
    why: 'Under such a mode calls that no rule names run without anybody looking.',
    bad: '---\nname: fixer\ndescription: Fixes what fails.\npermissionMode: bypassPermissions\n---\n',
    good: '---\nname: fixer\ndescription: Fixes what fails.\n---\n',
    fix: 'Remove it, and allow by rules what should run without a question.',
  },
  check: ({ files }) => files.flatMap(check),
};

function check(file: LintFile): readonly Report[] {
  if (file.data === null) return [];
  const { data } = file;
  return modesOf(file).flatMap(([pointer, values, does]): Report[] => {
    const value = data.at(pointer);
    if (typeof value !== 'string' || !values.includes(value)) return [];
    const key = pointer.slice(pointer.lastIndexOf('/') + 1);
    // People use observe mode before they put a policy in force.
    const severity = value === 'observe' ? ({ severity: 'warning' } as const) : {};
    return [{ at: data.valueSpan(pointer), message: `${key}: ${shown(value)} ${does}.`, ...severity }];
  });
}

function modesOf(file: LintFile): readonly Mode[] {
  if (file.kind === 'agent' || file.kind === 'policy') return MODES[file.kind];
  return file.kind === 'config' ? (SETTINGS_MODES[file.config] ?? []) : [];
}
