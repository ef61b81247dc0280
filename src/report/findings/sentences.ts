/** A finding in words. */

/** What is wrong and what to do, as one text. */
export function sentences(message: string, help: string | null): string {
  return help === null || help === message ? message : `${message} ${help}`;
}
