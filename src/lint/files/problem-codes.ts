/** Determines which lint rule reports a mistake that a parser found. */
import type { LintFile } from './files.js';

/** Rule id by problem code. An unlisted code belongs to the catch-all rule of its kind of file. */
const RULE_OF_CODE: ReadonlyMap<string, string> = new Map([
  ['agent/name-missing', 'schema/missing-name'],
  ['agent/description-missing', 'schema/missing-description'],
  ['agent/body-missing', 'schema/empty-body'],
  ['agent/name-empty', 'naming/illegal-name'],
  ['agent/name-hyphen', 'naming/illegal-name'],
  ['agent/byte-order-mark', 'schema/front-matter-not-first'],
  ['agent/front-matter-fence', 'schema/front-matter-not-first'],
  ['agent/front-matter-not-first', 'schema/front-matter-not-first'],
  ['agent/front-matter-toml', 'schema/foreign-front-matter'],
  ['agent/front-matter-unclosed', 'schema/front-matter-unclosed'],
  ['agent/no-front-matter', 'schema/no-front-matter'],
  ['agent/yaml-needs-quotes', 'schema/yaml-needs-quotes'],
  ['agent/too-large', 'schema/too-large'],
  ['file/too-large', 'schema/too-large'],
  ['file/too-deep', 'schema/too-large'],
  ['read/too-large', 'schema/too-large'],
  ['file/syntax', 'schema/syntax-error'],
  ['file/duplicate-key', 'schema/duplicate-key'],
  ['agent/not-a-map', 'schema/wrong-type'],
  ['agent/not-a-list', 'schema/wrong-type'],
  ['agent/not-a-switch', 'schema/wrong-type'],
  ['agent/not-text', 'schema/wrong-type'],
  ['agent/empty-entry', 'schema/wrong-type'],
  ['agent/unknown-mode', 'schema/invalid-value'],
  ['agent/retention', 'schema/invalid-value'],
  ['agent/max-tokens', 'schema/invalid-value'],
  ['agent/unknown-policy-key', 'overlay/unknown-key'],
  ['agent/scope-ignored', 'overlay/ignored-key'],
  ['agent/tools-ignored', 'overlay/ignored-key'],
  ['agent/chain', 'tools/chain'],
  ['agent/custom-tool', 'tools/custom-tool'],
  ['rule/misplaced-colon', 'rules/misplaced-colon'],
  ['rule/path-parent', 'rules/dead-pattern'],
  ['rule/path-too-long', 'rules/dead-pattern'],
  ['rule/path-home', 'rules/dead-pattern'],
  ['rule/path-wildcards', 'rules/dead-pattern'],
  ['rule/path-brackets', 'rules/dead-pattern'],
  ['rule/backslash', 'rules/dead-pattern'],
  ['rule/url-origin', 'rules/dead-pattern'],
  ['rule/domain', 'rules/dead-pattern'],
  ['read/not-utf8', 'schema/encoding'],
  ['read/utf-16', 'schema/encoding'],
  ['read/link', 'discovery/symbolic-link'],
  ['read/not-a-file', 'discovery/unreadable'],
  ['read/unreadable', 'discovery/unreadable'],
]);

/** Returns the id of the rule that reports a problem; every problem has exactly one. */
export function ruleOfProblem(code: string, kind: LintFile['kind']): string {
  const known = RULE_OF_CODE.get(code);
  if (known !== undefined) return known;
  if (code.startsWith('rule/')) return 'rules/malformed';
  return kind === 'policy' ? 'policy/invalid' : 'schema/invalid-definition';
}
