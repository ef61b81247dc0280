/** Findings that somebody accepted until a given day, read from a file: they stay in the report, and only the exit code ignores them. */
import { RUNNERS } from '../../call/tool-call.js';
import { validateAuditExceptions } from '../../generated/validators/audit-exceptions.js';
import { type Format, type Place, parseLocated } from '../../policy/read/located.js';
import { complaintsOf, shown } from '../../policy/sentences.js';
import { isCalendarDay } from '../model/calendar-day.js';
import type { AuditFinding } from '../model/report.js';
import type { Exception, Exceptions } from '../model/results.js';
import { CHECKLISTS, checklist } from '../subject/checklist.js';
import { findingId } from './finding-id.js';

/** The exceptions file of a project, beside its policy. */
export const EXCEPTIONS_FILE = 'policy.exceptions.yaml';

type Entry = Omit<Exception, 'state' | 'findings'>;

export interface ExceptionsFile extends Pick<Exceptions, 'file' | 'inRepository' | 'ignored'> {
  readonly entries: readonly Entry[];
}

/** Returns the entries of an exceptions file, or every mistake in it: `file:line:column: sentence`. */
export function parseExceptions(
  text: string,
  file: string,
  format: Format,
): { readonly entries: readonly Entry[] } | { readonly problems: readonly string[] } {
  const line = ({ line: row, column }: Place, message: string) => `${file}:${row}:${column}: ${message}`;
  const located = parseLocated(text, format);
  if (!located.ok) return { problems: [line(located.problem, located.problem.message)] };
  if (!validateAuditExceptions(located.data))
    return {
      problems: complaintsOf(validateAuditExceptions.errors ?? []).map(({ pointer, about, message }) =>
        line(about === 'key' ? located.keyAt(pointer) : located.valueAt(pointer), message),
      ),
    };
  const { exceptions: entries } = located.data as { readonly exceptions: readonly Entry[] };
  const problems = entries.flatMap((entry, index) => {
    const said = (key: keyof Entry, message: string) => line(located.valueAt(`/exceptions/${index}/${key}`), message);
    const isTwice = entries.findIndex(({ id }) => id === entry.id) < index;
    return [
      ...(isKnown(entry.id) ? [] : [said('id', `${shown(entry.id)} is not a finding of an audit; a report names the findings.`)]),
      ...(isTwice ? [said('id', `${shown(entry.id)} is listed twice; keep one of them.`)] : []),
      ...(isCalendarDay(entry.expires) ? [] : [said('expires', `${shown(entry.expires)} is not a calendar date.`)]),
    ];
  });
  return problems.length > 0 ? { problems } : { entries };
}

/** Whether any checklist has this control with this claim. */
function isKnown(id: string): boolean {
  const [control, claim, runner] = id.split('/');
  const found = CHECKLISTS.flatMap((list) => checklist(list).controls).find((one) => one.id === control);
  if (found === undefined || (claim !== undefined && !found.claims.some((one) => one.id === claim))) return false;
  return runner === undefined || RUNNERS.some((one) => one === runner);
}

/** @param today YYYY-MM-DD in UTC; an exception applies through its last day */
export function exceptionsIn(file: ExceptionsFile, findings: readonly AuditFinding[], today: string): Exceptions {
  const entries = file.entries.map((entry): Exception => {
    const about = findings.filter((finding) => covers(entry.id, finding)).map(findingId);
    const used = about.length === 0 ? 'unused' : 'accepted';
    const state = file.ignored !== null ? 'ignored' : entry.expires < today ? 'expired' : used;
    return { ...entry, state, findings: about };
  });
  return { ...file, entries };
}

/** `RM-4/hook` covers the claim for every coding agent; `RM-4` covers only findings about the control itself, without a claim. */
function covers(id: string, { control, claim, runner }: AuditFinding): boolean {
  const [wanted, ofClaim, ofRunner] = id.split('/');
  return wanted === control && (ofClaim ?? null) === claim && (ofRunner === undefined || ofRunner === runner);
}

/** Whether an exception in force covers the finding. */
export function isAccepted(exceptions: Exceptions | null, id: string): boolean {
  return exceptions?.entries.some(({ state, findings }) => state === 'accepted' && findings.includes(id)) ?? false;
}
