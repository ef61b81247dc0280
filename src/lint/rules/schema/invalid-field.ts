import { type Refusal, schemaRefusals } from '../../agents/schema-complaints.js';
import type { AgentFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';

export const invalidField: LintRule = {
  id: 'schema/invalid-field',
  severity: 'warning',
  confidence: 'high',
  persona: 'author',
  docs: {
    what: 'A field does not hold what the schema of its format asks for.',
    why: 'Runners pass over such a value without a message, or leave the whole file out, so what it says does not hold.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\nmaxTurns: few\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\nmaxTurns: 5\n---\nRead the diff first.\n',
    fix: 'Write a value as the message says; the schemas lie in schemas/agent-*.schema.json.',
    source: 'code.claude.com/docs: subagents, supported frontmatter fields; the data models of the original documents',
    verifiedOn: 'Claude Code 2.1.197 and 2.1.329',
  },
  general: true,
  check: ({ agents }, isReported) =>
    agents.flatMap((agent) =>
      schemaRefusals(agent)
        .filter(({ code, pointer }) => code !== 'policy/unknown-key' || isNested(pointer))
        .filter(({ samePlaces }) => !isReported(samePlaces))
        .map((refusal) => reportOf(refusal, agent)),
    ),
};

/** schema/unknown-field reports unknown fields at the top level; in a map of grants or limits they are mistakes. */
function isNested(pointer: string): boolean {
  return pointer.lastIndexOf('/') > 0;
}

/** A color is only displayed, a string in place of a list is accepted here, and which runner reads a file may be a guess. */
function reportOf({ at, message, pointer }: Refusal, { guessed, format }: AgentFile): Report {
  const isMinor = guessed || pointer === '/color' || (format === 'codex-markdown' && pointer === '/tools');
  return { at, message, ...(isMinor && { severity: 'info' as const }) };
}
