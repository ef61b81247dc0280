/** Parses most command lines like yargs (parse.ts), without loading it: that takes longer than deciding a call. */
import type { Arguments } from './arguments.js';
import { type Declared, isSwitch } from './declared.js';

/**
 * Returns the arguments of plain words: one word for each argument, any number for one that takes a list, and options by their
 * full names, each given once, as `--switch`, `--option VALUE` or `--option=VALUE`. Null for everything else: short options,
 * `--`, values that begin with a dash or a quote, empty words, and all errors.
 */
export function plainWords(words: readonly string[], declared: Declared): Arguments | null {
  const found = new Map<string, string | true>();
  const free = declared.arguments.filter(({ array }) => array !== true).map(({ name }) => name);
  // No command has another argument after a list.
  const list = declared.arguments.find(({ array }) => array === true)?.name;
  const listed: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const option = optionIn(word, declared);
    const name = option === null ? free.shift() : option.name;
    if (option === null && name === undefined && list !== undefined) {
      if (!PLAIN.test(word)) return null;
      listed.push(word);
      continue;
    }
    if (name === undefined || found.has(name)) return null;
    if (option?.isSwitch === true) {
      // yargs treats the next word as its value.
      if (/^(?:true|false)$/.test(words[at + 1] ?? '')) return null;
      found.set(name, true);
      continue;
    }
    if (option !== null && option.value === null) at += 1;
    const value = option?.value ?? words[at] ?? '';
    if (!PLAIN.test(value)) return null;
    found.set(name, value);
  }
  return { ...Object.fromEntries(found), ...(list !== undefined && listed.length > 0 && { [list]: listed }) };
}

/** yargs strips quotes from a value, and treats a dash as the beginning of an option. */
const PLAIN = /^[^-"']/;

interface Option {
  readonly name: string;
  readonly isSwitch: boolean;
  /** The text after `=`; null if there is none. */
  readonly value: string | null;
}

/** Returns the option that a word names; null if it is no plain option. */
function optionIn(word: string, { options }: Declared): Option | null {
  if (!word.startsWith('--')) return null;
  const end = word.indexOf('=');
  const name = word.slice(2, end < 0 ? undefined : end);
  const option = options.find((one) => one.name === name);
  if (option === undefined || (isSwitch(option) && end >= 0)) return null;
  return { name, isSwitch: isSwitch(option), value: end < 0 ? null : word.slice(end + 1) };
}
