/** Remotes that are repositories on this machine: a push to one runs its hooks here. */
import type { LocalRemotes } from '../../decide/ruling/facts.js';
import type { ConfigEntry } from './config.js';

/** Matches `https://host/x`, `ssh://host/x`, `host:x`, `user@host:x`; a single letter before the colon is a Windows drive. */
const ELSEWHERE = /^(?!file:)(?:[a-z][a-z0-9+.-]*:\/\/|[^/:\\]{2,}:(?!:))/i;

/** Returns the remotes to which git pushes by a path, a `file:` address or a helper; null if there is none, as usual. */
export function localRemotes(entries: readonly ConfigEntry[], branch: string | null): LocalRemotes | null {
  const names = new Set(
    entries.flatMap(({ key }) => (key.startsWith('remote.') && /^remote\.([\s\S]+)\.(?:push)?url$/.exec(key)?.[1]) || []),
  );
  const remotes = [...names].filter((name) => addressesOf(name, entries).some(isLocal));
  const bare = targetOf(entries, branch, names);
  const isBare = bare !== null && (remotes.includes(bare) || (!names.has(bare) && isLocal(bare)));
  return remotes.length > 0 || isBare ? { remotes, bare: isBare } : null;
}

function isLocal(address: string): boolean {
  return !ELSEWHERE.test(address);
}

/** Returns the addresses to which git pushes under this name, rewritten by `url.BASE.insteadOf` and `pushInsteadOf`. */
function addressesOf(name: string, entries: readonly ConfigEntry[]): readonly string[] {
  const settingsOf = (key: string) => entries.filter((entry) => entry.key === `remote.${name}.${key}`).map(({ value }) => value);
  const own = settingsOf('pushurl');
  if (own.length > 0) return own.map((address) => rewritten(address, entries, 'insteadof') ?? address);
  return settingsOf('url').map(
    (address) => rewritten(address, entries, 'pushinsteadof') ?? rewritten(address, entries, 'insteadof') ?? address,
  );
}

/** Replaces the longest prefix that a setting names; null if none matches. */
function rewritten(address: string, entries: readonly ConfigEntry[], setting: string): string | null {
  let longest: { readonly length: number; readonly base: string } | null = null;
  for (const { key, value } of entries) {
    const meets = key.startsWith('url.') && key.endsWith(`.${setting}`) && value !== '' && address.startsWith(value);
    if (meets && value.length > (longest?.length ?? 0))
      longest = { length: value.length, base: key.slice('url.'.length, -(setting.length + 1)) };
  }
  return longest === null ? null : longest.base + address.slice(longest.length);
}

/** Returns the remote that `git push` without an operand pushes to. */
function targetOf(entries: readonly ConfigEntry[], branch: string | null, names: ReadonlySet<string>): string | null {
  const settingOf = (key: string) => entries.findLast((entry) => entry.key === key)?.value;
  const own = branch === null ? undefined : settingOf(`branch.${branch}.pushremote`);
  const usual = branch === null ? undefined : settingOf(`branch.${branch}.remote`);
  const [only, another] = [...names];
  return own ?? settingOf('remote.pushdefault') ?? usual ?? (another === undefined ? only : 'origin') ?? null;
}
