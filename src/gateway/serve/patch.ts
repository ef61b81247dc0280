/** `codex_apply_patch`: reads a patch in the format of Codex strictly, and makes the new texts of its files. */
import { lstatSync } from 'node:fs';
import { patchPaths } from '../../call/patch.js';
import { type FileChange, insideProject, readWhole, ToolFailure } from './place.js';

interface Hunk {
  /** The line behind `@@`, from which on the hunk applies; null: none. */
  readonly behind: string | null;
  readonly lines: readonly { readonly sign: ' ' | '-' | '+'; readonly text: string }[];
  /** It ends with `*** End of File`. */
  readonly atEnd: boolean;
}

type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly to: string | null; readonly hunks: readonly Hunk[] };

const LARGEST_FILE = 4 * 1024 * 1024;
const HEADER = /^\*\*\* (Add|Delete|Update) File: (\S.*)$/;
const MOVE = /^\*\*\* Move to: (\S.*)$/;

/** Returns what a patch changes. Throws ToolFailure if it is no patch or does not fit. Nothing is changed yet. */
export function patchChanges(patch: string, project: string): readonly FileChange[] {
  const judged = new Set(patchPaths(patch).paths);
  const changes = new Map<string, FileChange>();
  const change = (path: string, after: string | null, isNew: boolean) => {
    // What was judged is what the engine has found in the patch.
    if (!judged.has(path)) throw new ToolFailure(`the path ${JSON.stringify(path)} cannot be read with certainty`);
    const absolute = insideProject(path, project);
    if (changes.has(absolute)) throw new ToolFailure(`the patch names ${path} twice`);
    if (isNew && lstatSync(absolute, { throwIfNoEntry: false }) !== undefined) throw new ToolFailure(`${path} exists already`);
    changes.set(absolute, { path: absolute, before: isNew ? null : readWhole(absolute, LARGEST_FILE), after });
  };
  for (const file of filePatches(patch)) {
    if (file.kind === 'add') change(file.path, file.text, true);
    else if (file.kind === 'delete') change(file.path, null, false);
    else {
      const after = updated(file.path, readWhole(insideProject(file.path, project), LARGEST_FILE), file.hunks);
      change(file.path, file.to === null ? after : null, false);
      if (file.to !== null) change(file.to, after, true);
    }
  }
  return [...changes.values()];
}

function filePatches(patch: string): readonly FilePatch[] {
  const lines = patch.trim().split(/\r?\n/);
  if (lines.shift() !== '*** Begin Patch') throw new ToolFailure('the patch does not begin with *** Begin Patch');
  if (lines.pop() !== '*** End Patch') throw new ToolFailure('the patch does not end with *** End Patch');
  const files: FilePatch[] = [];
  while (lines.length > 0) files.push(nextFile(lines));
  if (files.length === 0) throw new ToolFailure('the patch changes nothing');
  return files;
}

/** Takes the lines of one file. */
function nextFile(lines: string[]): FilePatch {
  const first = lines.shift() ?? '';
  const [, kind, path = ''] = HEADER.exec(first.trimEnd()) ?? [];
  if (kind === 'Delete') return { kind: 'delete', path };
  if (kind === 'Add') {
    const added = taken(lines, /^\+/).map((line) => line.slice(1));
    return { kind: 'add', path, text: added.length === 0 ? '' : `${added.join('\n')}\n` };
  }
  if (kind !== 'Update') throw unexpected(first);
  const [, to = null] = MOVE.exec((lines[0] ?? '').trimEnd()) ?? [];
  if (to !== null) lines.shift();
  const hunks: Hunk[] = [];
  while (lines.length > 0 && !HEADER.test(lines[0] ?? '')) hunks.push(nextHunk(lines, hunks.length === 0));
  if (hunks.length === 0 && to === null) throw new ToolFailure(`the patch does not say what changes in ${path}`);
  return { kind: 'update', path, to, hunks };
}

function nextHunk(lines: string[], isFirst: boolean): Hunk {
  const [, behind] = /^@@(?: (.*))?$/.exec(lines[0] ?? '') ?? [];
  const isMarked = /^@@(?: |$)/.test(lines[0] ?? '');
  if (isMarked) lines.shift();
  else if (!isFirst) throw unexpected(lines[0] ?? '');
  // An empty line is one of the file, whose space got lost.
  const body = taken(lines, /^(?:[ +-]|$)/).map((line) => ({
    sign: (line.charAt(0) || ' ') as ' ' | '-' | '+',
    text: line.slice(1),
  }));
  const atEnd = lines[0] === '*** End of File';
  if (atEnd) lines.shift();
  if (!body.some(({ sign }) => sign !== ' '))
    throw isMarked || body.length > 0 ? new ToolFailure('a hunk changes nothing') : unexpected(lines[0] ?? '');
  return { behind: behind ?? null, lines: body, atEnd };
}

function taken(lines: string[], pattern: RegExp): string[] {
  const end = lines.findIndex((line) => !pattern.test(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function unexpected(line: string): ToolFailure {
  return new ToolFailure(`the patch has an unexpected line: ${JSON.stringify(line.slice(0, 100))}`);
}

/** Returns the new text of a file. Each hunk applies behind the one before. */
function updated(path: string, text: string, hunks: readonly Hunk[]): string {
  const lines = text.split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const end = text.includes('\r\n') ? '\r' : '';
  const result: string[] = [];
  let from = 0;
  for (const { behind, lines: body, atEnd } of hunks) {
    const start = behind === null || behind === '' ? from : placeOf(lines, [behind], from, false) + 1;
    if (start === 0 && behind) throw new ToolFailure(`${path} has no line ${JSON.stringify(behind.slice(0, 100))}`);
    const old = body.filter(({ sign }) => sign !== '+').map(({ text: line }) => line);
    // What is only added stands behind its line, or at the end.
    const at = old.length > 0 ? placeOf(lines, old, start, atEnd) : behind ? start : lines.length;
    if (at < 0) throw new ToolFailure(`${path} does not have these lines there:\n${old.slice(0, 5).join('\n').slice(0, 500)}`);
    result.push(...lines.slice(from, at));
    let next = at;
    for (const { sign, text: line } of body) {
      if (sign === '+') result.push(line.endsWith('\r') ? line : `${line}${end}`);
      else if (sign === ' ') result.push(lines[next++] ?? '');
      else next += 1;
    }
    from = next;
  }
  result.push(...lines.slice(from));
  return result.length === 0 ? '' : `${result.join('\n')}\n`;
}

/** Returns where lines stand in a file, from a place on: exactly, else without the blanks at their ends; -1: nowhere. */
function placeOf(lines: readonly string[], wanted: readonly string[], from: number, atEnd: boolean): number {
  for (const form of [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    const last = lines.length - wanted.length;
    for (let at = atEnd ? Math.max(from, last) : from; at <= last; at += 1)
      if (wanted.every((line, offset) => form(lines[at + offset] ?? '') === form(line))) return at;
  }
  return -1;
}
