import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';
import type { Fix } from '../../text/finding.js';

export const literalBackslashN: LintRule = {
  id: 'schema/literal-backslash-n',
  severity: 'info',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A description holds \\n as two characters.',
    why: 'Only in double quotes YAML reads \\n as a line break; elsewhere the model sees a backslash and an n.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\\n\\nUse it before a merge.\n---\n',
    good: '---\nname: reviewer\ndescription: "Reviews changes.\\n\\nUse it before a merge."\n---\n',
    fix: 'Put the description in double quotes, or write it as a block (description: |).',
  },
  check: forAgents(check),
};

function check({ path, data, source }: AgentFile): readonly Report[] {
  const description = data?.at('/description');
  if (data === null || typeof description !== 'string' || !description.includes('\\n')) return [];
  // `C:\new` is a path.
  const breaks = description.match(/\\n(?=\\n|[A-Z<\s\d*-]|$)/g)?.length ?? 0;
  if (breaks === 0 || /\b[A-Za-z]:\\/.test(description)) return [];
  const at = data.keySpan('/description');
  const message = `The description holds ${breaks === 1 ? 'a line break' : `${breaks} line breaks`} written as \\n, which only double quotes make one.`;
  const fix = quotingFix(path, description, source.lines[at.line - 1] ?? '', source.offsetAt({ line: at.line, column: 1 }));
  return [{ at, message, ...(fix === null ? {} : { fix }) }];
}

/** For a plain value on one line that contains no escape other than \n. */
function quotingFix(path: string, description: string, line: string, lineStart: number): Fix | null {
  const written = /^description:[ \t]+([^\s"'|>&*!#[{].*?)[ \t]*$/.exec(line)?.[1];
  if (written !== description || /\\(?!n)/.test(written)) return null;
  const start = lineStart + line.indexOf(written, 'description:'.length);
  const text = `"${written.replaceAll('"', '\\"')}"`;
  return { description: 'Put it in double quotes', edits: [{ file: path, start, end: start + written.length, text }] };
}
