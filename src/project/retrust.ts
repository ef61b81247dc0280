/**
 * Keeps the trust in a project across a change that a person makes with this program: only the change that was shown is
 * trusted, no other change made at the same time.
 */
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { type ProjectTrust, readTrustedLayers, recordTrust } from './trust.js';

export interface RetrustPlaces {
  readonly project: string;
  readonly userDirectory: string;
  readonly managedDirectory: string;
  readonly stateDirectory: string;
}

export function standingOf(places: RetrustPlaces): ProjectTrust {
  return readTrustedLayers({ ...places, cwd: null, extra: null, preset: null, trustProject: false }).trust;
}

/** Returns why an allow rule in the project's own files would have no effect; null if it would have one. */
export function untrustedBecause({ by, own, changes }: ProjectTrust): string | null {
  if (by !== null || changes.length === 0) return null;
  const files = own.map(({ document }) => document.file).join(', ');
  return `${files} is not trusted, so an allow rule in it would have no effect; run \`policy trust\` first, or write the rule into your own policy with --user`;
}

/**
 * Trusts the project's files again after rules were added to them. Returns false, and records nothing, if the files grant
 * anything beyond the previous grants and these rules, because somebody else has changed them in the meantime.
 * @param before the trust in the project just before the rules were written; the project was trusted, or granted nothing
 */
export function trustAdded(places: RetrustPlaces, before: ProjectTrust, added: readonly PermissionRule[]): boolean {
  const now = standingOf(places);
  if (before.by === 'trustedRepos') return true;
  const expected = new Set(added.map(({ effect, text }) => `${effect} ${text}`));
  if (!now.changes.every(({ kind, what }) => kind === 'added' && expected.has(what))) return false;
  recordTrust(places.stateDirectory, now, new Date());
  return true;
}

/**
 * Trusts the project's files again after a rule was removed from them; untrusted files stay untrusted. Returns false, and
 * records nothing, if anything else has changed in the meantime.
 * @param before the trust in the project just before the removal
 */
export function trustRemoved(places: RetrustPlaces, before: ProjectTrust, { effect, text }: PermissionRule): boolean {
  if (before.by !== 'record') return true;
  const now = standingOf(places);
  if (!now.changes.every(({ kind, what }) => kind === 'removed' && what === `${effect} ${text}`)) return false;
  recordTrust(places.stateDirectory, now, new Date());
  return true;
}

/**
 * Trusts the project's policy files if they are exactly the given ones and still have the content that was just written.
 * Returns false, and records nothing, otherwise.
 */
export function trustWritten(places: RetrustPlaces, texts: ReadonlyMap<string, string>): boolean {
  const now = standingOf(places);
  const same = now.own.length === texts.size && now.own.every(({ document, text }) => texts.get(document.file) === text);
  if (same) recordTrust(places.stateDirectory, now, new Date());
  return same;
}
