import { shown } from '../../../policy/sentences.js';
import { serverSecrets } from '../../mcp/server-secrets.js';
import type { LintRule } from '../../project/rule.js';

export const literalSecret: LintRule = {
  id: 'mcp/literal-secret',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'The settings of an MCP server hold a credential.',
    why: 'The file is part of the project: everybody who has the project has the credential, and so has every agent that reads it.',
    bad: '{ "mcpServers": { "github": { "command": "github-mcp", "env": { "GITHUB_TOKEN": "ghp_…" } } } }\n',
    good: '{ "mcpServers": { "github": { "command": "github-mcp", "env": { "GITHUB_TOKEN": "${GITHUB_TOKEN}" } } } }\n',
    fix: 'Write a reference to a variable of the environment, and change the credential: it has been seen.',
  },
  check: (project) =>
    project.configs.flatMap((file) =>
      serverSecrets(file).map(({ server, what, start, end }) => ({
        at: file.source.span(start, end),
        message: `The MCP server ${shown(server)} is given ${what}.`,
      })),
    ),
};
