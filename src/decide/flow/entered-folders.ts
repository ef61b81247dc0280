/** The folders that the shell may be in when a command runs whose directory is uncertain, from each `cd` that may have run before it. */

import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { assignedName, movesDirectory } from '../../shell/scope/variables.js';
import type { Place } from '../place/place.js';
import type { ReadLine } from './analysis.js';
import { directoryOf, enteredKey } from './directories.js';

/** If there are more possible folders than this, the command may be anywhere. */
const MOST_PLACES = 16;
const MOST_STEPS = 32;

/** The parts of a line that determine where its commands run. */
type Line = Pick<ReadLine, 'subject' | 'tree'>;

/**
 * The folders that a command may run in; null if unknown.
 * @param isThere whether a folder is known to exist; a `cd` that certainly runs then enters it
 */
export function placesBefore(
  command: Command,
  line: Line,
  place: Place,
  isThere: (folder: string) => boolean,
): readonly string[] | null {
  const { positions, changers, lost } = movesOf(line);
  const at = command.invocation.enclosures.includes('function') ? Number.POSITIVE_INFINITY : (positions.get(command) ?? -1);
  const before = lost ? [] : changers.filter((one) => one.at < at);
  if (before.length === 0) return null;
  let places: readonly string[] = [place.cwd];
  for (const { command: one, certain } of before) {
    const base = directoryOf(one, place);
    const entered = (base === null ? places : [base]).map((from) => enteredKey(one, from, place));
    const known = entered.filter((folder) => folder !== null);
    if (known.length < entered.length) return null;
    places = [...new Set(certain && known.every(isThere) ? known : [...places, ...known])];
    if (places.length > MOST_PLACES) return null;
  }
  return places;
}

/** All folders that commands of a line may run in, whether or not they exist. */
export function possiblePlaces(line: Line, place: Place): readonly string[] {
  const { positions, changers } = movesOf(line);
  const uncertain = changers.length === 0 ? [] : [...positions.keys()].filter((one) => directoryOf(one, place) === null);
  return uncertain.flatMap((one) => placesBefore(one, line, place, () => false) ?? []);
}

interface Moves {
  /** The order in which commands are written, wrapped ones after their wrapper. */
  readonly positions: ReadonlyMap<Command, number>;
  /** The commands that enter a folder. */
  readonly changers: readonly Changer[];
  /** True if it is unknown how often a `cd` runs, or which variables affect it. */
  readonly lost: boolean;
}

interface Changer {
  readonly command: Command;
  readonly at: number;
  readonly certain: boolean;
}

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

const knownMoves = new WeakMap<readonly Command[], Moves>();

/** The moves of a line, computed once. */
function movesOf({ tree: { commands }, subject }: Line): Moves {
  const found = knownMoves.get(commands);
  if (found !== undefined) return found;
  const all = flatten(commands);
  const top = new Set(commands);
  const changers = all.flatMap((command, at) =>
    entersFolder(command) ? [{ command, at, certain: top.has(command) && certainlyRuns(command, subject.value) }] : [],
  );
  const lost = changers.length > MOST_STEPS || (changers.length > 0 && (changers.some(isRepeated) || all.some(setsPlace)));
  const moves = { positions: new Map(all.map((command, at) => [command, at])), changers, lost };
  knownMoves.set(commands, moves);
  return moves;
}

function entersFolder({ name, invocation: { argv } }: Command): boolean {
  return CHANGERS.has(name ?? '') || CHANGERS.has(argv[0]?.value ?? '');
}

function isRepeated({ command: { invocation } }: Changer): boolean {
  return invocation.enclosures.some((one) => one === 'loop' || one === 'function');
}

/** Whether a command follows the end of another one and is in nothing that may be skipped or run in a shell of its own. */
function certainlyRuns({ invocation: { enclosures, background, span } }: Command, text: string): boolean {
  if (background || enclosures.some((one) => one !== 'group')) return false;
  const before = text.slice(Math.max(0, span.start - FEW_LETTERS), span.start);
  return /[;\n{][ \t]*$/.test(before) || (span.start < FEW_LETTERS && before.trim() === '');
}

const FEW_LETTERS = 64;

/** Whether a command sets a variable that affects `cd`: `CDPATH=.. cd src`, `export HOME=/elsewhere`. */
function setsPlace({ invocation: { argv, assignments } }: Command): boolean {
  const names = [...assignments.map(({ name }) => name), ...argv.map(({ value, text }) => assignedName(value ?? text))];
  return names.some(movesDirectory);
}
