/** The report of `policy replay`: one screen for a terminal, or JSON. */
import type { ReplayTotals, ToldLine } from '../replay/replay.js';
import { escapeText } from './printing/escape.js';
import { painter } from './printing/paint.js';
import { columns } from './printing/table.js';

export interface ReplayFindings extends ReplayTotals {
  /** Files that no reader knows or that cannot be read. */
  readonly unread: number;
  /** The judging policy, in words. */
  readonly policy: string;
}

const LINES = 10;
const RULES = 3;
const LONGEST = 100;

/** Returns one screen of text. */
export function replayText(
  found: ReplayFindings,
  { color = false, width = 100 }: { color?: boolean; width?: number } = {},
): string {
  const paint = painter(color);
  const { calls, sessions, prompts } = found;
  const all = calls.allow + calls.ask + calls.deny;
  const share = (count: number) => `${((100 * count) / Math.max(all, 1)).toFixed(1)} %`;
  const runners = [...found.runners.keys()].join(', ');
  const span = found.first === null || found.last === null ? '' : `, ${day(found.first)} to ${day(found.last)}`;
  const table = columns(
    [
      ['allowed', String(calls.allow), share(calls.allow)],
      [
        'asked',
        String(calls.ask),
        `${share(calls.ask)}; in a session ${quantile(prompts, 0.5)} questions (median), ${quantile(prompts, 0.9)} in one of ten`,
      ],
      ['denied', String(calls.deny), share(calls.deny)],
    ],
    width,
  );
  const head = `${counted(all, 'call')} in ${counted(sessions, 'session')} and ${counted(found.projects.length, 'project')} (${runners}${span})`;
  const parts = [
    `${paint.title(escapeText(head))}\nPolicy: ${escapeText(found.policy)}\n\n${table}`,
    section(paint.title('It ran, and the policy would have stopped it'), found.stopped, width),
    section(paint.title('Asked about most'), found.asked, width, 5),
    rulesOf(found, paint.title('One rule that would save questions'), width),
    notesOf(found),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function section(title: string, lines: readonly ToldLine[], width: number, most = LINES): string {
  if (lines.length === 0) return '';
  const rows = lines
    .slice(0, most)
    .map(({ count, decision, tool, text, why }) => [
      `${count} ×`,
      decision,
      `${tool} ${short(text)}${why === '' ? '' : ` · ${why}`}`,
    ]);
  const more = lines.length > most ? `and ${lines.length - most} more (--json has them)\n` : '';
  return `${title}\n${columns(rows, width)}${more}`;
}

function rulesOf({ rules }: ReplayFindings, title: string, width: number): string {
  if (rules.length === 0) return '';
  const rows = rules
    .slice(0, RULES)
    .map(({ rule, saves, sessions }) => [
      `${saves} in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
      `policy allow '${rule.replaceAll("'", String.raw`'\''`)}'`,
    ]);
  return `${title}\n${columns(rows, width)}`;
}

function notesOf({ secrets, outside, gone, unread }: ReplayFindings): string {
  const notes = [
    secrets > 0 ? `Ran and may have shown a secret to the model: ${counted(secrets, 'call')}` : '',
    outside > 0 ? `Ran outside of their project: ${counted(outside, 'call')}` : '',
    gone > 0 ? `Judged without their files, since the folder is gone: ${counted(gone, 'call')}` : '',
    unread > 0 ? `Not read, since they are no transcripts: ${counted(unread, 'file')}` : '',
  ].filter((note) => note !== '');
  return notes.length === 0 ? '' : `${notes.join('\n')}\n`;
}

/** Returns one JSON object, without a newline. */
export function replayJson({ runners, ...found }: ReplayFindings): string {
  return JSON.stringify({ version: 1, ...found, runners: Object.fromEntries(runners) });
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function day(time: string): string {
  return time.slice(0, 10);
}

/** @param sorted ascending */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
