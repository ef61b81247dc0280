/** Describes what is lost with a settings file that its runner ignores. */

import type { ConfigFile } from '../files/files.js';
import { handlersOf } from '../project/handlers.js';

/** `14 deny rules and 2 hooks`; `all its settings` without any rule or hook. */
export function lostWith(file: ConfigFile): string {
  const rules = (['deny', 'ask', 'allow'] as const).map((effect) => {
    const list = file.data?.at(`/permissions/${effect}`);
    return counted(Array.isArray(list) ? list.length : 0, `${effect} rule`);
  });
  const told = [...rules, counted(handlersOf(file).length, 'hook')].filter((text) => text !== '');
  const last = told.pop();
  if (last === undefined) return 'all its settings';
  return `its ${told.length === 0 ? last : `${told.join(', ')} and ${last}`}`;
}

/** `2 hooks`; empty for zero. */
export function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Managed settings are read entry by entry: a mistake does not affect anything else (measured with 2.1.329). */
export function isManaged(path: string): boolean {
  return /(?:^|\/)managed-settings(?:\.json|\.d\/[^/]+)$/.test(path);
}
