/** The bundles of the hook in dist/, run in this process: what they answer, beside what the sources answer. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Script } from 'node:vm';
import type { HookProcess } from '../../src/hook/main.js';
import type { HookOutput } from '../../src/runner/hook/runner.js';
import { gitAskedOnce } from '../enforce/git-asked-once.js';
import type { HookWorld } from './world.js';

type Entry = Pick<typeof import('../../src/hook/entry.js'), 'own' | 'runHook'>;

/** A part of the tests runs without bundles; the whole run makes them first. */
export const bundled = existsSync('dist/hook.cjs');

/** What dist/hook-main.cjs exports, loaded as dist/hook.cjs loads it; `main` is not run. */
export function hookMain(): Entry {
  const filename = resolve('dist', 'hook-main.cjs');
  const loaded = { exports: {} as Entry };
  const load = new Script(readFileSync(filename, 'latin1'), { filename }).runInThisContext() as (...words: unknown[]) => void;
  load(loaded.exports, createRequire(filename), loaded, filename, dirname(filename));
  return loaded.exports;
}

/** The texts to which the bundles give another answer than the sources; nothing in the world changes between two of them. */
export function answeredOtherwise(
  world: HookWorld,
  texts: readonly string[],
  more: Partial<HookProcess> = {},
): readonly string[] {
  const { own, runHook } = hookMain();
  const differ = (text: string) => {
    // The bundles first: so it is they that make the snapshot.
    const asBundled = runHook({ ...world.process(text, more), compile: own.compile, seal: () => {} });
    return shown(asBundled) !== shown(world.run(text, more));
  };
  // On a busy machine git may not answer one of them in time, which makes it ask; that happens to no line three times.
  return gitAskedOnce(() => texts.filter((text) => differ(text) && differ(text) && differ(text)));
}

/** An answer without the id of its decision, which no other one has. */
export function shown({ stdout, stderr, exitCode }: HookOutput): string {
  return [stdout, stderr, exitCode].join('|').replace(/decision [0-9a-f-]+/g, '');
}
