/**
 * Other spellings of a command that ask and deny rules must match too: options before the subcommand, clusters in any order, other names.
 */

import { firstName, literalWord, type SpelledWords, spelledWords } from '../../command/judge/spelled-words.js';
import { foldedName } from '../../command/model/called-name.js';
import type { Command } from '../../command/model/command.js';
import type { PermissionRule } from '../../rule/pattern/permission-rule.js';
import { globMatch } from '../../rule/pattern/wildcard.js';
import type { Invocation } from '../../shell/syntax/types.js';

const MOST_LEADING_WORDS = 6;

/**
 * The command's words as written. A glob in command position may match any program, so it is null, like every word known only at run time.
 */
export function writtenWords(command: Command): (string | null)[] {
  const words: (string | null)[] = [];
  for (const word of command.invocation.argv) words.push(word.value);
  if (command.invocation.argv[0]?.glob) words[0] = null;
  return words;
}

/** The words without those between the command's name and its subcommand (`git --no-pager push`, `kubectl -n x delete`). */
export function shorterSpellings(words: readonly (string | null)[]): readonly (string | null)[][] {
  if (words.length < 3 || !words[1]?.startsWith('-')) return NO_SPELLINGS;
  const found: (string | null)[][] = [];
  for (let from = 2; from < words.length && from <= MOST_LEADING_WORDS; from += 1) {
    found.push([words[0] ?? null, ...words.slice(from)]);
  }
  return found;
}

/** `CURL x`, `curl.exe x`: the same program where names ignore case, and on Windows; null if the name has no other spelling. */
export function foldedSpelling(words: readonly (string | null)[]): readonly (string | null)[] | null {
  const name = words[0] ?? '';
  const folded = foldedName(name);
  return folded === name ? null : [folded, ...words.slice(1)];
}

const NO_SPELLINGS: readonly (string | null)[][] = [];

/** An ask or deny rule that writes out a command: `Bash(rm -rf *)` includes `rm -r --force`, and `Bash(npm install *)` includes `npm i`. */
export interface Restriction<Rule> {
  readonly rule: Rule;
  /** The words of its pattern, without the final star. */
  readonly words: readonly string[];
  /** Any words may follow them. */
  readonly open: boolean;
  /** The words as read by the command's grammar; null if it does not know all of them. */
  readonly spelled: SpelledRule | null;
}

/** Only strings and lists: it is read once, and stored. */
interface SpelledRule extends Pick<SpelledWords, 'path' | 'table' | 'unknown' | 'operands'> {
  readonly options: readonly (readonly [key: string, values: readonly (string | null)[]])[];
}

export interface Restrictions {
  /** The rules about a command name, whatever else they contain. */
  naming(name: string): readonly PermissionRule[];
  /** The rules that a command matches, and those that it may match because some of its words are known only at run time. */
  meeting(command: Command): readonly { readonly rule: PermissionRule; readonly certain: boolean }[];
}

export const NO_RESTRICTIONS: Restrictions = { meeting: () => [], naming: () => [] };

type Candidate = Restriction<PermissionRule>;
const NONE: readonly never[] = [];

/** The restrictions of rules that write out a command; `named` returns those for a command's first name. */
export function restrictionsFrom(named: (name: string) => readonly Candidate[] | undefined): Restrictions {
  return {
    naming: (name) => named(firstName(foldedName(name)))?.map(({ rule }) => rule) ?? NONE,
    meeting(command) {
      const name = command.name === null ? null : foldedName(command.name);
      const candidates = name === null ? undefined : named(firstName(name));
      if (candidates === undefined) return NONE;
      let said: SpelledWords | null | undefined;
      let read: WordForm | undefined;
      const form = () => {
        read ??= formOf(command);
        return read;
      };
      return candidates.flatMap((one): ReturnType<Restrictions['meeting']> => {
        if (isAbout(one, command)) said ??= spelledWords({ ...command, name });
        const meets = meetsAs(one, command.name, form, said);
        if (meets === true || spellsOut(one, name, form)) return [{ rule: one.rule, certain: true }];
        return meets === 'perhaps' || isAbbreviated(one, command) ? [{ rule: one.rule, certain: false }] : [];
      });
    },
  };
}

/** Compares by the grammar if it covers the rule, otherwise by the form of the words. */
function meetsAs(
  candidate: Candidate,
  command: string | null,
  form: () => WordForm,
  said: SpelledWords | null | undefined,
): boolean | 'perhaps' {
  if (candidate.spelled === null) return meetsByForm(candidate, command, form);
  return said != null && meetsSpelled(candidate, said);
}

