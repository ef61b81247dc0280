/** tools/read-only-claim: a description says that the agent changes nothing, and its tools can. */

import { toolOfEntry } from '../../../agent/tool-list.js';
import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files.js';
import { listedTools } from '../../project.js';
import { claimsReadOnly } from '../../read-only-claim.js';
import { forAgents, type LintRule, type Report } from '../../rule.js';

export const readOnlyClaim: LintRule = {
  id: 'tools/read-only-claim',
  severity: 'warning',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'A description says that the agent changes nothing, and its tools can.',
    why: 'People trust the description when they let an agent run; only the tools hold.',
    bad: '---\nname: reviewer\ndescription: Read-only reviewer.\ntools: Read, Write\n---\n',
    good: '---\nname: reviewer\ndescription: Read-only reviewer.\ntools: Read\n---\n',
    fix: 'Remove the tool, or say in the description what the agent may change.',
  },
  check: forAgents(check),
};

/** A shell can be limited by rules, so it is only pointed out. */
function check(agent: AgentFile): readonly Report[] {
  if (!claimsReadOnly(agent.definition)) return [];
  return listedTools(agent).flatMap(({ text, span }) => {
    const { access, known } = describeTool(toolOfEntry(text));
    if (!known || (access !== 'write' && access !== 'execute')) return [];
    const message = `The description says that this agent changes nothing, and ${shown(text)} can.`;
    return [{ at: span, message, ...(access === 'execute' ? { severity: 'info' as const } : {}) }];
  });
}
