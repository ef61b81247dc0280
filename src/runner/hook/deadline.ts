/** How long a hook may take before its line denies the call. */

/** True for seconds that a hook needs at least and every client waits for: each gives a hook 30, and most run the call then. */
export function isDeadline(seconds: number): boolean {
  return seconds >= 0.1 && seconds <= 25;
}
