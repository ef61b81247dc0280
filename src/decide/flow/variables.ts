/** The values of variables and arrays that a line sets only once. */

import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { namesRead, stdinAsWord } from './stdin.js';

/** The maximum number of values of one word, and of variables examined. */
export const MOST_TEXTS = 32;
/** Longer values are not taken for folders or short commands. */
const LONGEST_VALUE = 512;

const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'local', 'declare', 'typeset', 'readonly']);
const SETTING: ReadonlySet<string> = new Set([...DECLARATIONS, 'read', 'mapfile', 'readarray', 'getopts', 'printf', 'unset']);

/** Variables and arrays that the line names only once, where it sets them; any other may have a different value where it is used. */
export function variablesOf(source: string, commands: readonly Command[]): Map<string, readonly string[]> {
  const variables = new Map<string, readonly string[]>();
  let times: ReadonlyMap<string, number> | null = null;
  const parts = separators(source);
  const once = new Map<string, boolean>();
  const isOnce = (name: string) => {
    const known = once.get(name) ?? isNamedOnce(source, name);
    once.set(name, known);
    return known;
  };
  const set = (name: string, value: string) => {
    if (variables.size >= MOST_TEXTS || value.length > LONGEST_VALUE || !isOnce(name)) return;
    variables.set(name, withParts(elements(value), parts));
  };
  const setByLoop = (name: string, words: readonly string[]) => {
    if (variables.size >= MOST_TEXTS || words.length === 0) return;
    times ??= timesSet(source, commands);
    if ((times.get(name) ?? 0) <= 1) variables.set(name, words);
  };
  const setByPrintf = ([, , name, ...words]: readonly ShellWord[]) => {
    if (name?.value && /^[A-Za-z_]\w*$/.test(name.value)) set(name.value, words.map(textOf).join(' '));
  };
  for (const [at, command] of commands.entries()) {
    const names = namesRead(command);
    const fed = names.length === 0 ? null : stdinAsWord(commands, at);
    if (fed !== null) for (const name of names) setByLoop(name, [fed]);
  }
  for (const [, name = '', list = ''] of source.matchAll(LOOP)) setByLoop(name, wordsOfLoop(list));
  for (const { invocation } of flatten(commands)) {
    const { argv, assignments } = invocation;
    if (argv.length === 0)
      for (const { name, value, span } of assignments)
        set(name, value ?? source.slice(span.start, span.end).replace(/^\w+\+?=/, ''));
    else if (argv[0]?.value === 'printf' && argv[1]?.value === '-v') setByPrintf(argv);
    else if (DECLARATIONS.has(argv[0]?.value ?? ''))
      for (const word of argv.slice(1)) {
        const named = /^([A-Za-z_]\w*)=/.exec(word.text);
        if (named?.[1] !== undefined) set(named[1], textOf(word).slice(named[0].length));
      }
  }
  return variables;
}

/** The characters at which the shell splits values because of `IFS=:`. */
export function separators(source: string): string {
  const [, written = ''] = (source.includes('IFS=') && /\bIFS=(\S{1,8})/.exec(source)) || [];
  return written.replace(/[\w\s'"$;\\]/g, '');
}

/** The texts, followed by each one as the shell would split it. */
export function withParts(texts: readonly string[], characters: string): readonly string[] {
  return characters === '' ? texts : [...texts, ...texts.map((text) => partedAt(text, characters))];
}

function partedAt(value: string, characters: string): string {
  return Array.from(value, (one) => (characters.includes(one) ? ' ' : one)).join('');
}

/** `for f in ~/* "$(ls /)"; do`. */
const LOOP = /\bfor[ \t]+([A-Za-z_]\w{0,63})[ \t]+in[ \t]+([^;\n]{1,512})/g;

function wordsOfLoop(list: string): readonly string[] {
  return (isSubstituted(list) ? [list] : list.split(/[ \t]+/)).filter((word) => word !== '').slice(0, MOST_TEXTS);
}

/** How many commands and loops of the line set each variable. It may be named elsewhere too (`find -type f | while read f`). */
function timesSet(source: string, commands: readonly Command[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const add = (name: string) => times.set(name, (times.get(name) ?? 0) + 1);
  for (const [, name = ''] of source.matchAll(LOOP)) add(name);
  for (const { invocation } of flatten(commands)) {
    const { argv, assignments } = invocation;
    const names = new Set(assignments.map(({ name }) => name));
    if (SETTING.has(argv[0]?.value ?? ''))
      for (const { text } of argv.slice(1)) {
        const name = /^([A-Za-z_]\w*)(?:=|$)/.exec(text)?.[1];
        if (name !== undefined) names.add(name);
      }
    for (const name of names) add(name);
  }
  return times;
}

/** `(/ "/etc")` contains two words; any other value is one word. */
function elements(value: string): readonly string[] {
  const list = /^\(([\s\S]*)\)$/.exec(value.trim())?.[1];
  if (list === undefined) return [value];
  return isSubstituted(list) ? [list] : list.split(/\s+/).filter((word) => word !== '');
}

/** Whether the text contains a substitution, whose blanks do not separate words. */
export function isSubstituted(text: string): boolean {
  return /[(`]/.test(text);
}

/** Whether the name occurs exactly once in the line without a preceding `$` or `${`. */
function isNamedOnce(source: string, name: string): boolean {
  let count = 0;
  for (let at = source.indexOf(name); at >= 0 && count <= 1; at = source.indexOf(name, at + name.length)) {
    if (/[-\w$]/.test(source.charAt(at - 1)) || /\w/.test(source.charAt(at + name.length))) continue;
    if (source.charAt(at - 1) === '{' && source.charAt(at - 2) === '$') continue;
    count += 1;
  }
  return count === 1;
}

/** The word as the shell reads it; a leading `~` is kept. */
export function textOf({ text, value, tilde }: ShellWord): string {
  return tilde ? text : (value ?? text);
}
