/**
 * Whether the entry of an MCP server starts our own, intact gateway, by the standard of the hook's line (own-hook.ts): the words
 * `policy mcp gateway` in a settings file prove nothing about the program that they start.
 */
import { basename, dirname, join } from 'node:path';
import { gatewayLine } from '../../call/gateway-line.js';
import { isMap, type JsonValue } from '../../disk/json-text.js';
import { isOwnBundle, type OwnPrograms, resolved } from '../own-hook.js';
import type { InstallPlaces } from '../target.js';
import type { KnownClient } from './clients.js';
import { isSteering, variablesKey, wordsOf } from './entry.js';

export const GATEWAY_BUNDLE = 'gateway.cjs';

/** Options of the gateway with which another policy or log would count than the hook's. */
const ELSEWHERE = ['--config-dir', '--state-dir', '--managed-dir'];

/** The machine, as far as it decides which program starts. */
export interface GatewayMachine {
  readonly own: OwnPrograms | null;
  /** The PATH of the person, in which the client looks for a program. */
  readonly path: string;
  /** The folders that the hook uses. */
  readonly folders: Readonly<Record<'config' | 'state' | 'managed', string>>;
}

/** What an audit and `policy run` know of the machine. */
export interface KnownMachine {
  readonly places: InstallPlaces;
  readonly own: OwnPrograms | null;
  readonly userDirectory: string;
  readonly stateDirectory: string;
  readonly managedDirectory: string;
}

export function gatewayMachine({ places, own, userDirectory, stateDirectory, managedDirectory }: KnownMachine): GatewayMachine {
  const folders = { config: userDirectory, state: stateDirectory, managed: managedDirectory };
  return { own, path: places.environment.PATH ?? '', folders };
}

/** Returns null if it starts our gateway; else why not, to follow "the MCP server …". */
export function whyUngoverned(entry: JsonValue, client: KnownClient, { own, path, folders }: GatewayMachine): string | null {
  const words = isMap(entry) ? wordsOf(entry) : null;
  const line = words === null ? null : gatewayLine(words);
  if (words === null || line === null || !isMap(entry)) return 'is not behind the gateway';
  if (own === null) return 'is behind a gateway that cannot be compared: this copy of policy is not built';
  const [first = '', second = ''] = words;
  const isOurs =
    line.program === 3
      ? resolved(first, path) === own.command
      : resolved(first, path) === own.node && isGateway(resolved(second, null), own);
  if (!isOurs) return "starts a gateway that is not this policy's, or was changed";
  const variables = entry.get(variablesKey(client));
  const program = { words: [first] as const, options: [] };
  const steering = isMap(variables) ? [...variables.keys()].find((name) => isSteering(name, program)) : undefined;
  if (steering !== undefined) return `sets ${steering} for the gateway as well`;
  const known = [folders.config, folders.state, folders.managed];
  const other = line.options.find(({ name, value }) => ELSEWHERE.includes(name) && value !== known[ELSEWHERE.indexOf(name)]);
  return other === undefined ? null : `gives the gateway ${other.name} ${other.value}, which the hook does not use`;
}

function isGateway(program: string | null, own: OwnPrograms): boolean {
  if (program === null || program === own.command) return program !== null;
  return basename(program) === GATEWAY_BUNDLE && isOwnBundle(join(dirname(program), 'hook.cjs'), own);
}
