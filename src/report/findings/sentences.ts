/** A finding in words. */

/** Returns the problem and the remedy as one text. */
export function sentences(message: string, help: string | null): string {
  return help === null || help === message ? message : `${message} ${help}`;
}
