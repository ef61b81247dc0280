import type { AgentFile, PolicyFile } from '../../../lint/files/files.js';
import type { LintProject } from '../../../lint/project/project.js';
import { forPolicies, type LintRule, type Report } from '../../../lint/project/rule.js';
import { isPresetName } from '../../../policy/presets.js';
import { mapPreset } from '../../codex/profile.js';

export const unsandboxed: LintRule = {
  id: 'preset/unsandboxed',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'The preset of a policy starts Codex without a sandbox.',
    why: 'The original mapping of safe and all is danger-full-access: the sandbox is off, and only rules are left. Of safe only a repository with Codex agents is told, since it matters only there.',
    bad: 'preset: all\n',
    good: 'preset: inspect\n',
    fix: 'Isolate the sessions yourself, or start them as `policy preset map NAME --sandboxed` says.',
  },
  check: forPolicies(check),
};

/** Preset all additionally allows every shell command, in every runner. */
function check({ data }: PolicyFile, project: LintProject): readonly Report[] {
  const preset = data?.at('/preset');
  if (data === null || typeof preset !== 'string' || !isPresetName(preset)) return [];
  const at = data.valueSpan('/preset');
  if (preset === 'all')
    return [{ at, message: 'preset: all allows every command, in Codex without a sandbox.', severity: 'warning' }];
  if (mapPreset(preset).warnings.length === 0 || !project.agents.some(isOfCodex)) return [];
  return [{ at, message: `preset: ${preset} starts Codex without a sandbox.` }];
}

function isOfCodex({ definition: { dialect, runner } }: AgentFile): boolean {
  return runner === 'codex' || dialect === 'codex-markdown' || dialect === 'codex-yaml';
}
