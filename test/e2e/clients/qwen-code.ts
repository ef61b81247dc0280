/** Qwen Code, against the Chat Completions of the model. */
import { type Client, named, PROJECT, prompt } from '../client.js';

const OWN = `{
  // mine
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "$version": 4
}
`;

export const qwenCode: Client = {
  ...named('qwen-code', '@qwen-code/qwen-code', 'qwen'),
  prepare: (stage) => {
    stage.write('.qwen/settings.json', OWN);
    // Into settings without its version it writes that version.
    stage.write('project/.qwen/settings.json', '{"$version":4}');
    const words = 'You look at things and tell what you saw.';
    const agent = `---\nname: reviewer\ndescription: Looks at things when asked to.\ntools:\n  - run_shell_command\n---\n${words}\n`;
    stage.write('.qwen/agents/reviewer.md', agent);
    return {
      args: ['--yolo', '-m', 'mock', '-o', 'stream-json', '-p'],
      environment: { OPENAI_BASE_URL: `${stage.model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'mock' },
    };
  },
  agree: () => {},
  unagreed: { user: 'closed', project: 'closed' },
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'd', is_background: false } }),
  write: (name, text) => ({ tool: 'write_file', input: { file_path: `${PROJECT}/${name}`, content: text } }),
  modes: {
    edits: { args: ['--approval-mode', 'auto-edit', '-m', 'mock', '-o', 'stream-json', '-p'], environment: {} },
    plan: { args: ['--approval-mode', 'plan', '-m', 'mock', '-o', 'stream-json', '-p'], environment: {} },
  },
  addServer: (stage, server) =>
    stage.edit('.qwen/settings.json', (text) => text.replace('{', `{ "mcpServers": ${JSON.stringify({ probe: server })},`)),
  mcp: (tool, input) => ({ tool: `mcp__probe__${tool}`, input }),
  // Left to itself it goes on in the background, and the main agent with its next turn.
  agent: (scenario) => ({
    tool: 'agent',
    input: { subagent_type: 'reviewer', prompt: prompt(scenario), description: 'd' },
  }),
  ...{ agentName: 'reviewer', transcripts: '.qwen/projects' },
};
