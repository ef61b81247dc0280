/** Files of Copilot CLI (docs.github.com: hooks, custom instructions, prompt files, MCP servers by loading priority). */
import type { RunnerFiles } from './place.js';

export const copilotCliFiles: RunnerFiles = {
  runner: 'copilot-cli',
  configs: [
    { config: 'copilot-hooks', format: 'json', label: 'Copilot hooks file', path: /(?:^|\/)\.github\/hooks\/[^/]+\.json$/ },
    {
      config: 'copilot-settings',
      format: 'jsonc',
      label: 'Copilot CLI settings',
      path: /(?:^|\/)\.github\/copilot\/settings(?:\.local)?\.json$/,
    },
    {
      config: 'mcp',
      format: 'json',
      label: 'MCP configuration',
      path: /(?:^|\/)(?:\.github\/mcp|\.copilot\/mcp-config)\.json$/,
    },
  ],
  texts: [
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.github\/prompts\/(?:[^/]+\/)*[^/]+\.prompt\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.github\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
    {
      text: 'instructions',
      format: 'front-matter',
      path: /(?:^|\/)\.github\/(?:copilot-instructions\.md|instructions\/(?:[^/]+\/)*[^/]+\.instructions\.md)$/,
    },
  ],
};
