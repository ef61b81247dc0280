/**
 * Checks whether an audit report is still true: the same audit is made again, with the checklists, coding agents and probes of this program
 * that the report names, and its evidence is compared piece by piece. Commands, payloads and paths in the report are never used.
 */
import { isDeepStrictEqual } from 'node:util';
import { digestOf } from '../../project/trust-record.js';
import { claimIn, evidenceOf } from '../accepted/matching.js';
import type { AuditReport, ClaimResult, ControlResult, Evidence } from '../model/report.js';
import { audit } from '../run.js';
import type { AuditOptions } from '../subject/options.js';
import { checklistsOf, runnersOf } from './contradictions.js';
import { differenceOf } from './differences.js';
import { sealProblem } from './kept-seal.js';
import { logChanges } from './log-section.js';
import { pairsOf } from './pairs.js';
import {
  type AddedEvidence,
  EVIDENCE_STATES,
  type EvidenceState,
  type Verification,
  type VerifiedClaim,
  type VerifiedControl,
  type VerifiedEvidence,
} from './verification.js';

export interface ReportFile {
  readonly file: string;
  readonly text: string;
  /** The result of readReport for the text, without contradictions. */
  readonly report: AuditReport;
}

/** Everything else about the audit is taken from the report. */
export type VerifyOptions = Omit<AuditOptions, 'checklists' | 'runners'>;

/** Makes the audit again. Starts hooks of other programs only if both the report and `options` permit it. */
export async function verifyReport({ file, text, report: was }: ReportFile, options: VerifyOptions): Promise<Verification> {
  const now = await audit({
    ...options,
    checklists: checklistsOf(was) ?? [],
    runners: runnersOf(was) ?? [],
    probes: options.probes && was.meta.probes !== 'none',
    runHooks: options.runHooks && was.meta.probes === 'any hook',
  });
  const again: Again = { was, now, sealProblem: (piece) => sealProblem(piece, options.stateDirectory, options.now()) };
  const controls = was.controls.flatMap((control) => verifiedControl(control, again) ?? []);
  const changes = [...changesOf(was, now), ...logChanges(was.decisionLog, options)];
  const counts = countsOf(controls);
  const holds = changes.length === 0 && controls.every(controlHolds);
  return {
    version: 1,
    project: now.meta.project,
    report: { file, digest: digestOf(text), generatedAt: was.meta.generatedAt },
    toolVersion: now.meta.toolVersion,
    verifiedAt: now.meta.generatedAt,
    holds,
    sentence: holds ? holdsSentence(counts) : brokenSentence(controls, counts, changes),
    confirmed: { was: was.confirmed, now: now.confirmed },
    score: { was: was.score.percent, now: now.score.percent },
    counts,
    changes,
    notCompared: notCompared(was),
    controls,
  };
}

/** Names the parts that must not be mistaken for verified. */
function notCompared({ changes, exceptions, decisionLog }: AuditReport): readonly string[] {
  return [
    'times, durations and numbers in sentences',
    ...(changes === null ? [] : ['the changes since a baseline, because this report does not contain it']),
    ...(exceptions === null ? [] : ['the accepted findings, because this report does not contain their file']),
    'checks of the decision log that found nothing wrong',
    ...(decisionLog === null ? [] : ['in the decision log section, the candidates to allow and the number of unreadable lines']),
    ...(decisionLog?.transcripts == null ? [] : ['what that section says about transcripts']),
  ];
}

interface Again {
  readonly was: AuditReport;
  readonly now: AuditReport;
  /** Why the log has changed since this piece was gathered; null if it has not, and for other pieces. */
  readonly sealProblem: (piece: Evidence) => string | null;
}

