/**
 * The library: everything that a program may rely on. docs/library.md shows how the parts work together.
 *
 * Reading a call and deciding it is pure; what reads the disk or the environment stands below its own heading.
 */

// Agents: definitions, their permissions and tool lists.
export type { AgentDefinition, Dialect, PermissionsConfig, ToolList } from './agent/agent.js';
export { checkMcpTool, type Grants, guard, ToolDenied, type ToolViolation, validateToolPolicy } from './agent/allowlist.js';
export { parseAgent } from './agent/dialects/parse.js';
export { envBool } from './agent/feature-flag.js';
export { buildInventory } from './agent/inventory.js';
export { composePermissions, permissionsFromToml, permissionsToToml, replacePermissions } from './agent/permissions.js';
export { audit } from './audit/run.js';
// On this machine: these read files and the environment, and the last ones write below the state directory.
export type { AuditOptions } from './audit/subject/options.js';
export { findRemedyDry } from './author/remedy.js';
// Decide a call: analyse, gather the facts that it needs, decide.
export type { RunnerId, Shell, Subject, ToolCall } from './call/tool-call.js';
export { decide } from './decide/decide.js';
export { type FactsNeeded, factsNeeded } from './decide/facts-needed.js';
export { analyse, type CallAnalysis } from './decide/flow/analysis.js';
export type { Place } from './decide/place/place.js';
export { type CompiledPolicy, compilePolicy } from './decide/policy/compile.js';
export type { Offer, OfferScope, Remedy } from './decide/remedy/types.js';
export type { CommandDecision, Decision, Finding, Reason, RuleReference, Stage, StageResult } from './decide/ruling/decision.js';
export type { BudgetFacts, Facts, GitFacts, PathFact } from './decide/ruling/facts.js';
export {
  type Attempt,
  createOrchestrator,
  type ExecuteOptions,
  type Execution,
  type ExecutionState,
  OrchestrationError,
  type Orchestrator,
  type OrchestratorOptions,
} from './enforce/agents/orchestrator.js';
export { enforceDry } from './enforce/enforce.js';
export { gatherFacts } from './enforce/facts/gather.js';
export { type FoundFiles, findFiles } from './lint/files/read-files.js';
export { DEFAULT_OPTIONS as LINT_DEFAULTS, type LintOptions } from './lint/run.js';
export type { LintReport } from './lint/text/finding.js';
// Policies: read, compose, take presets apart.
export { BudgetLedger } from './policy/budget.js';
export { composePolicy } from './policy/compose.js';
export { parsePolicy, presetDocument } from './policy/document.js';
export type { Mode, Policy, PolicyNote, PolicyProblem, Preset, PresetName } from './policy/policy.js';
export { expandPreset, inferPreset, isPresetName } from './policy/presets.js';
export type { Surroundings } from './project/surroundings.js';
export { type OpenedWorkspace, openWorkspace, type Workspace, type WorkspaceOptions } from './project/workspace.js';
export { parseEntry, printEntry } from './rule/pattern/entry.js';
export type { Effect, LayerName, PermissionRule, SourcePosition } from './rule/pattern/permission-rule.js';
export {
  type CodexRunnerConfig,
  codexArguments,
  codexRunnerConfig,
  mapPreset,
  type Profile,
  type ResolvedProfile,
  resolvePreset,
} from './runner/codex/profile.js';
export { lint } from './runner/lint/linter.js';
