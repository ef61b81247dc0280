/** `policy mcp gateway` as a process: finds the project, its policy and the log, and serves. */
import { resolve } from 'node:path';
import { realPath } from '../disk/real-path.js';
import { defaultUserDirectory } from '../disk/user-directory.js';
import type { PreparePolicy } from '../enforce/snapshot/open.js';
import { defaultStateDirectory } from '../log/files/directory.js';
import { policyFolder } from '../project/policy-folder.js';
import { projectOf } from '../project/project.js';
import { escapeText } from '../report/printing/escape.js';
import { judgeOf } from './judge.js';
import type { Folders, GatewayOptions } from './options.js';
import { serveStdio } from './stdio.js';

/** What only some calls need. */
export interface GatewayProcess {
  readonly compile: PreparePolicy;
  /** The home directory if the environment names none. */
  readonly home: () => string;
}

/** Serves until the client leaves (exit code 0) or the server ends (1). */
export async function runGateway(options: GatewayOptions, own: GatewayProcess): Promise<number> {
  const { server, agent, denyAs, command, words, named } = options;
  const { warn, ...where } = standing(options, own, `gateway ${server}`);
  const judge = judgeOf({ ...where, server, agent, compile: own.compile, warn });
  return await serveStdio({ judge, server, denyAs, warn, command, words, cwd: where.cwd, environment: where.environment, named });
}

/** Where this process stands: its project, the places of the policy, who started it, and how it warns under its name. */
export function standing(options: Folders & Pick<GatewayOptions, 'runner'>, own: GatewayProcess, name: string) {
  const environment = process.env;
  const home = environment.HOME || own.home();
  const cwd = realPath(resolve('.')) ?? resolve('.');
  const project = projectOf(realPath(resolve(options.project ?? '.')) ?? cwd);
  const parent = process.ppid;
  const places = {
    ...{ project, folder: policyFolder(project, cwd), home, platform: process.platform, runner: options.runner, run: null },
    userDirectory: resolve(options.configDirectory ?? defaultUserDirectory(environment, home)),
    managedDirectory: resolve(options.managedDirectory ?? '/etc/policy'),
    stateDirectory: resolve(options.stateDirectory ?? defaultStateDirectory(environment, home)),
  };
  const isUnheard = () => process.ppid !== parent;
  const warn = (why: string) => {
    process.stderr.write(`${escapeText(`policy mcp ${name}: ${why}`)}\n`);
  };
  return { places, environment, cwd, parent, isUnheard, warn };
}