/** The words of a command by their form alone, read once for all rules. */
interface WordForm {
  readonly operands: readonly string[];
  /** Without words that may be values of the options before them. */
  readonly unvalued: readonly string[];
  /** Names of options without hyphens, the one-letter options, and the initial letters of long options. */
  readonly options: ReadonlySet<string>;
  readonly letters: ReadonlySet<string>;
  readonly longInitials: ReadonlySet<string>;
  /** All letters after single hyphens, and the known operands. */
  readonly clustered: ReadonlySet<string>;
  readonly named: readonly string[];
}

function formOf({ invocation: { argv } }: Command): WordForm {
  const words = argv.slice(1).map(({ value }) => value ?? '');
  const end = words.indexOf('--');
  const said = end < 0 ? words : words.slice(0, end);
  const given = [...new Set(said.filter((word) => word.startsWith('-')))].map((word) => word.split('=')[0] ?? '');
  return {
    operands: said.filter((word) => !word.startsWith('-')),
    unvalued: said.filter((word, at) => !word.startsWith('-') && !/^-[^=]*$/.test(said[at - 1] ?? '')),
    options: new Set(given.map(withoutHyphens)),
    letters: new Set(given.flatMap((word) => (/^-[A-Za-z]$/.test(word) ? [word.slice(1)] : []))),
    longInitials: new Set(given.flatMap((word) => (/^--[A-Za-z]/.test(word) ? [word.slice(2, 3)] : []))),
    clustered: new Set(said.filter(isCluster).flatMap((word) => [...word.slice(1)])),
    named: argv.slice(1).flatMap(({ value }) => (value === null || value.startsWith('-') ? [] : [value])),
  };
}

function withoutHyphens(option: string): string {
  return option.replace(/^--?/, '');
}

/**
 * Whether a command whose options no grammar knows matches what a rule writes out: the same options in any position. `perhaps` if
 * a long option may be the rule's one-letter option, or if options with values come before the subcommand.
 */
function meetsByForm(
  { words: [name, ...written] }: Candidate,
  command: string | null,
  read: () => WordForm,
): boolean | 'perhaps' {
  if (name !== command || written.length === 0) return false;
  const form = read();
  let at = 0;
  let isExact = true;
  let mayBe = true;
  for (const word of written) {
    if (word.includes('*')) return false;
    if (word.startsWith('-')) {
      if (form.options.has(withoutHyphens(word))) continue;
      if (!isOtherForm(word, form)) return false;
      isExact = false;
      continue;
    }
    isExact &&= form.operands[at] === word;
    mayBe &&= form.operands[at] === word || form.unvalued[at] === word;
    if (!mayBe) return false;
    at += 1;
  }
  return isExact ? true : 'perhaps';
}

/** `--force` for `-f`, and vice versa. */
function isOtherForm(option: string, { letters, longInitials }: WordForm): boolean {
  if (/^-[A-Za-z]$/.test(option)) return longInitials.has(option.slice(1));
  return option.startsWith('--') && letters.has(option.slice(2, 3));
}

/** npm and other programs accept an abbreviated subcommand: `npm publ`. */
function isAbbreviated({ spelled }: Candidate, { verdict, invocation }: Command): boolean {
  const wanted = spelled?.table[verdict.words.length];
  if (wanted === undefined || !verdict.known || !verdict.issues.some(({ code }) => code.endsWith('/unlisted-subcommand')))
    return false;
  const called = invocation.argv.slice(verdict.words.length).find(({ value }) => value?.startsWith('-') !== true)?.value ?? '';
  return called !== '' && wanted.startsWith(called) && verdict.words.every((word, at) => spelled?.table[at] === word);
}

/** Indexes such rules by the command that they name; `refer` returns the stored reference to a rule. */
export function restrictionsByName<Rule>(
  rules: readonly PermissionRule[],
  refer: (rule: PermissionRule, number: number) => Rule,
): ReadonlyMap<string, readonly Restriction<Rule>[]> {
  const byName = new Map<string, Restriction<Rule>[]>();
  for (const [number, rule] of rules.entries()) {
    const spelt = rule.tool.toLowerCase() === 'bash' ? writtenOut(rule) : null;
    if (spelt === null) continue;
    const name = firstName(spelt.words[0] ?? '');
    const known = byName.get(name);
    const restriction = { rule: refer(rule, number), ...spelt, spelled: spelledRule(spelt.words) };
    if (known === undefined) byName.set(name, [restriction]);
    else known.push(restriction);
  }
  return byName;
}

