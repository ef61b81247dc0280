/** The corrections that lint knows for what stands against a claim, as one patch that `git apply` takes. */

import { unifiedDiff } from '../../disk/diff.js';
import { parseFile } from '../../lint/files/files.js';
import type { FoundFiles, SourceFile } from '../../lint/files/read-files.js';
import { DEFAULT_OPTIONS } from '../../lint/run.js';
import { maskSecrets } from '../../lint/secrets/secret-text.js';
import type { Finding, Fix } from '../../lint/text/finding.js';
import { fixText, type Judged } from '../../lint/text/fix.js';
import { lint } from '../../runner/lint/linter.js';

/** More than this nobody reads in a report: `policy lint --fix` makes the rest. */
const MOST_FILES = 10;
const MOST_LENGTH = 8_000;
/** Control and format characters, and what ends a line in some programs: a report has them only as an escape. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Null when nothing can be corrected by itself. Files whose lines would have to be changed to be shown (credentials, unprintable
 * characters) are left out, since a patch that was changed does not apply.
 */
export function patchFor(findings: readonly Finding[], { files }: FoundFiles): string | null {
  const fixes = fixesByFile(findings);
  let patch = '';
  let count = 0;
  for (const file of files) {
    const ofFile = fixes.get(file.path);
    if (ofFile === undefined || file.text === null || file.problem !== null || count >= MOST_FILES) continue;
    // A tab ends the name for git, which then applies none of the patch.
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

/** What lint says of a file by itself. */
function judged(file: SourceFile): Judged {
  const { unabridged } = lint({ files: [file], incomplete: [] }, { ...DEFAULT_OPTIONS, comments: false });
  return { findings: unabridged, parsed: parseFile(file).data !== null };
}

/** A line that a report may have as it is. One without a line end has a second line, which git writes; CI systems obey `::error::`. */
function isShown(line: string): boolean {
  return !/^.\s*::/.test(line) && line.split(/[\n\t]/).every((part) => !UNPRINTABLE.test(part) && maskSecrets(part) === part);
}
