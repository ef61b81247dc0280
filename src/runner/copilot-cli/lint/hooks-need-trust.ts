import { handlersOf } from '../../../lint/project/handlers.js';
import { forConfigs, type LintRule } from '../../../lint/project/rule.js';

export const copilotHooksNeedTrust: LintRule = {
  id: 'copilot/hooks-need-trust',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'Hooks in a repository, which Copilot CLI runs in trusted folders only.',
    why: 'In a folder that nobody trusted, as in most CI jobs, they do not run, and nothing says so: a guard there lets every call pass.',
    bad: '# .github/hooks/guard.json\n{ "version": 1, "hooks": { "preToolUse": [{ "type": "command", "bash": "./guard.sh" }] } }\n',
    good: '# .github/hooks/guard.json\n{ "version": 1, "hooks": {} }\n',
    fix: 'Start Copilot CLI with --trust-folder where the hooks have to hold, or keep them in the settings of the person.',
    source: 'docs.github.com: hooks of Copilot CLI',
    verifiedOn: 'Copilot CLI 1.0.102',
    runners: ['copilot-cli'],
  },
  check: forConfigs((file) => {
    const [first] = file.config === 'copilot-hooks' ? handlersOf(file) : [];
    if (first === undefined) return [];
    return [
      { at: first.data.keySpan('/hooks'), message: 'Copilot CLI runs these hooks only in a folder that the person trusts.' },
    ];
  }),
};
