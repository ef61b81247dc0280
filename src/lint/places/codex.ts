/** Files of Codex (developers.openai.com/codex: configuration, hooks, rules, custom prompts). */
import type { RunnerFiles } from './place.js';

export const codexFiles: RunnerFiles = {
  runner: 'codex',
  configs: [
    { config: 'codex-config', format: 'toml', label: 'Codex configuration', path: /(?:^|\/)\.codex\/config\.toml$/ },
    { config: 'codex-hooks', format: 'json', label: 'Codex hooks file', path: /(?:^|\/)\.codex\/hooks\.json$/ },
    {
      config: 'codex-rules',
      format: 'starlark',
      label: 'Codex rules file',
      path: /(?:^|\/)\.codex\/rules\/[^/]+\.rules$/,
    },
  ],
  texts: [
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.codex\/prompts\/[^/]+\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.codex\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
  ],
};
