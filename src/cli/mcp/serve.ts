/** `policy mcp serve`: the same as dist/gateway.cjs, which bin/policy.js starts in its place. */
import { homedir } from 'node:os';
import { compileAndStore } from '../../enforce/snapshot/store.js';
import { serveOptions } from '../../gateway/serve/options.js';
import { runServe } from '../../gateway/serve/serve.js';
import { UsageError } from '../terminal/exit.js';

/** Throws UsageError before anything was started. */
export async function run(words: readonly string[]): Promise<number> {
  const options = serveOptions(words);
  if (typeof options === 'string') throw new UsageError(options);
  return await runServe(options, { compile: compileAndStore, home: homedir });
}
