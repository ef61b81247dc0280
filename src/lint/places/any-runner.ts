/** Files that several runners read. */
import type { RunnerFiles } from './place.js';

export const anyRunnerFiles: RunnerFiles = {
  runner: null,
  configs: [
    { config: 'mcp', format: 'json', label: 'MCP configuration', path: /(?:^|\/)\.mcp\.json$/ },
    { config: 'mcp', format: 'jsonc', label: 'MCP configuration', path: /(?:^|\/)\.vscode\/mcp\.json$/ },
    { config: 'cyrus-config', format: 'json', label: 'Cyrus configuration', path: /(?:^|\/)\.cyrus\/config\.json$/ },
  ],
  texts: [
    { text: 'instructions', format: 'plain', path: /(?:^|\/)AGENTS(?:\.override)?\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.agents\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
  ],
};
