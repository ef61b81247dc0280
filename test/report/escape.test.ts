// What a terminal would obey is shown, never sent.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeJson, escapeText } from '../../src/report/printing/escape.js';

const rows: readonly (readonly [what: string, text: string, printed: string])[] = [
  ['plain text stays', 'git push origin main', 'git push origin main'],
  ['umlauts, Chinese and emoji stay', 'naïve 日本語 🚫 ⚠️', 'naïve 日本語 🚫 ⚠️'],
  ['a line break cannot forge a second line', 'deny\nallow', 'deny\\nallow'],
  ['a carriage return cannot overwrite the line', 'deny\rallow', 'deny\\rallow'],
  ['a tab', 'a\tb', 'a\\tb'],
  ['NUL', 'a\u0000b', 'a\\x00b'],
  ['an escape sequence cannot colour or clear', '\u001b[2J\u001b[31m', '\\x1b[2J\\x1b[31m'],
  ['backspace cannot erase', 'ab\b\b', 'ab\\x08\\x08'],
  ['delete', '\u007f', '\\x7f'],
  ['the one-byte CSI of C1', '\u009b31m', '\\x9b31m'],
  ['next line (C1)', '\u0085', '\\x85'],
  ['left-to-right and right-to-left marks', '\u200e\u200f', '\\u200e\\u200f'],
  ['bidi embedding and override', '\u202a\u202b\u202c\u202d\u202e', '\\u202a\\u202b\\u202c\\u202d\\u202e'],
  ['bidi isolates', '\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
  ['Arabic letter mark', '\u061c', '\\u061c'],
  ['line and paragraph separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['zero-width space, joiners and word joiner', '\u200b\u200c\u200d\u2060', '\\u200b\\u200c\\u200d\\u2060'],
  ['byte order mark', '\ufeff', '\\ufeff'],
  ['soft hyphen', '\u00ad', '\\xad'],
  ['Hangul filler, a letter without a shape', '\u3164', '\\u3164'],
  ['tag characters that carry hidden text', '\u{e0041}\u{e0042}', '\\u{e0041}\\u{e0042}'],
  ['variation selectors that carry hidden bytes', '\u{e0100}', '\\u{e0100}'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
];

/** What looks like something else is shown by its number; in JSON it stays. */
for (const [what, text, printed] of [
  ['a blank that is none', 'rm\u00a0-rf x\u2003y', 'rm\\xa0-rf x\\u2003y'],
  ['letters that look like Latin ones', 'cat s\u0441ript \u03bfut/a\u0430', 'cat s\\u0441ript \\u03bfut/a\\u0430'],
  ['Russian and Greek words stay', 'кабель USB-кабель λόγος', 'кабель USB-кабель λόγος'],
] as const)
  test(`escaped: ${what}`, () => assert.is(escapeText(text), printed));

for (const [what, text, printed] of rows)
  test(`escaped for people: ${what}`, () => {
    assert.is(escapeText(text), printed);
  });

for (const [what, text] of rows)
  test(`escaped in JSON, and the same after parsing: ${what}`, () => {
    const json = escapeJson(JSON.stringify({ text }));
    assert.equal(JSON.parse(json), { text });
    assert.is(escapeText(json), json);
  });

test.run();
