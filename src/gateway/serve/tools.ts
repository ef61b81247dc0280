/** The tools of `policy mcp serve` (seed 004): how a client sees them, and what each of them does in the words of a runner's tools. Pure. */
import type { Members } from '../protocol/message.js';
import type { Judged } from '../protocol/methods.js';

/** The name of this server in rules about servers: `mcp__codex__codex_grep` is `codex_grep`. */
export const SERVER = 'codex';

const text = (description: string) => ({ type: 'string', description });
const PATH = text('Path of a file, relative to the project or absolute');
const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const WRITES = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

function tool(name: string, description: string, required: readonly string[], properties: object, annotations: object) {
  return { name, description, inputSchema: { type: 'object', properties, required, additionalProperties: false }, annotations };
}

export const TOOLS = [
  tool(
    'codex_read_file',
    'Reads a text file. For a file of more than 256 KiB, say which lines.',
    ['path'],
    {
      path: PATH,
      offset: { type: 'integer', minimum: 1, description: 'The first line to read, from 1' },
      limit: { type: 'integer', minimum: 1, description: 'How many lines to read' },
    },
    READS,
  ),
  tool(
    'codex_grep',
    'Finds lines with a regular expression (JavaScript), and shows their files and numbers. Skips .git, node_modules, binary files and files of more than 1 MiB.',
    ['pattern'],
    { pattern: text('The regular expression'), path: text('A file or folder; without it the whole project') },
    READS,
  ),
  tool(
    'codex_codebase_search',
    'Finds the files that match a question best, by its words, with the best lines.',
    ['query'],
    {
      query: text('The question, or words in the code'),
      target_directories: { type: 'array', items: { type: 'string' }, description: 'Folders; without them the whole project' },
    },
    READS,
  ),
  tool(
    'codex_apply_patch',
    'Changes project files with a patch: *** Begin Patch, *** Add File:, *** Update File: (*** Move to:), *** Delete File:, ' +
      '@@ hunks with lines that begin with a space, - or +, *** End Patch. It is applied completely or not at all.',
    ['patch'],
    { patch: text('The patch') },
    WRITES,
  ),
  tool(
    'codex_write_file',
    'Writes a whole project file, and makes missing folders.',
    ['path', 'content'],
    { path: PATH, content: text('The whole text of the file') },
    WRITES,
  ),
  tool('codex_delete_file', 'Deletes a project file.', ['path'], { path: PATH }, WRITES),
  tool(
    'codex_shell',
    'Runs a command line in the project, for at most two minutes. Everything that it started ends with it.',
    ['command'],
    {
      command: text('The command line, for bash'),
      timeout: {
        type: 'integer',
        minimum: 1,
        maximum: 600,
        description: 'Seconds until it is ended (default: 120)',
      },
    },
    { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  ),
] as const;

/** What a call does: the same call of a runner's tool, by which the rules and presets about those are heeded. */
export function alikeCalls({ tool: name, input }: Judged): readonly Judged[] {
  switch (name) {
    case 'codex_read_file':
      return [{ tool: 'Read', input: only(input, 'path', 'file_path') }];
    case 'codex_grep':
      return lookedThrough(only(input, 'path', 'path'));
    case 'codex_codebase_search':
      return lookedThrough(only(input, 'target_directories', 'paths'));
    case 'codex_apply_patch':
      return [{ tool: 'ApplyPatch', input: only(input, 'patch', 'patch') }];
    case 'codex_write_file':
      return [{ tool: 'Write', input: { ...only(input, 'path', 'file_path'), ...only(input, 'content', 'content') } }];
    case 'codex_delete_file':
      return [{ tool: 'Delete', input: only(input, 'path', 'path') }];
    case 'codex_shell':
      return [{ tool: 'Bash', input: only(input, 'command', 'command') }];
    default:
      return [];
  }
}

/** A search may list its folder, and shows something of each file that may be read; so a rule about one of the files does not hinder it. */
function lookedThrough(input: Members): readonly Judged[] {
  return [
    { tool: 'Grep', input },
    { tool: 'Glob', input: { ...input, pattern: '*' } },
  ];
}

function only(input: Members, from: string, to: string): Members {
  return Object.hasOwn(input, from) ? { [to]: input[from] } : {};
}

/** The call that looks for something in some files, as a call looks for it in many, and calls that do the same. */
export function inFiles(
  { tool: name, input }: Judged,
  files: readonly string[],
): readonly [here: Judged, alike: readonly Judged[]] {
  const here = name === 'codex_grep' ? { path: files } : { target_directories: files };
  const alike = [
    { tool: 'Grep', input: { paths: files } },
    { tool: 'Read', input: { file_path: files } },
  ];
  return [{ tool: name, input: { ...input, ...here } }, alike];
}
