/** Files of Qwen Code (its docs: settings, commands, subagents). */
import type { RunnerFiles } from './place.js';

export const qwenCodeFiles: RunnerFiles = {
  runner: 'qwen-code',
  configs: [{ config: 'qwen-settings', format: 'jsonc', label: 'Qwen Code settings', path: /(?:^|\/)\.qwen\/settings\.json$/ }],
  texts: [
    { text: 'command', format: 'toml', path: /(?:^|\/)\.qwen\/commands\/(?:[^/]+\/)*[^/]+\.toml$/ },
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.qwen\/commands\/(?:[^/]+\/)*[^/]+\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.qwen\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
    { text: 'instructions', format: 'plain', path: /(?:^|\/)QWEN\.md$/ },
  ],
};
