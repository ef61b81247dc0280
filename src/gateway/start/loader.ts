/** dist/gateway.cjs: starts dist/gateway-main.cjs from its code cache. */
import { startCached } from '../../hook/cached.js';

try {
  (startCached('gateway-main', 'main') as typeof import('./entry.js')).main(process.argv[3] ?? '', process.argv.slice(4));
} catch (error) {
  process.stderr.write(`policy mcp could not start (${error instanceof Error ? error.message : error})\n`);
  process.exitCode = 3;
}
