import type { AgentFile } from '../../../lint/files/files.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const roleSandbox: LintRule = {
  id: 'codex/role-sandbox',
  severity: 'info',
  persona: 'reviewer',
  docs: {
    what: 'A role of Codex sets a sandbox that Codex does not hold it to.',
    why: 'The sandbox of the session counts: a role with sandbox_mode = "read-only" wrote a file under codex exec 0.169. The hook of policy does hold such a role to reading.',
    bad: 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read."\nsandbox_mode = "read-only"\n',
    good: 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read."\n',
    fix: 'Start the session itself with the sandbox (codex --sandbox read-only), or install the hook of policy.',
  },
  check: forAgents(check, 'codex'),
};

const READ_ONLY: readonly (readonly [key: string, value: string])[] = [
  ['sandbox_mode', 'read-only'],
  ['default_permissions', ':read-only'],
];

/** Only if the role is to do less than others, since that is what somebody relies on. */
function check({ data }: AgentFile): readonly Report[] {
  if (data === null) return [];
  const [key, value] = READ_ONLY.find(([name, wanted]) => data.at(`/${name}`) === wanted) ?? [];
  if (key === undefined) return [];
  return [
    {
      at: data.keySpan(`/${key}`),
      message: `Codex does not hold a role to ${key} = ${shown(value)}; the session's sandbox counts.`,
    },
  ];
}
