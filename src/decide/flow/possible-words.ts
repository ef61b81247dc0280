/** The texts that a word with expansions may become, as far as the line shows: for questions, never for a permission. */
import { lastPrinted } from '../../command/wrappers/script-texts.js';
import { braceWords } from './possible-paths.js';
import { applyOperator, type PossibleValues, unquoted } from './possible-values.js';

/** At most this many texts of one word are examined; longer words are not examined. */
const MOST_TEXTS = 48;
const LONGEST_WORD = 512;
/** At most this many rounds of substitution: a value may refer to another value. */
const MOST_ROUNDS = 4;

/** An expansion without another inside it: a name, braces, a substitution, or backticks. Innermost expansions match first. */
const EXPANSION = /\$(?:([A-Za-z_]\w*|[\d@*#?!-])|\{(!?)(\w+|[@*])(\[[^\]]{0,64}\])?([^{}$`]*)\}|\(([^()$`]*)\))|`([^`$]*)`/;

/** Returns the possible texts; every expansion may also be empty. */
export function possibleExpansions(word: string, values: PossibleValues): readonly string[] {
  if (word.length > LONGEST_WORD) return [];
  let texts: readonly string[] = [word];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = texts.flatMap((text) => filled(text, values));
    if (next.length === texts.length && next.every((text, at) => text === texts[at])) break;
    texts = [...new Set(next)].slice(0, MOST_TEXTS);
  }
  return [...new Set(texts.flatMap((text) => braceWords(asLists(unquoted(text)))))].slice(0, MOST_TEXTS);
}

/** Replaces the first expansion of the text. */
function filled(text: string, values: PossibleValues): readonly string[] {
  const found = EXPANSION.exec(text);
  if (found === null) return [text];
  const [whole, bare, indirect, braced, index, operator = '', script, ticked] = found;
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + whole.length);
  const candidates = new Set<string>(['']);
  const inner = script ?? ticked;
  if (inner !== undefined) for (const printed of printedBy(inner, values)) candidates.add(printed);
  const name = bare ?? braced;
  if (name !== undefined)
    for (const one of held(name, indirect === '!', index === undefined ? operator : withoutSlice(operator), values))
      candidates.add(one);
  return [...candidates].map((one) => before + one + after);
}

function held(name: string, indirect: boolean, operator: string, values: PossibleValues): readonly string[] {
  const [, otherwise] = /^:?[-=+]([\s\S]*)$/.exec(operator) ?? [];
  const own = values.of(name).slice(0, MOST_TEXTS);
  const meant = indirect ? [...own, ...own.flatMap((one) => (/^\w+$/.test(one) ? values.of(one) : []))] : own;
  const changed = operator === '' || otherwise !== undefined ? meant : meant.map((value) => applyOperator(value, operator));
  return otherwise === undefined ? changed : [...changed, otherwise];
}

/** What a script prints, if its text shows that; otherwise any of its words. */
function printedBy(script: string, values: PossibleValues): readonly string[] {
  const printed = lastPrinted(script);
  if (printed !== null) return [printed.trim()];
  const words = script.split(/[\s;|&<>'"]+/);
  return values.defines(words[0] ?? '') ? values.words() : words;
}

/** `${a[@]:0:1}` selects elements; it does not cut their text. */
function withoutSlice(operator: string): string {
  return /^:\s*-?\d/.test(operator) ? '' : operator;
}

/** `@(a|b)` is a list like `{a,b}`. A group that may repeat or negate matches any text. */
function asLists(text: string): string {
  return text
    .replace(/[@?]\(([^()]*)\)/g, (_, inside: string) => `{${inside.replaceAll('|', ',')},}`)
    .replace(/[*+!]\([^()]*\)/g, '*');
}
