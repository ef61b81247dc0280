/** The words of the table: a fault, what it needs, and what a call met with it. */
import type { RunnerId } from '../../src/call/tool-call.js';
import type { LineStart } from './run-line.js';
import type { FaultWorld } from './world.js';

export interface Fault {
  readonly name: string;
  /** Breaks files of the world before the call; a function that it gives back undoes what cannot be deleted. */
  readonly plant?: (world: FaultWorld) => unknown;
  /** Changes how the line is started. */
  readonly start?: (start: LineStart, world: FaultWorld, runner: RunnerId) => Partial<LineStart>;
  /** Calls are made before the fault comes, so that there is a snapshot. */
  readonly warm?: boolean;
  /** Why it cannot be planted here; null when it can. */
  readonly missing?: () => string | null;
  /** A program error is planted: only then may the reason be one about the program itself. */
  readonly injected?: boolean;
  /** The shell itself cannot say much any more, or says more than we do: what counts is that the call does not run. */
  readonly noisy?: boolean;
  /** The moment is random: tried several times. */
  readonly random?: boolean;
  /** zsh cannot do anything about it (docs/evidence/faults.md, the last section): there it is not tried. */
  readonly notInZsh?: boolean;
  /** Only the deadline ends it. */
  readonly hangs?: boolean;
  /** Too slow for every run of the tests (it waits for a deadline, or is large). */
  readonly slow?: boolean;
}

export interface Group {
  readonly title: string;
  readonly faults: readonly Fault[];
}

/** The payload's bytes, whatever the fault makes of them. */
export function bytesOf(start: LineStart): Buffer {
  return Buffer.from(start.feed.bytes);
}

/** Another payload on standard input. */
export function withBytes(bytes: Uint8Array | string): Partial<LineStart> {
  return { feed: { kind: 'bytes', bytes: Buffer.from(bytes) } };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
