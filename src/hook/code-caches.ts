/** V8's code caches of scripts that have done typical work in this process, so that the functions which it needs are in them. */
import { basename } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';

/** The scripts that were started here, by the name of their bundle. */
export const scripts = new Map<string, vm.Script>();

/** node:vm without a cache, so that every function of a bundle is compiled here as it is needed. */
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
 * V8 notes in a cache which functions it compiled to machine code, and compiles these at once in every process that takes the cache:
 * much work for a short process, which calls each of them a few times. So none is while this program trains. (Flags of the parser
 * have to be those of the process to come: V8 ends one that finds other notes about inner functions in a cache than it would write
 * itself.)
 */
const TRAINING = { sparkplug: false };
/** Options of node that V8 does not know. */
const OF_NODE = /^--(?:preserve-symlinks|no-global-search-paths|v8-pool-size)/;

/** To be called before the first script is started. */
export function beginTraining(): void {
  setFlags(TRAINING);
}

/** The caches of all scripts. A cache holds for the flags it was made under: those that this process was started with. */
export function finishedCaches(): (readonly [name: string, cache: Buffer])[] {
  setFlags(Object.fromEntries(Object.entries(TRAINING).map(([flag, on]) => [flag, !on])));
  for (const option of process.execArgv) if (!OF_NODE.test(option)) v8.setFlagsFromString(option);
  return [...scripts].map(([name, script]) => [name, script.createCachedData()]);
}

function setFlags(flags: Readonly<Record<string, boolean>>): void {
  for (const [flag, on] of Object.entries(flags)) v8.setFlagsFromString(`--${on ? '' : 'no-'}${flag}`);
}
