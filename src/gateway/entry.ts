/** dist/gateway-main.cjs: the gateway as a separate program, started by dist/gateway.cjs. */
import { startCached } from '../hook/cached.js';
import { escapeText } from '../report/printing/escape.js';
import { type GatewayProcess, runGateway, USAGE } from './gateway.js';
import { gatewayOptions } from './options.js';

const own: GatewayProcess = {
  /** Compiles the policy if there is no snapshot. */
  compile: (places, build, now) =>
    (startCached('compile', 'compileAndStore') as typeof import('../enforce/snapshot/store.js')).compileAndStore(
      places,
      build,
      now,
    ),
  home: () => (require('node:os') as typeof import('node:os')).homedir(),
};

/** Runs the gateway and sets the exit code of this process. `words` are the arguments after `policy mcp gateway`. */
export function main(words: readonly string[]): void {
  const options = gatewayOptions(words);
  if (typeof options === 'string') {
    process.stderr.write(`${escapeText(options)}\n`);
    process.exitCode = USAGE;
    return;
  }
  void runGateway(options, own).then((code) => {
    process.exitCode = code;
  });
}

// The build runs these exports to fill the code cache of this program.
export { judgeOf } from './judge.js';
export { gatewayOptions } from './options.js';
export { Session } from './session/session.js';
