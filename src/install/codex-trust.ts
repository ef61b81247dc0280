/** Codex's trust in hooks, as computed by its app-server: by the position of a hook in its file, and a hash of it. */

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isFields, own } from '../call/fields.js';
import { readSetting } from '../disk/setting.js';
import type { Runner } from '../runner/hook/runner.js';
import { isHookLine } from './own-hook.js';
import { hookPath, type InstallPlaces } from './target.js';

const DEFAULT_TIMEOUT = 600;
/** The event at which calls are judged. */
const HOOK_EVENT = 'PreToolUse';

/** One of our hooks in a file of Codex. */
export interface CodexHook {
  readonly event: string;
  /** Its position among the groups of the event, and in its group. */
  readonly group: number;
  readonly handler: number;
  /** The key as Codex writes it: `pre_tool_use:1:0`. */
  readonly key: string;
  readonly command: string;
  readonly trusted: boolean;
}

/** The table in which Codex records what a person trusted, and its level of trust in a project. */
export interface CodexTrust {
  readonly hooks: unknown;
  readonly project: unknown;
}

/** Returns the trust in the user's own configuration of Codex. */
export function readCodexTrust(runner: Runner, places: InstallPlaces): CodexTrust {
  const user = hookPath(runner, 'user', places);
  const config = user === null ? null : join(dirname(user), 'config.toml');
  const read = (key: readonly string[]) => (config === null ? undefined : readSetting(config, 'toml', key));
  return { hooks: read(['hooks', 'state']), project: read(['projects', places.project, 'trust_level']) };
}

/**
 * Returns our hooks in a file. Throws SyntaxError for invalid JSON.
 * @param file as Codex names it
 * @param state the table `hooks.state` of its configuration
 */
export function codexHooks(file: string, text: string, state: unknown): readonly CodexHook[] {
  const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  const hooks = isFields(settings) ? own(settings, 'hooks') : undefined;
  if (!isFields(hooks)) return [];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group: unknown, at) => hooksOf(file, event, group, at, state)),
  );
}

function hooksOf(file: string, event: string, group: unknown, at: number, state: unknown): readonly CodexHook[] {
  if (!isFields(group)) return [];
  const handlers = own(group, 'hooks');
  return (Array.isArray(handlers) ? handlers : []).flatMap((handler: unknown, index) => {
    const command = isFields(handler) ? own(handler, 'command') : undefined;
    if (!isFields(handler) || typeof command !== 'string' || !isHookLine(command)) return [];
    const key = `${snake(event)}:${at}:${index}`;
    const entry = isFields(state) ? own(state, `${file}:${key}`) : undefined;
    const hash = isFields(entry) ? own(entry, 'trusted_hash') : undefined;
    const trusted = hash === trustHash(snake(event), own(group, 'matcher'), handler);
    return [{ event, group: at, handler: index, key, command, trusted }];
  });
}

function snake(event: string): string {
  return event.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Hashes the fields that Codex uses, as JSON with sorted keys and no whitespace. */
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

/** Whether Codex runs an installed hook, and what a person should do about it. */
export interface CodexStanding {
  /**
   * `open`: none of our hooks is run; `former`: a previously trusted one is run, and a newer one waits; `both`: both are run;
   * `part`: calls are judged, but the hooks of other events are not run.
   */
  readonly kind: 'open' | 'former' | 'both' | 'part';
  readonly message: string;
  readonly fix: string;
}

/** Returns null if the hook is trusted and the only one, or if there is none. */
export function codexStanding(
  { file, text, scope }: { readonly file: string; readonly text: string; readonly scope: string },
  { hooks: state, project }: CodexTrust,
): CodexStanding | null {
  const hooks = codexHooks(file, text, state);
  const gates = hooks.filter(({ event }) => event === HOOK_EVENT);
  if (gates.length === 0) return null;
  const untrusted = hooks
    .filter(({ trusted }) => !trusted)
    .map(({ key }) => key)
    .join(', ');
  const fix = "start codex, type /hooks and trust policy's hook";
  const unheard = `Codex does not run the hook in ${file}: this version of it is not trusted (${untrusted})`;
  if (!gates.some(({ trusted }) => trusted)) return { kind: 'open', message: `OPEN: ${unheard}`, fix };
  if (scope === 'project' && project !== 'trusted')
    return {
      kind: 'open',
      message: `OPEN: Codex does not run the hook in ${file}: the project is not trusted`,
      fix: 'start codex there and trust the project',
    };
  const install = `policy install codex --${scope}`;
  if (gates.some(({ trusted }) => !trusted))
    return {
      kind: 'former',
      message: `Codex runs the old hook in ${file}, which you trusted; the new one beside it waits for your trust (${untrusted})`,
      fix: `${fix}; then ${install} removes the old one`,
    };
  if (untrusted !== '') return { kind: 'part', message: unheard, fix };
  if (gates.length === 1) return null;
  const both = `Codex runs both the old hook in ${file} and the new one: each call is logged twice, and a subagent may be refused`;
  return { kind: 'both', message: both, fix: install };
}
