/** Pairs evidence of an earlier audit with evidence of a later one about the same subject: their ids do not help. */
import { partnersOf } from '../accepted/matching.js';
import type { Evidence } from '../model/report.js';
import { withoutNumbers } from '../model/without-numbers.js';

export interface Pairs {
  /** In the order of `then`; null if no piece of `now` has the same subject. */
  readonly found: readonly (readonly [then: Evidence, now: Evidence | null])[];
  /** Pieces of `now` without a partner in `then`. */
  readonly added: readonly Evidence[];
}

/** Pairs the most similar pieces first, then pieces that only share a file, setting, call or check. */
export function pairsOf(then: readonly Evidence[], now: readonly Evidence[]): Pairs {
  const partners = new Map<Evidence, Evidence>();
  const left = new Set(now);
  for (let round = 0; round < ROUNDS; round += 1) {
    const waiting = then.filter((piece) => !partners.has(piece));
    for (const [piece, partner] of partnersOf(waiting, left, (one) => keyOf(one, round))) {
      partners.set(piece, partner);
      left.delete(partner);
    }
  }
  return { found: then.map((piece) => [piece, partners.get(piece) ?? null] as const), added: [...left] };
}

/** In later rounds, a kind of evidence with fewer keys keeps using its last one. */
function keyOf(piece: Evidence, round: number): string {
  const keys = keysOf(piece);
  return JSON.stringify([piece.kind, ...(keys[Math.min(round, keys.length - 1)] ?? [])]);
}

const ROUNDS = 3;

/** From exact to broad, at most as many as there are rounds. */
function keysOf(piece: Evidence): readonly (readonly string[])[] {
  switch (piece.kind) {
    case 'file':
      return [
        [piece.place.file, String(piece.place.line), piece.shows, piece.excerpt],
        [piece.place.file, withoutNumbers(piece.shows)],
        [piece.place.file],
      ];
    case 'scan':
      return [[piece.lookedFor]];
    case 'setting':
      return [[piece.key]];
    case 'decision':
      return [[piece.agent ?? '', piece.tool, JSON.stringify(piece.input)], [piece.agent ?? '', piece.tool], [piece.agent ?? '']];
    case 'probe':
      return [[piece.probe, piece.place.file, piece.command], [piece.probe, piece.place.file], [piece.probe]];
    case 'check':
      return [[piece.check, piece.level, piece.shows], [piece.check, piece.level, withoutNumbers(piece.shows)], [piece.check]];
  }
}
