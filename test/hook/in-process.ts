/** The bundles of the hook in dist/, run in this process: what they answer, beside what the sources answer. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';
import type { HookProcess } from '../../src/hook/main.js';
import { type HookBundle, startModules } from '../../src/hook/modules.js';
import type { HookOutput } from '../../src/runner/runner.js';
import type { HookWorld } from './world.js';

type Entry = typeof import('../../src/hook/entry.js');

/** A part of the tests runs without bundles; the whole run makes them first. */
export const bundled = existsSync('dist/hook.cjs');

/** What a bundle exports, loaded as dist/hook.cjs loads it. */
export function bundle(name: string): HookBundle {
  const filename = resolve('dist', `${name}.cjs`);
  const loaded = { exports: {} as HookBundle };
  const load = new Script(readFileSync(filename, 'latin1'), { filename }).runInThisContext() as (...words: unknown[]) => void;
  load(loaded.exports, createRequire(filename), loaded, filename, dirname(filename));
  return loaded.exports;
}

/** What the entry of the hook exports, out of bundles that `start` gives; `main` is not run. */
export function entryOf(start: (name: string) => HookBundle): Pick<Entry, 'own' | 'runHook'> {
  const value = startModules(start('hook-main'), start);
  return { own: value(1) as Entry['own'], runHook: value(2) as Entry['runHook'] };
}

/** The texts to which the bundles, started anew, give another answer than the sources. */
export function answeredOtherwise(
  world: HookWorld,
  texts: readonly string[],
  more: Partial<HookProcess> = {},
): readonly string[] {
  const { own, runHook } = entryOf(bundle);
  return texts.filter((text) => {
    // The bundles first: so it is they that make the snapshot.
    const asBundled = runHook({ ...world.process(text, more), compile: own.compile, seal: () => {} });
    return shown(asBundled) !== shown(world.run(text, more));
  });
}

/** An answer without the id of its decision, which no other one has. */
export function shown({ stdout, stderr, exitCode }: HookOutput): string {
  return [stdout, stderr, exitCode].join('|').replace(/decision [0-9a-f-]+/g, '');
}