function verifiedControl(was: ControlResult, again: Again): VerifiedControl | null {
  const now = again.now.controls.find(({ id }) => id === was.id);
  if (now === undefined) return null;
  return {
    id: was.id,
    title: was.title,
    status: { was: was.status, now: now.status },
    inForce: { was: was.notInForce === null, now: now.notInForce === null },
    claims: [
      ...was.claims.map((claim) => verifiedClaim(claim, was, now, again)),
      ...now.claims.filter((claim) => claimIn(was, claim.id, claim.runner) === undefined).map((claim) => newClaim(claim, now)),
    ],
  };
}

function verifiedClaim(claim: ClaimResult, was: ControlResult, now: ControlResult, again: Again): VerifiedClaim {
  const counterpart = claimIn(now, claim.id, claim.runner);
  const { found, added } = pairsOf(evidenceOf(was, claim), evidenceOf(now, counterpart));
  return {
    id: claim.id,
    runner: claim.runner,
    verdict: { was: claim.verdict, now: counterpart?.verdict ?? null },
    evidence: found.map(([before, after]) => verifiedEvidence(before, after, again)),
    added: added.map(addedEvidence),
  };
}

/** A claim about a coding agent or a check that the report does not have. */
function newClaim(claim: ClaimResult, now: ControlResult): VerifiedClaim {
  return {
    id: claim.id,
    runner: claim.runner,
    verdict: { was: 'unproven', now: claim.verdict },
    evidence: [],
    added: evidenceOf(now, claim).map(addedEvidence),
  };
}

function addedEvidence({ kind, supports, shows }: Evidence): AddedEvidence {
  return { kind, supports, shows };
}

function verifiedEvidence(
  was: Evidence,
  now: Evidence | null,
  { now: { meta }, sealProblem: changedLog }: Again,
): VerifiedEvidence {
  const { id, kind } = was;
  const supports = { was: was.supports, now: now?.supports ?? null };
  if (now === null) {
    const isUnasked = kind === 'probe' && meta.probes === 'none';
    return isUnasked
      ? { id, kind, state: 'not-repeated', what: 'No hook was tested (--no-probes).', supports }
      : { id, kind, state: 'gone', what: `The audit no longer finds it: ${was.shows}`, supports };
  }
  const what = differenceOf(was, now) ?? changedLog(was);
  return { id, kind, state: what === null ? 'holds' : 'changed', what, supports };
}

/** Returns the statements of the report about the whole project that are no longer true. */
function changesOf(was: AuditReport, now: AuditReport): readonly string[] {
  const runners = was.meta.runners.map((before) => [before, now.meta.runners.find(({ id }) => id === before.id)] as const);
  // In the form in which it would be read: without the members that JSON omits.
  const permissions: unknown = JSON.parse(JSON.stringify(now.permissions));
  return [
    ...policyChanges(was.meta.policies, now.meta.policies),
    ...runners
      .filter(([before, after]) => before.hooks !== (after?.hooks ?? 0))
      .map(([{ id, hooks }, after]) => `${id} has ${after?.hooks ?? 0} known hooks before every call now; it had ${hooks}.`),
    ...runners.flatMap(([{ id, version }, after]) =>
      another(`${id} is version`, version ?? 'not known', after?.version ?? 'not known'),
    ),
    ...(was.meta.origin === now.meta.origin
      ? []
      : [`The remote origin is ${now.meta.origin ?? 'gone'} now; it was ${was.meta.origin ?? 'none'}.`]),
    ...another('The mode is', was.meta.mode, now.meta.mode),
    ...(isDeepStrictEqual(was.notes, now.notes) ? [] : ['The notes on the policy are different.']),
    ...(isDeepStrictEqual(was.permissions, permissions) ? [] : [PERMISSIONS]),
    ...patchChanges(was, now),
  ];
}

const PERMISSIONS = 'The session or the agents may do different things without a question.';

function another(about: string, was: string, now: string): readonly string[] {
  return was === now ? [] : [`${about} ${now} now; it was ${was}.`];
}

type Policies = AuditReport['meta']['policies'];

