/** What a report says of the decision log, held against the log up to the newest record that it had then. */
import { isDeepStrictEqual } from 'node:util';
import { analyseLog } from '../log/analyse.js';
import type { DecisionLog } from '../model/types.js';
import type { AuditOptions } from '../subject/options.js';

/** What follows from the records and the policy. The others also tell of calls that were made later, of other projects, or of transcripts. */
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

/** A sentence for what is not so any more; none when the section is still right. */
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
  return [`The decision log up to ${was.last} gives something else for: ${different.join(', ')}${records}.`];
}
