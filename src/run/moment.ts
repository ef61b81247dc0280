/** Points in time that do not depend on the wall clock, which can be set: within one boot only the monotonic clock is used. */
import { readFileSync } from 'node:fs';

export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of the system's monotonic clock, which all processes share. */
  readonly up: number;
  /** Identifies the boot of the machine; empty if the system has no name for it. */
  readonly boot: string;
}

/** The current moment. `at`: milliseconds since 1970, `up`: milliseconds of the monotonic clock. */
export function timestampOf(at: number, up: number): Timestamp {
  return { at, up: Math.round(up), boot: bootId() };
}

/** Whether a value that was read is a timestamp. */
export function isTimestamp(value: unknown): value is Timestamp {
  if (typeof value !== 'object' || value === null) return false;
  const { at, up, boot } = value as Readonly<Record<string, unknown>>;
  return typeof at === 'number' && typeof up === 'number' && typeof boot === 'string';
}

/** Milliseconds from one moment to a later one; never negative. May not include time that the machine slept. */
export function elapsed(from: Timestamp, to: Timestamp): number {
  const sameBoot = from.boot === to.boot && to.up >= from.up;
  return Math.max(0, sameBoot ? to.up - from.up : to.at - from.at);
}

/** A duration for people: `50 ms`, `1.5 s`, `2 min 5 s`, `24 h`. */
export function spanText(milliseconds: number): string {
  if (milliseconds < 100) return `${milliseconds} ms`;
  if (milliseconds < 59_950) return `${Math.round(milliseconds / 100) / 10} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

let known: string | null = null;

function bootId(): string {
  known ??= readBootId();
  return known;
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim().slice(0, 36);
  } catch {
    // macOS and Windows: a monotonic clock that went back shows that the machine was restarted.
    return '';
  }
}
