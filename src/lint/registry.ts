/** The list of lint rules: one line here, one file in rules/. */

import type { LintRule } from './rule.js';
import { dangerousFlag } from './rules/codex/dangerous-flag.js';
import { hiddenCharacters } from './rules/content/hidden-characters.js';
import { parallelDelegation } from './rules/delegation/parallel.js';
import { agentCodeBlockList } from './rules/dialect/agent-code-block-list.js';
import { duplicateName } from './rules/discovery/duplicate-name.js';
import { ignoredExtension } from './rules/discovery/ignored-extension.js';
import { incompleteSearch } from './rules/discovery/incomplete.js';
import { symbolicLink } from './rules/discovery/symbolic-link.js';
import { unreadable } from './rules/discovery/unreadable.js';
import { legacyMarker } from './rules/legacy/marker.js';
import { filenameMismatch } from './rules/naming/filename-mismatch.js';
import { illegalName } from './rules/naming/illegal-name.js';
import { kebabCase } from './rules/naming/kebab-case.js';
import { shadowsBuiltin } from './rules/naming/shadows-builtin.js';
import { ignoredKey } from './rules/overlay/ignored-key.js';
import { unknownPolicyKey } from './rules/overlay/unknown-key.js';
import { allBash } from './rules/permissions/all-bash.js';
import { allWrites } from './rules/permissions/all-writes.js';
import { anyHost } from './rules/permissions/any-host.js';
import { bypassMode } from './rules/permissions/bypass-mode.js';
import { configWritable } from './rules/permissions/config-writable.js';
import { deadExec } from './rules/permissions/dead-exec.js';
import { destructiveWildcard } from './rules/permissions/destructive-wildcard.js';
import { interpreterWildcard } from './rules/permissions/interpreter-wildcard.js';
import { networkWildcard } from './rules/permissions/network-wildcard.js';
import { packageManagerWildcard } from './rules/permissions/package-manager-wildcard.js';
import { privilegedWildcard } from './rules/permissions/privileged-wildcard.js';
import { foreignPolicy } from './rules/policy/foreign-file.js';
import { policyInvalid } from './rules/policy/invalid.js';
import { twoPolicies } from './rules/policy/two-files.js';
import { unknownLintRule } from './rules/policy/unknown-lint-rule.js';
import { unusedSuppression } from './rules/policy/unused-suppression.js';
import { unsandboxed } from './rules/preset/unsandboxed.js';
import { absolutePath } from './rules/rules/absolute-path.js';
import { contradiction } from './rules/rules/contradiction.js';
import { deadPattern } from './rules/rules/dead-pattern.js';
import { firstMatch } from './rules/rules/first-match.js';
import { malformedRule } from './rules/rules/malformed.js';
import { misplacedColon } from './rules/rules/misplaced-colon.js';
import { redundant } from './rules/rules/redundant.js';
import { shadowed } from './rules/rules/shadowed.js';
import { rulesUnknownTool } from './rules/rules/unknown-tool.js';
import { unlistedTool } from './rules/rules/unlisted-tool.js';
import { envMutation } from './rules/sandbox/env-mutation.js';
import { descriptionTooLong } from './rules/schema/description-too-long.js';
import { duplicateKey } from './rules/schema/duplicate-key.js';
import { emptyBody } from './rules/schema/empty-body.js';
import { encoding } from './rules/schema/encoding.js';
import { foreignFrontMatter } from './rules/schema/foreign-front-matter.js';
import { frontMatterNotFirst } from './rules/schema/front-matter-not-first.js';
import { frontMatterUnclosed } from './rules/schema/front-matter-unclosed.js';
import { invalidDefinition } from './rules/schema/invalid-definition.js';
import { invalidValue } from './rules/schema/invalid-value.js';
import { missingDescription } from './rules/schema/missing-description.js';
import { missingName } from './rules/schema/missing-name.js';
import { misspelledField } from './rules/schema/misspelled-field.js';
import { noFrontMatter } from './rules/schema/no-front-matter.js';
import { silentTruncation } from './rules/schema/silent-truncation.js';
import { syntaxError } from './rules/schema/syntax-error.js';
import { tooLarge } from './rules/schema/too-large.js';
import { wrongType } from './rules/schema/wrong-type.js';
import { yamlNeedsQuotes } from './rules/schema/yaml-needs-quotes.js';
import { secretInRule } from './rules/secrets/in-rule.js';
import { secretLiteral } from './rules/secrets/literal.js';
import { secretsUnredacted } from './rules/secrets/unredacted.js';
import { absentTools } from './rules/tools/absent.js';
import { allowDenyConflict } from './rules/tools/allow-deny-conflict.js';
import { badSeparator } from './rules/tools/bad-separator.js';
import { chain } from './rules/tools/chain.js';
import { customTool } from './rules/tools/custom-tool.js';
import { dangerousTool } from './rules/tools/dangerous.js';
import { duplicateTool } from './rules/tools/duplicate.js';
import { legacyName } from './rules/tools/legacy-name.js';
import { misspelledToolsKey } from './rules/tools/misspelled-key.js';
import { readOnlyClaim } from './rules/tools/read-only-claim.js';
import { resolvesToNothing } from './rules/tools/resolves-to-nothing.js';
import { specifierIgnored } from './rules/tools/specifier-ignored.js';
import { unknownTool } from './rules/tools/unknown-tool.js';

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
