import { splitFrontMatter } from '../../../agent/front-matter.js';
import { quoteValues } from '../../../agent/yaml-repair.js';
import type { LintFile } from '../../files/files.js';
import { fromProblems, type LintRule } from '../../project/rule.js';
import type { Fix } from '../../text/finding.js';

export const yamlNeedsQuotes: LintRule = {
  id: 'schema/yaml-needs-quotes',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A value has to be quoted to be YAML.',
    why: 'Claude Code and OpenCode read such a file by taking the values for texts, so that only auditors are told; other programs skip the file without a message.',
    bad: '---\nname: reviewer\ndescription: Use when: a change is ready\n---\n',
    good: '---\nname: reviewer\ndescription: "Use when: a change is ready"\n---\n',
    fix: 'Put quotes around the value.',
  },
  check: fromProblems('schema/yaml-needs-quotes', ({ code }, file) => {
    const fix = quotingFix(file);
    // Of a definition that the policy does not use its author is told.
    return { severity: 'info', ...(code === 'agent/read-by-runner' && { persona: 'author' }), ...(fix !== null && { fix }) };
  }),
};

/** Puts quotes where Claude Code puts them; every other character stays. */
export function quotingFix({ path, source }: LintFile): Fix | null {
  const split = splitFrontMatter(source.text);
  const quoted = split.ok ? quoteValues(split.yaml) : null;
  if (!split.ok || quoted === null || /\r(?!\n|$)/.test(split.yaml)) return null;
  const edits = quoted.split('\n').flatMap((text, index) => {
    const line = split.yamlLine + index;
    const written = (source.lines[line - 1] ?? '').trimEnd();
    const start = source.offsetAt({ line, column: 1 });
    return text.trimEnd() === written ? [] : [{ file: path, start, end: start + written.length, text }];
  });
  return edits.length === 0 ? null : { description: 'Put quotes around the value', edits };
}
