/** Compares the log section of a report with the log up to the newest record at that time. */
import { isDeepStrictEqual } from 'node:util';
import { analyseLog } from '../log/analyse.js';
import type { DecisionLog } from '../model/types.js';
import type { AuditOptions } from '../subject/options.js';

/** Members that follow from the records and the policy alone. The others also depend on later calls, other projects, or transcripts. */
const COUNTED = [
  ...([
    'records',
    'first',
    'last',
    'sessions',
    'decisions',
    'observed',
    'results',
    'tools',
    'agents',
    'denied',
    'asked',
  ] as const),
  ...(['rules', 'failures', 'budget', 'subagents', 'coverage'] as const),
];

/** Returns a sentence for each statement that is no longer true; empty if the section is still right. */
export function logChanges(
  was: DecisionLog | null,
  { workspace, stateDirectory }: Pick<AuditOptions, 'workspace' | 'stateDirectory'>,
): readonly string[] {
  if (was === null) return [];
  const now = analyseLog(workspace, stateDirectory, null, Date.parse(was.last));
  if (now === null)
    return [`The decision log holds no record of this project up to ${was.last} any more; it had ${was.records}.`];
  const plain: unknown = JSON.parse(JSON.stringify(now));
  const given = new Map(Object.entries(was));
  const found = new Map(Object.entries(plain as object));
  const different = COUNTED.filter((key) => !isDeepStrictEqual(given.get(key), found.get(key)));
  if (different.length === 0) return [];
  const records = now.records === was.records ? '' : ` (${now.records} records; the report says ${was.records})`;
  return [`The decision log up to ${was.last} gives different values for: ${different.join(', ')}${records}.`];
}
