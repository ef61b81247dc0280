import { toolOfEntry } from '../../../agent/tool-list.js';
import { describeTool } from '../../../call/catalogue.js';
import { shown } from '../../../policy/sentences.js';
import { claimsReadOnly } from '../../agents/read-only-claim.js';
import { reportTogether } from '../../agents/several.js';
import type { AgentFile } from '../../files/files.js';
import { listedTools } from '../../project/project.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

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

/** One finding per agent. A shell can be limited by rules, so on its own it is a note for auditors. */
function check(agent: AgentFile): readonly Report[] {
  if (!claimsReadOnly(agent.definition)) return [];
  const able = listedTools(agent).flatMap((item) => {
    const { access, known } = describeTool(toolOfEntry(item.text));
    return known && (access === 'write' || access === 'execute') ? [{ text: item.text, span: item.span, access }] : [];
  });
  const writing = able.filter(({ access }) => access === 'write');
  const report = reportTogether(
    writing.length > 0 ? writing : able,
    ({ text }) => `The description says that this agent changes nothing, and ${shown(text)} can.`,
    (_, list) => `The description says that this agent changes nothing, and these tools can: ${list}.`,
  );
  return report === null ? [] : [{ ...report, ...(writing.length === 0 && { severity: 'info', persona: 'auditor' }) }];
}
