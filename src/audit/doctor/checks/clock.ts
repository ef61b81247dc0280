/** Whether the clock is sane: records are sealed and found by their time. */

import { LogError } from '../../../log/files/log-error.js';
import { newestFirst } from '../../../log/read/query.js';
import { type DoctorCheck, fine, problem } from '../found/check.js';

/** Nothing written by this program is older. */
const EARLIEST = Date.parse('2026-01-01T00:00:00Z');
const TOLERANCE = 5 * 60_000;

export const clock: DoctorCheck = {
  id: 'clock',
  examine: ({ now, stateDirectories }) => {
    const set = "set this machine's clock (timedatectl set-ntp true)";
    if (now < EARLIEST) return [problem(null, `The clock says ${iso(now)}, which is before this program was written`, set)];
    const newest = Math.max(0, ...stateDirectories.flatMap(newestRecord));
    if (newest > now + TOLERANCE)
      return [problem(null, `The clock says ${iso(now)}, but the newest decision was logged at ${iso(newest)}`, set)];
    return [fine(null, `The clock says ${iso(now)}`)];
  },
};

function iso(time: number): string {
  return new Date(time).toISOString();
}

/** Milliseconds since 1970; empty for an unreadable log, which another check reports. */
function newestRecord(state: string): readonly number[] {
  try {
    for (const line of newestFirst(state)) {
      const time = 'record' in line ? Date.parse(line.record.time) : Number.NaN;
      if (Number.isFinite(time)) return [time];
    }
    return [];
  } catch (error) {
    if (error instanceof LogError) return [];
    throw error;
  }
}
