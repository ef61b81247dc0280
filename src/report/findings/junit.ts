/** Findings as JUnit XML: a suite per file, a test case per finding. Notes pass, so that they do not break a build. */
import type { Finding, LintReport } from '../../lint/text/finding.js';
import { markup } from '../printing/markup.js';
import { byFile } from './by-file.js';
import { sentences } from './sentences.js';
import { summaryLine } from './summary.js';

export function findingsAsJunit({ findings, summary, rules }: LintReport): string {
  const failures = summary.errors + summary.warnings;
  const tests = Math.max(findings.length, 1);
  const suites = [...byFile(findings)].flatMap(([file, ofFile]) => suite(file, ofFile));
  const none = [
    '  <testsuite name="policy lint" tests="1" failures="0" errors="0">',
    `    <testcase name="${markup(summaryLine(summary, rules.length))}" classname="policy lint"/>`,
    '  </testsuite>',
  ];
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="policy lint" tests="${tests}" failures="${failures}" errors="0">`,
    ...(suites.length === 0 ? none : suites),
    '</testsuites>',
  ].join('\n')}\n`;
}

function suite(file: string, findings: readonly Finding[]): readonly string[] {
  const failures = findings.filter(({ severity }) => severity !== 'info').length;
  return [
    `  <testsuite name="${markup(file)}" tests="${findings.length}" failures="${failures}" errors="0">`,
    ...findings.flatMap(testCase),
    '  </testsuite>',
  ];
}

function testCase({ ruleId, severity, message, help, location }: Finding): readonly string[] {
  const { file, line, column } = location;
  const head = `<testcase name="${markup(`${ruleId} ${line}:${column}`)}" classname="${markup(file)}" file="${markup(file)}" line="${line}">`;
  const place = markup(`${file}:${line}:${column}: ${sentences(message, help)}`);
  const body =
    severity === 'info'
      ? `<system-out>${place}</system-out>`
      : `<failure type="${severity}" message="${markup(message)}">${place}</failure>`;
  return [`    ${head}`, `      ${body}`, '    </testcase>'];
}
