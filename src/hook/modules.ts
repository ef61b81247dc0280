/**
 * The modules that the hook is made of. They lie in a few bundles of dist/ (.ci/modules.mjs) and know each other by number: each runs
 * when something that it exports is first asked for, and its bundle is started by the first call that needs one of its modules. So
 * a call pays only for what it uses.
 */
import { damagedProgram } from '../policy/damaged-program.js';

/** What a bundle exports. */
export interface HookBundle {
  /** The same in all bundles of one build: numbers mean nothing in another. */
  readonly build: string;
  /** The bundles in the order of their modules' numbers, each with the first number behind its own. The first bundle is `hook-main`. */
  readonly bundles: readonly (readonly [name: string, end: number])[];
  /** How many values all modules export. */
  readonly values: number;
  /** Puts the modules of the bundle into `modules`, by number. Their code takes what it imports from `exported`, or else by `load`. */
  readonly addModules: (exported: unknown[], load: Load, modules: Module[]) => void;
}

type Module = () => void;
/** Gives a value that a module exports; the module runs now, if it did not yet. */
type Load = (module: number, value: number) => unknown;

/**
 * The values of the hook's first module (src/hook/entry.ts) by number: `main` is the first.
 * @param main the bundle `hook-main`
 * @param start starts a bundle of that name, which has to export a function of the other name; throws when it cannot be had
 */
export function startModules(main: HookBundle, start: (bundle: string, wanted: string) => object): (value: number) => unknown {
  const modules: Module[] = [];
  const exported: unknown[] = new Array(main.values).fill(undefined);
  const added = (module: number): Module => {
    const [name = ''] = main.bundles.find(([, end]) => module < end) ?? [];
    const bundle = start(name, 'addModules') as HookBundle;
    if (bundle.build !== main.build) throw damagedProgram(`${name}.cjs belongs to another build`);
    bundle.addModules(exported, load, modules);
    return modules[module] ?? fail(damagedProgram(`${name}.cjs is another program`));
  };
  const load: Load = (module, value) => {
    const run = modules[module] ?? added(module);
    modules[module] = nothing;
    run();
    return exported[value];
  };
  main.addModules(exported, load, modules);
  return (value) => load(0, value);
}

/** Stands for a module that ran. */
const nothing: Module = () => {};

function fail(error: Error): never {
  throw error;
}
