/** Checks for the entries of stored trees: a damaged store must not pass for one with fewer entries. */
import type { CoverEntry, OverlapEntry } from '../index/command-index.js';
import type { FieldPattern } from '../index/compiled-rule.js';
import type { PathEntry } from '../index/path-index.js';
import type { NameEntry, UrlEntry } from '../index/text-index.js';
import { PATH_ANCHORS } from '../path/pattern.js';
import { EFFECTS, PATTERN_KINDS } from '../pattern/permission-rule.js';

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

/** A pattern that is damaged must not pass for one that compares less. */
export const isFieldPattern: Check<FieldPattern> = (value): value is FieldPattern => {
  if (!isFields(value) || typeof value.name !== 'string' || typeof value.quoted !== 'boolean' || !isFields(value.value))
    return false;
  const { rule, total, covers, meets, path, url, name, fields, always } = value.value;
  return (
    isText(value.kind, PATTERN_KINDS) &&
    isFields(rule) &&
    isText(rule.effect, EFFECTS) &&
    [rule.pattern, rule.tool, rule.text].every((text) => typeof text === 'string') &&
    typeof total === 'boolean' &&
    isList(covers) &&
    covers.every(isReading) &&
    isTexts(meets) &&
    (path === null ||
      (isFields(path) && isText(path.anchor, PATH_ANCHORS) && isList(path.segments) && path.segments.every(isSegment))) &&
    (url === null || isUrlPattern(url)) &&
    (name === null || (isFields(name) && isTexts(name.globs))) &&
    isList(fields) &&
    isTexts(always)
  );
};

function isText(value: unknown, known: readonly string[]): boolean {
  return typeof value === 'string' && known.includes(value);
}
