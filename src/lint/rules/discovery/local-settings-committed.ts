import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const localSettingsCommitted: LintRule = {
  id: 'discovery/local-settings-committed',
  severity: 'warning',
  docs: {
    what: "git keeps a file that is one person's own.",
    why: 'What one person once said yes to then holds for everybody, ahead of the settings of the project; paths and keys of their machine go with it.',
    bad: '$ git ls-files .claude\n.claude/settings.local.json\n',
    good: '$ cat .gitignore\n.claude/settings.local.json\n',
    fix: 'Run git rm --cached for it, and name it in .gitignore.',
  },
  check: (project) => project.files.flatMap(({ path, source }) => (isLocal(path) ? check(path, source, project) : [])),
};

function isLocal(path: string): boolean {
  return /(?:^|\/)(?:\.claude\/settings|\.github\/copilot\/settings|\.agent\/settings|policy)\.local\.(?:json|toml|yaml)$/.test(
    path,
  );
}

function check(path: string, source: { lineSpan(line: number): Report['at'] }, { tracked }: LintProject): readonly Report[] {
  if (tracked(path) !== true) return [];
  return [{ at: source.lineSpan(1), message: `git keeps ${path}, which is meant for one person.` }];
}
