/** The way lint rules examine the rules of Claude Code's settings. */

import { type ClaudeEntry, claudeEntries } from '../claude-rules/entries.js';
import type { ConfigFile } from '../files/files.js';
import type { Check, Report } from '../project/rule.js';

/** Makes a check of the rules of each Claude Code settings file. */
export function forClaudeRules(check: (entries: readonly ClaudeEntry[], file: ConfigFile) => readonly Report[]): Check {
  return (project) =>
    project.configs.flatMap((file) => {
      const entries = claudeEntries(file);
      return entries.length === 0 ? [] : check(entries, file);
    });
}

export function forEachClaudeRule(check: (entry: ClaudeEntry) => readonly Report[]): Check {
  return forClaudeRules((entries) => entries.flatMap(check));
}
