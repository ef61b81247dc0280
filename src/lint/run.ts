/** The steps of lint: parse the files once, run every rule, set aside accepted findings, and count. Pure. */
import type { LintIgnore } from '../policy/policy.js';
import { type Baseline, withoutKnown } from './accepted/baseline.js';
import { fingerprinter } from './accepted/fingerprint.js';
import { type LintFile, parseFile } from './files/files.js';
import type { FoundFiles } from './files/read-files.js';
import { completer } from './files/related-places.js';
import { type CommentedRule, commentsOf, isIgnored } from './files/suppress.js';
import { type LintProject, projectOf } from './project/project.js';
import { type CompleteRule, completed, type IsReported, type Report } from './project/rule.js';
import { setAside } from './project/set-aside.js';
import { unusedSuppression } from './rules/policy/unused-suppression.js';
import { maskSecrets } from './secrets/secret-text.js';
import {
  type Finding,
  type LintReport,
  type LintSummary,
  PERSONAS,
  type Persona,
  type Severity,
  type Span,
} from './text/finding.js';
import { suggester } from './text/suggest.js';

export interface LintOptions {
  /** Severities that override the rules' own, by rule id. */
  readonly levels: Readonly<Record<string, Severity | 'off'>>;
  readonly ignores: readonly LintIgnore[];
  /** False: comments in the linted files do not accept findings (a stranger's files). */
  readonly comments: boolean;
  /** `2026-01-31`; ignores that expired before that day have no effect. */
  readonly today: string;
  /** Selects the files to report on; all are read, since some rules compare them. */
  readonly wanted: (path: string) => boolean;
  /** Findings for more demanding personas are omitted. */
  readonly persona: Persona;
  readonly baseline: Baseline;
  /** Called with a description of each step. */
  readonly tick?: (what: string) => void;
}

export const DEFAULT_OPTIONS: LintOptions = {
  levels: {},
  ignores: [],
  comments: true,
  today: '1970-01-01',
  wanted: () => true,
  persona: 'auditor',
  baseline: new Map(),
};

/** Lints files that were read, with these rules. Throws only because of a mistake of ours. */
export function lintBy(rules: readonly CompleteRule[], found: FoundFiles, options: LintOptions): LintReport {
  const tick = options.tick ?? (() => {});
  const files = found.files.map((file, index) => {
    tick(`${index} of ${found.files.length} files parsed`);
    return parseFile(file);
  });
  const ruleIds = rules.map(({ id }) => id);
  const project = projectOf(files, found, ruleIds);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const lineOf = maskedLines(byPath);
  const fingerprintOf = fingerprinter(lineOf);
  const raised = raisedBy(rules, project, byPath, options);
  const kept = withoutAccepted(raised, ruleIds, byPath, options);
  const shown = kept.findings.filter(({ persona }) => isFor(persona, options)).sort(inReadingOrder);
  const unabridged = withoutKnown(shown, options.baseline, fingerprintOf);
  const findings = withoutFlood(oneByFolder(unabridged, rules));
  const read = files.filter(({ path }) => options.wanted(path));
  const { suppressed } = kept;
  const left = { suppressed, baselined: shown.length - unabridged.length, hidden: kept.findings.length - shown.length };
  return {
    findings,
    unabridged,
    summary: { ...summaryOf(findings, read), ...left },
    rules: rules.map(({ id, severity, confidence, persona, docs }) => ({ id, severity, confidence, persona, docs })),
    lineOf,
    fingerprintOf,
  };
}

/** Whether a finding for one persona also concerns the current one. */
function isFor(persona: Persona, options: LintOptions): boolean {
  return PERSONAS.indexOf(persona) <= PERSONAS.indexOf(options.persona);
}

/** What nobody may put anywhere. */
const FOR_EVERYBODY = /^(?:content|secrets)\//;

type FilesByPath = ReadonlyMap<string, LintFile>;

/** Returns the rules' findings in wanted files. */
function raisedBy(rules: readonly CompleteRule[], project: LintProject, byPath: FilesByPath, options: LintOptions): Finding[] {
  const complete = completer(byPath);
  const tick = options.tick ?? (() => {});
  const aside = setAside(project);
  const reported = new Map<string, Span[]>();
  const isReported: IsReported = (places) =>
    places.some((place) => reported.get(place.file)?.some((at) => startsIn(at, place)) === true);
  const inOrder = [...rules.filter(({ general }) => general !== true), ...rules.filter(({ general }) => general === true)];
  return inOrder.flatMap((rule) => {
    tick(`rule ${rule.id} on ${byPath.size} files`);
    const reports = rule.check(project, isReported);
    if (rule.general !== true) for (const { at } of reports) noteAt(reported, at);
    const level = levelOf(rule, options);
    if (level === 'off') return [];
    const wanted = reports.filter(({ at }) => options.wanted(at.file));
    const isForAuditors = (file: string) => !FOR_EVERYBODY.test(rule.id) && aside.has(file);
    return wanted.map((report) =>
      findingOf(rule, isForAuditors(report.at.file) ? { ...report, persona: 'auditor' } : report, level, complete),
    );
  });
}

function noteAt(reported: Map<string, Span[]>, at: Span): void {
  const inFile = reported.get(at.file);
  if (inFile === undefined) reported.set(at.file, [at]);
  else inFile.push(at);
}

