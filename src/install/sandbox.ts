/** A runner's own sandbox in its settings: switched on beside the hook, and what a person has set there stays or is named. */

import { secretsOfHome } from '../decide/place/sensitive-paths.js';
import { readJsonText } from '../disk/json-text.js';
import { WriteError } from '../disk/replace.js';
import { inJson } from '../disk/setting.js';
import type { OwnSandbox, Runner, WrittenSetting } from '../runner/hook/runner.js';
import { guarded } from './hook-text.js';
import { type PutSetting, withJsonSettings, withoutJsonSettings } from './json-settings.js';
import type { HookTarget } from './target.js';
import { tomlSetting, withoutTomlSettings, withTomlSettings } from './toml-settings.js';

/** What becomes of a file's settings. */
export interface SandboxChange {
  readonly put: readonly PutSetting[];
  /** What a person had set otherwise, as sentences. */
  readonly told: readonly string[];
}

/** The text with the settings that switch the sandbox on. Throws WriteError for a text in which they have no place. */
export function withSandbox(target: HookTarget, text: string, sandbox: OwnSandbox): SandboxChange & { readonly text: string } {
  const settings = sandbox.settings(secretsOfHome());
  return guarded(target.file, () =>
    target.form === 'toml' ? inTomlFile(target, text, settings) : inJsonFile(target, text, settings),
  );
}

function inJsonFile({ file, form }: HookTarget, source: string, settings: readonly WrittenSetting[]) {
  const isStrict = form === 'strict-json';
  const { value } = readJsonText(source, isStrict);
  const made = withJsonSettings(source, settings, isStrict);
  const told = settings.flatMap((one, at) => {
    const old = inJson(value, one.key);
    if (typeof one.value === 'object' || old === undefined || old === one.value) return [];
    const said = `${one.key.join('.')} is ${JSON.stringify(old)} in ${file}`;
    return [at === 0 ? `${said}, and becomes ${one.value}` : `${said} and stays so, although ${one.value} limits more`];
  });
  return { ...made, told };
}

/** In place of a mode that somebody chose nothing is written: one with a sandbox stays, any other is in the way. */
function inTomlFile({ file, runner }: HookTarget, source: string, settings: readonly WrittenSetting[]) {
  const others = withoutTomlSettings(source);
  for (const { key, on } of runner.sandboxes ?? []) {
    const value = tomlSetting(others, key);
    if (value === undefined) continue;
    const said = `${key.join('.')} is ${JSON.stringify(value)} in ${file}`;
    if (!on.some((one) => one === value))
      throw new WriteError(`${said}, which is no sandbox; remove that line first. Nothing was changed`);
    return { text: source, put: [], told: [`${said} and stays so, although without it secret files could not be read, either`] };
  }
  return { text: withTomlSettings(source, settings), put: settings, told: [] };
}

/** The text without them. Throws WriteError. */
export function withoutSandbox({ file, form }: HookTarget, text: string, put: readonly PutSetting[]): string {
  if (text.trim() === '') return text;
  if (form === 'toml') return guarded(file, () => withoutTomlSettings(text));
  return put.length === 0 ? text : guarded(file, () => withoutJsonSettings(text, put, form === 'strict-json'));
}

/** The sandbox of a runner. Throws WriteError, with the reason, for one that has none to be switched on. */
export function sandboxOf({ id, sandbox }: Runner): OwnSandbox {
  if (typeof sandbox !== 'string') return sandbox;
  throw new WriteError(`The sandbox of ${id} cannot be switched on here. ${sandbox} Nothing was changed`);
}
