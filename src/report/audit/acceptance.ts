/** What an audit was held against, as Markdown: its release check, what changed since a baseline, and what somebody accepted. */

import type { AuditReport } from '../../audit/model/report.js';
import type { Change, Changes, ExceptionState, Exceptions } from '../../audit/model/results.js';
import { code, ours, plain, table } from '../printing/markdown.js';
import { releaseCheckSentence, repositorySentence, sinceSentence, trendSentence } from './acceptance-words.js';

/** Its sections, each with a heading; empty when it was held against nothing. */
export function acceptanceAsMarkdown({ changes, exceptions }: AuditReport): readonly string[] {
  return [
    ...(changes === null ? [] : [changesSection(changes)]),
    ...(exceptions === null ? [] : [exceptionsSection(exceptions)]),
  ];
}

/** Its line below the verdict; empty without one. */
export function releaseCheckAsMarkdown({ gate }: AuditReport): readonly string[] {
  return gate === null ? [] : [`**${gate.passed ? '✅' : '❌'} ${plain(releaseCheckSentence(gate))}**\n`];
}

/** Its line on the first screen; empty without a baseline. */
export function trendAsMarkdown({ changes }: AuditReport): readonly string[] {
  return changes === null ? [] : [`${plain(trendSentence(changes))}\n`];
}

function changesSection(changes: Changes): string {
  const lines = [
    ...changes.added.map((one) => changeLine('❌ new', one)),
    ...changes.fixed.map((one) => changeLine('✅ fixed', one)),
    ...changes.unexamined.map((one) => changeLine('❔ not examined', one)),
  ];
  const list = lines.length === 0 ? '' : `\n${lines.join('')}`;
  return `## Changes Since the Baseline\n\n${plain(sinceSentence(changes))}\n${list}`;
}

function changeLine(word: string, { control, claim, runner, severity, message }: Change): string {
  const about = [control, claim, runner].filter((part) => part !== null).join('/');
  return `- ${word}, ${severity}, ${code(about)}: ${plain(message)}\n`;
}

const STATES: Readonly<Record<ExceptionState, string>> = {
  accepted: '⚠️ accepted',
  expired: '❌ expired',
  unused: '➖ not needed',
  ignored: '❌ does not count',
};

function exceptionsSection(exceptions: Exceptions): string {
  const { ignored, entries } = exceptions;
  const rows = entries.map(({ id, owner, expires, state, reason }) => [
    code(id),
    STATES[state],
    plain(owner),
    plain(expires),
    plain(reason),
  ]);
  return [
    '## Accepted Findings\n',
    `${plain(repositorySentence(exceptions))}\n`,
    ...(ignored === null ? [] : [`${ours(ignored)}\n`]),
    table(['Finding', 'State', 'Owner', 'Accepted until', 'Reason'], rows),
  ].join('\n');
}
