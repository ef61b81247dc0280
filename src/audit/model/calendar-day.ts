/** Whether a text is a day as a calendar has it: YYYY-MM-DD, and no 31st of February. */
export function isCalendarDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
