/** The MCP server that `policy mcp pin`, `diff` and `inspect` are about, and its tools as it lists them now. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { gatewayLine } from '../../call/gateway-line.js';
import { realPath } from '../../disk/real-path.js';
import { connectTo } from '../../gateway/gateway.js';
import { type GatewayOptions, gatewayOptions } from '../../gateway/options.js';
import { ListError, type ListedTools, listTools } from '../../gateway/pins/list-tools.js';
import { pinReader, type ReadPin } from '../../gateway/pins/pin.js';
import type { UpstreamPlace } from '../../gateway/session/upstream.js';
import { defaultStateDirectory } from '../../log/files/directory.js';
import { projectOf } from '../../project/project.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, textFlag, textFlags } from '../words/arguments.js';

export interface Target {
  readonly server: string;
  readonly upstream: UpstreamPlace;
  readonly stateDirectory: string;
  readonly project: string;
  readonly pin: ReadPin;
}

/** Returns the server of the command line; with its name alone, as it was pinned. Throws UsageError. */
export function targetOf(args: Arguments, action: string): Target {
  const given = Array.isArray(args.words) ? args.words.map(String) : [];
  const line = gatewayLine(given);
  const through = line === null ? null : read(given.slice(line.program), action);
  if (through !== null)
    warn(`note: this command starts policy itself; the following is about the server ${through.server} behind it`);
  const named = textFlag(args, 'server') ?? through?.server;
  const stateDirectory = resolve(
    textFlag(args, 'state-dir') ?? through?.stateDirectory ?? defaultStateDirectory(process.env, homedir()),
  );
  const project = projectOf(realPath(resolve(textFlag(args, 'project') ?? through?.project ?? '.')) ?? resolve('.'));
  const place = (server: string) => ({ server, stateDirectory, project, pin: pinReader(stateDirectory, project, server)() });
  if (through !== null) return { ...place(named ?? through.server), upstream: through.upstream };
  const hasAddress = ADDRESSES.some((name) => textFlag(args, name) !== undefined);
  const isNamedOnly = given.length === 0 && named !== undefined && !hasAddress;
  const pin = isNamedOnly ? place(named).pin : null;
  if (isNamedOnly && pin !== null && pin !== 'damaged') return { ...place(named), upstream: pin.upstream };
  if (isNamedOnly && pin === 'damaged')
    throw new UsageError(`The pin of ${named} cannot be read; pin it again with its command or address`);
  if (isNamedOnly && named !== 'codex')
    throw new UsageError(
      `${named} is not pinned for ${project}; name its command or address, too: policy mcp ${action} --server ${named} -- COMMAND`,
    );
  const options = read([...flagsOf(args), ...(given.length === 0 ? [] : ['--', ...given])], action);
  return { ...place(options.server), upstream: options.upstream };
}

const ADDRESSES = ['url', 'url-from'];

function flagsOf(args: Arguments): readonly string[] {
  const one = ['server', ...ADDRESSES].flatMap((name) =>
    textFlag(args, name) === undefined ? [] : [`--${name}=${textFlag(args, name)}`],
  );
  return [...one, ...['env', 'header'].flatMap((name) => textFlags(args, name).map((value) => `--${name}=${value}`))];
}

function read(words: readonly string[], action: string): GatewayOptions {
  const options = gatewayOptions(words);
  if (typeof options === 'string') throw new UsageError(options.replaceAll('policy mcp gateway', `policy mcp ${action}`));
  return options;
}

/** Characters of the end of what a server writes on standard error. */
const LAST_WORDS = 1_000;

/** Starts or reaches the server as the gateway does, and ends it. Throws UsageError. */
export async function toolsOf({ upstream }: Target): Promise<ListedTools> {
  let said = '';
  const heard = (text: string) => {
    said = (said + text).slice(-LAST_WORDS);
  };
  const cwd = realPath(resolve('.')) ?? resolve('.');
  const connect = await connectTo(upstream, { cwd, environment: process.env, warn, heard });
  if (typeof connect === 'string') throw new UsageError(connect);
  try {
    return await listTools(connect, cwd);
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    const lines = said.split('\n').filter((line) => line.trim() !== '');
    throw new UsageError(error.message, ...lines.slice(-5).map((line) => `  the server said: ${line}`));
  }
}
