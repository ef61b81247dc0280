/** JSON pointers (RFC 6901): `/budget/perAgent/a~1b` names the member `a/b`. */

/** A pointer to a member of the value at `parent`. */
export function pointerTo(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names in a pointer. */
export function pointerNames(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.includes('/', 1) && !pointer.includes('~')) return [pointer.slice(1)];
  const names = pointer.split('/').slice(1);
  return pointer.includes('~') ? names.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : names;
}
