/** Findings as a GitLab Code Quality report (docs.gitlab.com, "Code Quality report format"). */
import type { LintReport, Severity } from '../../lint/text/finding.js';
import { escapeText, jsonLine } from '../printing/escape.js';
import { numberedFingerprints } from './fingerprints.js';
import { sentences } from './sentences.js';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'minor', info: 'info' };

export function findingsAsGitlab(report: LintReport): string {
  const fingerprint = numberedFingerprints(report);
  const issues = report.findings.map((finding) => ({
    description: escapeText(sentences(finding.message, finding.help)),
    check_name: finding.ruleId,
    fingerprint: fingerprint(finding),
    severity: SEVERITY[finding.severity],
    location: {
      path: escapeText(finding.location.file),
      lines: { begin: finding.location.line, end: finding.location.endLine },
    },
  }));
  return jsonLine(issues);
}
