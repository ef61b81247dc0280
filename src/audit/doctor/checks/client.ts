/** Which runners are here, and whether their version is one that hooks were seen to work with. */
import { type DoctorCheck, fine, note } from '../check.js';

/** Below these a runner obeys hooks less than we rely on. */
const FULL: ReadonlyMap<string, { readonly version: string; readonly lacks: string }> = new Map([
  ['claude-code', { version: '2.1.329', lacks: 'passes over onFailure, so only the command line itself fails closed' }],
]);

/** In what a version of a runner is known to be weak; null when nothing is known against it. */
export function weaknessOf(id: string, version: string): { readonly version: string; readonly lacks: string } | null {
  const full = FULL.get(id);
  return full !== undefined && isBelow(version, full.version) ? full : null;
}

export const client: DoctorCheck = {
  id: 'client',
  examine: ({ examined }) =>
    examined.flatMap(({ runner: { id, evidence }, client: found }) => {
      if (found === null)
        return [note(id, `${id} is not on PATH, so its version was not looked at`, `install ${id}, or policy uninstall ${id}`)];
      const { path, version } = found;
      const weak = version === null ? null : weaknessOf(id, version);
      if (weak !== null)
        return [note(id, `${id} ${version} (${path}) ${weak.lacks}`, `update ${id} to ${weak.version} or newer`)];
      const tried = evidence.answers === 'documentation' ? 'never tried with the real program' : `tried with ${evidence.version}`;
      return [fine(id, `${id} ${version ?? 'of an unknown version'} (${path}); its hooks were ${tried}`)];
    }),
};

function isBelow(version: string, least: string): boolean {
  const [now, wanted] = [version, least].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [at, part] of (wanted ?? []).entries()) if (now?.[at] !== part) return (now?.[at] ?? 0) < part;
  return false;
}
