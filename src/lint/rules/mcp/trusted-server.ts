import { shown } from '../../../policy/sentences.js';
import type { RiskyValue } from '../../project/risky.js';
import { forRisky, type LintRule, type Report } from '../../project/rule.js';

export const trustedServer: LintRule = {
  id: 'mcp/trusted-server',
  severity: 'warning',
  confidence: 'high',
  persona: 'reviewer',
  docs: {
    what: 'Settings let every tool of an MCP server run without a question.',
    why: 'Also those that write or delete, and those that the next version of the server adds.',
    bad: '{ "mcpServers": { "files": { "command": "files-mcp", "trust": true } } }\n',
    good: '{ "mcpServers": { "files": { "command": "files-mcp" } } }\n',
    fix: 'Remove "trust", and allow the tools that are needed by rules.',
  },
  check: forRisky('mcp/trusted-server', check),
};

function check({ data, pointer, says }: RiskyValue): readonly Report[] {
  const server = pointer.split('/').at(-2) ?? '';
  return [{ at: data.valueSpan(pointer), message: `The setting trust of ${shown(server)} ${says}.` }];
}
