/** Compiles path patterns, a gitignore-like syntax, to segments with regular expressions. */

import type { PatternMistake } from '../pattern/pattern-mistake.js';
import type { Effect } from '../pattern/permission-rule.js';
import { globSource } from './glob-source.js';
import { foldPath } from './location.js';
import type { PathAnchor, PathPattern, PathSegment } from './pattern.js';

const MAX_LENGTH = 1024;
const MAX_WILDCARDS = 16;
const MAX_WILDCARDS_IN_SEGMENT = 3;
const WILDCARD = /[*?[{]/;
/** A wildcard, or a character that escapes one. */
const SPECIAL = /[*?[{\\]/;

/**
 * Compiles a path pattern: `//abs`, `~/home`, `/project`, `./x`, `a/b`, `name`. A relative pattern with a `/` begins at the
 * project's root for an allow and at any depth for ask and deny; without one, at any depth for all. Returns a mistake for a
 * pattern that could never match, or could be slow to match.
 */
export function compilePath(pattern: string, effect: Effect): PathPattern | PatternMistake {
  const refused = refuse(pattern);
  if (refused) return refused;
  const { anchor, rest } = anchorOf(pattern, effect);
  const names = rest.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..'))
    return { code: 'rule/path-parent', message: 'A path pattern may not hold ".."; write the path it leads to.' };
  const segments: PathSegment[] = [];
  for (const name of names) {
    const segment = compileSegment(name);
    if ('code' in segment) return segment;
    if (segment.kind !== 'any' || segments.at(-1)?.kind !== 'any') segments.push(segment);
  }
  return simplify(anchor, segments, names);
}

function refuse(pattern: string): PatternMistake | null {
  if (pattern.length > MAX_LENGTH) {
    return { code: 'rule/path-too-long', message: `A path pattern has at most ${MAX_LENGTH} characters.` };
  }
  if (pattern.startsWith('!')) {
    return { code: 'rule/negation', message: 'A path pattern cannot be negated; write a rule with the other effect.' };
  }
  if (/^~[^/]/.test(pattern)) {
    return { code: 'rule/path-home', message: 'Only the own home is known: write ~/… or the absolute path as //home/….' };
  }
  if (pattern.includes('\\') && /\\(?![[\](){} !])/.test(pattern)) {
    return { code: 'rule/backslash', message: 'Separate folders with "/", also on Windows.' };
  }
  const perSegment = pattern.split('/').map(wildcardsIn);
  const total = perSegment.reduce((sum, count) => sum + count, 0);
  if (total <= MAX_WILDCARDS && perSegment.every((count) => count <= MAX_WILDCARDS_IN_SEGMENT)) return null;
  return {
    code: 'rule/path-wildcards',
    message: `A path pattern has at most ${MAX_WILDCARDS} wildcards, and ${MAX_WILDCARDS_IN_SEGMENT} between two "/"; write several rules.`,
  };
}

/** The number of wildcards, where a run of stars counts once. */
function wildcardsIn(segment: string): number {
  if (!SPECIAL.test(segment)) return 0;
  return segment.replace(/\\./g, '').match(/\*+|[?[{]/g)?.length ?? 0;
}

function anchorOf(pattern: string, effect: Effect): { anchor: PathAnchor; rest: string } {
  if (pattern.startsWith('//')) return { anchor: 'root', rest: pattern };
  if (pattern === '~' || pattern.startsWith('~/')) return { anchor: 'home', rest: pattern.slice(1) };
  if (pattern.startsWith('/')) return { anchor: 'project', rest: pattern };
  if (/^\.?\/*$/.test(pattern)) return { anchor: 'project', rest: '' };
  const inner = pattern.replace(/\/+$/, '').includes('/');
  return { anchor: inner && effect === 'allow' ? 'project' : 'anywhere', rest: pattern };
}

function compileSegment(name: string): PathSegment | PatternMistake {
  if (!SPECIAL.test(name)) return { kind: 'literal', text: name, folded: foldPath(name) };
  if (/^\*\*+$/.test(name)) return { kind: 'any' };
  if (!WILDCARD.test(name.replace(/\\./g, ''))) {
    const text = name.replace(/\\(.)/g, '$1');
    return { kind: 'literal', text, folded: foldPath(text) };
  }
  const source = sourceOf(name);
  const folded = sourceOf(foldPath(name));
  if (source === null || folded === null) {
    return {
      code: 'rule/path-brackets',
      message: 'The brackets of the path pattern do not match; escape a literal one as \\[ or \\{.',
    };
  }
  return { kind: 'glob', source, folded };
}

/** The regular expression of one segment; null when none can be made. Everything except wildcards is literal. */
function sourceOf(name: string): string | null {
  const starred = starredSource(name);
  if (starred !== null) return starred;
  if (!balanced(name)) return null;
  const escaped = name.replace(/\\.|\[[!^]?\]?[^\]]*\]|[()|+@^$"]/g, (text) => {
    if (text.startsWith('[')) return text.replace(/^\[!/, '[^');
    return text.startsWith('\\') ? text : `\\${text}`;
  });
  return globSource(escaped);
}

/**
 * The source that micromatch makes of the most common globs (`*`, `*.pem`, `.env*`, `id_*.pub`), without loading it; null for
 * every other. A test compares it with micromatch's own.
 */
function starredSource(name: string): string | null {
  if (name === '*') return `^(?:${NO_DOTS}(?=.)[^/]*?\\/?)$`;
  if (/^\*(?:\.[A-Za-z0-9]+)+$/.test(name)) return `^(?:${NO_DOTS}(?=.)[^/]*?${name.slice(1).replaceAll('.', '\\.')}\\/?)$`;
  if (!/^\.?[A-Za-z0-9_](?:[\w.*]|-(?!-))*$/.test(name)) return null;
  return `^(?:^(?:${name.replace(/[.-]/g, '\\$&').replace(/\*+/g, '[^/]*?')})$)$`;
}

/** Neither `.` nor `..`. */
const NO_DOTS = '(?!(?:^|\\/)\\.{1,2}(?:\\/|$))';

/** Whether every `[` and `{` is closed in the same segment. */
function balanced(name: string): boolean {
  const plain = name.replace(/\\./g, '').replace(/\[[!^]?\]?[^\]]*\]/g, '');
  if (plain.includes('[')) return false;
  let depth = 0;
  for (const character of plain) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (depth < 0) return true;
  }
  return depth === 0;
}

/** Simplifies a pattern: `src/**` and `src/` mean the same as `src`; a leading `**` becomes the anchor `anywhere`. */
function simplify(anchor: PathAnchor, segments: PathSegment[], names: readonly string[]): PathPattern {
  while (segments.at(-1)?.kind === 'any') segments.pop();
  if (anchor === 'project' || anchor === 'anywhere') {
    if (segments[0]?.kind === 'any') return { anchor: 'anywhere', segments: segments.slice(1) };
    if (names.length === 1 && names[0] === '*') return { anchor, segments: [] };
  }
  return { anchor, segments };
}
