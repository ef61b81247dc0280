/** The output of `policy preset export` and `preset map`: a preset in a runner's own configuration. */
import { lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteWords } from '../../call/quote.js';
import { systemCode } from '../../log/files/log-error.js';
import { codexRunnerConfig, type Profile } from '../../runner/codex/profile.js';
import type { Loss, NativeExport, NativeFile } from '../../runner/native/model.js';
import { UsageError } from '../terminal/exit.js';
import { writeOutput } from '../words/outputs.js';

/** Returns the command line that starts the runner; the prompt follows it. */
export function commandOf({ program, flags }: NativeExport): string[] {
  return [program, ...flags];
}

/** Returns each file under its path, then the command line, the remaining manual steps, and the loss report. */
export function exportText(exported: NativeExport): string {
  const { files, needs, losses } = exported;
  const sections = [
    ...files.map((file) => `# ${shownPath(file)}\n${file.text}`),
    `# Command line\n${quoteWords(commandOf(exported))}\n`,
    ...(needs.length === 0 ? [] : [`# Before it counts\n${lines(needs)}`]),
    `# Loss report\n${lines(losses.map(lossLine))}`,
  ];
  return sections.join('\n');
}

export function lossLine({ kind, rule, why }: Loss): string {
  return `${kind}: ${rule === null ? '' : `${rule}: `}${why}`;
}

/** Returns the export as JSON (schemas/preset-export.schema.json); `profile`: only for Codex, whose session it describes. */
export function exportJson(exported: NativeExport, profile: Profile | null, cwd: string): string {
  const config = profile === null ? null : codexRunnerConfig(profile, { cwd, prompt: '' });
  return `${JSON.stringify({ ...exported, command: commandOf(exported), ...(config !== null && { config }) })}\n`;
}

/**
 * Writes the files below `folder`, those of the home directory below `home` in it. Throws UsageError, before writing anything, if
 * one exists already and `force` is not given, or is not a regular file; and if one cannot be written.
 */
export function writeExport({ files }: NativeExport, folder: string, force: boolean): string[] {
  const targets = files.map((file) => ({ file, path: join(folder, file.below === 'home' ? 'home' : '', file.path) }));
  for (const { path } of targets) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw new UsageError(`${path} is not a regular file, so nothing is written there`);
    if (found !== undefined && !force) throw new UsageError(`${path} already exists; --force replaces it`);
  }
  for (const { file, path } of targets) {
    try {
      mkdirSync(dirname(path), { recursive: true });
    } catch (error) {
      throw new UsageError(`${path} cannot be written (${systemCode(error)})`);
    }
    writeOutput(path, file.text);
  }
  return targets.map(({ path }) => path);
}

function shownPath({ below, path }: NativeFile): string {
  return below === 'home' ? `~/${path}` : path;
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
