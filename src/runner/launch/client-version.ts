/** Compares runner versions such as `2.1.332`. Anything after the third number is not compared. */

export function isBelow(version: string, least: string): boolean {
  const [now, wanted] = [version, least].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  for (const at of [0, 1, 2]) if (now?.[at] !== wanted?.[at]) return (now?.[at] ?? 0) < (wanted?.[at] ?? 0);
  return false;
}

/**
 * True for the version that something was tried with, and for later ones with the same major version.
 * @param version null: not known
 */
export function isSince(version: string | null, first: string): boolean {
  return version !== null && version.split('.')[0] === first.split('.')[0] && !isBelow(version, first);
}
