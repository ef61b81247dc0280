/** Calls from the decision log that were asked about and that a person allowed, with the rules that would allow them. */
import type { ToolCall } from '../call/tool-call.js';
import { remedyLines } from '../decide/remedy/remedy.js';
import type { Offer } from '../decide/remedy/types.js';
import { atMoment } from '../enforce/enforce.js';
import type { DecisionRecord } from '../log/record/record.js';
import { RecentCalls } from '../log/scan/recent-calls.js';
import type { RecordCounter, RecordedRuling, RecordNumbers } from '../log/scan/record-counter.js';
import { scanLogBackward } from '../log/scan/scan.js';
import { Moment } from '../project/surroundings.js';
import type { Workspace } from '../project/workspace.js';
import { remedyIfAsked, remedyLayer } from './remedy.js';

/** Rules that would have allowed calls which a person approved. */
export interface ApprovedOffer {
  readonly rules: readonly string[];
  /** The other calls that they allow. */
  readonly also: readonly string[];
  /** `policy allow '…'`, to be pasted. */
  readonly line: string;
  readonly calls: number;
  /** One of these calls, as text. */
  readonly sample: string;
}

/** Maximum number of records read; MOST_CALLS is that of different calls. */
const MOST_RECORDS = 50_000;
const MOST_CALLS = 1_000;
const MOST_OFFERS = 30;
/** Permission modes in which the runner never prompts, so that no person approved the calls that ran. */
const UNASKED = /bypass|yolo|dont-?ask|never|full-?auto/i;

/** More than any call has; the narrowest offer is the last. */
const ALL_OFFERS = 32;

/** `wide`: the most obvious rule, shown with the other calls that it allows. `approved`: only what was approved. */
export type OfferReach = 'wide' | 'approved';

/**
 * Returns the offers for the calls of this project since a time (milliseconds since 1970), the most frequent first. Only considers calls
 * that were asked about, ended successfully, are completely in the log, and would be asked about again. Throws LogError.
 */
export function approvedOffers(
  workspace: Workspace,
  stateDirectory: string,
  since: number,
  reach: OfferReach,
): readonly ApprovedOffer[] {
  const offers = new Map<string, ApprovedOffer>();
  const now = atMoment(workspace, new Moment());
  for (const { record, count } of approvedCalls(stateDirectory, workspace.surroundings.project, since)) {
    const input = record.input;
    if (typeof input !== 'object' || input === null || Array.isArray(input)) continue;
    const cwd = record.cwd ?? workspace.cwd;
    const call: ToolCall = { tool: record.tool, input: { ...input }, cwd, headless: false, shell: 'union' };
    const remedy = remedyIfAsked(now, call, reach === 'wide' ? 1 : ALL_OFFERS);
    const offer = remedy?.kind === 'rules' ? remedy.offers.find((one) => reach === 'wide' || isNoWider(one)) : undefined;
    if (offer === undefined) continue;
    const { rules, alsoAllows } = offer;
    const key = rules.join('\n');
    const known = offers.get(key);
    const [{ line } = { line: '' }] = remedyLines({ kind: 'rules', offers: [offer] }, remedyLayer(workspace));
    offers.set(
      key,
      known === undefined
        ? { rules, also: alsoAllows, line, calls: count, sample: sampleOf(record.tool, input) }
        : { ...known, calls: known.calls + count },
    );
  }
  return [...offers.values()].sort((one, other) => other.calls - one.calls).slice(0, MOST_OFFERS);
}

/** A person who approved one change of a file has not agreed to all others. */
function isNoWider({ rules, alsoAllows }: Offer): boolean {
  return alsoAllows.length === 0 && !rules.some((text) => text.startsWith('Edit('));
}

interface Approved {
  readonly record: DecisionRecord;
  readonly count: number;
}

/** Returns each call once, with the number of its approvals. */
function approvedCalls(stateDirectory: string, project: string, since: number): readonly Approved[] {
  const approvals = new Approvals();
  scanLogBackward(stateDirectory, { project, since }, approvals, () => approvals.records >= MOST_RECORDS);
  return [...approvals.found.values()];
}

/** The relevant kinds of decisions and results. */
type Part = 'asked' | 'ran' | 'neither';

/** Receives records newest first, so a result comes before its decision. */
class Approvals implements RecordCounter<null, null, Part, null> {
  records = 0;
  readonly found = new Map<string, Approved>();
  /** Its capacity exceeds the number of records. */
  readonly #ran = new RecentCalls();

  sessionOf(): null {
    return null;
  }

  callerOf(): null {
    return null;
  }

  rulingOf(record: RecordedRuling): Part {
    if (record.kind === 'result') return record.result === 'success' ? 'ran' : 'neither';
    return record.decision === 'ask' ? 'asked' : 'neither';
  }

  toolOf(): null {
    return null;
  }

  add(_session: null, _caller: null, part: Part, _tool: null, { hasCall, call, record }: RecordNumbers): void {
    this.records += 1;
    if (!hasCall) return;
    if (part === 'ran') this.#ran.add(call);
    if (part !== 'asked' || !this.#ran.has(call)) return;
    const decision = record();
    if (decision?.kind === 'decision') this.#addAsked(decision);
  }

  addEvent(): void {
    this.records += 1;
  }

  #addAsked(record: DecisionRecord): void {
    if (UNASKED.test(record.permissionMode ?? '')) return;
    if (record.masked.length + record.truncated.length + record.erased.length > 0) return;
    const { found } = this;
    const key = JSON.stringify([record.tool, record.input, record.cwd]);
    const known = found.get(key);
    if (known !== undefined) found.set(key, { ...known, count: known.count + 1 });
    else if (found.size < MOST_CALLS) found.set(key, { record, count: 1 });
  }
}

function sampleOf(tool: string, input: object): string {
  const texts = Object.values(input).filter((value) => typeof value === 'string');
  return `${tool} ${texts[0] ?? JSON.stringify(input)}`;
}
