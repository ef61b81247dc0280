/** The command line of `policy mcp serve`. */
import { RUNNERS, type RunnerId } from '../../call/tool-call.js';
import { chosen, type Folders, foldersOf, valuesOf } from '../options.js';
import { DENIAL_FORMS, type SessionOptions } from '../session/session.js';

export interface ServeOptions extends Folders {
  readonly agent: string | null;
  readonly runner: RunnerId;
  readonly denyAs: SessionOptions['denyAs'];
}

/** The names of the tools are Codex's, and agents with these tools are defined in its files. */
export const SERVE_RUNNER = 'codex' as const satisfies RunnerId;

const FLAGS: ReadonlySet<string> = new Set(
  '--agent --runner --deny-as --project --config-dir --state-dir --managed-dir'.split(' '),
);

/** Returns the options of `policy mcp serve …`, or a sentence about what is wrong with them. */
export function serveOptions(given: readonly string[]): ServeOptions | string {
  const values = valuesOf(given, FLAGS, 'policy mcp serve');
  if (typeof values === 'string') return values;
  const value = (flag: string) => values.get(flag)?.[0] ?? null;
  const runner = chosen('--runner', value('--runner') ?? SERVE_RUNNER, RUNNERS);
  if (!runner.ok) return runner.why;
  const denyAs = chosen('--deny-as', value('--deny-as') ?? 'result', DENIAL_FORMS);
  if (!denyAs.ok) return denyAs.why;
  return { agent: value('--agent'), runner: runner.choice, denyAs: denyAs.choice, ...foldersOf(value) };
}
