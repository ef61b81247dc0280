import { reasonOf } from '../../../agent/dialects/parse.js';
import { splitFrontMatter } from '../../../agent/front-matter.js';
import { quoteValues } from '../../../agent/yaml-repair.js';
import { parseLocated } from '../../../policy/read/located.js';
import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';
import { notLoadedBy, skillReaders } from '../../skills/readers.js';
import { quotingFix } from '../schema/yaml-needs-quotes.js';

export const skillUnreadableHead: LintRule = {
  id: 'skills/unreadable-head',
  severity: 'warning',
  docs: {
    what: 'The front matter of a skill or command cannot be read.',
    why: 'Copilot CLI does not load such a skill, and other runners read nothing of it. Where a runner puts the missing quotes by itself, there is no finding.',
    bad: '---\nname: release\ndescription: "Writes release notes.\n---\nWrite the notes.\n',
    good: '---\nname: release\ndescription: "Writes release notes."\n---\nWrite the notes.\n',
    fix: 'Correct the YAML between the two lines ---; quote a value that holds a colon or a quote.',
    verifiedOn: 'Codex 0.171.0, Copilot CLI 1.0.102, Gemini CLI 0.61.0, OpenCode 1.18.33',
  },
  check: forSkills(check),
};

function check(file: TextFile): readonly Report[] {
  const { text, path, data, source } = file;
  if (data !== null || path.endsWith('.toml') || !/^\s*---[ \t]*$/m.test(source.text.slice(0, HEAD))) return [];
  const split = splitFrontMatter(source.text);
  // A horizontal rule in the middle of a text is not front matter.
  if (!split.ok && !(split.code === 'agent/front-matter-unclosed' && text === 'skill')) return [];
  if (!split.ok) return [{ at: source.lineSpan(1), message: `The front matter has no closing line ---. ${LOST}`, help: CLOSE }];
  const read = parseLocated(split.yaml, 'yaml', true);
  if (read.ok) return [];
  const fix = quotingFix(file);
  const isQuotable = fix !== null && parseLocated(quoteValues(split.yaml) ?? '', 'yaml').ok;
  const readers = text === 'skill' ? skillReaders(file) : [];
  const strict = readers.filter(({ repairs }) => repairs === undefined || (repairs === 'values' && !isQuotable));
  if (readers.length > 0 && strict.length === 0) return [];
  const lost = strict.every(({ loadsFaulty }) => loadsFaulty === true) ? LOST : `${notLoadedBy(strict)}.`;
  const { line, column, message: problem } = read.problem;
  const written = isQuotable ? fix.edits[0]?.text : undefined;
  return [
    {
      at: source.wordSpan({ line: line + split.yamlLine - 1, column }),
      message: `The front matter is no valid YAML: ${reasonOf(problem)}. ${isQuotable && strict.length === 0 ? UNSURE : lost}`,
      ...(written === undefined || fix === null ? {} : { help: `Write ${cut(written)}`, fix }),
      ...(isQuotable && file.runner === null && strict.length === 0 ? { severity: 'info', persona: 'auditor' } : {}),
    },
  ];
}

function cut(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…${line.at(-1)}`;
}

const LONGEST = 60;
const HEAD = 200;
const LOST = 'Its name, description and allowed-tools then count for nothing.';
const UNSURE = 'Some runners put quotes around the value, others leave out the whole file.';
const CLOSE = 'Write --- on a line of its own after the last key.';
