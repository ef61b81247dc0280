/** The handlers of a hook event that are not ours, whichever file contains the event. */
import { basename, isAbsolute } from 'node:path';
import { isList, isMap, type JsonValue } from '../../../disk/json-text.js';
import { realPath } from '../../../disk/real-path.js';
import { type HookLine, readHookLine } from '../../../install/own-hook.js';
import type { InstallPlaces } from '../../../install/target.js';
import { isWholeCopy, MANAGED_VERSIONS, userVersions } from '../../../program/program-copy.js';
import type { HookForm } from './other-hook.js';

/** A program, a request or a prompt that an event starts. */
interface Handler {
  readonly what: string;
  readonly form: HookForm;
  /** The tools to which it applies, if its entry states them. */
  readonly matcher: string | null;
  /** Its path below the event. */
  readonly path: readonly (string | number)[];
}

/**
 * Returns the handlers below an event.
 * @param isInstalled `policy install` writes this file, so every line that resembles ours is left to other checks
 */
export function handlersOf(list: JsonValue | undefined, isInstalled: boolean, places: InstallPlaces): readonly Handler[] {
  if (!isList(list)) return [];
  return list.flatMap((entry, at) => {
    const inner = isMap(entry) ? entry.get('hooks') : undefined;
    const said = isMap(entry) ? entry.get('matcher') : undefined;
    const matcher = typeof said === 'string' ? said : null;
    const handlers = isList(inner)
      ? inner.map((handler, below) => ({ handler, path: [at, 'hooks', below] }))
      : [{ handler: entry, path: [at] }];
    return handlers.flatMap(({ handler, path }): Handler[] => {
      if (!isMap(handler)) return [];
      const named = ['command', 'bash', 'url', 'type'].flatMap((name) => {
        const what = handler.get(name);
        return typeof what === 'string' ? [{ name, what }] : [];
      });
      const [first] = named;
      return first === undefined || isOwn(first.what, isInstalled, places)
        ? []
        : [{ what: first.what, form: formOf(first.name), matcher, path: [...path, first.name] }];
    });
  });
}

function formOf(name: string): HookForm {
  return name === 'url' ? 'address' : name === 'type' ? 'other' : 'command';
}

/**
 * Whether the line is ours. In a file that `policy install` does not write, a line that only resembles ours may start a stranger's program.
 */
function isOwn(command: string, isInstalled: boolean, places: InstallPlaces): boolean {
  const line = readHookLine(command, '');
  return line !== null && (isInstalled || startsOurs(line, places));
}

function startsOurs({ node, program }: HookLine, { environment, home, project }: InstallPlaces): boolean {
  const isOutside = (path: string) => isAbsolute(path) && !`${realPath(path) ?? path}/`.startsWith(`${project}/`);
  if (node !== null && !isOutside(node)) return false;
  if (basename(program) === 'hook.cjs') return isWholeCopy(program, [userVersions(environment, home), MANAGED_VERSIONS]);
  return program === 'policy' || isOutside(program);
}
