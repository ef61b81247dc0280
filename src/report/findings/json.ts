/** Findings as one line of JSON: `{"version":1,"findings":[…],"summary":{…}}`, each finding as schemas/finding.schema.json says. */
import type { Finding, LintReport } from '../../lint/finding.js';
import { escapeJson } from '../escape.js';

/** With a line break at its end; keys always in the same order. */
export function findingsAsJson({ findings, summary }: LintReport): string {
  const { files, errors, warnings, infos, suppressed } = summary;
  const plain = {
    version: 1,
    findings: findings.map(ordered),
    summary: { files: { agents: files.agents, policies: files.policies }, errors, warnings, infos, suppressed },
  };
  return `${escapeJson(JSON.stringify(plain))}\n`;
}

function ordered(finding: Finding): Finding {
  const { ruleId, severity, confidence, persona, message, location, related, help, fix } = finding;
  const { file, line, column, endLine, endColumn } = location;
  return {
    ruleId,
    severity,
    confidence,
    persona,
    message,
    location: { file, line, column, endLine, endColumn },
    related: related.map((place) => ({ message: place.message, file: place.file, line: place.line, column: place.column })),
    help,
    fix,
  };
}
