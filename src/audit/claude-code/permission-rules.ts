/** The permission rules of Claude Code's settings, from every file that it reads or only from the files that somebody names. */
import { basename, dirname, resolve } from 'node:path';
import { readText } from '../../disk/read.js';
import type { PlacedRule } from '../../lint/claude-rules/answer.js';
import { type ClaudeEntry, claudeEntries, hasMoreEntries } from '../../lint/claude-rules/entries.js';
import { type ConfigFile, parseFile } from '../../lint/files/files.js';
import { settingsMistakes } from '../../runner/claude-code/settings-mistakes.js';
import { shownFile } from '../model/digest.js';
import { CLIENT, type Scope, type SettingsPlaces, settingsPaths } from './settings.js';

/** A rule with the file that contains it. */
export interface RuleInForce extends ClaudeEntry, PlacedRule {
  readonly scope: Scope;
  readonly shownFile: string;
}

export interface PermissionFile {
  readonly scope: Scope;
  readonly file: string;
  readonly rules: number;
  /** Why Claude Code ignores the whole file; null when it does not. */
  readonly ignored: string | null;
}

export interface PermissionRules {
  readonly rules: readonly RuleInForce[];
  readonly files: readonly PermissionFile[];
  /** `permissions.defaultMode` of the strongest file that sets it; null if none does. */
  readonly mode: string | null;
}

/**
 * Reads the rules. A file with a mistake that makes the client ignore it is ignored here as well.
 * @param only reads these files and no others
 * @throws Error with a sentence when one of them cannot be read completely: an answer without its rules would be wrong
 */
export function permissionRules(places: SettingsPlaces, only: readonly string[]): PermissionRules {
  const paths = only.length > 0 ? only.map((file) => ['command line', resolve(file)] as const) : settingsPaths(places);
  const files = paths.flatMap(([scope, path]) => readPermissions(scope, path, places, only.length > 0));
  const managedOnly = files.some(
    ({ scope, file }) => scope === 'managed' && file.data?.at('/allowManagedPermissionRulesOnly') === true,
  );
  const inForce = files.filter(({ ignored, scope }) => ignored === null && (scope === 'managed' || !managedOnly));
  const modes = inForce.map(({ file }) => file.data?.at('/permissions/defaultMode'));
  return {
    rules: inForce.flatMap(({ entries, scope, settings, shown }) =>
      entries.map((entry) => ({ ...entry, scope, settings, shownFile: shown })),
    ),
    files: files.map(({ scope, shown, entries, ignored }) => ({ scope, file: shown, rules: entries.length, ignored })),
    mode: modes.find((mode): mode is string => typeof mode === 'string') ?? null,
  };
}

interface ReadFile {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly shown: string;
  readonly entries: readonly ClaudeEntry[];
  /** The folder that `/` at the start of a pattern stands for. */
  readonly settings: string;
  readonly ignored: string | null;
}

function readPermissions(scope: Scope, path: string, { project }: SettingsPlaces, needed: boolean): ReadFile[] {
  const shown = shownFile(project, path);
  const read = readText(path);
  if (!read.ok && read.code === 'missing' && !needed) return [];
  if (!read.ok) throw new Error(`${path}: ${read.message}`);
  const parsed = parseFile({
    path: shown,
    kind: { kind: 'config', config: 'claude-settings', format: 'json', label: 'Claude Code settings', runner: CLIENT },
    text: read.text,
    problem: null,
  });
  if (parsed.kind !== 'config') return [];
  const limit = parsed.mistakes.find(({ what }) => what === 'limit');
  if (limit !== undefined) throw new Error(`${path}: ${limit.message}`);
  if (hasMoreEntries(parsed)) throw new Error(`${path}: a list of permissions has too many rules to read`);
  return [
    { scope, file: parsed, shown, entries: claudeEntries(parsed), settings: folderOf(path), ignored: whyIgnored(parsed, scope) },
  ];
}

/** Managed settings are read entry by entry. */
function whyIgnored({ data, mistakes }: ConfigFile, scope: Scope): string | null {
  const broken = mistakes.find(({ what }) => what !== 'duplicate-key');
  if (broken !== undefined) return broken.message;
  const all = data === null || scope === 'managed' ? [] : settingsMistakes(data);
  return all.find(({ newer }) => newer === 'file')?.why ?? null;
}

/** Returns the project for `.claude/settings.json`, and the folder of the file itself for other files. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === '.claude' ? dirname(folder) : folder;
}
