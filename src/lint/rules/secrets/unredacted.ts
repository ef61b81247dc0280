import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

export const secretsUnredacted: LintRule = {
  id: 'secrets/unredacted',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A codex YAML definition switches the redaction of secrets off.',
    why: 'Secrets that the agent sees then stand in its transcripts and reports.',
    bad: 'policies:\n  secrets:\n    redact: false\n',
    good: 'policies:\n  secrets:\n    redact: true\n',
    fix: 'Write redact: true.',
  },
  check: forAgents(check, 'codex-yaml'),
};

function check({ data }: AgentFile): readonly Report[] {
  if (data?.at('/policies/secrets/redact') !== false) return [];
  return [{ at: data.keySpan('/policies/secrets/redact'), message: 'Secrets are not redacted.' }];
}
