/** `policy mcp install` and `policy mcp uninstall`: puts the MCP servers of a client behind the gateway, and takes it out again. */
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { RUNNERS } from '../../call/tool-call.js';
import { unifiedDiff } from '../../disk/diff.js';
import { repositoryTop } from '../../disk/git/directory.js';
import { isIgnored } from '../../disk/git/ignored.js';
import { isInside } from '../../disk/inside.js';
import { isMap } from '../../disk/json-text.js';
import { realPath } from '../../disk/real-path.js';
import { defaultUserDirectory } from '../../disk/user-directory.js';
import { VERSION } from '../../generated/build.js';
import { installedHooks } from '../../install/install.js';
import { CLIENTS, type KnownClient } from '../../install/mcp/clients.js';
import type { GatewayProgram } from '../../install/mcp/entry.js';
import { wordsOf } from '../../install/mcp/entry.js';
import { GATEWAY_BUNDLE, gatewayMachine, whyUngoverned } from '../../install/mcp/own-gateway.js';
import {
  applyServers,
  lineOf,
  planServers,
  planWithout,
  type ServerChange,
  type ServerChoice,
  serverList,
} from '../../install/mcp/servers.js';
import { resolved } from '../../install/own-hook.js';
import { hookTarget, type InstallPlaces } from '../../install/target.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { maskText } from '../../log/record/mask-text.js';
import { type ProgramCopy, programCopy, userVersions } from '../../program/program-copy.js';
import { escapeText } from '../../report/printing/escape.js';
import { runnerNamed } from '../../runner/runners.js';
import type { ServerFile } from '../../runner/servers/client.js';
import { guarded } from '../place/guarded.js';
import { machineHere, ownPrograms } from '../place/own-programs.js';
import { placesOf, refuseInsideRunner, stateDirectoryOf } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, said, warn } from '../terminal/terminal.js';
import { type Arguments, switchFlag, textFlag } from '../words/arguments.js';

const CLIENT_NAMES = CLIENTS.map(({ id }) => id);

/** Throws UsageError if no file can be changed, and inside a runner; then nothing was changed. */
export async function run(args: Arguments, action: 'install' | 'uninstall'): Promise<ExitCode> {
  const dry = switchFlag(args, 'dry-run');
  if (!dry) refuseInsideRunner(`policy mcp ${action}`);
  const clients = clientsOf(args, action);
  const places = placesOf(args);
  const stateDirectory = stateDirectoryOf(args);
  const machine = gatewayMachine(machineHere(places, stateDirectory));
  const choice: ServerChoice = {
    ...{ places, stateDirectory, server: textFlag(args, 'server') ?? null },
    whyUngoverned: (entry, client) => whyUngoverned(entry, client, machine),
  };
  const copy = action === 'install' ? guarded(() => copyOf(clients, places)) : null;
  const { plans, failures } = plansOf(clients, (client, file) =>
    copy === null ? planWithout(client, file, choice) : planServers(client, file, programOf(copy, file, choice), choice),
  );
  const [failure] = failures;
  if (plans.length === 0 && failure !== undefined) throw failure;
  for (const { message } of failures) warn(`error: ${message}`);
  const end = failures.length > 0 ? EXIT.error : EXIT.allow;
  for (const { change } of plans) await tell(change, places, dry);
  const changing = plans.filter(({ change }) => change.before !== change.after);
  const listed = plans.flatMap(({ change }) => change.lines);
  if (listed.length === 0) return await said(nothing(clients, action, choice.server), end);
  if (changing.length === 0) return await said('Nothing to change.', end);
  if (dry) return await said('Nothing was changed (--dry-run).', end);
  const files = changing.map(({ change }) => change.file).join(' and ');
  if (!switchFlag(args, 'yes') && !(await confirmed(`Write this to ${files}?`)))
    return await said('Nothing was changed.', EXIT.error);
  if (changing.some(({ change }) => copy !== null && change.after.includes(copy.hook.slice(0, -'hook.cjs'.length))))
    guarded(() => copy?.make());
  for (const { plan, change } of changing) {
    guarded(() => applyServers(plan, change.path, choice));
    await said(`${action === 'install' ? 'Written' : 'Restored'}: ${change.file}`);
  }
  for (const note of new Set(changing.flatMap(({ change }) => notesOf(change, action, places)))) warn(`note: ${note}`);
  return await said(action === 'install' ? 'Next: restart the client' : 'From now on, the servers start without policy.', end);
}

function clientsOf(args: Arguments, action: string): readonly KnownClient[] {
  const named = Array.isArray(args.words) ? args.words.map(String) : [];
  if (switchFlag(args, 'all')) {
    if (named.length > 0) throw new UsageError('Name a client, or give --all, not both');
    return CLIENTS;
  }
  const [name, ...more] = named;
  const found = CLIENTS.find(({ id }) => id === name);
  if (found === undefined || more.length > 0)
    throw new UsageError(`Which client? policy mcp ${action} ${CLIENT_NAMES.join(' | ')}, or --all`);
  return [found];
}

function nothing(clients: readonly KnownClient[], action: string, server: string | null): string {
  const which = server === null ? 'No MCP server' : `No MCP server ${server}`;
  const names = clients.map(({ title }) => title).join(', ');
  return action === 'install' ? `${which} is configured for ${names}` : `${which} is behind the gateway for ${names}`;
}

