/** Files of OpenCode (opencode.ai/docs: config, commands, skills). */
import type { RunnerFiles } from './place.js';

export const openCodeFiles: RunnerFiles = {
  runner: 'opencode',
  configs: [
    {
      config: 'opencode-config',
      format: 'jsonc',
      label: 'OpenCode configuration',
      path: /(?:^|\/)(?:\.opencode\/)?opencode\.jsonc?$/,
    },
  ],
  texts: [
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.opencode\/commands?\/(?:[^/]+\/)*[^/]+\.md$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.opencode\/skills?\/(?:[^/]+\/)+SKILL\.md$/ },
  ],
};
