/** Sentences of two audits, held against each other: what differs from run to run is left out. */

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const NUMBER = /\d+(?:[-:.T]\d+)*Z?/g;

/** Ids of records, dates, times, lines, sizes and durations. */
export function withoutNumbers(text: string): string {
  return text.replace(ID, '#').replace(NUMBER, '#');
}
