/** Files as evidence: their text, and the digest that ties a statement about them to exactly these bytes. */
import { relative, resolve } from 'node:path';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { maskText } from '../../log/record/mask-text.js';
import { digestOf } from '../../project/trust-record.js';
import type { Place } from './report.js';

const MAX_EXCERPT = 400;
const MAX_MASKED = 8_192;

/**
 * Returns a place in a file as policies and definitions name it: relative to the project, or absolute. Null when the file cannot be read.
 */
export function placeIn(project: string, file: string, line: number): Place | null {
  const read = readText(resolve(project, file));
  return read.ok ? { file, line, digest: digestOf(read.text) } : null;
}

/** Returns one digest over many files: over their names and digests, in this order. */
export function digestOfFiles(files: readonly { readonly file: string; readonly digest: string }[]): string {
  return digestOf(files.map(({ file, digest }) => `${file}\0${digest}\n`).join(''));
}

/** Returns a path in the form of the report: relative if it is in the project. */
export function shownFile(project: string, file: string): string {
  const inside = relative(project, file);
  return inside === '' || inside.startsWith('..') ? file : inside;
}

/**
 * Returns one line of a file (relative to the project, or absolute) without its indentation; empty if there is none, and for a symlink of
 * the project that leads out of it: a repository must not choose which files of a machine a report quotes. Mask the line before showing it.
 */
export function lineOfFile(project: string, file: string, line: number): string {
  const path = resolve(project, file);
  if (isInside(path, project) && !isInside(realPath(path) ?? path, project)) return '';
  const read = readText(path);
  return read.ok ? (read.text.split('\n')[line - 1] ?? '').trim() : '';
}

/** Prepares a stranger's text for the report: secrets masked, cut to `most` characters. */
export function excerptOf(text: string, most = MAX_EXCERPT): string {
  const masked = maskText(text.slice(0, MAX_MASKED));
  return masked.length <= most ? masked : `${masked.slice(0, most)}…`;
}
