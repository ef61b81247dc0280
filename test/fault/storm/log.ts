/** The decision log of a world, read without our own reader: which calls are in it, and which lines are none. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultWorld } from '../world.js';

export interface LoggedCall {
  readonly id: string;
  readonly decision: string;
}

export interface WholeLog {
  /** The records of each call, by the runner's own id of the call. */
  readonly calls: ReadonlyMap<string, readonly LoggedCall[]>;
  /** Lines that are no record, among them a last one without its end. */
  readonly torn: number;
  readonly files: number;
}

export function logOf(world: FaultWorld): WholeLog {
  const folder = join(world.state, 'log');
  const calls = new Map<string, LoggedCall[]>();
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  let torn = 0;
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text !== '' && !text.endsWith('\n')) torn += 1;
    for (const line of text.split('\n')) if (line !== '' && !keep(calls, line)) torn += 1;
  }
  return { calls, torn, files: files.length };
}

/** False when the line is not a record. */
function keep(calls: Map<string, LoggedCall[]>, line: string): boolean {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return false;
  }
  const { toolUseId, id, decision } = record as { toolUseId?: unknown; id?: unknown; decision?: unknown };
  if (typeof id !== 'string') return false;
  const name = String(toolUseId);
  calls.set(name, [...(calls.get(name) ?? []), { id, decision: String(decision) }]);
  return true;
}
