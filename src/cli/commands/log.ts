/** `policy log`: reads past decisions from the decision log. */
import { LockError } from '../../disk/lock.js';
import { LogError } from '../../log/files/log-error.js';
import { choiceAdvice } from '../../policy/nearest.js';
import { EXPORTS, exportLog, stats } from '../log/export.js';
import { DECISIONS, KINDS, LAST, query, show, tail } from '../log/read.js';
import { prove, prune, seal, verify } from '../log/seal.js';
import { tellModeHere } from '../place/open.js';
import { stateDirectoryOf } from '../place/where.js';
import { type ExitCode, UsageError } from '../terminal/exit.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const actions: Readonly<Record<string, (args: Arguments, state: string) => Promise<ExitCode>>> = {
  tail,
  show,
  query,
  stats,
  export: exportLog,
  seal,
  verify,
  prove,
  prune,
};

/** Actions that take an id. */
const WITH_ID = ['show', 'prove'];
const SELECT = 'Which records (tail, query, stats, export):';
const WHERE = 'Where and how:';

const SEALED = 'The sealed log (seal, verify, prove, prune):';

export const takes: Takes = {
  arguments: {
    action: { choices: Object.keys(actions), describe: 'What to do; stats if left out' },
    id: { describe: "show, prove: a record's id, or its beginning" },
  },
  options: {
    decision: {
      choices: DECISIONS,
      describe: 'The answer; in observe mode, the decision that would have applied',
      group: SELECT,
    },
    tool: { value: 'TOOL', describe: 'The tool, as called or by its canonical name', group: SELECT },
    agent: { value: 'NAME', describe: 'The calling agent', group: SELECT },
    session: { value: 'ID', describe: "The runner's id of the session", group: SELECT },
    rule: { value: 'TEXT', describe: 'Part of the text of the rule that decided', group: SELECT },
    project: { value: 'DIR', describe: 'The directory of the project', group: SELECT },
    kind: { choices: KINDS, describe: 'The kind of record', group: SELECT },
    since: { value: 'TIME', describe: '2026-01-31, 2026-01-31T12:00 (UTC), or 15m, 2h, 7d ago', group: SELECT },
    until: { value: 'TIME', describe: 'Like --since; a day is included completely', group: SELECT },
    limit: {
      value: 'COUNT',
      alias: 'n',
      default: `tail: ${LAST}, query: all`,
      describe: 'The most records to print',
      group: SELECT,
    },
    follow: { alias: 'f', of: ['tail'], describe: 'then wait, and print new records as they come', group: WHERE },
    format: { choices: EXPORTS, of: ['export'], describe: 'the format', group: WHERE },
    key: { value: 'KEY', of: ['verify'], describe: 'check with this public key, which you stored elsewhere', group: SEALED },
    checkpoint: { value: 'FILE', of: ['verify'], describe: 'also check against this checkpoint', group: SEALED },
    proof: { value: 'FILE', of: ['verify'], describe: 'check this proof instead of the log', group: SEALED },
    from: { value: 'COUNT', of: ['prove'], describe: 'that the first COUNT records are unchanged', group: SEALED },
    before: {
      value: 'TIME',
      of: ['prune'],
      describe: 'delete files from before this day, such as 2026-01-31 or 90d',
      group: SEALED,
    },
    yes: { alias: 'y', of: ['seal', 'prune'], describe: 'agree without being asked', group: SEALED },
    'dry-run': { of: ['seal', 'prune'], describe: 'only show what would be done', group: SEALED },
    json: { describe: 'Print JSON, one record per line', group: WHERE },
    'state-dir': { value: 'DIR', default: '$XDG_STATE_HOME/policy', describe: 'The state directory', group: WHERE },
  },
};

/** Throws UsageError for an unknown action or value, a record that does not exist, and a log that cannot be read. */
export async function run(args: Arguments): Promise<ExitCode> {
  const action = textFlag(args, 'action') ?? 'stats';
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new UsageError(`policy log has no action ${JSON.stringify(action)}; ${choiceAdvice(action, Object.keys(actions))}`);
  refuseStrayId(args, action);
  tellModeHere(args);
  try {
    return await act(args, stateDirectoryOf(args));
  } catch (error) {
    throw error instanceof LogError || error instanceof LockError ? new UsageError(error.message) : error;
  }
}

/** Throws UsageError for an id with an action that takes none. */
function refuseStrayId(args: Arguments, action: string): void {
  const id = textFlag(args, 'id');
  if (id !== undefined && !WITH_ID.includes(action))
    throw new UsageError(`policy log ${action} takes no ${JSON.stringify(id)}; only ${WITH_ID.join(' and ')} take an id`);
}
