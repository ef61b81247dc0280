/** permissions/bypass-mode: a definition or policy switches the questions off. */
import { shown } from '../../../policy/sentences.js';
import type { LintFile } from '../../files.js';
import type { LintProject } from '../../project.js';
import type { LintRule, Report } from '../../rule.js';

/** Values that ask about nothing (error), and those that ask about less (warning); by pointer. */
const MODES: Readonly<Record<'agent' | 'policy', readonly (readonly [pointer: string, error: string[], warning: string[]])[]>> = {
  agent: [
    ['/permissionMode', ['bypassPermissions'], ['acceptEdits', 'auto']],
    ['/permission_mode', ['allow'], ['accept_edits', 'auto']],
    ['/policy/permission_mode', ['allow'], ['accept_edits', 'auto']],
  ],
  policy: [
    ['/default', ['allow'], ['accept_edits', 'auto']],
    ['/onAsk', ['allow'], []],
    ['/tiers/dangerous', ['allow'], []],
    ['/mode', [], ['observe']],
  ],
};

export const bypassMode: LintRule = {
  id: 'permissions/bypass-mode',
  severity: 'error',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'A definition or policy switches the questions off.',
    why: 'Under such a mode calls that no rule names run without anybody looking.',
    bad: '---\nname: fixer\ndescription: Fixes what fails.\npermissionMode: bypassPermissions\n---\n',
    good: '---\nname: fixer\ndescription: Fixes what fails.\n---\n',
    fix: 'Remove it, and allow by rules what should run without a question.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

function check(file: LintFile): readonly Report[] {
  if (file.kind === 'other' || file.data === null) return [];
  const { data } = file;
  return MODES[file.kind].flatMap(([pointer, errors, warnings]): Report[] => {
    const value = data.at(pointer);
    if (typeof value !== 'string' || !(errors.includes(value) || warnings.includes(value))) return [];
    const key = pointer.slice(pointer.lastIndexOf('/') + 1);
    const what =
      value === 'observe' ? 'blocks nothing' : errors.includes(value) ? 'asks about nothing' : 'lets edits pass unasked';
    return [
      {
        at: data.valueSpan(pointer),
        message: `${key}: ${shown(value)} ${what}.`,
        ...(errors.includes(value) ? {} : { severity: 'warning' }),
      },
    ];
  });
}
