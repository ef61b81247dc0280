import { pointerNames } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import { schemaRefusals } from '../../agents/schema-complaints.js';
import { reportTogether } from '../../agents/several.js';
import type { AgentFile } from '../../files/files.js';
import type { IsReported, LintRule, Report } from '../../project/rule.js';

export const unknownField: LintRule = {
  id: 'schema/unknown-field',
  severity: 'info',
  confidence: 'low',
  persona: 'auditor',
  docs: {
    what: 'A definition has fields that its runner does not read.',
    why: 'Catalogues add fields of their own, which harm nothing; a restriction in such a field does not hold.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\ncategory: quality\n---\nRead the diff first.\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read\n---\nRead the diff first.\n',
    fix: 'Remove the field if somebody could take it for something that holds.',
    source: 'code.claude.com/docs: subagents, supported frontmatter fields; the data models of the original documents',
    verifiedOn: 'Claude Code 2.1.197 and 2.1.329',
  },
  general: true,
  check: ({ agents }, isReported) => agents.flatMap((agent) => check(agent, isReported)),
};

/** One finding per agent. */
function check(agent: AgentFile, isReported: IsReported): readonly Report[] {
  const fields = schemaRefusals(agent).flatMap(({ code, pointer, at, samePlaces }) => {
    const [text, ...deeper] = pointerNames(pointer);
    if (code !== 'policy/unknown-key' || text === undefined || deeper.length > 0 || isReported(samePlaces)) return [];
    return [{ text, span: at }];
  });
  const report = reportTogether(
    fields,
    ({ text }) => `${shown(text)} is no field of this format.`,
    (_, list) => `These are no fields of this format: ${list}.`,
  );
  return report === null ? [] : [report];
}
