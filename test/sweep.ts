/** Long lists of rows: `npm test` takes a part of them, another one every day, and `npm run sweeps` takes all (.ci/side-by-side.mjs). */
import { seed } from './seed.js';

/** Every `of`th row; which ones, the seed of the day says: in `of` days all have had their turn. */
export function todaysShare<Row>(rows: readonly Row[], of: number): readonly Row[] {
  if (process.env.SWEEPS === 'whole') return rows;
  return rows.filter((_, index) => (index + seed) % of === 0);
}

/** So many runs of a property that draws by chance, others every day; as many times more in `npm run sweeps`. */
export function todaysRuns(runs: number, times: number): number {
  return process.env.SWEEPS === 'whole' ? runs * times : runs;
}
