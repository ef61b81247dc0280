import { toolOfEntry } from '../../../agent/tool-list.js';
import { describeTool } from '../../../call/catalogue.js';
import { type PromisedTool, promisedTools } from '../../../lint/agents/promised-tools.js';
import { reportTogether } from '../../../lint/agents/several.js';
import { hasNoToolLeft } from '../../../lint/agents/tool-entries.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { excludedTools, type LintProject, listedTools } from '../../../lint/project/project.js';
import { forAgents, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';
import { toolsCovered } from '../../../rule/pattern/tool-coverage.js';

export const ungrantedTool: LintRule = {
  id: 'prompt/ungranted-tool',
  severity: 'warning',
  docs: {
    what: 'The text of an agent says that it uses a tool that it does not have.',
    why: 'A tool that is only described in the prompt cannot be called: the agent makes its results up, or fails. A mention that may mean something else is told to auditors only.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\n---\nUse the Bash tool to run the tests.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Bash\n---\nUse the Bash tool to run the tests.\n',
    fix: 'Add the tool to the list, or take the sentence out of the text.',
    source: 'the original document on MCP tools for subagents of Codex; code.claude.com/docs: subagents, available tools',
    verifiedOn: 'Claude Code 2.1.197 and 2.1.329: a tool that is not listed is not offered to the agent',
    runners: ['claude-code', 'codex'],
  },
  check: forAgents(check),
};

/**
 * Reports the certain cases in one finding or, if there are none, the uncertain ones. Lists that grant no tool at all are left
 * to another rule.
 */
function check(agent: AgentFile, project: LintProject): readonly Report[] {
  const granted = listedTools(agent).map(({ text }) => toolOfEntry(text));
  if (granted.length === 0 || granted.includes('*') || hasNoToolLeft(agent, project)) return [];
  const excluded = excludedTools(agent).map(({ text }) => toolOfEntry(text));
  const lacks = lackedWith(granted, excluded);
  const missing = promisedTools(agent, lacks).filter(({ text }) => lacks(text));
  const sure = missing.filter((one) => one.sure);
  const report = together(sure.length > 0 ? sure : missing);
  if (report === null) return [];
  return [{ ...report, ...(sure.length === 0 && { severity: 'info', confidence: 'low', persona: 'auditor' }) }];
}

function together(missing: readonly PromisedTool[]): Report | null {
  return reportTogether(
    missing,
    ({ text }) => `The text says that the agent uses ${shown(text)}, and its tools do not include it.`,
    (_, list) => `The text says that the agent uses these, and its tools do not include them: ${list}.`,
  );
}

/**
 * Returns a function that tells whether an agent with these lists lacks a tool. Many agents of a project have the same lists,
 * so the answers for the most recent lists are kept.
 */
function lackedWith(granted: readonly string[], excluded: readonly string[]): (tool: string) => boolean {
  const lists = `${granted.join('\n')}\n\n${excluded.join('\n')}`;
  if (lastAnswers.lists !== lists) lastAnswers = { lists, answers: new Map() };
  const { answers } = lastAnswers;
  return (tool) => {
    const known = answers.get(tool);
    if (known !== undefined) return known;
    const lacks = !reaches(granted, tool) || reaches(excluded, tool);
    answers.set(tool, lacks);
    return lacks;
  };
}

let lastAnswers: { readonly lists: string; readonly answers: Map<string, boolean> } = { lists: '', answers: new Map() };

function reaches(entries: readonly string[], tool: string): boolean {
  const { canonical } = describeTool(tool);
  return entries.some((entry) => toolsCovered(entry, 'allow')(canonical));
}
