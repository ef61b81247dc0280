/** Versions of clients, as `2.1.332`. What stands behind the third number is not ordered. */

export function isBelow(version: string, least: string): boolean {
  const [now, wanted] = [version, least].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  for (const at of [0, 1, 2]) if (now?.[at] !== wanted?.[at]) return (now?.[at] ?? 0) < (wanted?.[at] ?? 0);
  return false;
}

/** Whether it is the version that something was tried with, or a later one that promises to be like it. @param version null: not known */
export function isSince(version: string | null, first: string): boolean {
  return version !== null && version.split('.')[0] === first.split('.')[0] && !isBelow(version, first);
}
