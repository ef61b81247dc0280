import { splitFrontMatter } from '../../../agent/front-matter.js';
import { quoteValues } from '../../../agent/yaml-repair.js';
import { parseLocated } from '../../../policy/read/located.js';
import type { TextFile } from '../../files/files.js';
import { forSkills, type LintRule, type Report } from '../../project/rule.js';

export const skillUnreadableHead: LintRule = {
  id: 'skills/unreadable-head',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'The front matter of a skill or command cannot be read.',
    why: 'Its name, description and allowed-tools then count for nothing, or the whole file is left out.',
    bad: '---\nname: release\ndescription: "Writes release notes.\n---\nWrite the notes.\n',
    good: '---\nname: release\ndescription: "Writes release notes."\n---\nWrite the notes.\n',
    fix: 'Correct the YAML between the two lines ---; quote a value that holds a colon or a quote.',
  },
  check: forSkills(check),
};

function check({ text, path, data, source }: TextFile): readonly Report[] {
  if (data !== null || path.endsWith('.toml') || !/^\s*---[ \t]*$/m.test(source.text.slice(0, HEAD))) return [];
  const split = splitFrontMatter(source.text);
  // A horizontal rule in the middle of a text is not front matter.
  if (!split.ok && !(split.code === 'agent/front-matter-unclosed' && text === 'skill')) return [];
  const quoted = split.ok ? quoteValues(split.yaml) : null;
  if (quoted !== null && parseLocated(quoted, 'yaml').ok) return [{ at: source.lineSpan(1), message: ONLY_QUOTED }];
  const why = split.ok ? 'The front matter is no valid YAML' : 'The front matter has no closing ---';
  return [{ at: source.lineSpan(1), message: `${why}, so nothing in it counts.` }];
}

const HEAD = 200;
const ONLY_QUOTED =
  'The front matter is no valid YAML without quotes around a value; Claude Code adds them, other runners may leave out the whole file.';
