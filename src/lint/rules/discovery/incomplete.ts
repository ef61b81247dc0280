import { type LintProject, listedTools, MOST_TOOLS } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';
import { MOST_COMPARED } from '../../project/rule-coverage.js';
import { SourceText } from '../../text/source-text.js';

export const incompleteSearch: LintRule = {
  id: 'discovery/incomplete',
  severity: 'warning',
  docs: {
    what: 'A part of the project was not searched.',
    why: 'What was not searched may hold unchecked definitions.',
    bad: 'more than 10,000 definitions, or folders deeper than 20',
    good: 'a project of usual size',
    fix: 'Lint the folders one by one: policy lint FOLDER.',
  },
  check: check,
};

function check({ incomplete: places, files, agents }: LintProject): readonly Report[] {
  const unsearched = places.map(({ path, message }) => ({
    at: new SourceText(path === '' ? '.' : path, '').lineSpan(1),
    message,
  }));
  const uncompared = files
    .filter(({ rules }) => rules.length > MOST_COMPARED)
    .map(({ source, rules }) => ({
      at: source.lineSpan(1),
      message: `Of the ${rules.length} rules of this file only the first ${MOST_COMPARED} were compared with each other.`,
      help: 'Split the file, or write fewer and wider rules.',
    }));
  const unlisted = agents
    // A list of so many entries takes more characters.
    .filter((agent) => agent.source.text.length > MOST_TOOLS && listedTools(agent).length === MOST_TOOLS)
    .map(({ source }) => ({
      at: source.lineSpan(1),
      message: `Of the tools of this definition only the first ${MOST_TOOLS} were looked at.`,
    }));
  return [...unsearched, ...uncompared, ...unlisted];
}
