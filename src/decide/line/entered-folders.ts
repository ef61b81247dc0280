/** Where the shell may stand when a command runs whose folder is not certain, by each `cd` that may have run before it. */
import type { Command } from '../../command/command.js';
import { assignedName, movesDirectory } from '../../shell/scope/variables.js';
import type { Enclosure } from '../../shell/syntax/types.js';
import type { ReadLine } from '../analysis.js';
import { flatten } from '../builtin/names.js';
import type { Place } from '../call/place.js';
import { directoryOf, enteredKey } from './directories.js';

/** Who may be in more folders than these may be anywhere. */
const MOST_PLACES = 16;
const MOST_STEPS = 32;

/** A line, as far as it matters to where its commands run. */
type Line = Pick<ReadLine, 'subject' | 'tree'>;

/**
 * The folders that a command may run in; null where nobody knows.
 * @param isThere whether a folder is known to be there; then a `cd` that certainly runs gets into it
 */
export function placesBefore(
  command: Command,
  line: Line,
  place: Place,
  isThere: (folder: string) => boolean,
): readonly string[] | null {
  const { all, changers, lost } = movesOf(line.tree.commands);
  const at = all.indexOf(command);
  const before = command.invocation.enclosures.includes('function') ? changers : changers.filter((one) => all.indexOf(one) < at);
  if (lost || at < 0 || before.length === 0 || before.length > MOST_STEPS) return null;
  let places: readonly string[] = [place.cwd];
  for (const one of before) {
    const base = directoryOf(one, place);
    const entered = (base === null ? places : [base]).map((from) => enteredKey(one, from, place));
    const known = entered.filter((folder) => folder !== null);
    if (known.length < entered.length) return null;
    places = [...new Set(certainlyRuns(one, line) && known.every(isThere) ? known : [...places, ...known])];
    if (places.length > MOST_PLACES) return null;
  }
  return places;
}

/** All folders that commands of a line may stand in, whatever is there. */
export function possiblePlaces(line: Line, place: Place): readonly string[] {
  const { changers } = movesOf(line.tree.commands);
  const uncertain = changers.length === 0 ? [] : flatten(line.tree.commands).filter((one) => directoryOf(one, place) === null);
  return uncertain.flatMap((one) => placesBefore(one, line, place, () => false) ?? []);
}

/** It stands behind the end of another command, and in nothing that may be left out or run in a shell of its own. */
function certainlyRuns({ invocation: { enclosures, background, span } }: Command, { subject, tree }: Line): boolean {
  if (background || enclosures.some((one) => one !== 'group')) return false;
  if (!tree.commands.some(({ invocation }) => invocation.span === span)) return false;
  return /(?:^|[;\n{])\s*$/.test(subject.value.slice(0, span.start));
}

interface Moves {
  readonly all: readonly Command[];
  /** The commands that enter a folder. */
  readonly changers: readonly Command[];
  /** How often a `cd` runs, or what it goes by, cannot be told. */
  readonly lost: boolean;
}

const CHANGERS: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);
const REPEATED: readonly Enclosure[] = ['loop', 'function'];

const known = new WeakMap<readonly Command[], Moves>();

/** The moves of a line, looked for once. */
function movesOf(commands: readonly Command[]): Moves {
  const found = known.get(commands);
  if (found !== undefined) return found;
  const all = flatten(commands);
  const changers = all.filter(({ name, invocation: { argv } }) => CHANGERS.has(name ?? '') || CHANGERS.has(argv[0]?.value ?? ''));
  const lost =
    changers.length > 0 &&
    (changers.some(({ invocation }) => invocation.enclosures.some((one) => REPEATED.includes(one))) || all.some(setsPlace));
  const moves = { all, changers, lost };
  known.set(commands, moves);
  return moves;
}

/** Sets a variable that `cd` goes by: `CDPATH=.. cd src`, `export HOME=/elsewhere`. */
function setsPlace({ invocation: { argv, assignments } }: Command): boolean {
  const names = [...assignments.map(({ name }) => name), ...argv.map(({ value, text }) => assignedName(value ?? text))];
  return names.some(movesDirectory);
}
