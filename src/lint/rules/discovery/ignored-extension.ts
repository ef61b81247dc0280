/** discovery/ignored-extension: a file in a folder of agents has an ending that its runner does not read. */
import type { LintProject } from '../../project.js';
import type { LintRule, Report } from '../../rule.js';

export const ignoredExtension: LintRule = {
  id: 'discovery/ignored-extension',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A file in a folder of agents has an ending that its runner does not read.',
    why: 'The agent does not exist for the runner, without a message.',
    bad: '.claude/agents/reviewer.MD',
    good: '.claude/agents/reviewer.md',
    fix: 'Rename the file to an ending that is read, or move it out of the folder.',
  },
  check: check,
};

function check({ files }: LintProject): readonly Report[] {
  return files.flatMap((file) => {
    if (file.kind !== 'other' || file.stray === null) return [];
    const { runner, endings } = file.stray;
    return [{ at: file.source.lineSpan(1), message: `This file is not read as an agent: ${runner} reads ${endings} here.` }];
  });
}
