/** OpenCode, with an OpenAI-like provider of one's own; the package that speaks to it is part of the program. */
import { type Client, named, PROJECT, prompt } from '../client.js';

export const opencode: Client = {
  ...named('opencode', 'opencode-ai', 'opencode'),
  prepare: (stage) => {
    const options = { baseURL: `${stage.model}/v1`, apiKey: 'none' };
    const provider = { npm: '@ai-sdk/openai-compatible', name: 'mock', options, models: { mock: { name: 'mock' } } };
    const own = { model: 'mock/mock', small_model: 'mock/mock', autoupdate: false, share: 'disabled', permission: 'allow' };
    stage.write('.config/opencode/opencode.json', JSON.stringify({ provider: { mock: provider }, ...own }));
    const agent = '---\ndescription: Looks at things.\nmode: subagent\npermission:\n  bash: allow\n---\nLook.\n';
    stage.write('project/.opencode/agent/reviewer.md', agent);
    return {
      args: ['run', '--format', 'json'],
      environment: {
        ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
        // It tries to install the types for plugins beside them; without a registry it goes on.
        npm_config_registry: stage.model,
      },
    };
  },
  agree: () => {},
  unagreed: { user: 'closed', project: 'closed' },
  shell: (command) => ({ tool: 'bash', input: { command, description: 'd' } }),
  write: (name, text) => ({ tool: 'write', input: { filePath: `${PROJECT}/${name}`, content: text } }),
  modes: {},
  addServer: (stage, { command, args }) =>
    stage.write(
      'project/opencode.json',
      JSON.stringify({ mcp: { probe: { type: 'local', command: [command, ...args], enabled: true } } }),
    ),
  mcp: (tool, input) => ({ tool: `probe_${tool}`, input }),
  agent: (scenario) => ({
    tool: 'task',
    input: { subagent_type: 'reviewer', description: 'd', prompt: prompt(scenario) },
  }),
  ...{ agentName: 'reviewer', transcripts: null },
};
