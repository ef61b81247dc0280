/** Numbers of a run in a note of docs/, between two marks, so that they always come from a run. */
import { readFileSync, writeFileSync } from 'node:fs';

/** A note without such a place; a run should find that out before it begins. */
export function requirePlace(file: string, name: string): void {
  place(readFileSync(file, 'utf8'), file, name);
}

/**
 * Replaces what stands between `<!-- NAME -->` and `<!-- end of NAME -->`. Throws when the file has no such place.
 * @param name e.g. `numbers`
 */
export function writeNumbers(file: string, name: string, text: string): void {
  const note = readFileSync(file, 'utf8');
  const { start, end } = place(note, file, name);
  writeFileSync(file, `${note.slice(0, start)}\n\`\`\`text\n${text}\n\`\`\`\n\n${note.slice(end)}`);
}

function place(note: string, file: string, name: string): { start: number; end: number } {
  const open = `<!-- ${name} -->\n`;
  const at = note.indexOf(open);
  const end = note.indexOf(`<!-- end of ${name} -->`);
  if (at === -1 || end < at) throw new Error(`${file} has no place for the ${name}`);
  return { start: at + open.length, end };
}
