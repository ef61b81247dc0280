/** Files of Claude Code (code.claude.com/docs: settings, memory, skills, plugins reference). */
import type { RunnerFiles } from './place.js';

export const claudeCodeFiles: RunnerFiles = {
  runner: 'claude-code',
  configs: [
    {
      config: 'claude-settings',
      format: 'json',
      label: 'Claude Code settings',
      path: /(?:^|\/)(?:\.claude\/settings(?:\.local)?\.json|managed-settings\.json|managed-settings\.d\/[^/]+\.json)$/,
    },
    {
      config: 'claude-plugin',
      format: 'json',
      label: 'Claude Code plugin manifest',
      path: /(?:^|\/)\.claude-plugin\/plugin\.json$/,
    },
    {
      config: 'claude-marketplace',
      format: 'json',
      label: 'Claude Code plugin marketplace',
      path: /(?:^|\/)\.claude-plugin\/marketplace\.json$/,
    },
  ],
  texts: [
    { text: 'skill', format: 'front-matter', path: /(?:^|\/)\.claude\/skills\/(?:[^/]+\/)+SKILL\.md$/ },
    { text: 'command', format: 'front-matter', path: /(?:^|\/)\.claude\/commands\/(?:[^/]+\/)*[^/]+\.md$/ },
    {
      text: 'instructions',
      format: 'front-matter',
      path: /(?:^|\/)(?:CLAUDE(?:\.local)?\.md|\.claude\/(?:rules|output-styles)\/(?:[^/]+\/)*[^/]+\.md)$/,
    },
  ],
};
