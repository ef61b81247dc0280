import { type Powers, powersOf } from '../../../lint/agents/powers.js';
import { claimsReadOnly } from '../../../lint/agents/read-only-claim.js';
import { listsNoTools } from '../../../lint/agents/unlisted.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { packageOf } from '../../../lint/places/file-kind.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';

export const divergentCopies: LintRule = {
  id: 'discovery/divergent-copies',
  severity: 'warning',
  confidence: 'medium',
  persona: 'reviewer',
  docs: {
    what: 'Copies of one agent for several runners may do different things.',
    why: 'The copy that only reads is the one that people know; under the other runner the same name changes files or runs commands.',
    bad: '# .claude/agents/reviewer.md\ntools: Read, Grep\n# .opencode/agents/reviewer.md\n(no restriction)\n',
    good: '# .claude/agents/reviewer.md\ntools: Read, Grep\n# .opencode/agents/reviewer.md\ntools: {write: false, edit: false, bash: false}\n',
    fix: 'Give the wider copy the same bounds, or say in its description why it may do more.',
  },
  check,
};

/** Compares only with a copy that is limited to reading: the reach of the others differs by runner. */
function check({ agents }: LintProject): readonly Report[] {
  const groups = new Map<string, AgentFile[]>();
  for (const agent of agents) {
    if (agent.data === null || agent.guessed || agent.definition.name === '') continue;
    const key = `${agent.definition.name} ${packageOf(agent.path)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [agent]);
    else group.push(agent);
  }
  return [...groups.values()].flatMap(reportGroup);
}

function reportGroup(group: readonly AgentFile[]): readonly Report[] {
  if (new Set(group.map(familyOf)).size < 2) return [];
  const copies = group.map((agent) => ({ agent, powers: powersOf(agent) }));
  const reader = copies.find(({ agent, powers }) => isSound(agent) && powers.bounded && !powers.writes && !powers.executes);
  if (reader === undefined) return [];
  const { file, line, column } = startOf(reader.agent);
  const related = [{ message: 'the copy that only reads', file, line, column }];
  return (
    copies
      .filter(({ agent, powers }) => familyOf(agent) !== familyOf(reader.agent) && (powers.writes || powers.executes))
      // A role of Codex cannot have the same bounds: codex/role-sandbox says so.
      .filter(({ agent }) => agent.format !== 'codex' && !hasOwnBounds(agent) && !isReportedAsAbsent(agent))
      .map(({ agent, powers }) => ({
        at: startOf(agent),
        message: `This copy of ${reader.agent.path}, which only reads, ${deedsOf(powers)}.`,
        related,
      }))
  );
}

/** Of a definition with an error its bounds are not known. */
function isSound({ format, data, problems }: AgentFile): boolean {
  const isList = format === 'opencode' && Array.isArray(data?.at('/tools'));
  return !isList && problems.every(({ severity }) => severity !== 'error');
}

function deedsOf({ writes, executes }: Powers): string {
  if (!writes) return 'may run commands';
  return executes ? 'may change files and run commands' : 'may change files';
}

/** True for limits that are not expressed as tools: a permission map, a mode, rules in the definition itself. */
function hasOwnBounds({ data, definition }: AgentFile): boolean {
  return definition.permissions !== null || ['permission', 'permissionMode'].some((key) => data?.keys.includes(key) === true);
}

/** Whether tools/absent reports the same missing list. */
function isReportedAsAbsent(agent: AgentFile): boolean {
  return agent.data !== null && listsNoTools(agent, agent.data) && claimsReadOnly(agent.definition);
}

function familyOf({ format }: AgentFile): string {
  return format.startsWith('codex') ? 'codex' : format;
}

function startOf({ data, source }: AgentFile) {
  return data?.keys.includes('name') ? data.valueSpan('/name') : source.lineSpan(1);
}
