/** What an audit was held against, as sections of its page: its release check, what changed since a baseline, and what somebody accepted. */

import type { AuditReport } from '../../audit/model/report.js';
import type { Change, Changes, ExceptionState, Exceptions, ReleaseCheck } from '../../audit/model/results.js';
import { markup } from '../printing/markup.js';
import { releaseCheckSentence, repositorySentence, sinceSentence, trendSentence } from './acceptance-words.js';
import { table } from './html-table.js';

/** Empty when it was held against nothing. */
export function acceptanceAsHtml({ gate, changes, exceptions }: AuditReport): string {
  return [
    gate === null ? '' : section('release-check', 'Release check', releaseCheckParagraph(gate)),
    changes === null ? '' : section('changes', 'Changes since the baseline', changesList(changes)),
    exceptions === null ? '' : section('exceptions', 'Accepted findings', exceptionsTable(exceptions)),
  ].join('');
}

/** Its line below the verdict; empty without a baseline. */
export function trendAsHtml({ changes }: AuditReport): string {
  return changes === null ? '' : `<p>${markup(trendSentence(changes))}</p>\n`;
}

function section(id: string, title: string, content: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${content}</section>\n`;
}

function releaseCheckParagraph(check: ReleaseCheck): string {
  const [name, icon] = check.passed ? ['implemented', '✓'] : ['missing', '✕'];
  return `<p class="${name}"><span aria-hidden="true">${icon}</span> ${markup(releaseCheckSentence(check))}</p>\n`;
}

function changesList(changes: Changes): string {
  const items = [
    ...changes.added.map((one) => changeItem('missing', '✕ New', one)),
    ...changes.fixed.map((one) => changeItem('implemented', '✓ Fixed', one)),
    ...changes.unexamined.map((one) => changeItem('unknown', '? Not examined', one)),
  ];
  return `<p>${markup(sinceSentence(changes))}</p>\n${items.length === 0 ? '' : `<ul>\n${items.join('\n')}\n</ul>\n`}`;
}

function changeItem(name: string, word: string, { control, claim, runner, severity, message }: Change): string {
  const about = [control, claim, runner].filter((part) => part !== null).join('/');
  return `<li><span class="${name}">${word}</span>, ${severity}, <code>${markup(about)}</code>: ${markup(message)}</li>`;
}

const STATES: Readonly<Record<ExceptionState, string>> = {
  accepted: '<span class="partial">! Accepted</span>',
  expired: '<span class="missing">✕ Expired</span>',
  unused: '<span class="unknown">– Not needed</span>',
  ignored: '<span class="missing">✕ Does not count</span>',
};

function exceptionsTable(exceptions: Exceptions): string {
  const rows = exceptions.entries.map(({ id, owner, expires, state, reason }) => {
    const cells = [STATES[state], ...[owner, expires, reason].map(markup)].map((cell) => `<td>${cell}</td>`).join('');
    return `<tr><th scope="row"><code>${markup(id)}</code></th>${cells}</tr>`;
  });
  const ignored = exceptions.ignored === null ? '' : `<p class="missing">${markup(exceptions.ignored)}</p>\n`;
  const heads = ['Finding', 'State', 'Owner', 'Accepted until', 'Reason'];
  return `<p>${markup(repositorySentence(exceptions))}</p>\n${ignored}${table(heads, rows)}`;
}
