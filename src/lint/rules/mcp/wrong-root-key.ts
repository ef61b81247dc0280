import { isFields } from '../../../call/fields.js';
import type { ConfigFile } from '../../files/files.js';
import type { LintRule, Report } from '../../project/rule.js';

export const wrongRootKey: LintRule = {
  id: 'mcp/wrong-root-key',
  severity: 'error',
  docs: {
    what: 'The servers stand under a key that the runner of this file does not read.',
    why: 'VS Code reads `servers`; Claude Code, Cursor and most others read `mcpServers`. Under the other key no server exists, without a message.',
    bad: '# .mcp.json\n{ "servers": { "files": { "command": "npx", "args": ["server-files@1.0.0"] } } }\n',
    good: '# .mcp.json\n{ "mcpServers": { "files": { "command": "npx", "args": ["server-files@1.0.0"] } } }\n',
    fix: 'Rename the key as the message says.',
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'mcp').flatMap(check),
};

function check({ path, data, source }: ConfigFile): readonly Report[] {
  const [right, wrong] = /(?:^|\/)\.vscode\//.test(path) ? ['servers', 'mcpServers'] : ['mcpServers', 'servers'];
  if (data === null || data.at(`/${right}`) !== undefined || !isFields(data.at(`/${wrong}`))) return [];
  const span = data.keySpan(`/${wrong}`);
  const start = source.offsetAt(span);
  const fix = {
    description: `Rename it to ${right}`,
    edits: [{ file: path, start, end: start + wrong.length, text: right }],
  };
  const isExact = source.text.slice(start, start + wrong.length) === wrong;
  return [
    {
      at: span,
      message: `The runner of this file reads \`${right}\`, so none of these servers exists.`,
      ...(isExact ? { fix } : {}),
    },
  ];
}
