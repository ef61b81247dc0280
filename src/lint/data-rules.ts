/** The lint rules that are no more than data: each is a row of rules/lint-rules.yaml. */
import { shown } from '../policy/sentences.js';
import { wideGrants } from './commands/wide-commands.js';
import { type DataRule, dataRows } from './files/problem-codes.js';
import { type Check, forRisky, fromProblems, type LintRule } from './project/rule.js';

export const dataRules: readonly LintRule[] = dataRows.map((row) => {
  const { id, severity, confidence, persona, docs } = row;
  return { id, severity, confidence, persona, docs, check: checkOf(row) };
});

function checkOf(row: DataRule): Check {
  if ('opens' in row) return (project) => wideGrants(project, row.opens, row.says);
  if ('codes' in row) return fromProblems(row.id);
  return forRisky(row.id, ({ data, pointer, key, says }) => {
    const owner = shown(pointer.split('/').at(-2) ?? '');
    const filled = row.risky.replace(/\{(\w+)\}/g, (_, name: string) => ({ key, owner, says })[name] ?? name);
    return [{ at: data.valueSpan(pointer), message: filled }];
  });
}
