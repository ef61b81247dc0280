/** Codex's trust in hooks, as its app-server computes it (spec: runners, §1.3). */
import { createHash } from 'node:crypto';
import { isHookLine } from '../../enforce/own-hook.js';
import { isFields, own } from '../../runner/payload.js';

const DEFAULT_TIMEOUT = 600;

/**
 * Our hooks of a file that Codex does not trust as they are written: their keys.
 * @param file as Codex names it
 * @param state the table `hooks.state` of its configuration
 */
export function codexTrust(file: string, text: string, state: unknown): readonly string[] {
  const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const hooks = isFields(settings) ? own(settings, 'hooks') : undefined;
  if (!isFields(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at) =>
      untrusted(`${file}:${snake(event)}`, event, group, at, state),
    ),
  );
}

function untrusted(prefix: string, event: string, group: unknown, at: number, state: unknown): readonly string[] {
  if (!isFields(group)) return [];
  const handlers = own(group, 'hooks');
  return (Array.isArray(handlers) ? handlers : []).flatMap((handler: unknown, index) => {
    const command = isFields(handler) ? own(handler, 'command') : undefined;
    if (!isFields(handler) || typeof command !== 'string' || !isHookLine(command)) return [];
    const key = `${prefix}:${at}:${index}`;
    const entry = isFields(state) ? own(state, key) : undefined;
    const trusted = isFields(entry) ? own(entry, 'trusted_hash') : undefined;
    return trusted === trustHash(snake(event), own(group, 'matcher'), handler) ? [] : [`${snake(event)}:${at}:${index}`];
  });
}

function snake(event: string): string {
  return event.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Of the parts that Codex looks at, as JSON with sorted keys and no blanks. */
function trustHash(event: string, matcher: unknown, handler: Readonly<Record<string, unknown>>): string {
  const status = own(handler, 'statusMessage');
  const hook = {
    async: own(handler, 'async') === true,
    command: own(handler, 'command'),
    ...(status !== undefined && { statusMessage: status }),
    timeout: own(handler, 'timeout') ?? DEFAULT_TIMEOUT,
    type: 'command',
  };
  const identity = { event_name: event, hooks: [hook], ...(matcher !== undefined && { matcher }) };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}