/** The words that an ask or deny rule writes out; null if the first is a pattern, and for a single word without a wildcard. */
export function writtenOut({
  pattern,
  effect,
}: Pick<PermissionRule, 'pattern' | 'effect'>): Omit<Restriction<unknown>, 'rule' | 'spelled'> | null {
  if (effect === 'allow' || pattern === null) return null;
  const open = /[*]$/.test(pattern);
  const words = pattern
    .trim()
    .replace(/(?::\*|\*+)$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const isOne = words.length === 1 && (words[0]?.length ?? 0) > 0 && !open;
  return words.length === 0 || isOne || /[*?[]/.test(words[0] ?? '') ? null : { words, open };
}

function spelledRule(words: readonly string[]): SpelledRule | null {
  const argv = words.map((word, at) => literalWord(at === 0 ? word : word.replace(/^\*+(?=-)|(?<=^\*?-.*)\*+$/g, '')));
  const spelled = spelledWords({ name: words[0] ?? '', invocation: { ...NO_INVOCATION, argv } });
  if (spelled === null) return null;
  const { path, table, unknown, operands, options } = spelled;
  return { path, table, unknown, operands, options: [...options] };
}

const NO_INVOCATION: Invocation = {
  argv: [],
  assignments: [],
  redirections: [],
  enclosures: [],
  background: false,
  piped: false,
  directory: [],
  span: { start: 0, end: 0 },
};

/** Whether the rule and the command name the same subcommand, as far as the command has been read. */
function isAbout({ spelled }: Candidate, { verdict }: Command): boolean {
  // The words of a command that follows another program have not been read.
  return !verdict.known || spelled?.table.every((word, at) => verdict.words[at] === word) === true;
}

/** Whether a command is what a rule writes out, in any spelling and order of its options. */
function meetsSpelled({ spelled: rule, open }: Candidate, said: SpelledWords): boolean | 'perhaps' {
  if (rule === null || !rule.path.every((word, at) => said.path[at] === word)) return false;
  if (said.path.length > rule.path.length && (!open || rule.operands.length > 0)) return false;
  if (!open && (rule.operands.length < said.operands.length || (rule.options.length === 0 && said.options.size > 0)))
    return false;
  const isGivenIn = (operand: string | null, at: number) =>
    TARGETS.has(said.path[0] ?? '') ? said.operands.some((own) => isAlike(operand, own)) : isAlike(operand, said.operands[at]);
  if (!rule.operands.every((operand, at) => operand === '*' || isGivenIn(operand, at))) return false;
  const missing = rule.options.filter(([key, values]) => !isGiven(key, values, said));
  if (missing.length === 0 && rule.unknown.every((option) => said.unknown.includes(option))) return true;
  return said.open && missing.length > 0 ? 'perhaps' : false;
}

/** Commands whose operands are targets, in any order. */
const TARGETS: ReadonlySet<string> = new Set(['make', 'gmake', 'ninja', 'rake', 'gradle', 'mvn', 'just', 'task']);

function isAlike(wanted: string | null | undefined, given: string | null | undefined): boolean {
  return typeof wanted === 'string' && typeof given === 'string' && globMatch(wanted, given);
}

/** git and many other programs accept abbreviated long options. */
function isGiven(key: string, wanted: readonly (string | null)[], { options, unknown }: SpelledWords): boolean {
  const given = options.get(key);
  if (given !== undefined) return wanted.every((value) => given.some((own) => isAlike(value, own)));
  const long = /^-[a-z]{2}/.test(key) ? `-${key}` : key;
  return wanted.length === 0 && unknown.some((option) => long.startsWith(option));
}

function isCluster(word: string): boolean {
  return word.startsWith('-') && !word.startsWith('--') && /^-[A-Za-z]/.test(word);
}

/** True if the command has the rule's letters among its options, however clustered, and its operands in the same positions. */
function spellsOut({ words: [name, ...written] }: Candidate, command: string | null, form: () => WordForm): boolean {
  if (name !== command || !written.some((word) => CLUSTER.test(word)) || written.some((word) => word.includes('*'))) return false;
  const { clustered, named } = form();
  const letters = written.flatMap((word) => (CLUSTER.test(word) ? [...word.slice(1)] : []));
  const wanted = written.filter((word) => !word.startsWith('-'));
  return letters.every((letter) => clustered.has(letter)) && wanted.every((word, at) => named[at] === word);
}

const CLUSTER = /^-[A-Za-z]{1,8}$/;

/** The command and the operands of an ask or deny rule that writes out short options; null for a rule without such options. */
export function clusterOf(
  rule: Pick<PermissionRule, 'pattern' | 'effect'>,
): { readonly name: string; readonly operands: readonly string[] } | null {
  const found = writtenOut(rule);
  if (
    found === null ||
    !found.words.some((word) => /^-[A-Za-z]{1,8}$/.test(word)) ||
    found.words.some((word) => word.includes('*'))
  )
    return null;
  return { name: found.words[0] ?? '', operands: found.words.slice(1).filter((word) => !word.startsWith('-')) };
}
