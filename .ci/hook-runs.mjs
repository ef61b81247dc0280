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
export function runsOf(functions, { compiling, simple, compound, asked, reads, others }) {
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
  const [plain, lines] = [apart(simple), apart([...simple, ...compound])];
  return {
    compiling: apart(compiling),
    simple: plain,
    lines,
    asked: apart(asked),
    reads: apart(reads),
    others: apart(others),
  };
}

/**
 * What most calls run that need the bundle: the file of each such module → the places in its code where functions begin that most of
 * the calls ran that ran the module.
 */
export function mostlyRan({ compiling, lines, asked, reads }, { files }, placeOf) {
  const calls = [...compiling, ...lines, ...asked, ...reads];
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
 * The functions that lie elsewhere than the rest of their module, whose bundle is one that typical calls need: those that no call ran but,
 * perhaps, to make a snapshot, and those that only compound lines or questions ran. File → names, by the kind of module that they go into.
 * Not those of runners: without any part of one a denial could not be told in that runner's own form.
 */
export function seldomRan({ compiling, simple, lines, asked, reads, others }, { files, numbers }, placeOf) {
  const runs = (calls, file) => {
    const some = calls.flatMap((call) => call.get(file) ?? []);
    return (begin) => some.some((begins) => begins.has(begin));
  };
  /** The functions of each file that none of the calls ran, without those that what they ran takes as values: file → name → place. */
  const unrunBy = (calls) => {
    const looked = files.map(({ file, code }) => ({ file, ...unrunFunctions(code, runs(calls, file)) }));
    const taken = new Set(looked.flatMap((one) => [...one.taken].filter((name) => /^\d/.test(name))));
    const isFree = (file, own, name) => !own.has(name) && !taken.has(`${numbers.get(`${file}\0${name}`)}`);
    return new Map(looked.map(({ file, names, taken: own }) => [file, [...names].filter(([name]) => isFree(file, own, name))]));
  };
  const steps = [
    ['hook-shell', unrunBy([...simple, ...reads])],
    ['hook-lines', unrunBy([...lines, ...reads])],
    ['hook-asks', unrunBy([...lines, ...reads, ...asked, ...others])],
  ];
  const seldom = new Map();
  for (const { file } of files) {
    const place = placeOf({ file });
    if (!file.endsWith('.ts') || !/^hook-(?:main|shell|lines|asks)$/.test(place) || file.includes(`${sep}runner${sep}`)) continue;
    const [shell, beyondLines, never] = steps.map(([, unrun]) => new Map(unrun.get(file)));
    const made = runs(compiling, file);
    const going = { made: new Set(), lines: new Set(), asks: new Set(), apart: new Set() };
    for (const [name, begin] of shell) {
      const kind = never.has(name) ? (made(begin) ? 'made' : 'apart') : beyondLines.has(name) ? 'asks' : 'lines';
      // What lies where it would go, or behind it, stays.
      if (PLACES[kind] !== place && !(place === 'hook-asks' && kind === 'lines')) going[kind].add(name);
    }
    seldom.set(file, going);
  }
  return seldom;
}

/**
 * For the bundles that typical calls need: the files that every such call runs.
 * @param entry the first module, which stays one of its own, as the runners do, of which a call needs one
 */
export function runAlways({ simple, lines, reads }, { files }, placeOf, entry) {
  const runners = files.find(({ file }) => REGISTRY.test(file)).code;
  const alone = new Set([entry, ...[...runners.matchAll(/NUMBER\(("[^"]+")\)/g)].map(([, file]) => JSON.parse(file))]);
  return [
    ['hook-main', [...reads, ...lines]],
    ['hook-shell', lines],
    ['hook-lines', lines.slice(simple.length)],
  ].map(
    ([name, calls]) =>
      new Set(
        files
          .filter((one) => placeOf(one) === name && !alone.has(one.file))
          .map(({ file }) => file)
          // What was set apart takes from the rest of its file, and the rest from it: neither could be the first.
          .filter(
            (file) =>
              /[/\\]src[/\\]/.test(file) &&
              kindOf(file) === undefined &&
              3 * calls.filter((ran) => ran.has(file)).length >= calls.length,
          ),
      ),
  );
}

/** The bundle of every module, by what calls ran: those that read, those of command lines, and those that made a snapshot. */
export function placesOf({ reads, simple, lines, asked, compiling }) {
  const [main, shell, more, asks, compile] = [reads, simple, lines, asked, compiling].map(
    (calls) => new Set(calls.flatMap((ran) => [...ran.keys()])),
  );
  return ({ file, compiles }) => {
    const kind = kindOf(file);
    if (kind !== undefined) return PLACES[kind];
    if (main.has(file)) return 'hook-main';
    if (shell.has(file)) return 'hook-shell';
    if (more.has(file)) return 'hook-lines';
    if (asks.has(file)) return 'hook-asks';
    // Of the runners a call needs one, and without any part of it a denial could not be told in that runner's own form.
    if (file.includes(`${sep}runner${sep}`)) return 'hook-runners';
    return compiles || compile.has(file) ? 'compile' : 'hook-seldom';
  };
}

/** Where the modules of each kind lie. */
const PLACES = { made: 'compile', lines: 'hook-lines', asks: 'hook-asks', apart: 'hook-more' };

/** The file that names all runners. */
const REGISTRY = /[/\\]runner[/\\]registry\.ts$/;
