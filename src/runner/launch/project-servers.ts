/** MCP servers that project files name: with a goal, no runner starts them unless the person named them for this run. Pure. */
import { LaunchRefused } from './launch-refused.js';
import type { LaunchRequest, ProjectServer, ProjectServers } from './launcher.js';

/** Maximum number of servers; more than anyone has. Each becomes an argument of the command line. */
const MOST_SERVERS = 100;
/** A name that a runner and its shell read as one plain word or string, without any variable or flag in it. */
const PLAIN = /^[A-Za-z0-9_][\w .@:/-]{0,99}$/;

/**
 * Returns the servers that have to be left out by name; null: there are none. Throws LaunchRefused if not all names are known, or
 * if the runner may read a name as something else.
 * @param client the runner's name, for the person
 */
export function unnamedServers(
  { goal, projectServers }: Pick<LaunchRequest, 'goal' | 'projectServers'>,
  client: string,
  plain = PLAIN,
): (ProjectServers & { readonly servers: readonly [ProjectServer, ...ProjectServer[]] }) | null {
  if (goal === null || projectServers == null) return null;
  const { unread, files } = projectServers;
  const servers = ungoverned(projectServers);
  if (unread !== null) throw wouldStart(client, files[0], unread);
  const [first, ...more] = servers;
  if (first === undefined) return null;
  if (servers.length > MOST_SERVERS) throw wouldStart(client, first.file, `more than ${MOST_SERVERS}`);
  const odd = servers.find(({ name }) => !plain.test(name) || name === '__proto__');
  if (odd !== undefined) throw wouldStart(client, odd.file, `${JSON.stringify(odd.name.slice(0, 100))} is no plain name`);
  return { ...projectServers, servers: [first, ...more] };
}

/** Whether there are servers, and every one is behind the gateway. */
export function isGoverned(found: ProjectServers): boolean {
  return found.unread === null && found.servers.length > 0 && ungoverned(found).length === 0;
}

/** Returns the servers that nobody put behind the gateway. A client may merge entries with one name, so all of them have to be. */
function ungoverned({ servers }: ProjectServers): readonly ProjectServer[] {
  return servers.filter(({ name }) => servers.some((one) => one.name === name && one.isGoverned !== true));
}

function wouldStart(client: string, file: string, why: string): LaunchRefused {
  return new LaunchRefused(
    `${client} may start the MCP servers of ${file} without asking, and which ones cannot be told (${why}); repair that file`,
  );
}

/** Returns a sentence for the person. @param wanted how to start a server anyway; follows "to start one, " */
export function leftOut(servers: readonly ProjectServer[], client: string, wanted: string): string {
  const [first] = servers;
  const names = [...new Set(servers.map(({ name }) => name))].join(', ');
  const more = new Set(servers.map(({ file }) => file)).size > 1 ? ' and other files' : '';
  const which = servers.length === 1 ? `MCP server ${names}` : `MCP servers ${names}`;
  const it = servers.length === 1 ? 'it' : 'them';
  return `left out the ${which} of ${first?.file}${more}, since ${client} may start ${it} without asking; to start one, ${wanted}`;
}
