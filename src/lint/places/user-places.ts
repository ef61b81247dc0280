/** What runners read below the home folder: never the home folder itself, nor the histories and caches that they keep beside it. */

const CLAUDE = [
  'settings.json',
  'settings.local.json',
  'CLAUDE.md',
  'agents',
  'commands',
  'skills',
  'rules',
  'output-styles',
  'plugins',
];
const CODEX = ['config.toml', 'hooks.json', 'AGENTS.md', 'AGENTS.override.md', 'agents', 'rules', 'prompts', 'skills'];
const GEMINI = ['settings.json', 'GEMINI.md', 'agents', 'commands', 'policies', 'skills', 'extensions'];
const CURSOR = ['hooks.json', 'mcp.json', 'cli-config.json', 'permissions.json', 'agents', 'commands', 'skills', 'rules'];

/** Files and folders, relative to the home folder. */
export const USER_PLACES: readonly string[] = [
  ...CLAUDE.map((name) => `.claude/${name}`),
  ...CODEX.map((name) => `.codex/${name}`),
  ...GEMINI.map((name) => `.gemini/${name}`),
  ...CURSOR.map((name) => `.cursor/${name}`),
  ...['settings.json', 'QWEN.md', 'agents', 'commands', 'skills'].map((name) => `.qwen/${name}`),
  ...['mcp-config.json', 'agents', 'hooks', 'skills'].map((name) => `.copilot/${name}`),
  ...['opencode.json', 'opencode.jsonc', 'AGENTS.md', 'agent', 'agents'].map((name) => `.config/opencode/${name}`),
  ...['agent', 'agents', 'command', 'commands', 'skill', 'skills'].map((name) => `.opencode/${name}`),
  '.agents/skills',
  '.cyrus/config.json',
  '.agent',
  '.config/agent-code/agents',
];
