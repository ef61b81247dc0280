/**
 * The MCP servers of a project that a client may start while a person works with it at the terminal: each is judged like any
 * other command that the client starts by itself. In a run with a goal they are omitted (src/runner/launch/).
 */
import type { Workspace } from '../../project/workspace.js';
import type { Runner } from '../../runner/hook/runner.js';
import type { ProjectServer, ProjectServers, ServerStart } from '../../runner/launch/launcher.js';
import { shellWord } from '../doctor/found/words.js';
import { shownCommand } from '../model/shown-command.js';
import { commandSaid, isDenied, type Surrounding } from '../surroundings/surroundings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** More servers than anyone has. */
const MOST_SERVERS = 100;

/**
 * Returns at most one problem for each server: preferably that the policy forbids it, otherwise that the policy does not allow it.
 * @param servers the servers that the project's files name
 * @param environment the variables that the client is started with
 */
export function startedServers(
  { id }: Runner,
  { servers, files, unread }: ProjectServers,
  workspace: Workspace,
  environment: Environment,
): { readonly denied: readonly Surrounding[]; readonly noted: readonly Surrounding[] } {
  const [file] = files;
  const entries = servers.reduce((sum, { starts = [] }) => sum + Math.max(starts.length, 1), 0);
  const why = unread ?? (entries > MOST_SERVERS ? `more than ${MOST_SERVERS}` : null);
  if (why !== null) {
    const message = `${id} may start the MCP servers in ${file}, and it is unknown which ones (${why})`;
    return { denied: [{ level: 'problem', file, line: 1, message, fix: `repair ${file}, or remove it` }], noted: [] };
  }
  const found = servers.flatMap((server) => serverSaid(server, argumentsOf(server, servers), id, workspace, environment));
  return { denied: found.filter(isDenied), noted: found.filter((one) => !isDenied(one)) };
}

function serverSaid(
  server: ProjectServer,
  args: readonly (readonly string[])[],
  id: Runner['id'],
  workspace: Workspace,
  environment: Environment,
): readonly Surrounding[] {
  const { name, file, isRemote, line = 1, starts = [] } = server;
  if (isRemote) return [];
  const where = `The MCP server ${shownCommand(name)} in ${file}${server.line === undefined ? '' : `:${line}`}`;
  const lines = [...new Set(starts.flatMap((start) => [start.args, ...args].flatMap((one) => linesOf(start, one, environment))))];
  const untold: readonly Surrounding[] =
    lines.length > 0 && starts.every(({ program }) => program.length > 0)
      ? []
      : [
          {
            level: 'note',
            file,
            line,
            message: `${where} does not name a program that can be judged`,
            fix: `remove it from ${file}`,
          },
        ];
  const spot = { file, line, by: `mcpServers.${name}`, matcher: null };
  const said = [...lines.flatMap((command) => commandSaid(id, spot, where, command, workspace)), ...untold];
  const worst = said.find(isDenied) ?? said[0];
  return worst === undefined ? [] : [worst];
}

/** Codex merges the tables with the same name from several files, so the program may be in one file and its arguments in another. */
function argumentsOf({ name, file }: ProjectServer, servers: readonly ProjectServer[]): readonly (readonly string[])[] {
  const others = servers.filter((one) => one.name === name && one.file !== file);
  return others.flatMap(({ starts = [] }) => starts.map(({ args }) => args)).filter((args) => args.length > 0);
}

/** Returns the command lines as a shell would get them: as written, and with the variables that some clients substitute. */
function linesOf(
  { program, variables, folder }: ServerStart,
  args: readonly string[],
  environment: Environment,
): readonly string[] {
  if (program.length === 0) return [];
  const words = [...program, ...args];
  const filled = words.map((word) => word.replace(VARIABLE, (_, a, other, b) => environment[a ?? b] ?? other ?? ''));
  const before = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)} `);
  const start = folder === null ? '' : `cd ${shellWord(folder)} && `;
  return [words, filled].map((all) => `${start}${before.join('')}${lineOf(all)}`);
}

/** A single string may contain the arguments as well. */
function lineOf(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map(shellWord).join(' ');
}

const VARIABLE = /\$\{(\w+)(?::-([^}]*))?\}|\$(\w+)/g;
