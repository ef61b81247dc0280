/** `policy lint --fix`: writes the corrections that findings carry into their files. */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../lint/finding.js';
import { applyFixes } from '../lint/fix.js';
import type { FoundFiles } from '../lint/read-files.js';
import { UsageError } from './exit.js';

/** One sentence per correction that was written. Files with bytes that are no UTF-8 are left as they are. */
export function writeFixes(root: string, found: FoundFiles, findings: readonly Finding[]): readonly string[] {
  const fixable = new Set(findings.filter(({ fix }) => fix !== null).map(({ location }) => location.file));
  return found.files.flatMap(({ path, text, problem }) => {
    if (!fixable.has(path) || text === null || problem !== null) return [];
    const ofFile = findings.filter(({ location }) => location.file === path);
    const { text: corrected, done } = applyFixes(text, ofFile);
    replace(join(root, path), path, corrected);
    return done.map(({ description }) => `${path}: ${description}`);
  });
}

/** Overwrites the file in place, keeping its owner and mode; a link that took its place meanwhile is not followed. */
function replace(file: string, path: string, text: string): void {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
    writeFileSync(descriptor, text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${path} cannot be corrected (${code}); make it a file that you may write`);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
