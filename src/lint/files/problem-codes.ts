/** Determines which lint rule reports a mistake that a parser found. */
import { data } from '../../generated/data.js';
import type { RuleInfo } from '../text/finding.js';
import type { LintFile } from './files.js';

/** The rules of rules/parser-rules.yaml, each with the codes that it reports. */
export const rulesOfParsers = (
  data('parser-rules') as { readonly rules: readonly (RuleInfo & { readonly codes: readonly string[] })[] }
).rules;

/** Rule id by problem code. An unlisted code belongs to the catch-all rule of its kind of file. */
const RULE_OF_CODE: ReadonlyMap<string, string> = new Map([
  ...rulesOfParsers.flatMap(({ id, codes }) => codes.map((code) => [code, id] as const)),
  ['agent/name-missing', 'schema/missing-name'],
  ['agent/description-missing', 'schema/missing-description'],
  ['agent/body-missing', 'schema/empty-body'],
  ['agent/name-empty', 'naming/illegal-name'],
  ['agent/name-hyphen', 'naming/illegal-name'],
  ['agent/no-front-matter', 'schema/no-front-matter'],
  ['agent/yaml-needs-quotes', 'schema/yaml-needs-quotes'],
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
