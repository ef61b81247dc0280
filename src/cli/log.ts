/** `policy log`: what was decided here, read back from the decision log. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultStateDirectory, logDirectory } from '../log/directory.js';
import { LogError } from '../log/log-error.js';
import { appendedSince, logEnds, newestFirst, type RecordFilter, recordsById } from '../log/query.js';
import type { LogNote, ReadLine } from '../log/read-record.js';
import type { LogRecord, ResultRecord } from '../log/record.js';
import { momentOf } from '../log/time-span.js';
import { recordAsJson, recordExplained, recordLine } from '../report/log-records.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from './arguments.js';
import type { CommandHelp, Declarations } from './command.js';
import { EXIT, type ExitCode, UsageError } from './exit.js';
import { tellModeHere } from './open.js';
import { print, textOptions, warn } from './terminal.js';

const actions: Readonly<Record<string, (args: Arguments, state: string) => Promise<void>>> = { tail, show, query };

const DECISIONS = ['allow', 'ask', 'deny'] as const;
const KINDS = ['decision', 'result', 'event'] as const;
const LAST = 20;
const MOST_MATCHES = 10;
const POLL_MILLISECONDS = 250;
const SELECT = 'Which records (query, tail):';
const WHERE = 'Where and how:';

export const usage = `$0 log tail [-n COUNT] [--follow] [OPTIONS]
$0 log show ID [--json]
$0 log query [OPTIONS]

What was decided here, read back from the decision log; nothing is written. \`tail\` prints the last records, newest first, and with
--follow goes on as they come. \`show\` explains one record; the beginning of its id is enough. \`query\` prints the records that the
flags choose, newest first. Lines of the log that cannot be read are named on standard error and passed over.`;

export const help: CommandHelp = {
  exitCodes: [
    [0, 'printed, also when nothing was found'],
    [3, 'wrong usage, a record that is not there, or a log that cannot be read'],
  ],
  files: [['$XDG_STATE_HOME/policy/log', 'The decision log (without XDG_STATE_HOME: ~/.local/state)']],
  examples: [
    {
      says: 'The last two records',
      line: 'policy log tail -n 2',
      exit: 0,
      prints: [
        '2026-01-31T12:00:00.120Z  ask      Bash git push  · to be asked by Bash(git push *) (policy.yaml:56): A push is seen by everyone; look at the diff first.  01a1fd17-5231-71ee-a964-0315e9dde22f',
        '2026-01-31T12:00:00.055Z  deny     Bash rm -rf build  · denied by Bash(rm -rf *) (policy.yaml:87): Deleting trees needs a person.  01a1fd17-50a7-767d-b82b-0bc0ce1f891b',
      ],
    },
    {
      says: 'What was denied in the last two hours',
      line: 'policy log query --decision deny --since 2h',
      exit: 0,
      prints: [
        '2026-01-31T12:00:00.055Z  deny     Bash rm -rf build  · denied by Bash(rm -rf *) (policy.yaml:87): Deleting trees needs a person.  01a1fd17-50a7-767d-b82b-0bc0ce1f891b',
      ],
    },
  ],
};

export function options(program: Declarations): Declarations {
  const text = { type: 'string' } as const;
  return program
    .positional('action', { choices: Object.keys(actions), describe: 'What to do' })
    .positional('id', { describe: 'show: the id of a record, or how it begins' })
    .option('decision', {
      ...text,
      choices: DECISIONS,
      describe: 'The answer; in observe mode what would have been decided',
      group: SELECT,
    })
    .option('tool', { ...text, describe: 'The tool, as called or by its canonical name', group: SELECT })
    .option('agent', { ...text, value: 'NAME', describe: 'The calling agent', group: SELECT })
    .option('session', { ...text, value: 'ID', describe: "The runner's id of the session", group: SELECT })
    .option('rule', { ...text, value: 'TEXT', describe: 'A part of the rule that decided', group: SELECT })
    .option('project', { ...text, value: 'DIR', describe: 'The directory of the project', group: SELECT })
    .option('kind', { ...text, choices: KINDS, describe: 'The kind of record', group: SELECT })
    .option('since', {
      ...text,
      value: 'TIME',
      describe: '2026-01-31, 2026-01-31T12:00 (UTC), or 15m, 2h, 7d ago',
      group: SELECT,
    })
    .option('until', { ...text, value: 'TIME', describe: 'The same; a day counts to its end', group: SELECT })
    .option('limit', {
      ...text,
      value: 'COUNT',
      alias: 'n',
      default: `tail: ${LAST}, query: all`,
      describe: 'At most so many records',
      group: SELECT,
    })
    .option('follow', { type: 'boolean', alias: 'f', describe: 'tail: oldest first, then go on as records come', group: WHERE })
    .option('json', { type: 'boolean', describe: 'Print one record a line as JSON', group: WHERE })
    .option('state-dir', {
      ...text,
      value: 'DIR',
      default: '$XDG_STATE_HOME/policy',
      describe: 'The state directory',
      group: WHERE,
    });
}

/** Throws UsageError for an unknown action or value, a record that is not there, and a log that cannot be read. */
export async function run(args: Arguments): Promise<ExitCode> {
  const action = textFlag(args, 'action') ?? '';
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new UsageError(`policy log knows no ${JSON.stringify(action)}; it has to be one of ${Object.keys(actions).join(', ')}`);
  if (action !== 'show' && textFlag(args, 'id') !== undefined)
    throw new UsageError(`policy log ${action} takes no ${JSON.stringify(textFlag(args, 'id'))}; only show takes an id`);
  if (action !== 'tail' && switchFlag(args, 'follow')) throw new UsageError('--follow goes with policy log tail');
  tellModeHere(args);
  const given = textFlag(args, 'state-dir');
  try {
    await act(args, given === undefined ? defaultStateDirectory(process.env, homedir()) : resolve(given));
  } catch (error) {
    throw error instanceof LogError ? new UsageError(error.message) : error;
  }
  return EXIT.allow;
}

