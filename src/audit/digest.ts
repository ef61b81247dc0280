/** Files as evidence: their text and the digest that ties a statement about them to these very bytes. */
import { relative, resolve } from 'node:path';
import { readText } from '../enforce/files/read.js';
import { digestOf } from '../enforce/project/trust-record.js';
import { maskText } from '../log/record/mask-text.js';
import type { Place } from './report.js';

const MAX_EXCERPT = 400;
const MAX_MASKED = 8_192;

/** A place in a file as policies and definitions name it: relative to the project, or absolute. Null when it cannot be read. */
export function placeIn(project: string, file: string, line: number): Place | null {
  const read = readText(resolve(project, file));
  return read.ok ? { file, line, digest: digestOf(read.text) } : null;
}

/** A path as the report shows it: relative when it lies in the project. */
export function shownFile(project: string, file: string): string {
  const inside = relative(project, file);
  return inside === '' || inside.startsWith('..') ? file : inside;
}

/** A text of a stranger for the report: secrets masked, cut to `most` characters. */
export function excerptOf(text: string, most = MAX_EXCERPT): string {
  const masked = maskText(text.slice(0, MAX_MASKED));
  return masked.length <= most ? masked : `${masked.slice(0, most)}…`;
}
