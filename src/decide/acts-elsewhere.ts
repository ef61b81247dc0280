/** Commands run outside the session's project: its own allows end at its edge ("Keeping the gate" 1). */
import type { Command } from '../command/command.js';
import { directoryOf, enteredKey } from './command-place.js';
import type { RuleReference } from './decision.js';
import { isInside } from './paths.js';
import type { Scope } from './scope.js';
import type { Unit } from './unit.js';

/** Whoever wrote these rules meant every project. */
const EVERYWHERE: ReadonlySet<RuleReference['layer']> = new Set(['managed', 'user', 'cli']);

/** Of more places only the last are looked at; who enters more folders than these may be anywhere. */
const MOST_PLACES = 16;
const MOST_STEPS = 32;

/** Whether a rule of this layer holds outside the project. */
export function holdsEverywhere(layer: RuleReference['layer']): boolean {
  return EVERYWHERE.has(layer);
}

/**
 * The folder outside the project in which a command does what it finds there: `cd /elsewhere && npm test`. Null for all that stay, and
 * for those whose words say what they touch.
 */
export function actsElsewhere({ command, directory, scope, line }: Unit): string | null {
  const { invocation, verdict } = command;
  if (invocation.directory?.length === 0) return null;
  if (verdict.known && !verdict.effects.some(({ action, path }) => action === 'execute' && path === null)) return null;
  const places = directory === null ? placesBefore(invocation.span.start, line.commands, scope) : [directory];
  return places.find((place) => !isInside(scope.facts.paths[place]?.real ?? place, scope.facts.project)) ?? null;
}

/** Where the shell may stand at an offset of a line, by each `cd` before it: `cd /elsewhere; npm test`. */
function placesBefore(offset: number, commands: readonly Command[], { facts, place }: Scope): readonly string[] {
  const before = entering(commands)
    .slice(0, MOST_STEPS + 1)
    .filter(({ invocation }) => invocation.span.start < offset);
  if (before.length > MOST_STEPS) return ['/'];
  let places: readonly string[] = [place.cwd];
  for (const command of before) {
    const base = directoryOf(command, place);
    const entered = (base === null ? places : [base]).flatMap((from) => enteredKey(command, from, place) ?? []);
    // Into what is certainly there it gets.
    const isThere = entered.length > 0 && entered.every((key) => (facts.paths[key]?.kind ?? 'missing') !== 'missing');
    places = (isThere ? entered : [...places, ...entered]).slice(-MOST_PLACES);
  }
  return places;
}

const changes = new WeakMap<readonly Command[], readonly Command[]>();

/** The commands of a line that enter a folder, looked for once. */
function entering(commands: readonly Command[]): readonly Command[] {
  const known = changes.get(commands) ?? commands.filter(({ name }) => name === 'cd');
  changes.set(commands, known);
  return known;
}
