/** The tool catalogue: what a tool is. Which tools a rule is about: src/rule/pattern/tool-coverage.ts. */
export type { ToolDescription } from './tool-data.js';
export { canonicalTools, describeTool, identifyTool, mcpToolName, runnerAgents, runnerTools, toolEffects } from './tool-table.js';
