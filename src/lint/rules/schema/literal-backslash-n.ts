import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';
import type { Fix } from '../../text/finding.js';

export const literalBackslashN: LintRule = {
  id: 'schema/literal-backslash-n',
  severity: 'info',
  persona: 'auditor',
  docs: {
    what: 'A description holds \\n as two characters.',
    why: 'Only a single backslash in double quotes makes a line break; otherwise the model sees a backslash and an n. It reads the text all the same, so that only auditors are told.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\\n\\nUse it before a merge.\n---\n',
    good: '---\nname: reviewer\ndescription: "Reviews changes.\\n\\nUse it before a merge."\n---\n',
    fix: 'Write \\n with one backslash in double quotes, or a block (description: |).',
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
  const message = `The description holds ${breaks === 1 ? 'a line break' : `${breaks} line breaks`} written as two characters, a backslash and an n.`;
  const fix = quotingFix(path, description, source.lines[at.line - 1] ?? '', source.offsetAt({ line: at.line, column: 1 }));
  return [{ at, message, ...(fix === null ? {} : { fix }) }];
}

/** For a value on one line: in double quotes, or plain and without an escape other than \n. */
function quotingFix(path: string, description: string, line: string, lineStart: number): Fix | null {
  const [, quoted, plain] = /^description:[ \t]+(?:("(?:[^"\\]|\\.)*")|([^\s"'|>&*!#[{].*?))[ \t]*$/.exec(line) ?? [];
  const written = quoted ?? plain;
  if (written === undefined || (plain !== undefined && (plain !== description || /\\(?!n)/.test(plain)))) return null;
  const start = lineStart + line.indexOf(written, 'description:'.length);
  const text = quoted?.replaceAll('\\\\n', '\\n') ?? `"${written.replaceAll('"', '\\"')}"`;
  return { description: 'Write line breaks', edits: [{ file: path, start, end: start + written.length, text }] };
}
