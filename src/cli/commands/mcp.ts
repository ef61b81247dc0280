/** `policy mcp`: MCP servers behind the policy. */
import { homedir } from 'node:os';
import { ASSUMED_RUNNER, RUNNERS } from '../../call/tool-call.js';
import { compileAndStore } from '../../enforce/snapshot/store.js';
import { runGateway } from '../../gateway/gateway.js';
import { gatewayOptions } from '../../gateway/options.js';
import { SERVE_RUNNER } from '../../gateway/serve/options.js';
import { DENIAL_FORMS } from '../../gateway/session.js';
import { UsageError } from '../terminal/exit.js';
import type { Takes } from '../words/command.js';

const SERVER = 'The server:';
const WHERE = 'Folders:';

export const takes: Takes = {
  arguments: {
    action: { choices: ['gateway', 'serve'], describe: 'What to do' },
    words: { array: true, describe: 'Behind `--`: the command of the server, with its arguments' },
  },
  options: {
    server: {
      value: 'NAME',
      default: "from the command's last word",
      describe: 'Its name in rules: mcp__NAME__tool',
      group: SERVER,
    },
    env: { value: 'NAME', describe: 'Give the server this variable, too; may be repeated', group: SERVER },
    agent: { value: 'AGENT', default: 'the main agent', describe: 'The agent that the calls come from' },
    runner: {
      choices: RUNNERS,
      default: `${ASSUMED_RUNNER}, for serve ${SERVE_RUNNER}`,
      describe: 'The coding-agent program that starts this',
    },
    'deny-as': {
      choices: DENIAL_FORMS,
      default: 'result',
      describe: 'A denial is a result with the reason, an error of the protocol, or the answer of a server without that tool',
    },
    project: { value: 'DIR', default: 'where it is started', describe: 'The project whose policy applies', group: WHERE },
    'config-dir': { value: 'DIR', default: '~/.config/policy', describe: "The user's own policy", group: WHERE },
    'state-dir': { value: 'DIR', default: '~/.local/state/policy', describe: 'The decision log and the snapshots', group: WHERE },
    'managed-dir': { value: 'DIR', default: '/etc/policy', describe: 'The managed policy', group: WHERE },
  },
};

/** The same as dist/gateway.cjs, which bin/policy.js starts in its place. Throws UsageError before anything was started. */
export async function run(): Promise<number> {
  const at = process.argv.findIndex((word) => word === 'gateway' || word === 'serve');
  if (process.argv[at] === 'serve') return (await import('../mcp/serve.js')).run(process.argv.slice(at + 1));
  const options = gatewayOptions(process.argv.slice(process.argv.indexOf('gateway') + 1));
  if (typeof options === 'string') throw new UsageError(options);
  return await runGateway(options, { compile: compileAndStore, home: homedir });
}
