/** Findings as JSON, each in the form of schemas/finding.schema.json: all on one line, or one per line. */
import type { Finding, LintReport, LintSummary } from '../../lint/text/finding.js';
import { jsonLine } from '../printing/escape.js';

/** `{"version":1,"findings":[…],"summary":{…}}` with a final line break; keys always in the same order. */
export function findingsAsJson({ findings, summary }: LintReport): string {
  return jsonLine({ version: 1, findings: findings.map(ordered), summary: orderedSummary(summary) });
}

/** One finding per line, then `{"version":1,"summary":{…}}`. */
export function findingsAsJsonLines({ findings, summary }: LintReport): string {
  return [...findings.map(ordered), { version: 1, summary: orderedSummary(summary) }].map(jsonLine).join('');
}

function orderedSummary({ files, errors, warnings, infos, withFindings, fixable, suppressed, baselined, hidden }: LintSummary) {
  return {
    files: { agents: files.agents, policies: files.policies, configs: files.configs, texts: files.texts },
    ...{ errors, warnings, infos, withFindings },
    fixable: { safe: fixable.safe, unsafe: fixable.unsafe },
    ...{ suppressed, baselined, hidden },
  };
}

function ordered(finding: Finding): Finding {
  const { ruleId, severity, confidence, persona, message, location, related, help, fix } = finding;
  const span = ({ file, line, column, endLine, endColumn }: Finding['location']) => ({ file, line, column, endLine, endColumn });
  return {
    ruleId,
    severity,
    confidence,
    persona,
    message,
    location: span(location),
    related: related.map((place) => ({ message: place.message, ...span(place) })),
    help,
    fix,
  };
}
