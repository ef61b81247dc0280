/** `policy log stats|export`: the whole log as statistics, or in the formats of other tools. */
import { oldestFirst, type RecordFilter } from '../../log/read/query.js';
import type { LogNote } from '../../log/read/read-record.js';
import type { LogRecord } from '../../log/record/record.js';
import { statsOfLog } from '../../log/stats.js';
import { readTree } from '../../log/tree/state.js';
import { unsealedTail } from '../../log/tree/unsealed.js';
import { cloudEvents } from '../../report/log/cloudevents.js';
import { ocsfEvents } from '../../report/log/ocsf.js';
import { opaDecisions } from '../../report/log/opa.js';
import { otlpJson } from '../../report/log/otlp.js';
import { statsText } from '../../report/log/stats.js';
import { jsonLine } from '../../report/printing/escape.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, textOptions } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag } from '../words/arguments.js';
import { filterOf, tellNoRecords, tellNotes } from './read.js';

export const EXPORTS = ['otlp-json', 'cloudevents', 'ocsf', 'opa'] as const;

const formats: Readonly<Record<(typeof EXPORTS)[number], (records: readonly LogRecord[]) => string>> = {
  'otlp-json': otlpJson,
  cloudevents: cloudEvents,
  ocsf: ocsfEvents,
  opa: opaDecisions,
};

/** Number of records written at once. */
const BATCH = 500;
/** At most this many notes are kept; a log full of garbage would produce millions. */
const MOST_NOTES = 1_000;

/** Prints statistics about the records that the flags select. */
export async function stats(args: Arguments, state: string): Promise<ExitCode> {
  const notes: LogNote[] = [];
  const found = statsOfLog(state, chosenFilter(args), (note) => keepNote(notes, note));
  const unsealed = unsealedTail(state, readTree(state), Date.now());
  if (switchFlag(args, 'json')) await print(jsonLine({ version: 1, ...found, unsealed }));
  else await print(statsText(found, unsealed, textOptions().width));
  tellNotes(notes);
  if (found.records === 0) tellNoRecords(args, state);
  return EXIT.allow;
}

/** Prints the records that the flags select, oldest first, in another format. Throws UsageError when none is named. */
export async function exportLog(args: Arguments, state: string): Promise<ExitCode> {
  const format = choiceFlag(args, 'format', EXPORTS);
  if (format === undefined) throw new UsageError(`Say in which format: policy log export --format ${EXPORTS.join('|')}`);
  const notes: LogNote[] = [];
  let batch: LogRecord[] = [];
  let count = 0;
  for (const record of chosen(args, state, notes)) {
    batch.push(record);
    count += 1;
    if (batch.length < BATCH) continue;
    await print(formats[format](batch));
    batch = [];
  }
  await print(formats[format](batch));
  tellNotes(notes);
  if (count === 0) tellNoRecords(args, state);
  return EXIT.allow;
}

function* chosen(args: Arguments, state: string, notes: LogNote[]): Generator<LogRecord> {
  for (const found of oldestFirst(state, chosenFilter(args)))
    if ('record' in found) yield found.record;
    else keepNote(notes, found.note);
}

/** Excludes tests of the hook, which stay in the log itself. */
function chosenFilter(args: Arguments): RecordFilter {
  return { ...filterOf(args), withoutTrials: true };
}

function keepNote(notes: LogNote[], note: LogNote): void {
  if (notes.length < MOST_NOTES) notes.push(note);
}
