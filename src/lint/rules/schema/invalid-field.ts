import { type Refusal, schemaRefusals } from '../../agents/schema-complaints.js';
import type { AgentFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';

export const invalidField: LintRule = {
  id: 'schema/invalid-field',
  severity: 'warning',
  docs: {
    what: 'A field does not hold what the schema of its format asks for.',
    why: 'Runners pass over such a value without a message, or leave the whole file out, so what it says does not hold.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\nmaxTurns: few\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\nmaxTurns: 5\n---\nRead the diff first.\n',
    fix: 'Write a value that the message names, or remove the field.',
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

/** Whether a field is in a nested map, such as one of grants or limits; schema/unknown-field reports those at the top level. */
function isNested(pointer: string): boolean {
  return pointer.lastIndexOf('/') > 0;
}

/**
 * Reports a refusal, with severity `info` if the field is a list of tools that this program also accepts as a string, or if the
 * file's runner is a guess; for auditors if it is a color, which is only displayed.
 */
function reportOf({ at, message, pointer }: Refusal, { guessed, format }: AgentFile): Report {
  const isMinor = guessed || pointer === '/color' || (format === 'codex-markdown' && pointer === '/tools');
  return { at, message, ...(isMinor && { severity: 'info' }), ...(pointer === '/color' && { persona: 'auditor' }) };
}
