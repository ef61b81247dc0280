import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const approvalNever: LintRule = {
  id: 'codex/approval-never',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'The configuration of Codex switches approvals off.',
    why: 'Whatever the sandbox lets through runs without a question, for everybody who works in the project.',
    bad: '# .codex/config.toml\napproval_policy = "never"\n',
    good: '# .codex/config.toml\napproval_policy = "on-request"\n',
    fix: 'Write on-request, and leave "never" to the command line of a job that needs it.',
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'codex-config').flatMap(check),
};

function check({ data, path }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return codexProfiles(data, path).flatMap(({ pointer, name }): Report[] => {
    if (data.at(`${pointer}/approval_policy`) !== 'never') return [];
    // Reported once, by codex/danger-full-access.
    if (data.at(`${pointer}/sandbox_mode`) === 'danger-full-access') return [];
    const who = name === null ? 'Codex' : `The profile ${name}`;
    return [{ at: data.valueSpan(`${pointer}/approval_policy`), message: `${who} asks for no approval.` }];
  });
}
