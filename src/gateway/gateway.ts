/** `policy mcp gateway` as a process: finds the project, its policy and the log, and serves. */
import { resolve } from 'node:path';
import { UNSENDABLE } from '../call/gateway-line.js';
import { realPath } from '../disk/real-path.js';
import { defaultUserDirectory } from '../disk/user-directory.js';
import type { PreparePolicy } from '../enforce/snapshot/open.js';
import { defaultStateDirectory } from '../log/files/directory.js';
import { policyFolder } from '../project/policy-folder.js';
import { projectOf } from '../project/project.js';
import { escapeText } from '../report/printing/escape.js';
import { judgeOf } from './judge.js';
import { addressOf, type Folders, type GatewayOptions } from './options.js';
import { PinCheck } from './pins/check.js';
import { pinReader } from './pins/pin.js';
import { startServer } from './server-process.js';
import type { Connect, UpstreamPlace } from './session/upstream.js';
import { serveStdio } from './stdio.js';

/** What only some calls need. */
export interface GatewayProcess {
  readonly compile: PreparePolicy;
  /** The home directory if the environment names none. */
  readonly home: () => string;
}

/** Serves until the client leaves (exit code 0) or the server ends (1); see `serveHttp` for clients over HTTP. */
export async function runGateway(options: GatewayOptions, own: GatewayProcess): Promise<number> {
  const { server, agent, denyAs, upstream, listen } = options;
  const { warn, ...where } = standing(options, own, `gateway ${server}`);
  const { cwd, environment } = where;
  const judge = judgeOf({ ...where, server, agent, compile: own.compile, warn });
  const { stateDirectory, project } = where.places;
  const reader = pinReader(stateDirectory, project, server);
  const pins = () => new PinCheck(server, reader);
  const connect = await connectTo(upstream, { cwd, environment, warn });
  if (typeof connect === 'string') {
    warn(connect);
    return USAGE;
  }
  if (listen === null) return await serveStdio({ judge, server, denyAs, pins, warn, connect });
  const token = listen.token === null ? null : (environment[listen.token] ?? '');
  if (token === '') {
    warn(`the variable ${listen.token} has no token`);
    return USAGE;
  }
  const { serveHttp } = await import('./http/listener.js');
  return await serveHttp({ judge, server, denyAs, pins, warn, connect, host: listen.host, port: listen.port, token });
}

/** The exit code for wrong usage, the same as that of the other commands (`EXIT.error` in src/cli/terminal/exit.ts). */
export const USAGE = 3;

interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly warn: (why: string) => void;
  /** See ServerStart. */
  readonly heard?: (text: string) => void;
}

/** Returns the connection to a server, or why there can be none. HTTP is loaded only where it is used: it would make every start slower. */
export async function connectTo(upstream: UpstreamPlace, { warn, ...where }: Surroundings): Promise<Connect | string> {
  if (upstream.kind === 'command') return (events) => startServer({ ...upstream, ...where }, events);
  const { url: given } = upstream;
  const url = 'variable' in given ? addressOf(where.environment[given.variable] ?? '') : given;
  if (url === null || url.username + url.password !== '')
    return `the variable ${'variable' in given ? given.variable : ''} has no address of http or https without a password`;
  const headers: Record<string, string> = {};
  for (const [header, variable] of upstream.headers) {
    const value = where.environment[variable];
    if (value === undefined || UNSENDABLE.test(value)) return `the variable ${variable} has no value for the header ${header}`;
    headers[header] = value;
  }
  const { remoteServer } = await import('./http/remote-server.js');
  return remoteServer({ url, headers, warn });
}

/** Where this process stands: its project, the places of the policy, who started it, and how it warns under its name. */
export function standing(options: Folders & Pick<GatewayOptions, 'runner'>, own: GatewayProcess, name: string) {
  const environment = process.env;
  const home = environment.HOME || own.home();
  const cwd = realPath(resolve('.')) ?? resolve('.');
  const parent = process.ppid;
  // A policy that is made later, in this folder or above it, counts from then on.
  const stands = () => {
    const project = projectOf(realPath(resolve(options.project ?? '.')) ?? cwd);
    return { project, folder: policyFolder(project, cwd) };
  };
  const places = {
    ...{ ...stands(), home, platform: process.platform, runner: options.runner, run: null },
    userDirectory: resolve(options.configDirectory ?? defaultUserDirectory(environment, home)),
    managedDirectory: resolve(options.managedDirectory ?? '/etc/policy'),
    stateDirectory: resolve(options.stateDirectory ?? defaultStateDirectory(environment, home)),
  };
  const isUnheard = () => process.ppid !== parent;
  const warn = (why: string) => {
    process.stderr.write(`${escapeText(`policy mcp ${name}: ${why}`)}\n`);
  };
  return { places, stands, environment, cwd, parent, isUnheard, warn };
}
