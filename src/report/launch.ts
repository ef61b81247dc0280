/** The output of `policy run`: the line of its start, the actions of the runner, and how it ended. */
import type { LogRecord } from '../log/record/record.js';
import { recordLine } from './log/records.js';
import { agentLabel, escapeText } from './printing/escape.js';
import { painter } from './printing/paint.js';

/** An event of the runner, reduced to the displayed fields. */
export type ShownEvent =
  | { readonly kind: 'started' | 'usage' | 'final' }
  | { readonly kind: 'message'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly phase: 'started' | 'completed' | 'failed';
      readonly summary: string | null;
    }
  | { readonly kind: 'warning'; readonly message: string };

/** The end of a run, reduced to the displayed fields. */
export interface ShownEnd {
  readonly outcome: string;
  readonly problem: string | null;
  readonly milliseconds: number;
  readonly attempts: number;
  readonly usage: { readonly input: number; readonly output: number } | null;
  readonly decisions: { readonly allow: number; readonly ask: number; readonly deny: number; readonly refused?: number } | null;
  readonly runner: string;
  readonly uri: string | null;
  /** The first few denied calls. */
  readonly denied: readonly LogRecord[];
  /** The first few calls that the policy allowed but the runner refused. */
  readonly refused: readonly LogRecord[];
  /** Those among `denied` that were denied only because nobody could be asked, each with the remedy; null: it is unknown. */
  readonly asked: ReadonlyMap<LogRecord, string | null>;
}

/** `▶ code-reviewer · model: gpt-5-codex started` */
export function startLine(name: string, model: string | null): string {
  return `\u25b6 ${agentLabel(name, model)} started`;
}

/** Returns the lines for one event, with line breaks; empty for an event without a message for a person. */
export function eventText(event: ShownEvent, color: boolean): string {
  const paint = painter(color);
  switch (event.kind) {
    case 'message':
      return `${event.text.split('\n').map(escapeText).join('\n')}\n`;
    case 'tool': {
      if (event.phase === 'completed') return '';
      const what = escapeText(event.summary === null ? event.tool : `${event.tool} ${event.summary}`);
      return `  ${paint.dim(event.phase === 'failed' ? `failed: ${what}` : what)}\n`;
    }
    case 'warning':
      return `  ${paint.dim(escapeText(`note: ${event.message}`))}\n`;
    default:
      return '';
  }
}

/** Returns agents that fit a task, best first, and how a person starts one. */
export function suggestionText(
  suggestions: readonly { readonly name: string; readonly confidence: number; readonly reason: string }[],
): string {
  const [first] = suggestions;
  if (first === undefined) return 'No agent here fits.\n';
  const lines = suggestions.map(({ name, confidence, reason }) => `${Math.round(confidence * 100)} %  ${name}  ${reason}`);
  return [...lines, `Start it yourself: policy run ${first.name} --goal TEXT`].map((line) => `${escapeText(line)}\n`).join('');
}

/** The fields of a run that `--dry-run` prints. */
export interface ShownPlan {
  readonly runner: string;
  readonly agent: string | null;
  readonly preset: string | null;
  /** The command line as it could be typed. */
  readonly line: string;
  readonly cwd: string;
  /** Names of the variables that are set. */
  readonly environment: readonly string[];
}

/** Returns the command line as it could be typed, and the folder in which it would be started. */
export function launchPlanText({ runner, agent, preset, line, cwd, environment }: ShownPlan): string {
  const who = agent === null ? `preset ${preset}` : agent;
  const lines = [
    `Would start ${who} in ${runner}:`,
    `  ${line}`,
    `  in ${cwd}`,
    ...(environment.length === 0 ? [] : [`  with ${environment.join(', ')} set`]),
    'Nothing was started (--dry-run).',
  ];
  return lines.map((one) => `${escapeText(one)}\n`).join('');
}

/**
 * `completed after 12.3 s, 1 attempt, 1,234 tokens (1,000 in, 234 out), 5 calls allowed, 0 asked, 1 denied`, and the place of its record.
 */
