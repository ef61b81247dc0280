/** The version of the package that this program belongs to. */
import { readFileSync } from 'node:fs';

/** The package's root as seen from a bundle, and from a part that bundles share. */
const ROOTS = ['../package.json', '../../package.json'];

/** As package.json has it; `unknown` when that cannot be read. */
export function version(): string {
  for (const root of ROOTS) {
    const written = versionIn(new URL(root, import.meta.url));
    if (written !== null) return written;
  }
  return 'unknown';
}

function versionIn(file: URL): string | null {
  try {
    const { name, version: written } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    return name === 'agent-policy' ? String(written) : null;
  } catch {
    return null;
  }
}
