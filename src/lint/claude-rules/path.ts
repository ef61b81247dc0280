/** Specifiers of Read and Edit rules: gitignore patterns, and the paths that they match, as a language. */

import { type Language, literal, oneWithout, optional, type Row, RUN, runWithout } from '../../rule/inclusion/language.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { dead, type PathAnchor, type Reach } from './rule.js';

/** Folders in a system's root that projects do not have at their own top level. */
export const SYSTEM = /^\/(?:etc|usr|var|tmp|home|Users|root|opt|proc|dev|sys|Volumes|mnt|private|Library)(?:\/|$)/;

export function pathReach(specifier: string): Reach {
  if (specifier.startsWith('!')) return dead('negation', 'a pattern cannot be negated with "!"');
  if (/^\.\.(?:\/|$)/.test(specifier))
    return dead('parent', 'a pattern cannot lead up with ".."; write //absolute/path or ~/path');
  if (/\{[^{}]*,[^{}]*\}/.test(specifier))
    return dead('braces', 'braces are plain characters: write one rule for each of the names');
  if (/\*,\s*\S/.test(specifier)) return dead('list', 'one rule has one pattern: the comma is a plain character');
  if (isWindowsPath(specifier) || specifier.trim() !== specifier) return { kind: 'unread' };
  if (specifier.startsWith('//')) return path('root', specifier.slice(2));
  if (specifier.startsWith('~/')) return path('home', specifier.slice(2));
  if (specifier.startsWith('/')) return path('settings', specifier.slice(1));
  return path('directory', specifier.replace(/^(?:\.\/)+/, ''));
}

function path(anchor: PathAnchor, pattern: string): Reach {
  return { kind: 'path', anchor, pattern };
}

/** `C:\Users`, `C:/Users` or `src\app`; not `app/\[id\]`, in which backslashes escape the brackets. */
export function isWindowsPath(specifier: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(specifier) || /^\\\\\w/.test(specifier) || (/\\\w/.test(specifier) && !specifier.includes('/'));
}

/** Longer patterns are not compared: each `**` may also match nothing. */
const MOST_CHARACTERS = 1_000;

/**
 * Returns the paths below the anchor that a pattern matches, in lower case, since Claude Code compares paths case-insensitively;
 * null for a pattern with brackets or backslashes. A pattern with a slash before its end starts at the anchor, except that
 * `name/**` under deny and ask means `name` at any depth; everything below a matching folder matches.
 */
export function pathLanguage(pattern: string, anchor: PathAnchor, effect: Effect): Language | null {
  if (pattern.length > MOST_CHARACTERS || /[[\]\\]/.test(pattern)) return null;
  const folder = /^(.*[^/*])\/\*\*$/s.exec(pattern.toLowerCase())?.[1];
  const loose = anchor === 'directory' && effect !== 'allow' && folder !== undefined && !folder.includes('/');
  const body = (loose ? folder : pattern.toLowerCase()).replace(/\/+$/, '');
  if (body === '') return [RUN];
  const anchored = anchor !== 'directory' || body.includes('/');
  const row = [...(anchored ? [] : ANY_FOLDERS), ...segmentsRow(body.split('/'))];
  return [[...row, ...BELOW]];
}

const ANY_FOLDERS: Row = optional([...RUN, ...literal('/')]);
const BELOW: Row = optional([...literal('/'), ...RUN]);

/** `**` matches any number of folders, `*` any run of characters in one name, `?` one character. */
function segmentsRow(segments: readonly string[]): Row {
  return segments.flatMap((segment, index): Row => {
    const last = index === segments.length - 1;
    if (segment === '**') return last ? RUN : ANY_FOLDERS;
    return [...nameRow(segment), ...(last ? [] : literal('/'))];
  });
}

function nameRow(name: string): Row {
  return Array.from(name).flatMap((character) =>
    character === '*' ? runWithout('/') : character === '?' ? oneWithout('/') : literal(character),
  );
}
