/** The tool catalogue: describes tools. For the tools that a rule covers, see src/rule/pattern/tool-coverage.ts. */
export type { ToolDescription } from './tool-data.js';
export { canonicalTools, describeTool, identifyTool, mcpToolName, runnerAgents, runnerTools, toolEffects } from './tool-table.js';
