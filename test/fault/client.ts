/**
 * What each real client made of what a hook did: does the call run? Taken from the recorded matrices
 * (test/fixtures/vectors), for two clients without a recording from their documentation. What was not recorded counts as "runs".
 */
import { readFileSync } from 'node:fs';
import type { RunnerId } from '../../src/call/tool-call.js';

/** How a hook's command line ended. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The client lost patience and ended it. */
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

interface ClientModel {
  readonly runs: (outcome: Outcome) => boolean;
  /** What the verdicts rest on. */
  readonly evidence: 'recorded' | 'documentation';
}

interface Row {
  readonly hook_behaviour: string;
  readonly tool_executed: boolean;
}

/** `runs` by the name of the hook's behaviour, as recorded. */
function recordedRows(runner: string): ReadonlyMap<string, boolean> {
  const { rows } = JSON.parse(readFileSync(`test/fixtures/vectors/hook-outcomes-${runner}.json`, 'utf8')) as { rows: Row[] };
  return new Map(rows.map(({ hook_behaviour, tool_executed }) => [hook_behaviour, tool_executed]));
}

/** Claude Code where a rule of its own allows the call and nobody set `onFailure`: as open as it gets, and so for 2.1.197. */
function claudeRows(): ReadonlyMap<string, boolean> {
  const rows = JSON.parse(readFileSync('test/fixtures/vectors/claude-code/hook-outcome-matrix.2.1.329.json', 'utf8')) as {
    cfg: string;
    mode: string;
    ran: boolean;
  }[];
  return new Map(rows.filter(({ cfg }) => cfg === 'allowrule').map(({ mode, ran }) => [mode, ran]));
}

/** The row of a matrix that an outcome belongs to; every client has its own names for some. */
interface Names {
  readonly deny: string;
  readonly allow: string;
  readonly ask: string;
  readonly verdict: (answer: Readonly<Record<string, unknown>>) => 'deny' | 'allow' | 'ask' | null;
  readonly crash: string;
  readonly timeout: string;
  readonly garbage: string;
  readonly denyExit2: string;
  readonly silentExit2: string;
  /** Exit code 2 counts also beside a denial in words (`npm run e2e`: each of its denied calls is such a one). */
  readonly spokenExit2?: true;
}

function recorded(rows: ReadonlyMap<string, boolean>, names: Names): ClientModel {
  return { evidence: 'recorded', runs: (outcome) => rows.get(behaviourOf(outcome, names)) ?? true };
}

function behaviourOf({ status, signal, timedOut, stdout, stderr }: Outcome, names: Names): string {
  if (timedOut) return names.timeout;
  if (signal !== null || status === null) return names.crash;
  const answer = stdout.trim() === '' ? null : answerOf(stdout);
  const verdict = answer === null ? null : names.verdict(answer);
  if (status === 2) {
    if (stderr.trim() === '') return verdict === 'deny' ? names.denyExit2 : names.silentExit2;
    // Also with a text on standard output that is no JSON: docs/conformance.md, the last row.
    if (verdict === 'deny' && names.spokenExit2) return 'exit2';
    return answer === null ? 'exit2' : 'exit 2 with an answer on standard output, which nobody recorded';
  }
  if (status === 0) {
    if (stdout.trim() === '') return 'none';
    return verdict === null ? names.garbage : names[verdict];
  }
  if (status === 127) return 'missing';
  return status === 1 ? 'exit1' : 'exit3';
}

/** Standard output when it is one JSON object, as all clients want it. */
function answerOf(stdout: string): Readonly<Record<string, unknown>> | null {
  try {
    const answer: unknown = JSON.parse(stdout);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer } : null;
  } catch {
    return null;
  }
}

function verdictWord(word: unknown): 'deny' | 'allow' | 'ask' | null {
  return word === 'deny' || word === 'allow' || word === 'ask' ? word : null;
}

/** The dialect of Claude Code; Codex takes no key that it does not know, and neither may this. */
function hookSpecific(answer: Readonly<Record<string, unknown>>): 'deny' | 'allow' | 'ask' | null {
  const known = new Set(['hookSpecificOutput', 'systemMessage']);
  if (!Object.keys(answer).every((key) => known.has(key))) return null;
  const inner = answer.hookSpecificOutput;
  if (inner === undefined) return 'allow';
  if (typeof inner !== 'object' || inner === null) return null;
  const { hookEventName, permissionDecision, permissionDecisionReason, ...rest } = { ...inner } as Record<string, unknown>;
  if (hookEventName !== 'PreToolUse' || Object.keys(rest).length > 0) return null;
  if (permissionDecision === 'deny' && (typeof permissionDecisionReason !== 'string' || permissionDecisionReason === ''))
    return null;
  return verdictWord(permissionDecision);
}

const CRASHES = { crash: 'crash', timeout: 'timeout', garbage: 'garbage', silentExit2: 'exit2-nostderr' } as const;

const MODELS: Readonly<Record<RunnerId, () => ClientModel>> = {
  'claude-code': () =>
    recorded(claudeRows(), {
      ...{ deny: 'deny', allow: 'allow', ask: 'ask', verdict: hookSpecific },
      ...{ crash: 'sigkill', timeout: 'sleep', garbage: 'badjson', denyExit2: 'deny', silentExit2: 'not recorded' },
      spokenExit2: true,
    }),
  codex: () =>
    recorded(recordedRows('codex'), {
      ...CRASHES,
      ...{ deny: 'deny', allow: 'allow', ask: 'ask', verdict: hookSpecific, denyExit2: 'exit2-json' },
    }),
  'gemini-cli': () =>
    recorded(recordedRows('gemini-cli'), {
      ...CRASHES,
      ...{ deny: 'deny', allow: 'allow', ask: 'ask', denyExit2: 'exit2-nostderr' },
      spokenExit2: true,
      verdict: ({ decision, systemMessage }) =>
        decision === undefined && systemMessage !== undefined ? 'allow' : verdictWord(decision),
    }),
  'copilot-cli': () =>
    recorded(recordedRows('copilot-cli'), {
      ...CRASHES,
      ...{ deny: 'cp-deny', allow: 'cp-allow', ask: 'cp-ask', denyExit2: 'exit2-nostderr' },
      spokenExit2: true,
      verdict: ({ permissionDecision }) => verdictWord(permissionDecision),
    }),
  'qwen-code': () =>
    recorded(recordedRows('qwen-code'), {
      ...CRASHES,
      ...{ deny: 'cc-deny', allow: 'cc-allow', ask: 'cc-ask', verdict: hookSpecific, denyExit2: 'exit2-nostderr' },
    }),
  // The plugin is ours: whatever is not exit code 0 throws, and a throw was recorded to block.
  opencode: () => ({ evidence: 'recorded', runs: ({ status, timedOut }) => status === 0 && !timedOut }),
  // Exit code 2 denies, every other failure passes; `failClosed` is not counted on.
  cursor: () => ({
    evidence: 'documentation',
    runs: ({ status, stdout }) => status !== 2 && !(status === 0 && answerOf(stdout)?.permission === 'deny'),
  }),
  // Every failure vetoes.
  'agent-code': () => ({ evidence: 'documentation', runs: ({ status, timedOut }) => status === 0 && !timedOut }),
};

/** The model of one client. */
export function clientModel(runner: RunnerId): ClientModel {
  return MODELS[runner]();
}
