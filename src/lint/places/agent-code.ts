/** Files of agent-code (its docs: configuration). */
import type { RunnerFiles } from './place.js';

export const agentCodeFiles: RunnerFiles = {
  runner: 'agent-code',
  configs: [
    {
      config: 'agent-code-settings',
      format: 'toml',
      label: 'agent-code settings',
      path: /(?:^|\/)\.agent\/settings(?:\.local)?\.toml$/,
    },
  ],
  texts: [{ text: 'skill', format: 'front-matter', path: /(?:^|\/)\.agent\/skills\/(?:[^/]+\/)*[^/]+\.md$/ }],
};
