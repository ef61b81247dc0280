/** A runner's own sandbox in its settings: it is switched on together with the hook, and a person's own settings stay or are reported. */

import { secretsOfHome } from '../decide/place/sensitive-paths.js';
import { readJsonText } from '../disk/json-text.js';
import { WriteError } from '../disk/replace.js';
import { inJson } from '../disk/setting.js';
import type { OwnSandbox, Runner, WrittenSetting } from '../runner/hook/runner.js';
import { guarded } from './hook-text.js';
import { type PutSetting, withJsonSettings, withoutJsonSettings } from './json-settings.js';
import type { HookTarget } from './target.js';
import { tomlSetting, withoutTomlSettings, withTomlSettings } from './toml-settings.js';

/** The change to a file's settings. */
export interface SandboxChange {
  readonly put: readonly PutSetting[];
  /** Differing settings of the person, as sentences. */
  readonly told: readonly string[];
}

/** Returns the text with the settings that switch the sandbox on. Throws WriteError for a text that has no place for them. */
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

/** Does not overwrite a mode that a person chose: a sandboxed one stays, any other one is an obstacle. */
function inTomlFile({ file, runner }: HookTarget, source: string, settings: readonly WrittenSetting[]) {
  const others = withoutTomlSettings(source);
  for (const { key, on } of runner.sandboxes ?? []) {
    const value = tomlSetting(others, key);
    if (value === undefined) continue;
    const said = `${key.join('.')} is ${JSON.stringify(value)} in ${file}`;
    if (!on.some((one) => one === value))
      throw new WriteError(`${said}, which is not a sandbox; remove that line first. Nothing was changed`);
    return { text: source, put: [], told: [`${said} and stays so, although without it secret files could not be read`] };
  }
  return { text: withTomlSettings(source, settings), put: settings, told: [] };
}

/** Returns the text without these settings. Throws WriteError. */
export function withoutSandbox({ file, form }: HookTarget, text: string, put: readonly PutSetting[]): string {
  if (text.trim() === '') return text;
  if (form === 'toml') return guarded(file, () => withoutTomlSettings(text));
  return put.length === 0 ? text : guarded(file, () => withoutJsonSettings(text, put, form === 'strict-json'));
}

/** Returns the sandbox of a runner. Throws WriteError, with the reason, if it has none that can be switched on. */
export function sandboxOf({ id, sandbox }: Runner): OwnSandbox {
  if (typeof sandbox !== 'string') return sandbox;
  throw new WriteError(`The sandbox of ${id} cannot be switched on here. ${sandbox} Nothing was changed`);
}
