/** Removes from sentences of two audits the parts that differ from run to run, so that they can be compared. */

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const NUMBER = /\d+(?:[-:.T]\d+)*Z?/g;

/** Replaces ids of records, dates, times, lines, sizes and durations. */
export function withoutNumbers(text: string): string {
  return text.replace(ID, '#').replace(NUMBER, '#');
}
