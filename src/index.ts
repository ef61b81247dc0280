/** The library's face: decide a call against a policy, and read everything that goes into it. */
export type { AgentDefinition, Dialect, PermissionsConfig, ToolList } from './agent/agent.js';
export { buildInventory } from './agent/inventory.js';
export { parseAgent } from './agent/parse.js';
export { permissionsFromToml, permissionsToToml } from './agent/permissions.js';
export type { RunnerId, Shell, Subject, ToolCall } from './call/tool-call.js';
export { analyse } from './decide/analysis.js';
export { type CompiledPolicy, compilePolicy } from './decide/compiled/compile.js';
export { decide } from './decide/decide.js';
export type { CommandDecision, Decision, Finding, Reason, RuleReference, StageResult } from './decide/decision.js';
export type { BudgetFacts, Facts, GitFacts, PathFact } from './decide/facts.js';
export { factsNeeded } from './decide/facts-needed.js';
export { enforceDry } from './enforce/enforce.js';
export { openWorkspace, type Workspace, type WorkspaceOptions } from './enforce/project/workspace.js';
export { composePolicy } from './policy/compose.js';
export { parsePolicy, presetDocument } from './policy/document.js';
export type { Policy, PolicyNote, PolicyProblem, Preset, PresetName } from './policy/policy.js';
export { parseEntry, printEntry } from './rule/entry.js';
export type { Effect, LayerName, PermissionRule, SourcePosition } from './rule/permission-rule.js';
