/** The place of a part of a hook's command line in the file: JSON writes quotes and backslashes with more than one character. */

import type { HookCommand, HookHandler } from '../project/handlers.js';
import type { Span } from '../text/finding.js';
import { offsetInString } from '../text/json-text.js';

/** Offsets in the text of the file; null when they are not certain. */
export interface CommandPlace {
  readonly span: Span;
  readonly raw: { readonly start: number; readonly end: number } | null;
}

/** Returns the place of the characters `start` to `end` of a command line. */
export function placeInCommand({ file, data }: HookHandler, command: HookCommand, start: number, end: number): CommandPlace {
  const { source, path } = file;
  const whole = data.valueSpan(command.pointer);
  const quote = source.offsetAt(whole);
  if (file.kind !== 'config' || path.endsWith('.toml') || source.text[quote] !== '"')
    return { span: data.insideSpan(command.pointer, start, end), raw: null };
  const raw = { start: offsetInString(source.text, quote, start), end: offsetInString(source.text, quote, end) };
  return { span: source.span(raw.start, raw.end), raw };
}
