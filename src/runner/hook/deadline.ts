/** How long a hook may take before its command line denies the call. */

/**
 * True if a hook can finish in this many seconds and every runner waits that long: each gives a hook 30, and most run the call after that.
 */
export function isDeadline(seconds: number): boolean {
  return seconds >= 0.1 && seconds <= 25;
}
