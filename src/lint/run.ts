/** The way of lint: parse the files once, ask every rule, set aside what somebody accepted, and count. Pure. */
import type { LintIgnore } from '../policy/policy.js';
import { type LintFile, parseFile } from './files.js';
import type { Finding, LintReport, LintSummary, Severity } from './finding.js';
import { type LintProject, projectOf } from './project.js';
import type { FoundFiles } from './read-files.js';
import { rules as allRules } from './registry.js';
import type { LintRule, Report } from './rule.js';
import { unusedSuppression } from './rules/policy/unused-suppression.js';
import { maskSecrets } from './secret-text.js';
import { suggester } from './suggest.js';
import { type CommentedRule, commentsOf, isIgnored } from './suppress.js';

export interface LintOptions {
  /** Levels that differ from the rules' own, by rule id. */
  readonly levels: Readonly<Record<string, Severity | 'off'>>;
  readonly ignores: readonly LintIgnore[];
  /** False: comments in the linted files accept nothing (a stranger's files). */
  readonly comments: boolean;
  /** `2026-01-31`; ignores that expired before are void. */
  readonly today: string;
  /** Which files to report on; all are read, since some rules compare them. */
  readonly wanted: (path: string) => boolean;
}

export const DEFAULT_OPTIONS: LintOptions = { levels: {}, ignores: [], comments: true, today: '1970-01-01', wanted: () => true };

const ruleIds = allRules.map(({ id }) => id);

/** Lints files that were read. Throws only for a mistake of ours. */
export function lint(found: FoundFiles, options: LintOptions = DEFAULT_OPTIONS): LintReport {
  const files = found.files.map(parseFile);
  const project = projectOf(files, found.incomplete, ruleIds);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const raised = allRules.flatMap((rule) => findingsOf(rule, project, options));
  const kept = withoutAccepted(raised, byPath, options);
  const findings = withoutFlood(kept.filter(({ location }) => options.wanted(location.file)).sort(inReadingOrder));
  return {
    findings,
    summary: summaryOf(findings, countAccepted(raised, kept, options), files, options),
    rules: allRules.map(({ id, severity, confidence, persona, docs }) => ({ id, severity, confidence, persona, docs })),
    lineOf: maskedLines(byPath),
  };
}

function findingsOf(rule: LintRule, project: LintProject, options: LintOptions): Finding[] {
  const level = Object.hasOwn(options.levels, rule.id) ? options.levels[rule.id] : undefined;
  if (level === 'off') return [];
  return rule.check(project).map((report) => findingOf(rule, report, level));
}

/** A report as a finding. No credential of the file gets into its sentences. */
function findingOf(rule: LintRule, report: Report, level: Severity | undefined): Finding {
  return {
    ruleId: rule.id,
    severity: level ?? report.severity ?? rule.severity,
    confidence: report.confidence ?? rule.confidence,
    persona: rule.persona,
    message: maskSecrets(report.message),
    location: report.at,
    related: (report.related ?? []).map((place) => ({ ...place, message: maskSecrets(place.message) })),
    help: maskSecrets(report.help ?? rule.docs.fix),
    fix: report.fix ?? null,
  };
}

/** The findings that nobody accepted, and one for every comment that accepts nothing. */
function withoutAccepted(raised: readonly Finding[], byPath: ReadonlyMap<string, LintFile>, options: LintOptions): Finding[] {
  const comments = options.comments ? [...byPath.values()].flatMap(commentsOf) : [];
  const byPlace = new Map<string, CommentedRule[]>();
  for (const comment of comments) byPlace.set(placeKey(comment), [...(byPlace.get(placeKey(comment)) ?? []), comment]);
  const used = new Set<CommentedRule>();
  const kept = raised.filter((finding) => {
    const { file, line } = finding.location;
    const accepting = byPlace.get(placeKey({ ruleId: finding.ruleId, file, line })) ?? [];
    for (const comment of accepting) used.add(comment);
    return (
      accepting.length === 0 && !options.ignores.some((ignore) => isIgnored(finding, ignore, byPath.get(file), options.today))
    );
  });
  const level = options.levels[unusedSuppression.id];
  if (level === 'off') return kept;
  const idle = comments.filter((comment) => !used.has(comment));
  const suggest = suggester();
  const report = (comment: CommentedRule) => unusedSuppression.report(comment, ruleIds, suggest);
  return [...kept, ...idle.map((comment) => findingOf(unusedSuppression, report(comment), level))];
}

/** Findings of one rule in one file that are told; the last of them says how many more there are. */
const MOST_ALIKE = 100;

function withoutFlood(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  const keyOf = ({ ruleId, location }: Finding) => `${ruleId} ${location.file}`;
  for (const finding of findings) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  const told = new Map<string, number>();
  return findings.flatMap((finding) => {
    const number = (told.get(keyOf(finding)) ?? 0) + 1;
    told.set(keyOf(finding), number);
    const more = (counts.get(keyOf(finding)) ?? 0) - number;
    if (number < MOST_ALIKE || (number === MOST_ALIKE && more === 0)) return [finding];
    return number > MOST_ALIKE
      ? []
      : [{ ...finding, help: `${finding.help ?? ''} There are ${more} more of these in this file.`.trim() }];
  });
}

/** How many findings on wanted files are gone from those that were raised. */
function countAccepted(raised: readonly Finding[], kept: readonly Finding[], { wanted }: LintOptions): number {
  const left = new Set(kept);
  return raised.filter((finding) => wanted(finding.location.file) && !left.has(finding)).length;
}

function placeKey({ ruleId, file, line }: Pick<CommentedRule, 'ruleId' | 'file' | 'line'>): string {
  return `${ruleId} ${line} ${file}`;
}

/** By file, place and rule: the same input gives the same output. */
function inReadingOrder(left: Finding, right: Finding): number {
  const [a, b] = [left.location, right.location];
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column || (left.ruleId < right.ruleId ? -1 : left.ruleId > right.ruleId ? 1 : 0);
}

function summaryOf(
  findings: readonly Finding[],
  suppressed: number,
  files: readonly LintFile[],
  { wanted }: LintOptions,
): LintSummary {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const read = files.filter(({ path }) => wanted(path));
  return {
    files: {
      agents: read.filter(({ kind }) => kind === 'agent').length,
      policies: read.filter((file) => file.kind === 'policy' && !file.foreign).length,
    },
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    suppressed,
  };
}

/** Each line is masked once, however many findings point at it. */
function maskedLines(byPath: ReadonlyMap<string, LintFile>): LintReport['lineOf'] {
  const masked = new Map<string, string | null>();
  return (file, line) => {
    const key = `${line} ${file}`;
    const known = masked.get(key);
    if (known !== undefined) return known;
    const text = byPath.get(file)?.source.lines[line - 1];
    const shown = text === undefined ? null : maskSecrets(text);
    masked.set(key, shown);
    return shown;
  };
}
