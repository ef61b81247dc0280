/** The tool catalogue: what a tool is, and which tools a rule is about. */
export { type Coverage, toolsCovered } from './coverage.js';
export type { SubjectField, ToolAccess, ToolDescription, ToolTier, WideningInput } from './tool-data.js';
export { canonicalTools, describeTool, runnerAgents, runnerTools } from './tool-table.js';
