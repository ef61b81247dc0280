/** Keeping trust over a change that the person made through us: only what was shown is trusted, nothing that came along with it. */
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

/** Why an allow rule in the project's own files would count for nothing; null when it will count. */
export function untrustedBecause({ by, own, changes }: ProjectTrust): string | null {
  if (by !== null || changes.length === 0) return null;
  const files = own.map(({ document }) => document.file).join(', ');
  return `${files} is not trusted, so an allow rule in it would have no effect; run \`policy trust\` first, or write the rule into your own policy with --user`;
}

/**
 * Trusts the project's files again after rules were added to them. Answers false, and records nothing, when they grant anything
 * else than before and these rules: somebody else changed them in the meantime.
 * @param before how the project stood right before the rules were written; it was trusted, or granted nothing
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
 * Trusts the project's files again after a rule was taken out of them; files that nobody trusted stay so. Answers false, and records
 * nothing, when anything else was changed meanwhile.
 * @param before how the project stood right before
 */
export function trustRemoved(places: RetrustPlaces, before: ProjectTrust, { effect, text }: PermissionRule): boolean {
  if (before.by !== 'record') return true;
  const now = standingOf(places);
  if (!now.changes.every(({ kind, what }) => kind === 'removed' && what === `${effect} ${text}`)) return false;
  recordTrust(places.stateDirectory, now, new Date());
  return true;
}

/** Trusts files that were written just now, when they are all that the project has and still say what was shown. */
export function trustWritten(places: RetrustPlaces, texts: ReadonlyMap<string, string>): boolean {
  const now = standingOf(places);
  const same = now.own.length === texts.size && now.own.every(({ document, text }) => texts.get(document.file) === text);
  if (same) recordTrust(places.stateDirectory, now, new Date());
  return same;
}
