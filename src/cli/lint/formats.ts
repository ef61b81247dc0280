/** The output formats of `policy lint`: one line here and one file in report/findings for each. */
import type { LintReport } from '../../lint/text/finding.js';
import { findingsAsCompact } from '../../report/findings/compact.js';
import { findingsAsHtml, findingsAsMarkdown } from '../../report/findings/document.js';
import { findingsAsGithub } from '../../report/findings/github.js';
import { findingsAsGitlab } from '../../report/findings/gitlab.js';
import { findingsAsJson, findingsAsJsonLines } from '../../report/findings/json.js';
import { findingsAsJunit } from '../../report/findings/junit.js';
import { findingsAsSarif } from '../../report/findings/sarif.js';
import { findingsAsText } from '../../report/findings/text.js';
import type { TextOptions } from '../../report/printing/paint.js';

/** Details that only some of the formats report. */
export interface Telling {
  readonly text: TextOptions;
  readonly version: string;
  /** Duration of the run. */
  readonly seconds: number;
}

const RENDERERS = {
  text: (report, { text, seconds }) => findingsAsText(report, text, seconds),
  compact: findingsAsCompact,
  json: findingsAsJson,
  jsonl: findingsAsJsonLines,
  sarif: (report, { version }) => findingsAsSarif(report, version),
  github: findingsAsGithub,
  gitlab: findingsAsGitlab,
  junit: findingsAsJunit,
  markdown: findingsAsMarkdown,
  html: findingsAsHtml,
} as const satisfies Readonly<Record<string, (report: LintReport, telling: Telling) => string>>;

export type LintFormat = keyof typeof RENDERERS;
export const LINT_FORMATS: readonly [LintFormat, ...LintFormat[]] = [
  'text',
  'compact',
  'json',
  'jsonl',
  'sarif',
  'github',
  'gitlab',
  'junit',
  'markdown',
  'html',
];

export function rendered(report: LintReport, format: LintFormat, telling: Telling): string {
  return RENDERERS[format](report, telling);
}
