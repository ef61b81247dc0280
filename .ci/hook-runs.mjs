// What typical calls ran of the hook's modules, and what follows from it: in which bundle a module lies, which of its functions go into
// a module of their own, which files become one module, and which functions are compiled at once.
import { sep } from 'node:path';
import { BUNDLES } from './modules.mjs';
import { kindOf, unrunFunctions } from './set-apart.mjs';

/**
 * What each call ran: for every file the places in the code of its module where a function begins that ran.
 * @param functions what writeTrainingBundle gave
 * @param told what the calls noted
 */
export function runsOf(functions, { compiling, lines, reads, others }) {
  /** The first module runs in every call, before any other. */
  const apart = (numbers) =>
    numbers.reduce((calls, number) => {
      if (number === 0) calls.push(new Map());
      if (number === null) return calls;
      const { file, begin } = functions[number];
      const ran = calls.at(-1);
      if (begin === null) ran.set(file, new Set());
      else ran.get(file).add(begin);
      return calls;
    }, []);
  return { compiling: apart(compiling), lines: apart(lines), reads: apart(reads), others: apart(others) };
}

/**
 * What most calls run that need the bundle: the file of each such module → the places in its code where functions begin that most of
 * the calls ran that ran the module.
 */
export function mostlyRan({ compiling, lines, reads }, { files }, placeOf) {
  const calls = [...compiling, ...lines, ...reads];
  const mostly = new Map();
  for (const name of Object.keys(BUNDLES)) {
    const own = files.filter((one) => placeOf(one) === name).map(({ file }) => file);
    const starting = calls.filter((ran) => own.some((file) => ran.has(file)));
    for (const file of own) {
      const begins = starting.flatMap((ran) => ran.get(file) ?? []);
      const often = (begin) => 2 * begins.filter((some) => some.has(begin)).length > begins.length;
      if (2 * begins.length > starting.length) mostly.set(file, new Set(begins.flatMap((some) => [...some]).filter(often)));
    }
  }
  return mostly;
}

/**
 * The functions that no call ran but, perhaps, to make a snapshot, although the bundle of their module is one that such calls need:
 * file → names, by the kind of module that they go into.
 * Not those of runners: without any part of one a denial could not be told in that runner's own form.
 */
export function seldomRan({ compiling, lines, reads, others }, { files, numbers }, placeOf) {
  const runs = (calls, file) => {
    const some = calls.flatMap((call) => call.get(file) ?? []);
    return (begin) => some.some((begins) => begins.has(begin));
  };
  const looked = files.map(({ file, code }) => ({
    file,
    made: runs(compiling, file),
    ...unrunFunctions(code, runs([...lines, ...reads, ...others], file)),
  }));
  const taken = new Set(looked.flatMap((one) => [...one.taken].filter((name) => /^\d/.test(name))));
  const seldom = new Map();
  for (const { file, names, taken: own, made } of looked) {
    if (!file.endsWith('.ts') || !/^hook-(?:main|shell)$/.test(placeOf({ file })) || file.includes(`${sep}runner${sep}`))
      continue;
    const going = [...names].filter(([name]) => !own.has(name) && !taken.has(`${numbers.get(`${file}\0${name}`)}`));
    const namesOf = (some) => new Set(some.map(([name]) => name));
    seldom.set(file, {
      made: namesOf(going.filter(([, begin]) => made(begin))),
      apart: namesOf(going.filter(([, begin]) => !made(begin))),
    });
  }
  return seldom;
}

/**
 * For the bundles that typical calls need: the files that every such call runs.
 * @param entry the first module, which stays one of its own, as the runners do, of which a call needs one
 */
export function runAlways({ lines, reads }, { files }, placeOf, entry) {
  const runners = files.find(({ file }) => REGISTRY.test(file)).code;
  const alone = new Set([entry, ...[...runners.matchAll(/NUMBER\(("[^"]+")\)/g)].map(([, file]) => JSON.parse(file))]);
  return [
    ['hook-main', [...reads, ...lines]],
    ['hook-shell', lines],
  ].map(
    ([name, calls]) =>
      new Set(
        files
          .filter((one) => placeOf(one) === name && !alone.has(one.file))
          .map(({ file }) => file)
          .filter((file) => /[/\\]src[/\\]/.test(file) && 3 * calls.filter((ran) => ran.has(file)).length >= calls.length),
      ),
  );
}

/** The bundle of every module, by what calls ran: those that read, those of command lines, and those that made a snapshot. */
export function placesOf({ reads, lines, compiling }) {
  const [main, shell, compile] = [reads, lines, compiling].map((calls) => new Set(calls.flatMap((ran) => [...ran.keys()])));
  return ({ file, compiles }) => {
    const kind = kindOf(file);
    if (kind !== undefined) return kind === 'made' ? 'compile' : 'hook-more';
    if (main.has(file)) return 'hook-main';
    if (shell.has(file)) return 'hook-shell';
    // Of the runners a call needs one, and without any part of it a denial could not be told in that runner's own form.
    if (file.includes(`${sep}runner${sep}`)) return 'hook-runners';
    return compiles || compile.has(file) ? 'compile' : 'hook-seldom';
  };
}

/** The file that names all runners. */
const REGISTRY = /[/\\]runner[/\\]registry\.ts$/;
