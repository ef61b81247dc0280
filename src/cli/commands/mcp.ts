/** `policy mcp`: MCP servers behind the policy. */
import { homedir } from 'node:os';
import { ASSUMED_RUNNER, RUNNERS } from '../../call/tool-call.js';
import { compileAndStore } from '../../enforce/snapshot/store.js';
import { runGateway } from '../../gateway/gateway.js';
import { gatewayOptions } from '../../gateway/options.js';
import { SERVE_RUNNER } from '../../gateway/serve/options.js';
import { DENIAL_FORMS } from '../../gateway/session/session.js';
import { type ExitCode, UsageError } from '../terminal/exit.js';
import type { Arguments } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const SERVER = 'The server:';
const CLIENTS = 'Clients over HTTP:';
const WHERE = 'Folders:';
const CLIENT = 'The client:';
const INSTALLING = ['install', 'uninstall'];
const CHANGING = [...INSTALLING, 'pin'];

export const takes: Takes = {
  arguments: {
    action: { choices: ['gateway', 'install', 'uninstall', 'serve', 'pin', 'diff', 'inspect'], describe: 'What to do' },
    words: {
      array: true,
      describe: 'gateway, pin, diff, inspect: behind `--` the command of the server; install, uninstall: the client',
    },
  },
  options: {
    server: {
      value: 'NAME',
      default: "from the command's last word",
      describe: 'Its name in rules: mcp__NAME__tool',
      group: SERVER,
    },
    env: { value: 'NAME', describe: 'Give the server this variable, too; may be repeated', group: SERVER },
    url: { value: 'URL', describe: 'The address of a server over HTTP, instead of a command', group: SERVER },
    'url-from': { value: 'VARIABLE', describe: 'The variable with the address, if it contains a key', group: SERVER },
    header: {
      value: 'NAME=VARIABLE',
      describe: 'Send this header to the address, with the value of that variable; may be repeated',
      group: SERVER,
    },
    listen: {
      value: 'HOST:PORT',
      default: 'one client on standard input and output',
      describe: 'Serve clients over HTTP at this loopback address; port 0 means any free port',
      group: CLIENTS,
    },
    token: { value: 'VARIABLE', describe: 'Every client must send the token in this variable', group: CLIENTS },
    'no-token': { describe: 'Every program on this machine may connect', group: CLIENTS },
    agent: { value: 'AGENT', default: 'the main agent', describe: 'The agent that the calls come from' },
    runner: {
      choices: RUNNERS,
      default: `${ASSUMED_RUNNER}, for serve ${SERVE_RUNNER}`,
      describe: 'The coding-agent program that starts this',
    },
    'deny-as': {
      choices: DENIAL_FORMS,
      default: 'result',
      describe: 'Answer a denial with a result and its reason, a protocol error, or as if the tool did not exist',
    },
    project: { value: 'DIR', default: 'where it is started', describe: 'The project whose policy applies', group: WHERE },
    'config-dir': { value: 'DIR', default: '~/.config/policy', describe: "The user's own policy", group: WHERE },
    'state-dir': { value: 'DIR', default: '~/.local/state/policy', describe: 'The decision log and the snapshots', group: WHERE },
    'managed-dir': { value: 'DIR', default: '/etc/policy', describe: 'The managed policy', group: WHERE },
    all: { of: INSTALLING, describe: 'every known client', group: CLIENT },
    'dry-run': { of: CHANGING, describe: 'show what would change line by line, and change nothing', group: CLIENT },
    yes: { of: CHANGING, alias: 'y', describe: 'do not ask', group: CLIENT },
    format: { of: ['inspect'], choices: ['text', 'json', 'sarif'], default: 'text', describe: 'the format of the answer' },
    cwd: { of: INSTALLING, value: 'DIR', default: 'here', describe: 'a directory of the project', group: CLIENT },
  },
};

/** The same as dist/gateway.cjs, which bin/policy.js starts in its place. Throws UsageError before anything was started. */
export async function run(args: Arguments): Promise<ExitCode | number> {
  const { action } = args;
  if (action === 'install' || action === 'uninstall') return await (await import('../mcp/install.js')).run(args, action);
  if (action === 'pin' || action === 'diff') return await (await import('../mcp/pin.js'))[action](args);
  if (action === 'inspect') return await (await import('../mcp/inspect.js')).run(args);
  const at = process.argv.findIndex((word) => word === 'gateway' || word === 'serve');
  if (process.argv[at] === 'serve') return (await import('../mcp/serve.js')).run(process.argv.slice(at + 1));
  const options = gatewayOptions(process.argv.slice(process.argv.indexOf('gateway') + 1));
  if (typeof options === 'string') throw new UsageError(options);
  return await runGateway(options, { compile: compileAndStore, home: homedir });
}
