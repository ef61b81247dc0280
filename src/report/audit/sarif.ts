/** An audit as SARIF 2.1.0: a rule for each claim, a result for each gap, and unproven claims as notifications. */

import type { AuditReport, ClaimResult, ControlResult, Evidence, Place } from '../../audit/model/report.js';
import type { Exception } from '../../audit/model/results.js';
import { escapeText } from '../printing/escape.js';
import { SARIF_LEVEL, SARIF_SEVERITY, sarifLog, sarifMessage, sarifName } from '../printing/sarif.js';
import { uriOf } from '../printing/uri.js';
import { standOf } from './stand.js';

/** GitHub expects a value of at most 10: critical from 9.0, high from 7.0, medium from 4.0. */
const RISK_PER_SEVERITY = 2.5;
/** The maximum number of tags that GitHub accepts for one rule. */
const MOST_TAGS = 20;
/** The maximum number of locations that GitHub accepts for one result. */
const MOST_LOCATIONS = 10;

export function auditAsSarif(report: AuditReport): string {
  const rules = report.controls.flatMap((control) =>
    uniqueClaims(control).map((claim) => ruleOf(control, claim, tagsOf(report, control))),
  );
  const index = new Map(rules.map(({ id }, position) => [id, position]));
  const unproven = report.controls.flatMap((control) =>
    control.claims.flatMap((claim) =>
      claim.verdict === 'unproven' ? [notification(`${labelled(control, claim)}: ${claim.unproven ?? ''}`)] : [],
    ),
  );
  const told = unproven.length > 0 && { toolExecutionNotifications: unproven };
  return sarifLog({
    tool: { driver: { name: 'agent-policy-audit', semanticVersion: report.meta.toolVersion, rules } },
    automationDetails: { id: 'policy-audit/' },
    invocations: [{ executionSuccessful: true, startTimeUtc: report.meta.generatedAt, ...told }],
    results: report.controls.flatMap((control) =>
      control.claims.flatMap((claim) =>
        claim.gap === null ? [] : [{ ...resultOf(control, claim, index), ...heldAgainst(report, control, claim) }],
      ),
    ),
  });
}

/** A claim about several runners is one rule. */
function uniqueClaims({ claims }: ControlResult): readonly ClaimResult[] {
  return claims.filter(({ id }, at) => claims.findIndex((one) => one.id === id) === at);
}

function idOf({ id }: ControlResult, claim: ClaimResult): string {
  return `${id}/${claim.id}`;
}

function labelled(control: ControlResult, claim: ClaimResult): string {
  return `${idOf(control, claim)}${claim.runner === null ? '' : ` (${claim.runner})`}`;
}

/** Returns weaknesses in the form by which code scanning groups them, and the ids of items of the other lists. */
function tagsOf({ frameworks }: AuditReport, { id, risk }: ControlResult): readonly string[] {
  const tags = frameworks.flatMap(({ items }) =>
    items
      .filter(({ controls }) => controls.includes(id))
      .map((item) => (item.id.startsWith('CWE-') ? `external/cwe/${item.id.toLowerCase()}` : item.id)),
  );
  return ['security', risk, ...tags].slice(0, MOST_TAGS);
}

function ruleOf(control: ControlResult, claim: ClaimResult, tags: readonly string[]) {
  return {
    id: idOf(control, claim),
    name: sarifName(idOf(control, claim)),
    shortDescription: { text: claim.statement },
    fullDescription: { text: control.description },
    help: { text: claim.mitigation ?? control.description },
    defaultConfiguration: { level: SARIF_LEVEL[claim.severity] },
    properties: {
      tags,
      precision: 'very-high',
      'problem.severity': SARIF_SEVERITY[claim.severity],
      'security-severity': (control.rating.score / RISK_PER_SEVERITY).toFixed(1),
    },
  };
}

function resultOf(control: ControlResult, claim: ClaimResult, index: ReadonlyMap<string, number>) {
  const id = idOf(control, claim);
  const against = control.evidence.filter((piece) => claim.evidence.includes(piece.id) && !piece.supports);
  const places = against.flatMap((piece) => placeOfEvidence(piece) ?? []);
  const shows = against.slice(0, MOST_LOCATIONS).map((piece) => piece.shows);
  const text = [claim.gap, ...shows, claim.mitigation].filter((part) => part !== null && part !== '').join(' ');
  const [first, ...more] = places.slice(0, MOST_LOCATIONS);
  return {
    ruleId: id,
    ruleIndex: index.get(id) ?? -1,
    level: SARIF_LEVEL[claim.severity],
    message: sarifMessage(text),
    // GitHub only shows results with a place; a result about the whole project gets its policy.
    locations: [first === undefined ? { physicalLocation: physical({ file: 'policy.yaml', line: 1 }) } : located(first)],
    ...(more.length > 0 && { relatedLocations: more.map((place, at) => ({ id: at, ...located(place) })) }),
    partialFingerprints: { 'policyClaim/v1': `${id}/${claim.runner ?? 'project'}` },
  };
}

/** Returns whether the finding is in the baseline, and who accepted it. */
function heldAgainst(report: AuditReport, { id }: ControlResult, claim: ClaimResult) {
  const { baseline, accepted } = standOf(report, { control: id, claim: claim.id, runner: claim.runner });
  return {
    ...(baseline !== null && { baselineState: baseline }),
    ...(accepted !== null && { suppressions: [suppression(accepted)] }),
  };
}

function suppression({ reason, owner, expires }: Exception) {
  return { kind: 'external', status: 'accepted', justification: escapeText(`${reason} (${owner}, until ${expires})`) };
}

function placeOfEvidence(piece: Evidence): Place | null {
  return piece.kind === 'file' || piece.kind === 'probe' || piece.kind === 'setting' ? piece.place : null;
}

function located(place: Place) {
  return { physicalLocation: physical(place) };
}

/** Files outside of the project keep their absolute path as a file URL. */
function physical({ file, line }: Pick<Place, 'file' | 'line'>) {
  const uri = file.startsWith('/') ? `file://${uriOf(file)}` : uriOf(file);
  return { artifactLocation: { uri }, region: { startLine: line } };
}

function notification(text: string) {
  return { level: 'note', message: sarifMessage(text) };
}
