/** Notes about what a run is made ready from, which is looked at again before a further attempt: each is said once. */
import { warn } from '../terminal.js';

const told = new Set<string>();

/** Says lines that belong together, unless they have been said. */
export function tellOnce(...lines: readonly string[]): void {
  const text = lines.join('\n');
  if (told.has(text)) return;
  told.add(text);
  for (const line of lines) warn(line);
}
