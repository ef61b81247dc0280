/** V8 code caches of scripts that have done typical work in this process, so that they contain the functions needed for it. */
import { basename } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

/** The scripts started here, by bundle name. */
export const scripts = new Map<string, vm.Script>();

/** node:vm without caches, so that every function of a bundle is compiled here when it is needed. */
export const training = {
  ...vm,
  Script: class extends vm.Script {
    constructor(source: string, { filename }: { readonly filename: string }) {
      super(source, { filename });
      scripts.set(basename(filename, '.cjs'), this);
    }
  },
};

/**
 * V8 records in a cache which functions it compiled to machine code, and compiles these immediately in every process that uses the cache:
 * much work for a short process that calls each of them a few times. So none is compiled during training. (Flags of the parser have to be
 * the same as in the later process: V8 aborts if a cache describes inner functions differently than V8 would itself.)
 */
const TRAINING = { sparkplug: false };
/** Options of node that V8 does not know. */
const OF_NODE = /^--(?:preserve-symlinks|no-global-search-paths|v8-pool-size)/;

/** Must be called before the first script is started. */
export function beginTraining(): void {
  setFlags(TRAINING);
}

/** Returns the caches of all scripts. A cache is valid for the flags it was created under: those with which this process was started. */
export function finishedCaches(): (readonly [name: string, cache: Buffer])[] {
  setFlags(Object.fromEntries(Object.entries(TRAINING).map(([flag, on]) => [flag, !on])));
  for (const option of process.execArgv) if (!OF_NODE.test(option)) v8.setFlagsFromString(option);
  return [...scripts].map(([name, script]) => [name, script.createCachedData()]);
}

function setFlags(flags: Readonly<Record<string, boolean>>): void {
  for (const [flag, on] of Object.entries(flags)) v8.setFlagsFromString(`--${on ? '' : 'no-'}${flag}`);
}
