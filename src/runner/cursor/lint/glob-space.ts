import type { TextFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const cursorGlobSpace: LintRule = {
  id: 'cursor/glob-space',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A rule of Cursor has a space behind a comma in `globs`.',
    why: 'Cursor separates the patterns at the comma alone, so the space is part of the next pattern, which then matches no file.',
    bad: '# .cursor/rules/tests.mdc\n---\ndescription: Tests\nglobs: src/**/*.test.ts, e2e/**/*.ts\nalwaysApply: false\n---\nOne table for each function.\n',
    good: '# .cursor/rules/tests.mdc\n---\ndescription: Tests\nglobs: src/**/*.test.ts,e2e/**/*.ts\nalwaysApply: false\n---\nOne table for each function.\n',
    fix: 'Take the space out.',
    source: 'reports of its users',
    runners: ['cursor'],
  },
  check: ({ texts }) => texts.flatMap(check),
};

/** Reads the line itself: Cursor writes globs without quotes, which is no YAML where they begin with `*`. */
function check({ path, runner, source }: TextFile): readonly Report[] {
  if (runner !== 'cursor' || !path.endsWith('.mdc')) return [];
  const head = /^---[ \t]*\r?\n[\s\S]*?\n---/.exec(source.text.slice(0, 10_000))?.[0] ?? '';
  const line = /^globs:[ \t]*(?=[^\s"'[])/m.exec(head);
  if (line === null) return [];
  const start = line.index + line[0].length;
  const globs =
    head
      .slice(start)
      .split(/[\r\n]/, 1)[0]
      ?.trimEnd() ?? '';
  // A comma between braces belongs to a pattern.
  const spaced = /,([ \t]+[^\s,][^,]*)/.exec(globs.replace(/\{[^{}]*\}/g, (braces) => '_'.repeat(braces.length)));
  if (spaced === null) return [];
  const from = spaced.index + 1;
  const lost = globs.slice(from, from + (spaced[1]?.length ?? 0));
  const at = source.span(start + from, start + from + lost.length);
  return [{ at, message: `Cursor looks for ${shown(lost)}, with the space.` }];
}
