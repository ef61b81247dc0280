import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const codexRefusedValue: LintRule = {
  id: 'codex/refused-value',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The configuration of Codex has a value with which newer versions do not start.',
    why: 'Codex 0.169 ends at once with approval_policy "untrusted"; people then start it without the configuration.',
    bad: '# .codex/config.toml\napproval_policy = "untrusted"\n',
    good: '# .codex/config.toml\napproval_policy = "on-request"\n',
    fix: 'Write on-request; what should be asked about can stand in .codex/rules.',
    source: 'developers.openai.com/codex: configuration reference, approval_policy',
    verifiedOn: 'Codex 0.169.0',
    runners: ['codex'],
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'codex-config').flatMap(check),
};

function check({ data }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return codexProfiles(data).flatMap(({ pointer }): Report[] => {
    if (data.at(`${pointer}/approval_policy`) !== 'untrusted') return [];
    const message = 'Codex 0.169 does not start with approval_policy "untrusted"; older versions did.';
    return [{ at: data.valueSpan(`${pointer}/approval_policy`), message }];
  });
}
