/** Calls that were asked about and that a person let run, from the decision log, with the rules that would allow them. */
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
  /** What they allow besides those calls. */
  readonly also: readonly string[];
  /** `policy allow '…'`, to be pasted. */
  readonly line: string;
  readonly calls: number;
  /** One of them, as text. */
  readonly sample: string;
}

/** Records and different calls that are looked at. */
const MOST_RECORDS = 50_000;
const MOST_CALLS = 1_000;
const MOST_OFFERS = 30;
/** Where the runner asks nobody, what ran was approved by nobody. */
const UNASKED = /bypass|yolo|dont-?ask|never|full-?auto/i;

/** Every offer that could be made for one call: the narrowest is the last. */
const ALL_OFFERS = 32;

/** `wide`: the rule that a person would say first, who is told what else it allows. `approved`: nothing but what was approved. */
export type OfferReach = 'wide' | 'approved';

/**
 * The offers for the calls of this project since a moment (milliseconds since 1970), the most frequent first. Only calls count that
 * were asked about, ran to a good end, stand in the log as they were made, and would be asked about again. Throws LogError.
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

/** Who let one change of a file pass has not agreed to every other one. */
function isNoWider({ rules, alsoAllows }: Offer): boolean {
  return alsoAllows.length === 0 && !rules.some((text) => text.startsWith('Edit('));
}

interface Approved {
  readonly record: DecisionRecord;
  readonly count: number;
}

/** Each call once, with how often it was approved. */
function approvedCalls(stateDirectory: string, project: string, since: number): readonly Approved[] {
  const approvals = new Approvals();
  scanLogBackward(stateDirectory, { project, since }, approvals, () => approvals.records >= MOST_RECORDS);
  return [...approvals.found.values()];
}

/** What matters of a decision or a result here. */
type Part = 'asked' | 'ran' | 'neither';

/** Told of records newest first: so a result comes before its decision. */
class Approvals implements RecordCounter<null, null, Part, null> {
  records = 0;
  readonly found = new Map<string, Approved>();
  /** More than there are records. */
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
