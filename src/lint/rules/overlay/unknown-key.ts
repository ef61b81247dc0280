import { fromProblems, type LintRule } from '../../project/rule.js';

export const unknownPolicyKey: LintRule = {
  id: 'overlay/unknown-key',
  severity: 'error',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The map `policy:` of a definition has a key that means nothing.',
    why: 'A misspelt `denny` must not pass for a restriction, so the whole definition is not used.',
    bad: 'policy:\n  denny: [Bash(rm *)]\n',
    good: 'policy:\n  deny: [Bash(rm *)]\n',
    fix: 'Write one of the known keys: include_tools, exclude_tools, read_only, permission_mode, allow, deny, ask.',
  },
  check: fromProblems('overlay/unknown-key'),
};
