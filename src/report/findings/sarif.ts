/** Findings as SARIF 2.1.0, with what GitHub code scanning requires (rule texts, all four columns, stable fingerprints). */
import type { Finding, LintReport, RuleInfo, Severity, Span } from '../../lint/finding.js';
import { escapeJson, escapeText } from '../escape.js';

const LEVEL: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
const PRECISION: Readonly<Record<Finding['confidence'], string>> = { high: 'very-high', medium: 'medium', low: 'low' };
/** Results beyond this number are refused by GitHub. */
const MOST_RESULTS = 25_000;

/** @param version of this program */
export function findingsAsSarif(report: LintReport, version: string): string {
  const index = new Map(report.rules.map(({ id }, position) => [id, position]));
  const fingerprint = fingerprints(report);
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'agent-policy',
            semanticVersion: version,
            rules: report.rules.map(ruleOf),
          },
        },
        automationDetails: { id: 'policy-lint/' },
        columnKind: 'utf16CodeUnits',
        results: report.findings.slice(0, MOST_RESULTS).map((finding) => ({
          ruleId: finding.ruleId,
          ruleIndex: index.get(finding.ruleId) ?? -1,
          level: LEVEL[finding.severity],
          message: { text: escapeText(finding.help === null ? finding.message : `${finding.message} ${finding.help}`) },
          locations: [
            { physicalLocation: { artifactLocation: { uri: uriOf(finding.location.file) }, region: regionOf(finding.location) } },
          ],
          ...(finding.related.length === 0 ? {} : { relatedLocations: finding.related.map(relatedOf) }),
          partialFingerprints: { primaryLocationLineHash: fingerprint(finding) },
        })),
      },
    ],
  };
  return `${escapeJson(JSON.stringify(log))}\n`;
}

function ruleOf({ id, severity, confidence, persona, docs }: RuleInfo) {
  return {
    id,
    name: id.replace(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: docs.what },
    fullDescription: { text: docs.why },
    help: { text: docs.fix, markdown: `${docs.why}\n\n${docs.fix}\n\n    policy lint --explain ${id}\n` },
    defaultConfiguration: { level: LEVEL[severity] },
    properties: {
      tags: ['security', id.split('/')[0] ?? id, persona],
      precision: PRECISION[confidence],
      'problem.severity': SEVERITY[severity],
    },
  };
}

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'recommendation' };

function relatedOf({ message, file, line, column }: Finding['related'][number], id: number) {
  return {
    id,
    message: { text: escapeText(message) },
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line, startColumn: column } },
  };
}

function regionOf({ line, column, endLine, endColumn }: Span) {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** A relative reference: each part of the path percent-encoded, so that nothing in a file name reads as a scheme or a query. */
function uriOf(file: string): string {
  return file
    .split('/')
    .map((part) => encodeURIComponent(part.replace(/\p{Cs}/gu, '\uFFFD')))
    .join('/');
}

/**
 * A fingerprint that stays when lines above change: of rule, file and the line's own text; the number behind it tells apart
 * equal lines.
 */
function fingerprints({ lineOf }: LintReport): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return ({ ruleId, location }) => {
    const text = (lineOf(location.file, location.line) ?? '').trim().slice(0, 1000);
    const hash = fnv64(`${ruleId}\n${location.file}\n${text}`);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** FNV-1a with 64 bits over UTF-16 units: tells lines apart, keeps no secret. */
function fnv64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++)
    hash = ((hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
