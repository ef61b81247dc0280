/** Files of Gemini CLI (its docs: configuration, policy engine, custom commands, extensions). */
import type { RunnerFiles } from './place.js';

export const geminiCliFiles: RunnerFiles = {
  runner: 'gemini-cli',
  configs: [
    {
      config: 'gemini-settings',
      format: 'jsonc',
      label: 'Gemini CLI settings',
      path: /(?:^|\/)\.gemini\/settings\.json$/,
    },
    {
      config: 'gemini-policy',
      format: 'toml',
      label: 'Gemini CLI policy',
      path: /(?:^|\/)\.gemini\/(?:extensions\/[^/]+\/)?policies\/[^/]+\.toml$/,
    },
    {
      config: 'gemini-extension',
      format: 'json',
      label: 'Gemini CLI extension manifest',
      path: /(?:^|\/)gemini-extension\.json$/,
    },
  ],
  texts: [
    { text: 'command', format: 'toml', path: /(?:^|\/)\.gemini\/commands\/(?:[^/]+\/)*[^/]+\.toml$/ },
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.gemini\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
    { text: 'instructions', format: 'plain', path: /(?:^|\/)GEMINI\.md$/ },
  ],
};
