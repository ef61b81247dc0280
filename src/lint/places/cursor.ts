/** Files of Cursor (cursor.com/docs: hooks, CLI permissions, MCP, rules). */
import type { RunnerFiles } from './place.js';

export const cursorFiles: RunnerFiles = {
  runner: 'cursor',
  configs: [
    { config: 'cursor-hooks', format: 'json', label: 'Cursor hooks file', path: /(?:^|\/)\.cursor\/hooks\.json$/ },
    {
      config: 'cursor-cli',
      format: 'json',
      label: 'Cursor CLI configuration',
      path: /(?:^|\/)\.cursor\/(?:cli|cli-config)\.json$/,
    },
    {
      config: 'cursor-permissions',
      format: 'jsonc',
      label: 'Cursor permissions file',
      path: /(?:^|\/)\.cursor\/permissions\.json$/,
    },
    { config: 'mcp', format: 'jsonc', label: 'MCP configuration', path: /(?:^|\/)\.cursor\/mcp\.json$/ },
  ],
  texts: [
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.cursor\/commands\/(?:[^/]+\/)*[^/]+\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.cursor\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
    {
      text: 'instructions',
      format: 'front-matter',
      path: /(?:^|\/)(?:\.cursor\/rules\/(?:[^/]+\/)*[^/]+\.mdc|\.cursorrules)$/,
    },
  ],
};
