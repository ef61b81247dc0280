/** For a person: the rule to be written, and the changes that it causes. */
import type { ChangedCall } from '../author/rule-preview.js';
import { escapeText } from './printing/escape.js';

const LONGEST = 100;

/** Returns lines without line breaks: the calls, each with the answer before and after. Unchanged calls matter only if no call changes. */
export function changedCalls(told: readonly ChangedCall[]): readonly string[] {
  const changed = told.filter(({ before, after }) => before !== after);
  const calls = changed.length > 0 ? changed : told.slice(0, 1);
  if (calls.length === 0) return [];
  const shown = calls.map((call) => `${call.tool} ${cut(call.subject)}`);
  const width = Math.min(60, Math.max(...shown.map((text) => text.length)));
  return [
    'What changes:',
    ...calls.map((call, index) => `  ${(shown[index] ?? '').padEnd(width)}  ${answers(call)}${origin(call)}`),
  ];
}

function answers({ before, after, by }: ChangedCall): string {
  if (before === after) return `still ${after}${by === null ? '' : escapeText(`, by ${by}`)}`;
  return `${before} → ${after}`;
}

function origin({ from }: ChangedCall): string {
  if (from === 'rule') return '';
  if (from === 'example') return '  (an example in the policy)';
  return `  (${from === 1 ? 'once' : `${from} times`} in the decision log)`;
}

function cut(text: string): string {
  return escapeText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
