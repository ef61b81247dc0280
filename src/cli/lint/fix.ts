/** `policy lint --fix` and `--diff`: applies the corrections of findings to their files, or only shows them. */

import { unifiedDiff } from '../../disk/diff.js';
import { replaceFile, WriteError } from '../../disk/replace.js';
import { parseFile } from '../../lint/files/files.js';
import type { FoundFiles, SourceFile } from '../../lint/files/read-files.js';
import type { LintOptions } from '../../lint/run.js';
import { maskSecrets } from '../../lint/secrets/secret-text.js';
import type { Fix, LintReport } from '../../lint/text/finding.js';
import { fixText, type Judged, type Refused } from '../../lint/text/fix.js';
import { escapeText } from '../../report/printing/escape.js';
import { lint } from '../../runner/lint/linter.js';
import { UsageError } from '../terminal/exit.js';

/** A file before and after its corrections. */
export interface Corrected {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly done: readonly Fix[];
}

/** Which corrections are written: the safe ones, or all. */
export type FixLevel = 'safe' | 'unsafe';

/** Maximum number of rounds: a correction may unblock others that it overlapped, or reveal new ones. */
const MOST_ROUNDS = 10;

/** Returns every file that changes when corrections are applied until none is left. Files that are not UTF-8 stay unchanged. */
export function corrections(found: FoundFiles, first: LintReport, level: FixLevel, options: LintOptions): readonly Corrected[] {
  const refused = new Map<string, Refused>();
  const corrected = new Map<string, Corrected>();
  let current = found;
  let report = first;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fixes = offeredFixes(report, level);
    let changes = 0;
    const files = current.files.map((file) => {
      const { path, text, problem } = file;
      const ofFile = fixes.get(path);
      if (ofFile === undefined || text === null || problem !== null) return file;
      const known = refused.get(path) ?? new Set();
      refused.set(path, known);
      const step = fixText(text, ofFile, (changed) => judged({ ...file, text: changed }, options), known);
      if (step.text === text) return file;
      changes++;
      const earlier = corrected.get(path) ?? { path, before: text, after: text, done: [] };
      corrected.set(path, { ...earlier, after: step.text, done: [...earlier.done, ...step.done] });
      return { ...file, text: step.text };
    });
    if (changes === 0) break;
    current = { ...current, files };
    report = lint(current, options);
  }
  return [...corrected.values()];
}

/** Returns the corrections of a level, by file. */
function offeredFixes({ unabridged }: LintReport, level: FixLevel): ReadonlyMap<string, readonly Fix[]> {
  const fixes = new Map<string, Fix[]>();
  for (const { fix, location } of unabridged) {
    if (fix === null || (level === 'safe' && fix.safety === 'unsafe')) continue;
    if (fix.edits.length === 0 || fix.edits.some(({ file }) => file !== location.file)) continue;
    const ofFile = fixes.get(location.file) ?? [];
    ofFile.push(fix);
    fixes.set(location.file, ofFile);
  }
  return fixes;
}

/** Returns the findings in one file alone. */
function judged(file: SourceFile, options: LintOptions): Judged {
  const { unabridged } = lint({ files: [file], incomplete: [] }, { ...options, baseline: new Map() });
  return { findings: unabridged, parsed: parseFile(file).data !== null };
}

/** Writes each file as a whole; returns one sentence per correction. Throws UsageError for a file that cannot be written. */
export function writeCorrections(corrected: readonly Corrected[], fileOf: (path: string) => string): readonly string[] {
  return corrected.flatMap(({ path, before, after, done }) => {
    try {
      replaceFile(fileOf(path), before, after, 0o644);
    } catch (error) {
      if (error instanceof WriteError) throw new UsageError(error.message);
      throw error;
    }
    return done.map(({ description }) => `${path}: ${description}`);
  });
}

/**
 * Returns the corrections as a unified diff, for reading: escapes unprintable characters, masks credentials, and defuses lines
 * that a CI system would interpret as commands (`::error::`).
 */
export function correctionsAsDiff(corrected: readonly Corrected[]): string {
  return corrected
    .flatMap(({ path, before, after }) => unifiedDiff(before, after, { before: `a/${path}`, after: `b/${path}` }))
    .map((line) => `${shownLine(line)}\n`)
    .join('');
}

function shownLine(line: string): string {
  return line
    .split('\n')
    .map((part) =>
      part
        .split('\t')
        .map((piece) => escapeText(maskSecrets(piece)))
        .join('\t'),
    )
    .map((part) => part.replace(/^(\s*):(?=:)/, '$1\\x3a'))
    .join('\n');
}