export function endText(end: ShownEnd): string {
  const { outcome, problem, milliseconds, attempts, usage, decisions, runner, uri, denied, refused, asked } = end;
  const parts = [
    `${outcome} after ${(milliseconds / 1000).toFixed(1)} s`,
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    usage === null
      ? 'tokens not known'
      : `${number(usage.input + usage.output)} tokens (${number(usage.input)} in, ${number(usage.output)} out)`,
    decisions === null
      ? 'calls not known'
      : `calls: ${decisions.allow} allowed${refusedPart(decisions.refused, runner)}, ${decisions.ask} asked, ${decisions.deny} denied`,
  ];
  const why = problem === null ? '' : `  ${escapeText(problem)}\n`;
  const stopped = [
    ...denied.map((record) => `  ${recordLine(record)}\n${whyNobody(record, asked)}`),
    ...refused.map(
      (record) => `  ${recordLine(record)}\n    ${escapeText(`${runner} did not let it run, by its own permissions`)}\n`,
    ),
  ].join('');
  return `\u25a0 ${parts.join(', ')}\n${why}${stopped}${uri === null ? '' : `  record: ${escapeText(uri)}\n`}`;
}

function refusedPart(refused: number | undefined, runner: string): string {
  return refused === undefined || refused === 0 ? '' : ` (${refused} of them refused by ${runner})`;
}

function whyNobody(record: LogRecord, asked: ShownEnd['asked']): string {
  const advice = asked.get(record);
  if (advice === undefined) return '';
  return `    ${escapeText(`nobody can be asked in this run${advice === null ? '' : `; ${advice}`}`)}\n`;
}

/** `12,345`; a locale-aware formatter takes longer than all the rest of the output. */
function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A run as `policy status RUN` shows it. */
export interface ShownRecord {
  readonly uri: string;
  readonly id: string;
  readonly agent: string | null;
  readonly preset: string | null;
  readonly runner: string;
  readonly model: string | null;
  readonly goal: string | null;
  readonly session: string | null;
  readonly state: string;
  readonly outcome: string | null;
  readonly problem: string | null;
  readonly attempts: number;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly usage: { readonly input: number; readonly output: number } | null;
  readonly decisions: ShownEnd['decisions'];
  readonly summary: string | null;
  readonly artifacts: readonly string[];
}

/** Returns the summary with a final line break. */
export function launchedSummary(record: ShownRecord): string {
  const { agent, preset, model, runner, session, id, goal, startedAt, endedAt, usage, decisions, attempts, summary, uri } =
    record;
  const lines = [
    `${agentLabel(agent ?? `preset ${preset}`, model)} (${record.outcome ?? (record.state === 'running' ? 'running' : 'ended')})${record.problem === null ? '' : `: ${record.problem}`}`,
    `  run      ${id}`,
    `  runner   ${runner}${session === null ? '' : `, session ${session}`}`,
    ...(goal === null ? [] : [`  goal     ${short(goal)}`]),
    `  started  ${startedAt}`,
    ...(endedAt === null ? [] : [`  ended    ${endedAt}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`]),
    ...(usage === null ? [] : [`  tokens   ${number(usage.input + usage.output)}`]),
    ...(decisions === null ? [] : [`  calls    ${decisions.allow} allowed, ${decisions.ask} asked, ${decisions.deny} denied`]),
    ...(summary === null ? [] : [`  summary  ${short(summary)}`]),
    `  record   ${uri}`,
  ];
  return lines.map((line) => `${escapeText(line)}\n`).join('');
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 159)}\u2026` : line;
}

/** Returns the runner's actions and messages in order, then how its calls were decided. With a final line break. */
export function launchedLog(
  record: ShownRecord,
  events: readonly ShownEvent[],
  decisions: readonly LogRecord[],
  color: boolean,
): string {
  const did = events.map((event) => eventText(event, color)).join('');
  const calls = decisions.map((one) => `${recordLine(one)}\n`).join('');
  return `${launchedSummary(record)}${did === '' ? '' : `What it did:\n${did}`}${calls === '' ? '' : `How its calls were decided:\n${calls}`}`;
}
