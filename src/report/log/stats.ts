/** The numbers of a decision log, for a person. */
import type { Counts, LogStats } from '../../log/stats.js';
import type { UnsealedTail } from '../../log/tree/unsealed.js';
import { escapeText } from '../printing/escape.js';
import { columns } from '../printing/table.js';
import { unsealedLine } from './verification.js';

/** The maximum number of rows of a table. */
const MOST_ROWS = 10;

/** Returns the numbers as text of at most `width` columns. */
export function statsText(stats: LogStats, unsealed: UnsealedTail, width: number): string {
  const { records, first, last, decisions, observed, results, ungated, sessions, microseconds } = stats;
  const ended = results.success + results.error + results.denied;
  const rows: (readonly string[])[] = [
    ['records', `${records}${first === null || last === null ? '' : ` from ${first} to ${last}`}`],
    ['sessions', String(sessions)],
    ['decisions', `${decisions.allow} allow, ${decisions.ask} ask, ${decisions.deny} deny`],
    ...(observed > 0 ? [['', `of them ${observed} in observe mode: nothing was blocked`]] : []),
    ['results', `${results.success} success, ${results.error} error, ${results.denied} denied`],
    ...(ended > 0 ? [['not checked', ungatedText(ungated)]] : []),
    ['latency', latencyText(decisions.allow + decisions.ask + decisions.deny, microseconds)],
    ['seal', unsealedLine(unsealed)],
  ];
  const tables: readonly (readonly [title: string, counts: Counts])[] = [
    ['Decisions by tool', stats.tools],
    ['Decisions by agent', stats.agents],
    ['Decisions by runner', stats.runners],
    ['Rules that decided', stats.rules],
    ['Events', stats.events],
  ];
  return [columns(rows, width), ...tables.flatMap(([title, counts]) => tableOf(title, counts, width))].join('\n');
}

function latencyText(decided: number, { half, most }: LogStats['microseconds']): string {
  return decided === 0 ? '-' : `p50 ${milliseconds(half)}, p99 ${milliseconds(most)}`;
}

function milliseconds(microseconds: number): string {
  return `${(microseconds / 1_000).toFixed(1)} ms`;
}

function ungatedText(ungated: number): string {
  return ungated === 0
    ? 'no result without a decision'
    : `${ungated} results of calls without a decision: the hook did not see these calls`;
}

function tableOf(title: string, counts: Counts, width: number): string[] {
  if (counts.length === 0) return [];
  const shown = counts.slice(0, MOST_ROWS).map(([name, count]) => [String(count).padStart(8), escapeText(name)]);
  const left = counts.length - shown.length;
  const more = left > 0 ? [[`${left} more`.padStart(8), '']] : [];
  return [`${title}\n${columns([...shown, ...more], width)}`];
}
