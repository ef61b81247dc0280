/** Numbers of a run in a note of docs/, between two marks, so that they always come from a run. */
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Replaces what stands between `<!-- NAME -->` and `<!-- end of NAME -->`. Throws when the file has no such place.
 * @param name e.g. `numbers`
 */
export function writeNumbers(file: string, name: string, text: string): void {
  const note = readFileSync(file, 'utf8');
  const open = `<!-- ${name} -->\n`;
  const start = note.indexOf(open);
  const end = note.indexOf(`<!-- end of ${name} -->`);
  if (start === -1 || end < start) throw new Error(`${file} has no place for the ${name}`);
  writeFileSync(file, `${note.slice(0, start + open.length)}\n\`\`\`text\n${text}\n\`\`\`\n\n${note.slice(end)}`);
}
