/** Which repositories a fleet audit is about: those of a list, or those in a folder. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from '../../enforce/facts/stat-of.js';
import { readText } from '../../enforce/files/read.js';

/** Folders below the given one that are looked into: `OWNER/NAME` is the deepest that hosting programs use. */
const MAX_DEPTH = 2;
const MAX_FOLDERS = 100_000;

/**
 * The lines of a list: one path each, or a string in JSON for a path with a line break. Blank lines and comments (`#`) are left out, and
 * every path is there once.
 */
export function listedRepositories(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== '' && !line.startsWith('#')).map(unquoted))];
}

function unquoted(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : line;
  } catch {
    return line;
  }
}

/** What the path stands for; null for one that is neither a list nor a folder. Folders are not followed through links. */
export function repositoriesAt(path: string): readonly string[] | null {
  if (statOf(path)?.isDirectory() === true) return isRepository(path) ? [path] : repositoriesIn(path);
  const read = readText(path);
  return read.ok ? listedRepositories(read.text) : null;
}

function repositoriesIn(root: string): readonly string[] {
  const found: string[] = [];
  const waiting = [{ folder: root, depth: 0 }];
  for (let next = waiting.shift(), looked = 0; next !== undefined && looked < MAX_FOLDERS; next = waiting.shift(), looked += 1) {
    for (const name of foldersIn(next.folder)) {
      const folder = join(next.folder, name);
      if (isRepository(folder)) found.push(folder);
      else if (next.depth + 1 < MAX_DEPTH) waiting.push({ folder, depth: next.depth + 1 });
    }
  }
  return found.sort();
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function isRepository(folder: string): boolean {
  return statOf(join(folder, '.git')) !== undefined || isBare(folder);
}

/** A git directory itself, as servers keep them. A work tree can hold folders of these names, so it is none. */
export function isBare(folder: string): boolean {
  return (
    statOf(join(folder, '.git')) === undefined &&
    ['objects', 'refs'].every((name) => statOf(join(folder, name))?.isDirectory() === true) &&
    statOf(join(folder, 'HEAD')) !== undefined
  );
}
