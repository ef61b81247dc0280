/** Copilot CLI, offline and with a model of one's own (`copilot help providers`). */
import { type Client, named, PROJECT, prompt } from '../client.js';

export const copilotCli: Client = {
  ...named('copilot-cli', '@github/copilot', 'copilot'),
  prepare: (stage) => {
    const agent = '---\nname: reviewer\ndescription: Looks at things.\ntools: ["bash"]\n---\nLook.\n';
    stage.write('.copilot/agents/reviewer.agent.md', agent);
    return {
      args: ['--allow-all', '--no-color', '--output-format', 'json', '-p'],
      environment: {
        ...{ COPILOT_PROVIDER_BASE_URL: `${stage.model}/v1`, COPILOT_PROVIDER_API_KEY: 'none', COPILOT_MODEL: 'mock' },
        ...{ COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' },
      },
    };
  },
  agree: (stage) => stage.write('.copilot/config.json', JSON.stringify({ trusted_folders: [stage.project] })),
  unagreed: { user: 'closed', project: 'open' },
  shell: (command) => ({ tool: 'bash', input: { command, description: 'd' } }),
  write: (name, text) => ({ tool: 'create', input: { path: `${PROJECT}/${name}`, file_text: text } }),
  modes: {},
  addServer: (stage, server) =>
    stage.write(
      '.copilot/mcp-config.json',
      JSON.stringify({ mcpServers: { probe: { type: 'local', tools: ['*'], ...server } } }),
    ),
  mcp: (tool, input) => ({ tool: `probe-${tool}`, input }),
  agent: (scenario) => ({
    tool: 'task',
    input: { agent_type: 'reviewer', description: 'd', prompt: prompt(scenario), name: scenario, mode: 'sync' },
  }),
  ...{ agentName: 'reviewer', transcripts: '.copilot/session-state' },
};
