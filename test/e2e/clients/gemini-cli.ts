/** Gemini CLI: it works in a folder only when a person trusted it. */
import { type Client, named, PROJECT, prompt } from '../client.js';

/** The comment has to be there again in the end. */
const OWN = `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": true } },
  "privacy": { "usageStatisticsEnabled": false }
}
`;

export const geminiCli: Client = {
  ...named('gemini-cli', '@google/gemini-cli', 'gemini'),
  prepare: (stage) => {
    stage.write('.gemini/settings.json', OWN);
    // Agents of a project count only after a person acknowledged them.
    const agent = '---\nname: reviewer\ndescription: Looks at things.\ntools: [run_shell_command]\n---\nLook.\n';
    stage.write('.gemini/agents/reviewer.md', agent);
    return {
      args: ['--approval-mode', 'yolo', '-m', 'gemini-2.5-pro', '-o', 'stream-json', '-p'],
      environment: { GOOGLE_GEMINI_BASE_URL: stage.model, GEMINI_API_KEY: 'none' },
    };
  },
  agree: (stage) => stage.write('.gemini/trustedFolders.json', JSON.stringify({ [stage.project]: 'TRUST_FOLDER' })),
  unagreed: { user: 'refuses', project: 'refuses' },
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'd' } }),
  write: (name, text) => ({ tool: 'write_file', input: { file_path: `${PROJECT}/${name}`, content: text } }),
  edit: (name, from, to) => ({
    tool: 'replace',
    input: { file_path: `${PROJECT}/${name}`, old_string: from, new_string: to, instruction: 'd' },
  }),
  modes: {
    edits: { args: ['--approval-mode', 'auto_edit', '-m', 'gemini-2.5-pro', '-o', 'stream-json', '-p'], environment: {} },
  },
  addServer: (stage, server) =>
    stage.edit('.gemini/settings.json', (text) => text.replace('{', `{ "mcpServers": ${JSON.stringify({ probe: server })},`)),
  mcp: (tool, input) => ({ tool: `mcp_probe_${tool}`, input }),
  agent: (scenario) => ({ tool: 'invoke_agent', input: { agent_name: 'reviewer', prompt: prompt(scenario) } }),
  ...{ agentName: 'reviewer', transcripts: '.gemini/tmp/project/chats' },
};
