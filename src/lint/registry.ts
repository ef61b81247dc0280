/** The list of lint rules: one line here, one file in rules/. */

import type { LintRule } from './rule.js';
import { absentTools } from './rules/absent.js';
import { absolutePath } from './rules/absolute-path.js';
import { agentCodeBlockList } from './rules/agent-code-block-list.js';
import { allBash } from './rules/all-bash.js';
import { allWrites } from './rules/all-writes.js';
import { allowDenyConflict } from './rules/allow-deny-conflict.js';
import { anyHost } from './rules/any-host.js';
import { badSeparator } from './rules/bad-separator.js';
import { bypassMode } from './rules/bypass-mode.js';
import { chain } from './rules/chain.js';
import { configWritable } from './rules/config-writable.js';
import { contradiction } from './rules/contradiction.js';
import { customTool } from './rules/custom-tool.js';
import { dangerousFlag } from './rules/dangerous-flag.js';
import { dangerousTool } from './rules/dangerous-tool.js';
import { deadExec } from './rules/dead-exec.js';
import { deadPattern } from './rules/dead-pattern.js';
import { descriptionTooLong } from './rules/description-too-long.js';
import { destructiveWildcard } from './rules/destructive-wildcard.js';
import { duplicateKey } from './rules/duplicate-key.js';
import { duplicateName } from './rules/duplicate-name.js';
import { duplicateTool } from './rules/duplicate-tool.js';
import { emptyBody } from './rules/empty-body.js';
import { encoding } from './rules/encoding.js';
import { envMutation } from './rules/env-mutation.js';
import { filenameMismatch } from './rules/filename-mismatch.js';
import { firstMatch } from './rules/first-match.js';
import { foreignFrontMatter } from './rules/foreign-front-matter.js';
import { foreignPolicy } from './rules/foreign-policy.js';
import { frontMatterNotFirst } from './rules/front-matter-not-first.js';
import { frontMatterUnclosed } from './rules/front-matter-unclosed.js';
import { hiddenCharacters } from './rules/hidden-characters.js';
import { ignoredExtension } from './rules/ignored-extension.js';
import { ignoredKey } from './rules/ignored-key.js';
import { illegalName } from './rules/illegal-name.js';
import { incompleteSearch } from './rules/incomplete.js';
import { interpreterWildcard } from './rules/interpreter-wildcard.js';
import { invalidDefinition } from './rules/invalid-definition.js';
import { invalidValue } from './rules/invalid-value.js';
import { kebabCase } from './rules/kebab-case.js';
import { legacyMarker } from './rules/legacy-marker.js';
import { legacyName } from './rules/legacy-name.js';
import { malformedRule } from './rules/malformed-rule.js';
import { misplacedColon } from './rules/misplaced-colon.js';
import { missingDescription } from './rules/missing-description.js';
import { missingName } from './rules/missing-name.js';
import { misspelledField } from './rules/misspelled-field.js';
import { misspelledToolsKey } from './rules/misspelled-tools-key.js';
import { networkWildcard } from './rules/network-wildcard.js';
import { noFrontMatter } from './rules/no-front-matter.js';
import { packageManagerWildcard } from './rules/package-manager-wildcard.js';
import { parallelDelegation } from './rules/parallel.js';
import { policyInvalid } from './rules/policy-invalid.js';
import { privilegedWildcard } from './rules/privileged-wildcard.js';
import { readOnlyClaim } from './rules/read-only-claim.js';
import { redundant } from './rules/redundant.js';
import { resolvesToNothing } from './rules/resolves-to-nothing.js';
import { rulesUnknownTool } from './rules/rules-unknown-tool.js';
import { secretInRule } from './rules/secret-in-rule.js';
import { secretLiteral } from './rules/secret-literal.js';
import { secretsUnredacted } from './rules/secrets-unredacted.js';
import { shadowed } from './rules/shadowed.js';
import { shadowsBuiltin } from './rules/shadows-builtin.js';
import { silentTruncation } from './rules/silent-truncation.js';
import { specifierIgnored } from './rules/specifier-ignored.js';
import { symbolicLink } from './rules/symbolic-link.js';
import { syntaxError } from './rules/syntax-error.js';
import { tooLarge } from './rules/too-large.js';
import { twoPolicies } from './rules/two-policies.js';
import { unknownLintRule } from './rules/unknown-lint-rule.js';
import { unknownPolicyKey } from './rules/unknown-policy-key.js';
import { unknownTool } from './rules/unknown-tool.js';
import { unlistedTool } from './rules/unlisted-tool.js';
import { unreadable } from './rules/unreadable.js';
import { unsandboxed } from './rules/unsandboxed.js';
import { unusedSuppression } from './rules/unused-suppression.js';
import { wrongType } from './rules/wrong-type.js';
import { yamlNeedsQuotes } from './rules/yaml-needs-quotes.js';

/** All rules, by id. */
export const rules: readonly LintRule[] = [
  dangerousFlag,
  hiddenCharacters,
  parallelDelegation,
  agentCodeBlockList,
  duplicateName,
  ignoredExtension,
  incompleteSearch,
  symbolicLink,
  unreadable,
  legacyMarker,
  filenameMismatch,
  illegalName,
  kebabCase,
  shadowsBuiltin,
  ignoredKey,
  unknownPolicyKey,
  allBash,
  allWrites,
  anyHost,
  bypassMode,
  configWritable,
  deadExec,
  destructiveWildcard,
  interpreterWildcard,
  networkWildcard,
  packageManagerWildcard,
  privilegedWildcard,
  foreignPolicy,
  policyInvalid,
  twoPolicies,
  unknownLintRule,
  unusedSuppression,
  unsandboxed,
  absolutePath,
  contradiction,
  deadPattern,
  firstMatch,
  malformedRule,
  misplacedColon,
  redundant,
  shadowed,
  rulesUnknownTool,
  unlistedTool,
  envMutation,
  descriptionTooLong,
  duplicateKey,
  emptyBody,
  encoding,
  foreignFrontMatter,
  frontMatterNotFirst,
  frontMatterUnclosed,
  invalidDefinition,
  invalidValue,
  missingDescription,
  missingName,
  misspelledField,
  noFrontMatter,
  silentTruncation,
  syntaxError,
  tooLarge,
  wrongType,
  yamlNeedsQuotes,
  secretInRule,
  secretLiteral,
  secretsUnredacted,
  absentTools,
  allowDenyConflict,
  badSeparator,
  chain,
  customTool,
  dangerousTool,
  duplicateTool,
  legacyName,
  misspelledToolsKey,
  readOnlyClaim,
  resolvesToNothing,
  specifierIgnored,
  unknownTool,
];
