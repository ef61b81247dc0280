/** Determines which lint rule reports a mistake that a parser found. */
import { data } from '../../generated/data.js';
import type { RuleInfo, Severity } from '../text/finding.js';
import type { LintFile } from './files.js';

/** What is said of a command that an allow rule opens: `of` is an expression, `family` a list of rules/wide-commands.yaml. */
export interface Saying {
  readonly of?: string;
  readonly family?: string;
  readonly text: string;
  readonly fix?: string;
  readonly severity?: Severity;
}

/** A row of rules/lint-rules.yaml. */
export type DataRule = RuleInfo &
  (
    | { readonly codes: readonly string[] }
    | { readonly opens: string; readonly says: readonly Saying[] }
    | { readonly risky: string }
  );

export const dataRows = (data('lint-rules') as { readonly rules: readonly DataRule[] }).rules;

/** Rule id by problem code. An unlisted code belongs to the catch-all rule of its kind of file. */
const RULE_OF_CODE: ReadonlyMap<string, string> = new Map([
  ...dataRows.flatMap((row) => ('codes' in row ? row.codes.map((code) => [code, row.id] as const) : [])),
  ['agent/name-missing', 'schema/missing-name'],
  ['agent/description-missing', 'schema/missing-description'],
  ['agent/body-missing', 'schema/empty-body'],
  ['agent/name-empty', 'naming/illegal-name'],
  ['agent/name-hyphen', 'naming/illegal-name'],
  ['agent/no-front-matter', 'schema/no-front-matter'],
  ['agent/yaml-needs-quotes', 'schema/yaml-needs-quotes'],
  ['agent/read-by-runner', 'schema/yaml-needs-quotes'],
  ['agent/unknown-mode', 'schema/invalid-value'],
  ['agent/retention', 'schema/invalid-value'],
  ['agent/max-tokens', 'schema/invalid-value'],
  ['agent/scope-ignored', 'overlay/ignored-key'],
  ['agent/tools-ignored', 'overlay/ignored-key'],
  ['agent/chain', 'tools/chain'],
  ['rule/path-parent', 'rules/dead-pattern'],
  ['rule/path-too-long', 'rules/dead-pattern'],
  ['rule/path-home', 'rules/dead-pattern'],
  ['rule/path-wildcards', 'rules/dead-pattern'],
  ['rule/path-brackets', 'rules/dead-pattern'],
  ['rule/backslash', 'rules/dead-pattern'],
  ['rule/url-origin', 'rules/dead-pattern'],
  ['rule/domain', 'rules/dead-pattern'],
]);

/** Returns the id of the rule that reports a problem; every problem has exactly one. */
export function ruleOfProblem(code: string, kind: LintFile['kind']): string {
  const known = RULE_OF_CODE.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('rule/')) return 'rules/malformed';
  return kind === 'policy' ? 'policy/invalid' : 'schema/invalid-definition';
}
