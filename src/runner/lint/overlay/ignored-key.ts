import { POLICY_KEYS } from '../../../agent/policy-keys.js';
import type { AgentFile, FileProblem } from '../../../lint/files/files.js';
import { forAgents, fromProblems, type LintRule, type Report } from '../../../lint/project/rule.js';
import { misspeltTools } from '../../../lint/text/tool-keys.js';
import { shown } from '../../../policy/sentences.js';

/** Keys that only other formats read. */
const FOREIGN: Readonly<Partial<Record<AgentFile['format'], readonly string[]>>> = {
  'claude-code': [...POLICY_KEYS, 'permissions', 'permission', 'sandbox_mode', 'approval_policy', 'policies'],
  'codex-markdown': [...POLICY_KEYS, 'disallowedTools', 'permissionMode', 'permissions', 'sandbox_mode', 'approval_policy'],
  'codex-yaml': [...POLICY_KEYS, 'disallowedTools', 'permissionMode', 'permissions', 'sandbox_mode', 'approval_policy'],
  'agent-code': ['disallowedTools', 'permissionMode', 'permissions', 'sandbox_mode', 'approval_policy', 'policies'],
};

export const ignoredKey: LintRule = {
  id: 'overlay/ignored-key',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'A permission key stands where the runner of this format does not read it.',
    why: 'A restriction that is not read restricts nothing, and looks as if it did.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Bash\ndeny: [Bash(rm *)]\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Bash\npolicy:\n  deny: [Bash(rm *)]\n---\n',
    fix: 'Move the key into the map policy:, which policy enforces for every format, or into the policy file.',
  },
  check: (project) => [...fromProblems('overlay/ignored-key', adviceFor)(project), ...forAgents(check)(project)],
};

/** The map policy: has no scope either. */
function adviceFor({ code }: FileProblem): Partial<Report> {
  return code === 'agent/scope-ignored' ? { help: 'Remove the key, or move the file.' } : {};
}

/** An ignored restriction is an error; an ignored allow only disappoints. */
function check({ format, data }: AgentFile): readonly Report[] {
  if (data === null) return [];
  return data.keys
    .filter((key) => (FOREIGN[format] ?? []).includes(key) && misspeltTools(format, key) === null)
    .map((key) => ({
      at: data.keySpan(`/${key}`),
      message: `${shown(key)} is not read in this format.`,
      ...(RESTRICTING.has(key) ? { severity: 'error' as const } : {}),
    }));
}

const RESTRICTING = new Set(['deny', 'ask', 'read_only', 'exclude_tools', 'disallowedTools']);
