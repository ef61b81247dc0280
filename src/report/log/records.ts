/** Records of the decision log for a person: one line each, or one explained. */
import type { DecisionRecord, EventRecord, LogRecord, ResultRecord } from '../../log/record/record.js';
import { agentLabel, escapeText } from '../printing/escape.js';
import type { TextOptions } from '../printing/paint.js';
import { type Painter, painter } from '../printing/paint.js';
import { columns } from '../printing/table.js';
import { wrap } from '../printing/wrap.js';

/** The maximum number of characters of an input on one line. */
const LONGEST_SUBJECT = 120;

/** Returns one line without its line break: time, answer, call and caller, reason, and id. */
export function recordLine(record: LogRecord, color = false): string {
  const [first = '', ...rest] = told(record);
  return [record.time, painted(record, first, painter(color)), ...rest, record.id].join('  ');
}

/** A denial looks the same everywhere; records other than decisions have no color. */
function painted(record: LogRecord, answered: string, paint: Painter): string {
  return record.kind === 'decision' ? paint.effect(record.would ?? record.decision, answered) : answered;
}

/**
 * Returns everything in a record, with a final line break.
 * @param results how the call ended, if that was recorded
 */
export function recordExplained(record: LogRecord, results: readonly ResultRecord[], { width, color }: TextOptions): string {
  const [first, ...rest] = told(record);
  const title = `${painted(record, first?.trimEnd().toUpperCase() ?? '', painter(color))}  ${rest.join('  ')}`;
  const sections = [
    `${wrap(title, width).join('\n')}\n`,
    columns([...rowsOf(record), ...headRows(record), ...results.map((result) => ['ended', outcome(result)])], width),
    ...(record.kind === 'event' ? [] : [inputText(record)]),
  ];
  return sections.join('\n');
}

/** Returns answer, call and reason; the answer is padded so that the lines are aligned. */
function told(record: LogRecord): readonly string[] {
  if (record.kind === 'decision') return [answer(record).padEnd(7), asked(record), why(record)].filter((part) => part !== '');
  if (record.kind === 'result') return ['result ', asked(record), outcome(record)];
  return ['event  ', `${escapeText(record.event)}${who(record)}`, `${record.severity}: ${escapeText(record.message)}`];
}

/** `deny`, or in observe mode `allow (would deny)`. */
function answer({ decision, would }: DecisionRecord): string {
  return would === undefined ? decision : `${decision} (would ${would})`;
}

function asked(record: DecisionRecord | ResultRecord): string {
  const subject = subjectOf(record.input);
  return `${escapeText(record.tool)}${subject === '' ? '' : ` ${subject}`}${who(record)}`;
}

/** ` (code-reviewer · model: sonnet)`: the same label as everywhere. */
function who({ agent, model }: LogRecord): string {
  if (agent === null && model === null) return '';
  return ` (${agentLabel(agent ?? 'main agent', model)})`;
}

/** Returns the first string of an input: runners put the command, the path or the address first. */
function subjectOf(input: DecisionRecord['input']): string {
  if (typeof input !== 'object' || input === null) return '';
  const text = Object.values(input).find((value) => typeof value === 'string');
  if (typeof text !== 'string') return '';
  const shown = [...text];
  return escapeText(shown.length > LONGEST_SUBJECT ? `${shown.slice(0, LONGEST_SUBJECT - 1).join('')}…` : text);
}

/** Returns the sentence, and the rule if the sentence does not name it. */
function why({ message, rule, reasons }: DecisionRecord): string {
  const sentence = message ?? reasons.join(', ');
  const named = rule === null || sentence.includes(rule.text) ? '' : ` [${rule.text} ${place(rule)}]`;
  return `· ${escapeText(`${sentence}${named}`)}`;
}

function place({ file, line }: { readonly file: string; readonly line: number }): string {
  return line > 0 ? `${file}:${line}` : file;
}

function outcome({ result, message, us }: ResultRecord): string {
  const took = us === null ? '' : ` after ${us} µs`;
  return `${result}${took}${message === null ? '' : `: ${escapeText(message)}`}`;
}

type Row = readonly [name: string, text: string];

/** Returns the rows that only this kind of record has. */
function rowsOf(record: DecisionRecord | ResultRecord | EventRecord): readonly Row[] {
  if (record.kind !== 'decision') return [];
  const { mode, stage, rule, reasons, policy, permissionMode, us } = record;
  return [
    ['mode', mode],
    ['stage', stage],
    ...(rule === null ? [] : [['rule', `${rule.text} (${rule.effect}, ${rule.layer}, ${place(rule)})`] as const]),
    ['reasons', reasons.join(', ')],
    ['policy', policy ?? 'none'],
    ...(permissionMode === null ? [] : [['permission mode', permissionMode] as const]),
    ['took', `${us} µs`],
  ];
}

function headRows(record: LogRecord): readonly Row[] {
  const rows: readonly (readonly [string, string | null])[] = [
    ['id', record.id],
    ['time', record.time],
    ['session', record.session],
    ['run', record.run ?? null],
    ['call', record.kind === 'event' ? null : record.toolUseId],
    ['runner', record.runner],
    ['project', record.project],
    ['directory', record.cwd],
    ['version', record.version],
  ];
  return rows.flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]));
}

/** Returns the input as recorded, and a note about its missing parts. */
function inputText({ input, masked, truncated, erased, digest }: DecisionRecord | ResultRecord): string {
  const missing: readonly (readonly [string, readonly string[]])[] = [
    ['masked', masked],
    ['cut', truncated],
    ['left out', erased],
  ];
  return [
    'Input',
    ...JSON.stringify(input, null, 2)
      .split('\n')
      .map((line) => `  ${escapeText(line)}`),
    ...missing.flatMap(([what, pointers]) =>
      pointers.length === 0 ? [] : [`  ${what}: ${pointers.map(escapeText).join(', ')}`],
    ),
    `  ${digest}`,
    '',
  ].join('\n');
}
