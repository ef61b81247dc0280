/** The permission rules of a Claude Code settings file, with their places. */
import { pointerTo } from '../../policy/read/pointer.js';
import { EFFECTS, type Effect } from '../../rule/pattern/permission-rule.js';
import type { ConfigFile } from '../files/files.js';
import { MOST_SETTINGS_RULES } from '../files/policy-rules.js';
import type { Fix, RelatedPlace, Span } from '../text/finding.js';
import { readClaudeRule } from './read.js';
import type { ClaudeRule } from './rule.js';

/** A rule as written in a file. */
export interface ClaudeEntry extends ClaudeRule {
  readonly file: ConfigFile;
  readonly span: Span;
  /** Offsets of the string including its quotes. */
  readonly start: number;
  readonly end: number;
  /** Its index in the list. */
  readonly index: number;
  /** False if, because of escapes, the string differs from its source text. */
  readonly verbatim: boolean;
}

const read = new WeakMap<ConfigFile, readonly ClaudeEntry[]>();

/** Returns the rules of a settings file in the order allow, ask, deny, up to a maximum for each list; empty for other files. */
export function claudeEntries(file: ConfigFile): readonly ClaudeEntry[] {
  const before = read.get(file);
  if (before !== undefined) return before;
  const entries = file.config === 'claude-settings' ? EFFECTS.flatMap((effect) => entriesWithEffect(file, effect)) : [];
  read.set(file, entries);
  return entries;
}

/** Whether a list has more rules than are examined. */
export function hasMoreEntries({ data }: ConfigFile): boolean {
  return EFFECTS.some((effect) => {
    const list = data?.at(`/permissions/${effect}`);
    return Array.isArray(list) && list.length > MOST_SETTINGS_RULES;
  });
}

function entriesWithEffect(file: ConfigFile, effect: Effect): ClaudeEntry[] {
  const { data, source } = file;
  const list = data?.at(`/permissions/${effect}`);
  if (data === null || !Array.isArray(list)) return [];
  return list.slice(0, MOST_SETTINGS_RULES).flatMap((text: unknown, index): ClaudeEntry[] => {
    if (typeof text !== 'string') return [];
    const pointer = pointerTo(`/permissions/${effect}`, index);
    const whole = data.valueSpan(pointer);
    const start = source.offsetAt(whole);
    const end = source.offsetAt({ line: whole.endLine, column: whole.endColumn });
    const verbatim = source.text.slice(start + 1, end - 1) === text && text !== '';
    const span = verbatim ? source.span(start + 1, end - 1) : whole;
    return [{ ...readClaudeRule(text, effect), file, span, start, end, index, verbatim }];
  });
}

/** Returns entries of rule lists that are not strings but numbers, maps and the like, up to a maximum. */
export function entriesThatAreNoTexts({ config, data }: ConfigFile): { readonly at: Span; readonly value: unknown }[] {
  if (config !== 'claude-settings' || data === null) return [];
  return EFFECTS.flatMap((effect) => {
    const list = data.at(`/permissions/${effect}`);
    if (!Array.isArray(list)) return [];
    return list.slice(0, MOST_SETTINGS_RULES).flatMap((value: unknown, index) => {
      if (typeof value === 'string') return [];
      return [{ at: data.valueSpan(pointerTo(`/permissions/${effect}`, index)), value }];
    });
  });
}

/** Returns the span of the characters `from` to `to` of a rule's text. */
export function partSpan({ file, start, span, verbatim }: ClaudeEntry, from: number, to: number): Span {
  return verbatim ? file.source.span(start + 1 + from, start + 1 + to) : span;
}

/** Returns the span of a rule's specifier, without its parentheses. */
export function specifierSpan(entry: ClaudeEntry): Span {
  const open = entry.text.indexOf('(');
  return open < 0 ? entry.span : partSpan(entry, open + 1, entry.text.length - 1);
}

export function relatedTo({ span }: ClaudeEntry, message: string): RelatedPlace {
  return { message, file: span.file, line: span.line, column: span.column };
}

/** Replaces one rule by another. Null for an allow rule: a correction that nobody reviewed must not allow more than before. */
export function replacing(entry: ClaudeEntry, instead: string | null): Fix | null {
  if (instead === null || entry.effect === 'allow') return null;
  const { file, start, end } = entry;
  return { description: `Write ${instead}.`, edits: [{ file: file.path, start, end, text: JSON.stringify(instead) }] };
}

/** Removes rules from their lists, with the commas between them; null if a list contains anything other than strings. */
export function removing(entries: readonly ClaudeEntry[], description: string): Fix | null {
  const edits: Fix['edits'][number][] = [];
  const gone = new Set(entries);
  for (const entry of entries) {
    const list = listOf(entry);
    if (list === null) return null;
    const next = list[entry.index + 1];
    if (next !== undefined && !(gone.has(next) && isLastRun(list, entry.index, gone)))
      edits.push(edit(entry, entry.start, next.start));
    else if (next === undefined) edits.push(lastRun(list, entry, gone));
  }
  return edits.length === 0 ? null : { description, edits };
}

/** Returns the rules of the list that contains the entry; null if the list contains other values as well. */
function listOf({ file, effect }: ClaudeEntry): readonly ClaudeEntry[] | null {
  const lists = listsOf.get(file) ?? new Map<Effect, readonly ClaudeEntry[] | null>();
  listsOf.set(file, lists);
  const before = lists.get(effect);
  if (before !== undefined) return before;
  const list = file.data?.at(`/permissions/${effect}`);
  const all = claudeEntries(file).filter((entry) => entry.effect === effect);
  const found = Array.isArray(list) && list.length === all.length ? all : null;
  lists.set(effect, found);
  return found;
}

const listsOf = new WeakMap<ConfigFile, Map<Effect, readonly ClaudeEntry[] | null>>();

/** Whether all rules after a place are removed: then a single edit removes them all. */
function isLastRun(list: readonly ClaudeEntry[], from: number, gone: ReadonlySet<ClaudeEntry>): boolean {
  for (let at = list.length - 1; at > from; at--) {
    const entry = list[at];
    if (entry !== undefined && !gone.has(entry)) return false;
  }
  return true;
}

/** Returns the removed rules at the end of a list, with the comma before them. */
function lastRun(list: readonly ClaudeEntry[], last: ClaudeEntry, gone: ReadonlySet<ClaudeEntry>): Fix['edits'][number] {
  const kept = list.findLast((entry) => !gone.has(entry));
  return edit(last, kept === undefined ? (list[0]?.start ?? last.start) : kept.end, last.end);
}

function edit({ file }: ClaudeEntry, start: number, end: number): Fix['edits'][number] {
  return { file: file.path, start, end, text: '' };
}
