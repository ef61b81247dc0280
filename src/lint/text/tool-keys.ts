/** Keys that were meant as an agent's tool list, and are read by nobody. */
import type { AgentFormat } from '../../agent/format.js';

/** How each format spells the list of tools, and the list of tools that are taken away. */
const SPELT: Readonly<Record<AgentFormat, { readonly listed: string | null; readonly excluded: string | null }>> = {
  'claude-code': { listed: 'tools', excluded: 'disallowedTools' },
  'codex-markdown': { listed: 'tools', excluded: null },
  'codex-yaml': { listed: 'tools', excluded: null },
  'agent-code': { listed: 'include_tools', excluded: 'exclude_tools' },
  codex: { listed: null, excluded: null },
  'gemini-cli': { listed: 'tools', excluded: null },
  'copilot-cli': { listed: 'tools', excluded: null },
  opencode: { listed: 'tools', excluded: null },
  'qwen-code': { listed: 'tools', excluded: 'disallowedTools' },
  cursor: { listed: null, excluded: null },
};

/** Without case, `-` and `_`: what people write for the one and for the other. */
const LISTED = new Set([
  'tool',
  'tools',
  'toolss',
  'tolls',
  'toosl',
  'tols',
  'allowedtools',
  'allowtools',
  'allowedtool',
  'includetools',
  'includetool',
  'toollist',
  'enabledtools',
]);
const EXCLUDED = new Set([
  'disallowedtools',
  'disallowedtool',
  'disabledtools',
  'deniedtools',
  'denytools',
  'blockedtools',
  'excludetools',
  'excludedtools',
  'excludetool',
]);

/** The key that was meant; null for a key that is spelt right or means something else. */
export function misspeltTools(format: AgentFormat, key: string): string | null {
  const { listed, excluded } = SPELT[format];
  // agent-code's reader says itself that it does not read `tools`.
  if (key === listed || key === excluded || (format === 'agent-code' && key === 'tools')) return null;
  const folded = key.toLowerCase().replace(/[-_ ]/g, '');
  if (LISTED.has(folded)) return listed;
  return EXCLUDED.has(folded) ? excluded : null;
}
