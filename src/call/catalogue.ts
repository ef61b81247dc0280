/** The tool catalogue: what a tool is, and which tools a rule is about. */
export { knownToolsCovered, toolsCovered } from './coverage.js';
export type { ToolDescription } from './tool-data.js';
export { canonicalTools, describeTool, identifyTool, runnerAgents, runnerTools, toolEffects as toolReach } from './tool-table.js';
