/** `policy install` and `policy uninstall`: plans the change of a file, and carries it out as a whole. */

import { mkdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { traitsOf } from '../call/traits.js';
import { withLock } from '../disk/lock.js';
import { readText } from '../disk/read.js';
import { replaceFile, WriteError } from '../disk/replace.js';
import { ownDirectory } from '../log/files/directory.js';
import { systemCode } from '../log/files/log-error.js';
import { digestOf } from '../project/trust-record.js';
import type { HookFile, HookScope, OwnSandbox, Runner } from '../runner/hook/runner.js';
import { codexHooks, readCodexTrust } from './codex-trust.js';
import { ourCommands, ourEvents, withHook, withoutHook } from './hook-text.js';
import type { IsKept } from './json-hooks.js';
import type { PutSetting } from './json-settings.js';
import { isHookLine, readHookLine } from './own-hook.js';
import { type Receipt, readReceipt, removeReceipt, writeReceipt } from './receipt.js';
import { type SandboxChange, withoutSandbox, withSandbox } from './sandbox.js';
import { type HookTarget, hookTarget, type InstallPlaces } from './target.js';

/** A file as it is and as it will be; `after` null: it is removed. */
export interface HookChange {
  readonly target: HookTarget;
  readonly after: string | null;
  readonly sandbox?: SandboxChange;
  /** The settings that are removed again. */
  readonly ends?: readonly PutSetting[];
}

export interface MadeChange extends HookChange {
  /** Where the text before is kept; null if there was none, or if the file contains it again. */
  readonly backup: string | null;
}

/**
 * Plans the file with the hook. `after` is the current text if there is nothing to do. Throws WriteError.
 * @param sandbox is switched on as well if its settings are in the same file
 */
export function planInstall(
  runner: Runner,
  scope: HookScope,
  places: InstallPlaces,
  command: string,
  sandbox?: OwnSandbox,
): HookChange {
  const target = hookTarget(runner, scope, places);
  const after = withHook(target, command, isHookLine, traitsOf(runner.id).trustsEachHook ? trustedIn(target, places) : undefined);
  return sandbox === undefined || sandbox.files !== undefined ? { target, after } : sandboxed(target, after, sandbox);
}

/** Plans the separate file of the sandbox. Throws WriteError for a scope that has none. */
export function planSandbox(
  runner: Runner,
  scope: HookScope,
  places: InstallPlaces,
  { files = {}, ...sandbox }: OwnSandbox,
): HookChange {
  const file = files[scope];
  if (file === undefined)
    throw new WriteError(
      `The sandbox of ${runner.id} has no ${scope} place; use ${Object.keys(files)
        .map((one) => `--${one}`)
        .join(' or ')}. Nothing was changed`,
    );
  const target = hookTarget(runner, scope, places, file);
  return sandboxed(target, target.text ?? '', sandbox);
}

function sandboxed(target: HookTarget, source: string, sandbox: OwnSandbox): HookChange {
  const { text, put, told } = withSandbox(target, source, sandbox);
  return { target, after: text, sandbox: { put, told } };
}

/**
 * Returns a test for those of our hooks that Codex runs in the current file. They stay until a person has trusted the new one:
 * Codex trusts a hook by its position and its hash, so replacing one would leave no running hook.
 */
function trustedIn({ runner, file, form, text }: HookTarget, places: InstallPlaces): IsKept {
  // Unreadable text is reported when the hook is inserted.
  if (text === null || text.trim() === '' || ourCommands({ runner, file, form, text }, isHookLine).length === 0)
    return () => false;
  const { hooks: state } = readCodexTrust(runner, places);
  return (now, event, group) => {
    const own = codexHooks(file, now, state).filter((hook) => hook.event === event && hook.group === group);
    return own.length > 0 && own.every(({ trusted }) => trusted);
  };
}

/** Returns the programs that our hooks in a file start. Throws WriteError. */
export function installedHooks(target: HookTarget): readonly string[] {
  return ourCommands(target, isHookLine).flatMap((command) => readHookLine(command, '')?.program ?? []);
}

/** Returns the events of the hook after the change, or before it if it is removed. Throws WriteError. */
export function hookEvents({ target, after }: HookChange): readonly string[] {
  const later = ourEvents({ ...target, text: after }, isHookLine);
  return later.length > 0 ? later : ourEvents(target, isHookLine);
}

/**
 * Plans the file without our hook: the text before the installation if the file has not been changed since, else the current text
 * without our parts. Throws WriteError.
 */
export function planUninstall(
  runner: Runner,
  scope: HookScope,
  places: InstallPlaces,
  stateDirectory: string,
  file?: HookFile,
): HookChange {
  const target = hookTarget(runner, scope, places, file);
  const put = readReceipt(stateDirectory, target.path)?.sandbox ?? [];
  const without = (text: string | null) => {
    const isHooked = ourCommands({ ...target, text }, isHookLine).length > 0;
    const left = isHooked ? withoutHook({ ...target, text }, isHookLine) : text;
    return left === null ? null : withoutSandbox(target, left, put);
  };
  if (without(target.text) === target.text) return { target, after: target.text };
  const before = textBefore(target, stateDirectory);
  // It may contain a hook of an older version.
  return { target, after: without(before === undefined ? target.text : before), ends: put };
}

/** Returns the text before the installation; undefined if it is unknown. */
function textBefore({ path, text }: HookTarget, stateDirectory: string): string | null | undefined {
  const receipt = readReceipt(stateDirectory, path);
  if (receipt === null || text === null || receipt.after !== digestOf(text)) return undefined;
  if (receipt.before === null) return null;
  const kept = receipt.backup === null ? null : readText(receipt.backup, { follow: false });
  return kept?.ok && digestOf(kept.text) === receipt.before ? kept.text : undefined;
}

/**
 * Carries out `plan` for the current file, under a lock, so that no concurrent install is lost. If interrupted at any moment, it
 * leaves the old file or the new one. Throws WriteError, LockError and LogError; then nothing was changed.
 * @param now for the name of the copy that is kept of the old text
 */
export function applyHookChange(plan: () => HookChange, stateDirectory: string, now: Date): MadeChange {
  return withFileLock(plan().target.path, stateDirectory, () => write(plan, stateDirectory, now));
}

/** Keeps other installations from changing the same file meanwhile. Throws LogError, WriteError. */
export function withFileLock<Result>(path: string, stateDirectory: string, work: () => Result): Result {
  ownDirectory(stateDirectory);
  const locks = join(stateDirectory, 'locks');
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const lock = join(locks, `install-${digestOf(path).slice('sha256:'.length, 'sha256:'.length + 32)}`);
  return withLock(lock, work, 60_000);
}

function write(plan: () => HookChange, stateDirectory: string, now: Date): MadeChange {
  for (let attempt = 0; ; attempt++) {
    const change = plan();
    const { target, after } = change;
    if (after === target.text) return { ...change, backup: null };
    try {
      return {
        ...change,
        backup:
          after === null || isUndoing(change, stateDirectory) ? undo(change, stateDirectory) : renew(change, stateDirectory, now),
      };
    } catch (error) {
      // Editors do not take our lock.
      if (!(error instanceof WriteError) || !error.changed || attempt >= 2) throw error;
    }
  }
}

/** Whether the file gets back exactly its original text. */
function isUndoing({ target, after }: HookChange, stateDirectory: string): boolean {
  const receipt = readReceipt(stateDirectory, target.path);
  return after !== null && receipt?.before === digestOf(after);
}

/** Restores the old text and removes everything that the installation left. */
function undo({ target, after }: HookChange, stateDirectory: string): null {
  const receipt = readReceipt(stateDirectory, target.path);
  if (after === null) removeFile(target);
  else replaceFile(target.path, target.text, after, target.mode);
  if (receipt?.backup != null) removeIfThere(receipt.backup);
  if (after === null && receipt?.madeFolder != null) removeEmptyFolders(dirname(target.path), receipt.madeFolder);
  removeReceipt(stateDirectory, target.path);
  return null;
}

/** Writes a new text, with a copy of the old one next to it. */
function renew({ target, after, sandbox }: HookChange, stateDirectory: string, now: Date): string | null {
  const installs = after !== null && (sandbox !== undefined || ourCommands({ ...target, text: after }, isHookLine).length > 0);
  const known = readReceipt(stateDirectory, target.path);
  // When a newer version replaces an older one, the text before the first installation is kept.
  const continued = known !== null && target.text !== null && known.after === digestOf(target.text) ? known : null;
  const backup = continued === null && target.text !== null ? keep(target, target.text, known, now) : (continued?.backup ?? null);
  const made = target.text === null ? missingFolder(dirname(target.path)) : null;
  if (installs)
    writeReceipt(stateDirectory, {
      version: 1,
      runner: target.runner.id,
      scope: target.scope,
      path: target.path,
      before: continued === null ? (target.text === null ? null : digestOf(target.text)) : continued.before,
      after: digestOf(after),
      backup,
      madeFolder: continued?.madeFolder ?? made,
      sandbox: [...(known?.sandbox ?? []), ...(sandbox?.put ?? [])],
    });
  // Managed settings have to be readable for all users.
  if (target.scope === 'managed') mkdirSync(dirname(target.path), { recursive: true, mode: 0o755 });
  replaceFile(target.path, target.text, after ?? '', target.mode);
  if (!installs) removeReceipt(stateDirectory, target.path);
  return continued === null ? backup : null;
}

/** Keeps a copy of the text that only the user can read, named by the current second; reuses the copy of an interrupted install. */
function keep({ path }: HookTarget, text: string, known: Receipt | null, now: Date): string {
  const kept = known?.backup == null ? null : readText(known.backup, { follow: false });
  if (known?.backup != null && kept?.ok && kept.text === text) return known.backup;
  const second = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  for (let number = 0; ; number++) {
    const backup = join(dirname(path), `${basename(path)}.before-policy-${second}Z${number === 0 ? '' : `-${number}`}`);
    if (statSync(backup, { throwIfNoEntry: false }) !== undefined) continue;
    replaceFile(backup, null, text, 0o600);
    return backup;
  }
}

function removeFile({ path, text }: HookTarget): void {
  const now = readText(path, { follow: false });
  if (!now.ok || now.text !== text) throw new WriteError(`${path} was changed by another program meanwhile; try again`, true);
  unlinkSync(path);
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw new WriteError(`${path} cannot be removed (${systemCode(error)})`);
  }
}

/** Returns the topmost folder that does not exist yet; null if all exist. */
function missingFolder(folder: string): string | null {
  let missing: string | null = null;
  for (let path = folder; statSync(path, { throwIfNoEntry: false }) === undefined; path = dirname(path)) missing = path;
  return missing;
}

/** Removes `folder` and its parents up to `top`, as long as they are empty. */
function removeEmptyFolders(folder: string, top: string): void {
  for (let path = folder; `${path}/`.startsWith(`${top}/`); path = dirname(path)) {
    try {
      rmdirSync(path);
    } catch {
      // The folder contains new entries.
      return;
    }
  }
}
