/** Where a recommended step is done: the places of the evidence against what it repairs. */
import type { AuditReport } from '../../audit/model/report.js';

export interface StepPlaces {
  /** `FILE:LINE` each, as strangers may have named the files. */
  readonly places: readonly string[];
  /** How many there are besides. */
  readonly more: number;
}

const MOST = 3;

/** Of all claims that the step repairs, each place once. */
export function stepPlaces({ controls }: Pick<AuditReport, 'controls'>, action: string): StepPlaces {
  const places = controls.flatMap(({ claims, evidence }) =>
    claims
      .filter(({ mitigation }) => mitigation === action)
      .flatMap((claim) => evidence.filter(({ id, supports }) => !supports && claim.evidence.includes(id)))
      .flatMap((piece) =>
        (piece.kind === 'file' || piece.kind === 'setting') && piece.place !== null
          ? [`${piece.place.file}:${piece.place.line}`]
          : [],
      ),
  );
  const each = [...new Set(places)];
  return { places: each.slice(0, MOST), more: Math.max(0, each.length - MOST) };
}
