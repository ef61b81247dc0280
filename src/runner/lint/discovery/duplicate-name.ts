import { fileStem, normalizeName } from '../../../agent/name.js';
import type { AgentFile } from '../../../lint/files/files.js';
import { packageOf } from '../../../lint/places/file-kind.js';
import type { LintProject } from '../../../lint/project/project.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const duplicateName: LintRule = {
  id: 'discovery/duplicate-name',
  severity: 'warning',
  docs: {
    what: 'Two definitions in one place have the same name.',
    why: 'Only one of them counts, and which one depends on the runner; policy judges their calls by what both allow.',
    bad: '# a.md and b.md\n---\nname: test-writer\n---\n',
    good: '# a.md\n---\nname: test-writer\n---\n# b.md\n---\nname: test-runner\n---\n',
    fix: 'Rename one of them, or remove it.',
  },
  check: check,
};

function check({ agents }: LintProject): readonly Report[] {
  const groups = new Map<string, AgentFile[]>();
  for (const agent of agents) {
    if (agent.data === null || agent.definition.name === '') continue;
    const family = agent.format.startsWith('codex') ? 'codex' : agent.format;
    const key = `${family} ${agent.definition.name} ${packageOf(agent.path)}`;
    groups.set(key, [...(groups.get(key) ?? []), agent]);
  }
  return [...groups.values()].flatMap(reportGroup);
}

/** Keeps the file that is named after the agent and reports each of the others. */
function reportGroup(group: readonly AgentFile[]): Report[] {
  const first = group.find(({ path, definition }) => normalizeName(fileStem(path)) === definition.name) ?? group[0];
  if (first === undefined || group.length < 2) return [];
  const related = [{ message: 'the other definition of this name', ...startOf(first) }];
  return group
    .filter((agent) => agent !== first)
    .map((agent) => ({
      at: agent.data?.valueSpan('/name') ?? agent.source.lineSpan(1),
      message: `${shown(agent.definition.rawName)} is also the name of ${first.path}${agent.format === first.format ? '' : ' (in another format)'}.`,
      related,
    }));
}

function startOf(agent: AgentFile): { readonly file: string; readonly line: number; readonly column: number } {
  const { file, line, column } = agent.data?.valueSpan('/name') ?? agent.source.lineSpan(1);
  return { file, line, column };
}
