import { shown } from '../../../policy/sentences.js';
import { fetchedPackage } from '../../mcp/fetched-package.js';
import { type McpServer, serversOf } from '../../mcp/servers.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

export const unpinnedPackage: LintRule = {
  id: 'mcp/unpinned-package',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'An MCP server is fetched in whatever version is newest when it starts.',
    why: 'Whoever can publish the package runs code on the machine of everybody who opens the project, without a change in it.',
    bad: '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@latest", "src"] } } }\n',
    good: '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "src"] } } }\n',
    fix: 'Write the version that was looked at, as in package@1.2.3.',
  },
  check: (project) => {
    const reported = new Set<string>();
    return serversOf(project).flatMap((server) => check(server, project, reported));
  },
};

/** One finding per package and file. */
function check(
  { command, data, name, pointer, file }: McpServer,
  { ownPackages }: LintProject,
  reported: Set<string>,
): readonly Report[] {
  // A disabled server is not started.
  if (data.at(`${pointer}/enabled`) === false || data.at(`${pointer}/disabled`) === true) return [];
  const fetched = fetchedPackage(command.map(({ text }) => text));
  const word = fetched === null ? undefined : command[fetched.index];
  if (fetched === null || fetched.isPinned || word === undefined) return [];
  // Of what the project publishes itself, the newest is what it wants.
  if (ownPackages().has(fetched.text.replace(/(.)[@=[].*$/, '$1'))) return [];
  const place = `${file.path} ${word.text}`;
  if (reported.has(place)) return [];
  reported.add(place);
  const at = data.valueSpan(word.pointer);
  if (fetched.isImage)
    return [
      {
        at,
        message: `The MCP server ${shown(name)} runs the image ${shown(fetched.text)}, whose tag can be moved to another one.`,
        help: 'Write the version that was looked at, as in image:1.2.3, or its digest.',
      },
    ];
  const message = `The MCP server ${shown(name)} runs ${shown(fetched.text)} in whatever version is newest when it starts`;
  // Without -y and a version, npx takes what the project has installed.
  const isOwn = fetched.index === 1 && command[0]?.text === 'npx' && !fetched.text.includes('@', 1);
  return [
    isOwn
      ? { at, message: `${message}, unless the project has it installed.`, severity: 'info' }
      : { at, message: `${message}.` },
  ];
}
