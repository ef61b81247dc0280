import type { LintFile } from '../../files/files.js';
import type { LintProject } from '../../project/project.js';
import type { LintRule, Report } from '../../project/rule.js';

/** Tags, direction marks, zero-width characters and soft hyphens; a joiner between emoji is not included. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/gu;
/** Flags of parts of countries are an emoji followed by tags. */
const FLAG = /\u{1f3f4}$/u;
/** A zero-width space before a fence keeps Markdown from ending an example. */
const FENCE = /^\u200b+(?:`{3}|~{3})$/;

/** What a line says that shows such a character on purpose. */
const SHOWN = /\b(?:unicode|zero[- ]width|invisible|homoglyphs?|U\+[0-9A-F]{4,5})\b/i;

export const hiddenCharacters: LintRule = {
  id: 'content/hidden-characters',
  severity: 'error',
  persona: 'reviewer',
  docs: {
    what: 'A file holds characters that a reader cannot see.',
    why: 'Tag characters and direction marks can hide instructions from the person who reviews them; the model reads them.',
    bad: 'Review the code.<U+E0041><U+E0042>',
    good: 'Review the code.',
    fix: 'Delete the characters.',
  },
  check: (project: LintProject) => project.files.flatMap(check),
};

/** Direction marks and tags are an error, the others a warning, since editors leave them behind; a line about such characters may show one. */
function check({ source }: LintFile): readonly Report[] {
  return hiddenIn(source.text).map(({ index, length, names, isGrave }): Report => {
    const message = `Invisible characters stand here: ${names}.`;
    const at = source.span(index, index + length);
    if (isGrave) return { at, message };
    if (FENCE.test(source.text.slice(index, index + length + 3))) return { at, message, severity: 'info' };
    return SHOWN.test(source.lines[at.line - 1] ?? '')
      ? { at, message, severity: 'info', help: 'Write them as escapes: \\u200b.' }
      : { at, message, severity: 'warning' };
  });
}

export interface Hidden {
  readonly index: number;
  readonly length: number;
  /** The first characters, as `U+E0041 U+E0042 …`. */
  readonly names: string;
  /** They are tags or direction marks, and not what editors leave behind. */
  readonly isGrave: boolean;
}

export function hiddenIn(text: string): readonly Hidden[] {
  return [...text.matchAll(HIDDEN)].flatMap(({ index, 0: hidden }): Hidden[] => {
    if (FLAG.test(text.slice(Math.max(0, index - 2), index))) return [];
    const names = [...hidden]
      .slice(0, 4)
      .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    const isGrave = /[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069]/u.test(hidden);
    return [{ index, length: hidden.length, names: `${names.join(' ')}${[...hidden].length > 4 ? ' …' : ''}`, isGrave }];
  });
}