interface Planned {
  readonly plan: () => ServerChange | null;
  readonly change: ServerChange;
}

/** Two clients may read the same file: the first one has it. One broken file must not keep the others from being changed. */
function plansOf(clients: readonly KnownClient[], planFor: (client: KnownClient, file: ServerFile) => ServerChange | null) {
  const plans: Planned[] = [];
  const failures: UsageError[] = [];
  for (const client of clients)
    for (const file of client.files) {
      const plan = () => planFor(client, file);
      try {
        const change = guarded(plan);
        if (change !== null && plans.every((one) => one.change.path !== change.path)) plans.push({ plan, change });
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        failures.push(error);
      }
    }
  return { plans, failures };
}

const SAID = {
  wrapped: 'behind the gateway',
  restored: 'as it was',
  already: 'already behind the gateway',
  left: 'left as it is',
};

async function tell({ file, before, after, lines }: ServerChange, { project }: InstallPlaces, isWhole: boolean): Promise<void> {
  const shown = isInside(file, project) ? relative(project, file) : file;
  for (const { server, kind, why } of lines)
    await said(`${shown}: ${server} ${kind === 'left' ? '' : '→ '}${SAID[kind]}${why === null ? '' : `: ${why}`}`);
  if (!isWhole) return;
  for (const line of maskText(unifiedDiff(before, after, { before: file, after: file }).join('\n')).split('\n'))
    if (line !== '') await print(`${escapeText(line)}\n`);
}

function notesOf({ client, file, after, path }: ServerChange, action: string, { project }: InstallPlaces): readonly string[] {
  const { says } = client;
  const isShared = action === 'install' && isInside(path, project) && after.includes(`${GATEWAY_BUNDLE}"`);
  const isOpen = isShared && repositoryTop(project) !== null && !isIgnored(project, relative(project, path));
  return [
    ...(says === undefined ? [] : [says]),
    ...(isOpen
      ? [
          `${relative(project, file)} contains your own folder names; keep it out of git, or put \`policy\` on PATH and install again`,
        ]
      : []),
  ];
}

/** Returns the copy of this program that clients start. Throws WriteError. */
function copyOf(clients: readonly KnownClient[], places: InstallPlaces): ProgramCopy {
  const own = ownPrograms();
  const node = realPath(process.execPath);
  if (own === null) throw new UsageError('This copy of the program is not built: run `npm run build` first');
  if (node === null || isInside(node, places.project))
    throw new UsageError(`${process.execPath} is inside the project, where agents may write; run this with another node`);
  return programCopy({
    bundles: dirname(own.hook),
    versions: userVersions(process.env, places.home),
    version: VERSION,
    node,
    shared: false,
    installed: [...hooksHere(places), ...clients.flatMap((client) => gatewaysOf(client, places))],
  });
}

/** Files that cannot be read are reported when they are planned. */
function quietly<Result>(work: () => readonly Result[]): readonly Result[] {
  try {
    return guarded(work);
  } catch (error) {
    if (error instanceof UsageError) return [];
    throw error;
  }
}

function hooksHere(places: InstallPlaces): readonly string[] {
  return RUNNERS.flatMap((id) =>
    quietly(() => {
      const runner = runnerNamed(id);
      return runner === undefined || runner.places.user === null ? [] : installedHooks(hookTarget(runner, 'user', places));
    }),
  );
}

/** Returns the hooks that lie beside the gateways which entries name. */
function gatewaysOf({ files }: KnownClient, places: InstallPlaces): readonly string[] {
  return files.flatMap((file) =>
    quietly(() =>
      (serverList(file, places)?.servers ?? []).flatMap(({ entry }) => {
        const bundle = lineOf(entry) !== null && isMap(entry) ? wordsOf(entry)?.[1] : undefined;
        return bundle?.endsWith(`/${GATEWAY_BUNDLE}`) === true ? [join(dirname(bundle), 'hook.cjs')] : [];
      }),
    ),
  );
}

/**
 * Returns the words that start the gateway: the copy by its path, as the hook; in a file that a team shares, `policy`, if that is
 * this program for everyone who looks for it on PATH here.
 */
function programOf(copy: ProgramCopy, file: ServerFile, { places, stateDirectory }: ServerChoice): GatewayProgram {
  const { home, project, environment } = places;
  const command = resolved('policy', environment.PATH ?? '');
  const isOwn = command !== null && command === realPath(ownPrograms()?.command ?? '') && !isInside(command, project);
  const isShared = file.scope === 'project' && repositoryTop(project) !== null && !isIgnored(project, file.path);
  if (isShared && isOwn) return { words: ['policy', 'mcp', 'gateway'], options: [] };
  const config = defaultUserDirectory(environment, home);
  const node = realPath(process.execPath) ?? process.execPath;
  return {
    words: [node, join(dirname(copy.hook), GATEWAY_BUNDLE), 'mcp', 'gateway'],
    options: [
      ...(file.scope === 'project' ? ['--project', project] : []),
      // A client may hand on fewer variables than the hook sees.
      ...(config === defaultUserDirectory({}, home) ? [] : ['--config-dir', config]),
      ...(stateDirectory === defaultStateDirectory({}, homedir()) ? [] : ['--state-dir', stateDirectory]),
    ],
  };
}
