/** Checks for the entries of stored trees: a damaged store must not pass for one with fewer entries. */
import type { CoverEntry, OverlapEntry } from '../index/command-index.js';
import type { PathEntry } from '../index/path-index.js';
import type { NameEntry, UrlEntry } from '../index/text-index.js';

export type Check<Entry> = (value: unknown) => value is Entry;

type Fields = Readonly<Record<string, unknown>>;

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isNumbers(value: unknown): value is readonly number[] {
  return isList(value) && value.every((one) => typeof one === 'number');
}

export function isTexts(value: unknown): value is readonly string[] {
  return isList(value) && value.every((one) => typeof one === 'string');
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

export const isOverlapEntry: Check<OverlapEntry> = (value): value is OverlapEntry =>
  isFields(value) && typeof value.rule === 'number' && typeof value.glob === 'string' && typeof value.verify === 'boolean';

export const isCoverEntry: Check<CoverEntry> = (value): value is CoverEntry =>
  isFields(value) && typeof value.rule === 'number' && isReading(value.reading);

function isReading(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { words, end, text, name, literals, wild } = value;
  return (
    isTexts(words) &&
    typeof end === 'string' &&
    typeof text === 'string' &&
    (name === null || typeof name === 'string') &&
    isTexts(literals) &&
    typeof wild === 'boolean'
  );
}

export const isPathEntry: Check<PathEntry> = (value): value is PathEntry =>
  isFields(value) && typeof value.rule === 'number' && isList(value.segments) && value.segments.every(isSegment);

function isSegment(value: unknown): boolean {
  if (!isFields(value)) return false;
  const { kind, folded, text, source } = value;
  return kind === 'any' || (typeof folded === 'string' && typeof (kind === 'literal' ? text : source) === 'string');
}

export const isUrlEntry: Check<UrlEntry> = (value): value is UrlEntry =>
  isFields(value) && typeof value.rule === 'number' && isUrlPattern(value.pattern);

function isUrlPattern(value: unknown): boolean {
  if (!isFields(value)) return false;
  if (value.kind === 'text') return typeof value.glob === 'string';
  const { host } = value;
  const hosted = isFields(host) && typeof host.scope === 'string' && typeof host.host === 'string';
  if (value.kind === 'domain') return hosted;
  return hosted && [value.scheme, value.port, value.path].every((part) => typeof part === 'string');
}

export const isNameEntry: Check<NameEntry> = (value): value is NameEntry =>
  isFields(value) && typeof value.rule === 'number' && typeof value.glob === 'string';
