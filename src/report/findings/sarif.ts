/** Findings as SARIF 2.1.0, with the members that GitHub code scanning requires (rule texts, all four columns, stable fingerprints). */
import type { Finding, LintReport, RuleInfo, Severity, Span } from '../../lint/text/finding.js';
import { block, code, ours } from '../printing/markdown.js';
import { SARIF_LEVEL, SARIF_SEVERITY, sarifLog, sarifMessage, sarifName } from '../printing/sarif.js';
import { uriOf } from '../printing/uri.js';
import { numberedFingerprints } from './fingerprints.js';
import { sentences } from './sentences.js';

const PRECISION: Readonly<Record<Finding['confidence'], string>> = { high: 'very-high', medium: 'medium', low: 'low' };
/** GitHub rejects more results than this. */
const MOST_RESULTS = 25_000;
/** The maximum number of locations that GitHub accepts for a result, minus the result's own. */
const MOST_RELATED = 99;

/**
 * @param version the version of this program
 * @param category distinguishes reports of several kinds about one repository
 */
export function findingsAsSarif(
  report: Omit<LintReport, 'summary' | 'unabridged' | 'lineOf'>,
  version: string,
  category = 'policy-lint',
): string {
  const index = new Map(report.rules.map(({ id }, position) => [id, position]));
  const fingerprint = numberedFingerprints(report);
  return sarifLog({
    tool: { driver: { name: 'agent-policy', semanticVersion: version, rules: report.rules.map(ruleOf) } },
    automationDetails: { id: `${category}/` },
    columnKind: 'utf16CodeUnits',
    results: report.findings.slice(0, MOST_RESULTS).map((finding) => ({
      ruleId: finding.ruleId,
      ruleIndex: index.get(finding.ruleId) ?? -1,
      level: SARIF_LEVEL[finding.severity],
      message: sarifMessage(sentences(finding.message, finding.help)),
      locations: [physical(finding.location)],
      ...(finding.related.length === 0 ? {} : { relatedLocations: finding.related.slice(0, MOST_RELATED).map(relatedOf) }),
      partialFingerprints: { primaryLocationLineHash: fingerprint(finding) },
    })),
  });
}

function ruleOf({ id, severity, confidence, persona, docs }: RuleInfo) {
  const family = id.split('/')[0] ?? id;
  const isSecurity = !FORM.has(family);
  return {
    id,
    name: sarifName(id),
    shortDescription: { text: docs.what },
    fullDescription: { text: docs.why },
    help: { text: docs.fix, markdown: helpOf(docs, id) },
    defaultConfiguration: { level: SARIF_LEVEL[severity] },
    properties: {
      tags: [...(isSecurity ? ['security'] : []), family, persona],
      precision: PRECISION[confidence],
      'problem.severity': SARIF_SEVERITY[severity],
      ...(isSecurity ? { 'security-severity': SECURITY_SEVERITY[severity] } : {}),
    },
  };
}

/** Families of rules about the form of files; the others are about the permissions of agents. */
const FORM = new Set(['copilot', 'dialect', 'discovery', 'legacy', 'naming', 'opencode', 'prompt', 'schema']);
/** GitHub's scale: high from 7.0, medium from 4.0, low below. */
const SECURITY_SEVERITY: Readonly<Record<Severity, string>> = { error: '8.0', warning: '5.0', info: '2.0' };

/** Returns the text that GitHub shows beside an alert. */
function helpOf({ what, why, bad, good, fix }: RuleInfo['docs'], id: string): string {
  // Rules without examples are not those of `policy lint`.
  if (bad === '') return `${ours(what)} ${ours(why)}\n\n**What to do:** ${ours(fix)}\n`;
  const reported = block(bad.trimEnd().split('\n'));
  const accepted = block(good.trimEnd().split('\n'));
  const command = code(`policy lint --explain ${id}`);
  return `${ours(what)} ${ours(why)}\n\n**Reported**\n\n${reported}\n**Not reported**\n\n${accepted}\n**What to do:** ${ours(fix)}\n\n${command}\n`;
}

function relatedOf(place: Finding['related'][number], id: number) {
  return { id, message: sarifMessage(place.message), ...physical(place) };
}

function physical({ file, line, column, endLine, endColumn }: Span & { readonly file: string }) {
  const region = { startLine: line, startColumn: column, endLine, endColumn };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } };
}
