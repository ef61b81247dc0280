/** Calls made, and commands run, outside the session's project: its own allows end at its edge ("Keeping the gate" 1). */
import type { Command } from '../command/command.js';
import type { CallAnalysis } from './analysis.js';
import { directoryOf, enteredKey } from './command-place.js';
import type { CommandDecision, RuleReference } from './decision.js';
import type { Facts } from './facts.js';
import { isInside } from './paths.js';
import type { Scope } from './scope.js';
import type { StageVerdict } from './stages.js';
import type { Unit } from './unit.js';

/** Whoever wrote these rules meant every project. */
const EVERYWHERE: ReadonlySet<RuleReference['layer']> = new Set(['managed', 'user', 'cli']);

/** Of more places only the last are looked at. */
const MOST_PLACES = 16;

/** Turns the allow of a shell call that is made elsewhere into a question, unless the user's own rules allow every command of it. */
export function placeChecked(verdict: StageVerdict, facts: Facts, analysis: CallAnalysis): StageVerdict {
  if (facts.elsewhere !== true || verdict.decision !== 'allow' || analysis.lines.length === 0) return verdict;
  if (verdict.commands.length > 0 && verdict.commands.every(isMeantEverywhere)) return verdict;
  const message = `it is made in ${facts.cwd}, outside the project ${facts.project}: what is allowed there does not count here`;
  return { ...verdict, decision: 'ask', rule: null, reasons: [{ code: 'place/elsewhere', message }] };
}

function isMeantEverywhere({ rule, inner }: CommandDecision): boolean {
  return rule !== null && EVERYWHERE.has(rule.layer) && inner.every(isMeantEverywhere);
}

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
  let places: readonly string[] = [place.cwd];
  for (const command of commands) {
    if (command.name !== 'cd' || command.invocation.span.start >= offset) continue;
    const base = directoryOf(command, place);
    const entered = (base === null ? places : [base]).flatMap((from) => enteredKey(command, from, place) ?? []);
    // Into what is certainly there it gets.
    const isThere = entered.length > 0 && entered.every((key) => (facts.paths[key]?.kind ?? 'missing') !== 'missing');
    places = (isThere ? entered : [...places, ...entered]).slice(-MOST_PLACES);
  }
  return places;
}
