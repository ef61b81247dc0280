/** Points in time that survive a clock which somebody sets: within one start of the machine only the rising clock counts. */
import { readFileSync } from 'node:fs';

export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds of the system's rising clock, which all processes share. */
  readonly up: number;
  /** Identifies the start of the machine; empty where the system has no name for it. */
  readonly boot: string;
}

/** This moment. `at`: milliseconds since 1970, `up`: milliseconds of the rising clock. */
export function timestampOf(at: number, up: number): Timestamp {
  return { at, up: Math.round(up), boot: bootId() };
}

/** Whether something that was read is a moment. */
export function isTimestamp(value: unknown): value is Timestamp {
  if (typeof value !== 'object' || value === null) return false;
  const { at, up, boot } = value as Readonly<Record<string, unknown>>;
  return typeof at === 'number' && typeof up === 'number' && typeof boot === 'string';
}

/** Milliseconds from one moment to a later one; never negative. Time that the machine slept may not count. */
export function elapsed(from: Timestamp, to: Timestamp): number {
  const sameBoot = from.boot === to.boot && to.up >= from.up;
  return Math.max(0, sameBoot ? to.up - from.up : to.at - from.at);
}

/** `50 ms`, `1.5 s`, `2 min 5 s`, `24 h`: for a person. */
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
    // macOS and Windows: a rising clock that went back tells that the machine was started anew.
    return '';
  }
}
