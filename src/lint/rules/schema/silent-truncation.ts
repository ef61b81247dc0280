import { shown } from '../../../policy/sentences.js';
import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

/** A plain one-line value of a field that contains prose. */
const PROSE = /^(name|description|goal):[ \t]+([^"'|>\s].*)$/;

export const silentTruncation: LintRule = {
  id: 'schema/silent-truncation',
  severity: 'warning',
  docs: {
    what: 'A part of a plain value is read as YAML syntax and lost.',
    why: 'In `Answers C# #x` the text after ` #` is a comment; a value that starts with ! or & loses its first word.',
    bad: '---\nname: reviewer\ndescription: Knows C# #dotnet\n---\n',
    good: '---\nname: reviewer\ndescription: "Knows C# #dotnet"\n---\n',
    fix: 'Put quotes around the value.',
  },
  check: forAgents(check),
};

function check({ data, source, bodyStart }: AgentFile): readonly Report[] {
  // Without one of these characters nothing is lost; checking for them is faster than splitting a file into lines.
  if (data === null || !/[#!&]/.test(source.text.slice(0, bodyStart))) return [];
  const lines = source.placeOf(bodyStart).line - (bodyStart < source.text.length ? 1 : 0);
  return source.lines.slice(0, lines).flatMap((text, index) => {
    const value = PROSE.exec(text)?.[2];
    if (value === undefined) return [];
    const start = source.offsetAt({ line: index + 1, column: text.length - value.length + 1 });
    // People write intended comments with a space after the #.
    const comment = /\s#(?=[^\s#])/.exec(value);
    // With a colon the value is no YAML, and Claude Code reads it again as one text.
    if (comment !== null && !/:\s/.test(value)) {
      const from = start + comment.index + 1;
      const lost = value.slice(comment.index + 1);
      return [
        { at: source.span(from, from + lost.length), message: `${shown(lost)} is a comment for YAML and not part of the value.` },
      ];
    }
    const word = /^[!&]\S+(?=\s)/.exec(value)?.[0];
    if (word === undefined) return [];
    const message = `${shown(word)} is a tag or an anchor for YAML and not part of the value.`;
    return [{ at: source.span(start, start + word.length), message }];
  });
}