async function tail(args: Arguments, state: string): Promise<void> {
  if (switchFlag(args, 'follow')) await follow(args, state);
  else await query(args, state, LAST);
}

async function query(args: Arguments, state: string, limit = Number.POSITIVE_INFINITY): Promise<void> {
  const most = limitFlag(args) ?? limit;
  const notes: LogNote[] = [];
  let count = 0;
  for (const found of most === 0 ? [] : newestFirst(state, filterOf(args))) {
    if ('note' in found) {
      notes.push(found.note);
      continue;
    }
    await print(lineOf(args, found.record));
    count += 1;
    if (count >= most) break;
  }
  tellNotes(notes);
  if (count === 0) warn(`No records found in ${logDirectory(state)}.`);
}

/** Prints the last records in the order they came in, then each new one, until it is interrupted. */
async function follow(args: Arguments, state: string): Promise<void> {
  const filter = filterOf(args);
  const ends = logEnds(state);
  const last: LogRecord[] = [];
  const most = limitFlag(args) ?? LAST;
  for (const found of newestFirst(state, filter, ends)) {
    if (last.length >= most) break;
    if ('record' in found) last.push(found.record);
  }
  for (const record of last.reverse()) await print(lineOf(args, record));
  for (;;) {
    for (const found of appendedSince(state, ends, filter)) await printFound(args, found);
    await sleep(POLL_MILLISECONDS);
  }
}

async function printFound(args: Arguments, found: ReadLine): Promise<void> {
  if ('record' in found) await print(lineOf(args, found.record));
  else tellNotes([found.note]);
}

async function show(args: Arguments, state: string): Promise<void> {
  const id = textFlag(args, 'id')?.toLowerCase();
  if (id === undefined || !/^[0-9a-f-]{4,36}$/.test(id))
    throw new UsageError('Name a record by its id, or by at least the first 4 characters of it: policy log show ID');
  const [record, ...others] = recordsById(state, id, MOST_MATCHES);
  if (record === undefined) throw new UsageError(`No record of ${logDirectory(state)} has an id that begins with ${id}`);
  if (others.length > 0)
    throw new UsageError(`Several records have an id that begins with ${id}:`, ...[record, ...others].map(recordLine));
  if (switchFlag(args, 'json')) await print(`${recordAsJson(record)}\n`);
  else await print(recordExplained(record, resultsOf(record, state), textOptions().width));
}

/** How the call of a decision ended. */
function resultsOf(record: LogRecord, state: string): ResultRecord[] {
  if (record.kind !== 'decision' || record.toolUseId === null || record.session === null) return [];
  const filter: RecordFilter = { kind: 'result', session: record.session, since: Date.parse(record.time) };
  const results: ResultRecord[] = [];
  for (const found of newestFirst(state, filter))
    if ('record' in found && found.record.kind === 'result' && found.record.toolUseId === record.toolUseId)
      results.push(found.record);
  return results.reverse();
}

function lineOf(args: Arguments, record: LogRecord): string {
  return `${switchFlag(args, 'json') ? recordAsJson(record) : recordLine(record)}\n`;
}

function filterOf(args: Arguments): RecordFilter {
  const [decision, kind] = [choiceFlag(args, 'decision', DECISIONS), choiceFlag(args, 'kind', KINDS)];
  const [tool, agent, session, rule] = ['tool', 'agent', 'session', 'rule'].map((name) => textFlag(args, name));
  const project = textFlag(args, 'project');
  const [since, until] = [momentFlag(args, 'since', 'start'), momentFlag(args, 'until', 'end')];
  return {
    ...(decision !== undefined && { decision }),
    ...(kind !== undefined && { kind }),
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(rule !== undefined && { rule }),
    ...(project !== undefined && { project: realOr(resolve(project)) }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

function momentFlag(args: Arguments, name: string, edge: 'start' | 'end'): number | undefined {
  const text = textFlag(args, name);
  if (text === undefined) return undefined;
  const moment = momentOf(text, Date.now(), edge);
  if (moment === null)
    throw new UsageError(
      `--${name} is ${JSON.stringify(text)}; give a day (2026-01-31), a time (2026-01-31T12:00) or an age (2h)`,
    );
  return moment;
}

function limitFlag(args: Arguments): number | undefined {
  const text = textFlag(args, 'limit');
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--limit is ${JSON.stringify(text)}; it has to be a number of records`);
  return Number(text);
}

/** The real path, as records have it; the path itself when the project is gone. */
function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Says for each file how many of its lines were passed over, and where the last of them stands. */
function tellNotes(notes: readonly LogNote[]): void {
  const files = new Map<string, LogNote[]>();
  for (const note of notes) files.set(note.path, [...(files.get(note.path) ?? []), note]);
  for (const [path, [first, ...more]] of files) {
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : ` (and ${more.length} more ${more.length === 1 ? 'line' : 'lines'} of this file)`;
    warn(`note: ${path}: at byte ${first.offset} ${first.problem}${others}`);
  }
}
