/** Which MCP servers are behind the gateway: by proof, since the words `policy mcp gateway` may start anything. */
import { WriteError } from '../../../disk/replace.js';
import { CLIENTS, type KnownClient } from '../../../install/mcp/clients.js';
import { gatewayMachine, whyUngoverned } from '../../../install/mcp/own-gateway.js';
import { lineOf, type ServerList, serverList } from '../../../install/mcp/servers.js';
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import type { DoctorSubject } from '../found/subject.js';

/** More servers than anyone has. */
const MOST_SERVERS = 100;

export const servers: DoctorCheck = {
  id: 'servers',
  examine: (subject) => {
    const seen = new Set<string>();
    return CLIENTS.filter(({ runner }) => isExamined(subject, runner))
      .flatMap((client) => client.files.flatMap((file) => saidOf(subject, client, listOf(subject, client, file, seen))))
      .slice(0, MOST_SERVERS);
  },
};

/** A client that is no runner is examined unless runners were named. */
function isExamined({ examined, runners }: DoctorSubject, id: KnownClient['runner']): boolean {
  return id === null ? runners.length === 0 : examined.some(({ runner }) => runner.id === id);
}

/** Two clients may read the same file: the first one reports it. Null: there is nothing to report. */
function listOf(
  { places, withoutProject }: DoctorSubject,
  { runner }: KnownClient,
  file: KnownClient['files'][number],
  seen: Set<string>,
): ServerList | CheckResult | null {
  if (withoutProject === true && file.scope === 'project') return null;
  try {
    const list = serverList(file, places);
    if (list === null || seen.has(list.path)) return null;
    seen.add(list.path);
    return list;
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const why = error.message.replace(/[;.] nothing was changed$/i, '');
    return worthKnowing(runner, `Its MCP servers are not known: ${why}`, 'repair that file');
  }
}

function saidOf(subject: DoctorSubject, client: KnownClient, list: ServerList | CheckResult | null): readonly CheckResult[] {
  if (list === null || 'level' in list) return list === null ? [] : [list];
  const { id, runner } = client;
  const isHooked = subject.examined.some((one) => one.runner.id === runner && one.hooks.some(({ blocks }) => blocks));
  const machine = gatewayMachine(subject);
  return list.servers.map(({ at, entry }) => {
    const server = `The MCP server ${JSON.stringify(at.at(-1) ?? '')} in ${list.file}`;
    const why = whyUngoverned(entry, client, machine);
    if (why === null) return fine(runner, `${server} is behind the gateway`);
    const again = `policy mcp uninstall ${id}, then policy mcp install ${id}`;
    if (lineOf(entry) !== null) return problem(runner, `${server} ${why}`, again);
    return isHooked
      ? fine(runner, `${server} ${why}, but the hook judges its calls`)
      : worthKnowing(runner, `${server} ${why}, and no hook judges its calls`, `policy mcp install ${id}`);
  });
}
