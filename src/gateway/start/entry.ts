/** dist/gateway-main.cjs: the gateway and the tool server as a separate program, started by dist/gateway.cjs. */
import { startCached } from '../../hook/cached.js';
import { escapeText } from '../../report/printing/escape.js';
import { type GatewayProcess, runGateway, USAGE } from '../gateway.js';
import { gatewayOptions } from '../options.js';
import { serveOptions } from '../serve/options.js';

const own: GatewayProcess = {
  /** Compiles the policy if there is no snapshot. */
  compile: (places, build, now) =>
    (startCached('compile', 'compileAndStore') as typeof import('../../enforce/snapshot/store.js')).compileAndStore(
      places,
      build,
      now,
    ),
  home: () => (require('node:os') as typeof import('node:os')).homedir(),
};

/** Runs the gateway or the tool server, and sets the exit code of this process. `words` are the arguments after `policy mcp ACTION`. */
export function main(action: string, words: readonly string[]): void {
  const started = action === 'serve' ? startServe(words) : startGateway(words);
  if (typeof started === 'string') {
    process.stderr.write(`${escapeText(started)}\n`);
    process.exitCode = USAGE;
    return;
  }
  void started.then((code) => {
    process.exitCode = code;
  });
}

function startGateway(words: readonly string[]): Promise<number> | string {
  const options = gatewayOptions(words);
  return typeof options === 'string' ? options : runGateway(options, own);
}

function startServe(words: readonly string[]): Promise<number> | string {
  const options = serveOptions(words);
  if (typeof options === 'string') return options;
  return (startCached('gateway-judge', 'runServe') as typeof import('./judging.js')).runServe(options, own);
}

// The build runs these exports to fill the code cache of this program.
export { gatewayOptions } from '../options.js';
export { readMessage } from '../protocol/message.js';
export { Session } from '../session/session.js';
