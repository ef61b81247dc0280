/** Keeps trust over a change that a person made with this program: only the shown change is trusted, nothing that came along with it. */
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

/** Returns why an allow rule in the project's own files would have no effect; null if it will have one. */
export function untrustedBecause({ by, own, changes }: ProjectTrust): string | null {
  if (by !== null || changes.length === 0) return null;
  const files = own.map(({ document }) => document.file).join(', ');
  return `${files} is not trusted, so an allow rule in it would have no effect; run \`policy trust\` first, or write the rule into your own policy with --user`;
}

/**
 * Trusts the project's files again after rules were added to them. Returns false, and records nothing, if they grant anything
 * beyond the previous grants and these rules: they were then changed by others meanwhile.
 * @param before the trust in the project right before the rules were written; it was trusted, or granted nothing
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
 * Trusts the project's files again after a rule was removed from them; untrusted files stay untrusted. Returns false, and records
 * nothing, if anything else was changed meanwhile.
 * @param before the trust in the project right before
 */
export function trustRemoved(places: RetrustPlaces, before: ProjectTrust, { effect, text }: PermissionRule): boolean {
  if (before.by !== 'record') return true;
  const now = standingOf(places);
  if (!now.changes.every(({ kind, what }) => kind === 'removed' && what === `${effect} ${text}`)) return false;
  recordTrust(places.stateDirectory, now, new Date());
  return true;
}

/** Trusts files that were just written, if they are all of the project's files and still have the shown content. */
export function trustWritten(places: RetrustPlaces, texts: ReadonlyMap<string, string>): boolean {
  const now = standingOf(places);
  const same = now.own.length === texts.size && now.own.every(({ document, text }) => texts.get(document.file) === text);
  if (same) recordTrust(places.stateDirectory, now, new Date());
  return same;
}