function startsIn({ line, column }: Span, place: Span): boolean {
  const isAfterStart = line > place.line || (line === place.line && column >= place.column);
  return isAfterStart && (line < place.endLine || (line === place.endLine && column < place.endColumn));
}

function levelOf({ id }: Pick<CompleteRule, 'id'>, { levels }: LintOptions): Severity | 'off' | undefined {
  return Object.hasOwn(levels, id) ? levels[id] : undefined;
}

/** Turns a report into a finding. No credential of the file gets into its sentences. */
function findingOf(
  rule: CompleteRule,
  report: Report,
  level: Severity | undefined,
  complete: ReturnType<typeof completer>,
): Finding {
  return {
    ruleId: rule.id,
    severity: level ?? report.severity ?? rule.severity,
    confidence: report.confidence ?? rule.confidence,
    persona: report.persona ?? rule.persona,
    message: maskSecrets(report.message),
    location: report.at,
    related: (report.related ?? []).map((place) => ({ ...complete(place), message: maskSecrets(place.message) })),
    help: maskSecrets(report.help ?? rule.docs.fix),
    fix: report.fix === undefined ? null : { ...report.fix, safety: report.fix.safety ?? 'safe' },
  };
}

/** Returns the findings that nobody accepted, the number of accepted ones, and a finding for every comment that accepts nothing. */
function withoutAccepted(
  raised: readonly Finding[],
  ruleIds: readonly string[],
  byPath: FilesByPath,
  options: LintOptions,
): { readonly findings: readonly Finding[]; readonly suppressed: number } {
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
  const suppressed = raised.length - kept.length;
  const level = levelOf(unusedSuppression, options);
  if (level === 'off') return { findings: kept, suppressed };
  const idle = comments.filter((comment) => options.wanted(comment.file) && !used.has(comment));
  const suggest = suggester();
  const complete = completer(byPath);
  const told = idle.map((comment) =>
    findingOf(completed(unusedSuppression), unusedSuppression.report(comment, ruleIds, suggest), level, complete),
  );
  return { findings: [...kept, ...told], suppressed };
}

/** At most this many other files are named. */
const MOST_NAMED = 10;

/** Keeps the first of equal findings in a file, or in the files of a folder, where their rule says so; it names the others. */
function oneByFolder(findings: readonly Finding[], rules: readonly CompleteRule[]): readonly Finding[] {
  const joined = new Set(rules.filter(({ byFolder }) => byFolder === true).map(({ id }) => id));
  const groups = new Map<string, Finding[]>();
  const keyOf = ({ ruleId, severity, message, location: { file } }: Finding) =>
    `${ruleId} ${severity} ${message} ${file.replace(/(?:[^/]*\/SKILL|[^/]*)\.\w+$/, '')}`;
  for (const finding of findings)
    if (joined.has(finding.ruleId)) groups.set(keyOf(finding), [...(groups.get(keyOf(finding)) ?? []), finding]);
  return findings.flatMap((finding) => {
    const [first, ...others] = groups.get(keyOf(finding)) ?? [];
    if (first === undefined || others.length === 0) return [finding];
    if (first !== finding) return [];
    const files = new Set(others.map(({ location }) => location.file));
    files.delete(finding.location.file);
    const [count, what, where] = files.size === 0 ? [others.length, 'other place', 'file'] : [files.size, 'other file', 'folder'];
    const message = `${finding.message} The same goes for ${count} ${what}${count === 1 ? '' : 's'} of this ${where}.`;
    const named = others.slice(0, MOST_NAMED).map(({ location }) => ({ ...location, message: 'this one' }));
    return [{ ...finding, message, related: [...finding.related, ...named] }];
  });
}

/** At most this many findings of one rule in one file are reported; the last of them states how many more there are. */
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

function placeKey({ ruleId, file, line }: Pick<CommentedRule, 'ruleId' | 'file' | 'line'>): string {
  return `${ruleId} ${line} ${file}`;
}

/** Sorts by file, place and rule: the same input gives the same output. */
function inReadingOrder(left: Finding, right: Finding): number {
  const [a, b] = [left.location, right.location];
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column || (left.ruleId < right.ruleId ? -1 : left.ruleId > right.ruleId ? 1 : 0);
}

function summaryOf(
  findings: readonly Finding[],
  read: readonly LintFile[],
): Omit<LintSummary, 'suppressed' | 'baselined' | 'hidden'> {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const fixable = (safety: 'safe' | 'unsafe') => findings.filter(({ fix }) => fix?.safety === safety).length;
  return {
    files: {
      agents: read.filter(({ kind }) => kind === 'agent').length,
      policies: read.filter((file) => file.kind === 'policy' && !file.foreign).length,
      configs: read.filter(({ kind }) => kind === 'config').length,
      texts: read.filter(({ kind }) => kind === 'text').length,
    },
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    withFindings: new Set(findings.map(({ location }) => location.file)).size,
    fixable: { safe: fixable('safe'), unsafe: fixable('unsafe') },
  };
}

/** Masks each line only once, however many findings point at it. */
function maskedLines(byPath: FilesByPath): LintReport['lineOf'] {
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
