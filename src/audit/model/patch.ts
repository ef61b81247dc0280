/** Lint's corrections for the evidence against a claim, as one patch that `git apply` accepts. */

import { unifiedDiff } from '../../disk/diff.js';
import { parseFile } from '../../lint/files/files.js';
import type { FoundFiles, SourceFile } from '../../lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../../lint/run.js';
import { maskSecrets } from '../../lint/secrets/secret-text.js';
import type { Finding, Fix } from '../../lint/text/finding.js';
import { fixText, type Judged } from '../../lint/text/fix.js';
import { lint } from '../../runner/lint/linter.js';

/** Nobody reads a longer patch in a report: `policy lint --fix` makes the other corrections. */
const MOST_FILES = 10;
const MOST_LENGTH = 8_000;
/** Control and format characters, and characters that end a line in some programs: a report contains them only escaped. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Null when nothing can be corrected automatically. Files whose lines would have to be changed for display (credentials,
 * unprintable characters) are omitted, since a changed patch does not apply.
 */
export function patchFor(findings: readonly Finding[], { files }: FoundFiles): string | null {
  const fixes = fixesByFile(findings);
  let patch = '';
  let count = 0;
  for (const file of files) {
    const ofFile = fixes.get(file.path);
    if (ofFile === undefined || file.text === null || file.problem !== null || count >= MOST_FILES) continue;
    // A tab ends the name for git, which then applies no part of the patch.
    if (UNPRINTABLE.test(file.path)) continue;
    const { text } = fixText(file.text, ofFile, (changed) => judged({ ...file, text: changed }), new Set());
    const diff = unifiedDiff(file.text, text, { before: `a/${file.path}`, after: `b/${file.path}` });
    if (diff.length === 0 || diff.some((line) => !isShown(line))) continue;
    const more = diff.map((line) => `${line}\n`).join('');
    if (patch.length + more.length > MOST_LENGTH) continue;
    patch += more;
    count += 1;
  }
  return patch === '' ? null : patch;
}

function fixesByFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Fix[]> {
  const fixes = new Map<string, Fix[]>();
  for (const { fix, location } of findings) {
    if (fix === null || fix.edits.length === 0 || fix.edits.some(({ file }) => file !== location.file)) continue;
    fixes.set(location.file, [...(fixes.get(location.file) ?? []), fix]);
  }
  return fixes;
}

/** Lints a single file. */
function judged(file: SourceFile): Judged {
  const { unabridged } = lint({ files: [file], incomplete: [] }, { ...DEFAULT_OPTIONS, comments: false });
  return { findings: unabridged, parsed: parseFile(file).data !== null };
}

/**
 * Whether a report may contain the line unchanged. A last line without a line end is followed by a second line, which git writes;
 * CI systems obey `::error::`.
 */
function isShown(line: string): boolean {
  return !/^.\s*::/.test(line) && line.split(/[\n\t]/).every((part) => !UNPRINTABLE.test(part) && maskSecrets(part) === part);
}