function policyChanges(was: Policies, now: Policies): readonly string[] {
  const before = new Map(was.map((one) => [one.file, one]));
  const after = new Map(now.map((one) => [one.file, one]));
  return [
    ...[...after.keys()].filter((file) => !before.has(file)).map((file) => `The policy ${file} is new.`),
    ...[...before.values()].flatMap(({ file, layer, digest, trusted }) => {
      const one = after.get(file);
      if (one === undefined) return [`The policy ${file} is gone.`];
      return [
        ...(one.layer === layer ? [] : [`The policy ${file} is in the layer ${one.layer} now; it was in ${layer}.`]),
        ...(one.digest === digest ? [] : [`The policy ${file} was edited: its digest is ${one.digest ?? 'not known'}.`]),
        ...(one.trusted === trusted ? [] : [`The policy ${file} is ${one.trusted ? 'trusted now' : 'not trusted any more'}.`]),
      ];
    }),
  ];
}

/** A reader may apply a patch, so one that was written by hand must not pass. */
function patchChanges(was: AuditReport, now: AuditReport): readonly string[] {
  return was.controls.flatMap((control) => {
    const again = now.controls.find(({ id }) => id === control.id);
    return control.claims.flatMap((claim) =>
      again !== undefined && claim.patch === (claimIn(again, claim.id, claim.runner)?.patch ?? null)
        ? []
        : [`The patch for ${control.id}/${claim.id} is different now.`],
    );
  });
}

function countsOf(controls: readonly VerifiedControl[]): Readonly<Record<EvidenceState, number>> {
  const states = controls.flatMap(({ claims }) => claims.flatMap(({ evidence }) => evidence.map(({ state }) => state)));
  const counted = EVIDENCE_STATES.map((state) => [state, states.filter((one) => one === state).length] as const);
  return Object.fromEntries(counted) as Record<EvidenceState, number>;
}

/**
 * Additional evidence for a claim is fine, even for one that was unproven or not applicable (a log without a record); evidence
 * against it is a change.
 */
function claimHolds({ verdict, evidence, added }: VerifiedClaim): boolean {
  return verdictHolds(verdict) && evidence.every(({ state }) => state === 'holds') && added.every(({ supports }) => supports);
}

function verdictHolds({ was, now }: VerifiedClaim['verdict']): boolean {
  return was === now || (now === 'met' && (was === 'unproven' || was === 'not-applicable'));
}

function controlHolds({ status, inForce, claims }: VerifiedControl): boolean {
  return status.was === status.now && inForce.was === inForce.now && claims.every(claimHolds);
}

function holdsSentence({ holds }: Verification['counts']): string {
  return `Everything holds: all ${holds} pieces of evidence are as the report says.`;
}

function brokenSentence(
  controls: readonly VerifiedControl[],
  counts: Verification['counts'],
  changes: readonly string[],
): string {
  const total = EVIDENCE_STATES.reduce((sum, state) => sum + counts[state], 0);
  const against = controls.flatMap(({ claims }) => claims.flatMap(({ added }) => added.filter(({ supports }) => !supports)));
  const fallen = controls.filter(({ status, inForce }) => status.was !== status.now || inForce.was !== inForce.now);
  const verdicts = controls.flatMap(({ claims }) => claims.filter(({ verdict }) => !verdictHolds(verdict)));
  const parts = [
    `${total - counts.holds} of ${total} pieces of evidence are not as the report says`,
    ...(against.length === 0 ? [] : [`${against.length} more against its claims`]),
    ...(changes.length === 0
      ? []
      : [`${changes.length} ${changes.length === 1 ? 'change' : 'changes'} of the policy, hooks, versions or log`]),
    ...(verdicts.length === 0 ? [] : [`another verdict on ${verdicts.length} claims`]),
    ...(fallen.length === 0 ? [] : [`another status of ${fallen.map(({ id }) => id).join(', ')}`]),
  ];
  return `DOES NOT HOLD: ${parts.join('; ')}.`;
}
