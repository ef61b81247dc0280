/**
 * Other names for what a command does, for rules that ask or deny: `npm exec x` for `npx x`, `kubectl get secrets` for `kubectl
 * get secret`.
 */
import { member } from '../../generated/data.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { literalWord } from './spelled-words.js';

/** The entry of rules/same-commands.yaml for the commands of one name. */
interface SameCommands {
  readonly same: readonly (readonly string[])[];
  readonly kinds: readonly (readonly string[])[];
}

type Words = readonly ShellWord[];

/** At most this many words that name kinds are followed; a call with more asks about all of them. */
const MOST_KINDS = 4;

/** The words of a command under other names for what it does, without its own; usually none. */
export function otherCommands(written: Words): readonly Words[] {
  const path = written[0]?.value ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const entry = /^[a-z][\w-]*$/.test(name) ? (member('#same-commands', name) as SameCommands | undefined) : undefined;
  if (entry === undefined) return [];
  const argv = name === path ? written : [literalWord(name), ...written.slice(1)];
  // An alias of a subcommand may follow an alias of the command before it: `gh cs rm`.
  const begun = [...otherBeginnings(argv, entry), ...withoutToolchain(argv), ...pushedRefs(argv)];
  return [...begun, ...begun.flatMap((words) => otherBeginnings(words, entry)), ...otherKinds(argv, entry)];
}

/** `cargo +nightly install` is `cargo install`. */
function withoutToolchain([program, choice, ...rest]: Words): readonly Words[] {
  return program?.value === 'cargo' && choice?.value?.startsWith('+') === true ? [[program, ...rest]] : [];
}

/** `git push origin +main` is `git push --force origin main`, and `git push origin :main` deletes it. */
function pushedRefs(words: Words): readonly Words[] {
  const at = words.findIndex(({ value }) => value === 'push');
  if (words[0]?.value !== 'git' || at < 0) return [];
  const options = { '+': '--force', ':': '--delete' } as const;
  return (['+', ':'] as const).flatMap((sign) => {
    const isMeant = ({ value }: ShellWord) => value !== null && value.length > 1 && value.startsWith(sign);
    if (!words.slice(at + 1).some(isMeant)) return [];
    const rest = words.slice(at + 1).map((word) => (isMeant(word) ? literalWord((word.value ?? '').slice(1)) : word));
    return [[...words.slice(0, at + 1), literalWord(options[sign]), ...rest]];
  });
}

function otherBeginnings(words: Words, { same }: SameCommands): readonly Words[] {
  return same.flatMap((group) =>
    group.flatMap((one) => {
      const rest = restBehind(words, one.split(' '));
      return rest === null ? [] : group.filter((other) => other !== one).map((other) => [...wordsOf(other), ...rest]);
    }),
  );
}

function wordsOf(text: string): Words {
  return text.replace(/ \$$/, '').split(' ').map(literalWord);
}

/** The words after a beginning, with the options inside it; null for a command that begins differently. */
function restBehind(words: Words, beginning: readonly string[]): Words | null {
  const options: ShellWord[] = [];
  let at = 0;
  for (const wanted of beginning) {
    if (wanted === '$')
      return words.slice(at).every(({ value }) => value?.startsWith('-')) ? [...options, ...words.slice(at)] : null;
    // An option may occur at any later position.
    const given = wanted.startsWith('-') ? words.findIndex(({ value }, index) => index >= at && value === wanted) : at;
    if (given > at) {
      options.push(...words.slice(at, given));
      at = given;
    }
    while (at > 0 && words[at]?.value !== wanted && words[at]?.value?.startsWith('-') === true) {
      const isApart = !words[at]?.value?.includes('=') && words[at + 1]?.value !== wanted && words[at + 2] !== undefined;
      const end = at + (isApart && words[at + 1]?.value?.startsWith('-') === false ? 2 : 1);
      options.push(...words.slice(at, end));
      at = end;
    }
    if (words[at]?.value !== wanted) return null;
    at += 1;
  }
  return [...options, ...words.slice(at)];
}

/**
 * `secrets`, `secret/x`, `pods,secret`: the same command with every name of each kind, both separate from the resource's own name
 * and joined with it.
 */
function otherKinds(words: Words, { kinds }: SameCommands): readonly Words[] {
  const found: Words[] = [];
  let seen = 0;
  for (const [at, { value }] of words.entries()) {
    if (at < 2 || value === null || value.startsWith('-')) continue;
    const [, list = '', thing] = /^([\w.,-]+)(?:\/(.*))?$/s.exec(value) ?? [];
    const named = list
      .split(',')
      .flatMap((one) => kinds.find((names) => names.includes(one.toLowerCase().replace(/\..*/, ''))) ?? []);
    if (named.length === 0) continue;
    seen += 1;
    if (seen > MOST_KINDS) return [...found, [...words.slice(0, 2), { ...literalWord(''), value: null }]];
    const own = thing === undefined ? [] : [literalWord(thing)];
    const behind = words.slice(at + 1);
    const [next] = behind;
    for (const name of named) {
      found.push([...words.slice(0, at), literalWord(name), ...own, ...behind]);
      const joined = thing ?? (next?.value?.startsWith('-') === false ? next.value : null);
      if (joined !== null) found.push([...words.slice(0, at), literalWord(`${name}/${joined}`), ...behind]);
    }
  }
  return found;
}
