/** What a word that only the shell can finish may become, as far as the line tells: for questions, never for a permission. */
import { lastPrinted } from '../../command/wrappers/script-texts.js';
import { braceWords } from './possible-paths.js';
import { applyOperator, type PossibleValues, unquoted } from './possible-values.js';

/** Texts of one word behind these are not looked at, nor longer words. */
const MOST_TEXTS = 48;
const LONGEST_WORD = 512;
/** A value may name a value. */
const MOST_ROUNDS = 4;

/** An expansion: a name, braces, a substitution, backticks; innermost ones first, as none of them holds another. */
const EXPANSION = /\$(?:([A-Za-z_]\w*|[\d@*#?!-])|\{(!?)(\w+|[@*])(\[[^\]]{0,64}\])?([^{}$`]*)\}|\(([^()$`]*)\))|`([^`$]*)`/;

/** The texts; every expansion may also be empty. */
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

/** The text with its first expansion filled in. */
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

/** What a script prints, where its text shows it; else any of its words. */
function printedBy(script: string, values: PossibleValues): readonly string[] {
  const printed = lastPrinted(script);
  if (printed !== null) return [printed.trim()];
  const words = script.split(/[\s;|&<>'"]+/);
  return values.defines(words[0] ?? '') ? values.words() : words;
}

/** `${a[@]:0:1}` chooses elements, and does not cut them. */
function withoutSlice(operator: string): string {
  return /^:\s*-?\d/.test(operator) ? '' : operator;
}

/** `@(a|b)` is a list like `{a,b}`; what may stand there several times, or not at all, is any text. */
function asLists(text: string): string {
  return text
    .replace(/[@?]\(([^()]*)\)/g, (_, inside: string) => `{${inside.replaceAll('|', ',')},}`)
    .replace(/[*+!]\([^()]*\)/g, '*');
}
