/** Rules that allow a whole family of commands: which family, and why the wildcard covers it. */

import { data } from '../../generated/data.js';
import { shown } from '../../policy/sentences.js';
import { programOf } from '../claude-rules/open-command.js';
import type { Saying } from '../files/problem-codes.js';
import type { LintProject } from '../project/project.js';
import type { Report } from '../project/rule.js';
import { judgeFor } from './judge.js';
import { type OpenGrant, openGrants, openWords } from './open-grants.js';

/** Entries of rules/wide-commands.yaml by their families. */
const lists = Object.entries(data('wide-commands') as Readonly<Record<string, readonly string[] | number>>);
const families = new Map(lists.map(([family, words]) => [family, new Set(typeof words === 'number' ? [] : words)]));

/** A subcommand that runs any code, by its program, where no other family has that: who may run all of npm may run `npm exec`. */
const PARTS = new Map(
  [...(families.get('interpreter') ?? [])].reverse().flatMap((command) => {
    const program = command.split(' ', 1)[0] ?? command;
    const isOther = command === program || families.get('own-code')?.has(command) === true;
    return isOther || [...families.values()].some((family) => family.has(program)) ? [] : [[program, command] as const];
  }),
);

/** Words before a command that do not change what it can do. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'nohup', 'time', 'command', 'exec', 'nice', 'stdbuf']);

/** Returns one report for each grant of a project that opens a command of the family, unless a wider one of its file does, too. */
export function wideGrants(project: LintProject, family: string, sayings: readonly Saying[]): Report[] {
  const opening = openGrants(project).flatMap((grant) => {
    const { prefixes } = grant;
    const opened = prefixes.map((words) => openedCommand(words, family) ?? (family === 'privileged' ? asRoot(words) : null));
    const isHarmless = (words: readonly string[] = []) =>
      words.length > 1 && judgeFor(project).bySafe(`${words.join(' ')} x`).decision === 'allow';
    const command = opened.find((one, index) => one !== null && !isHarmless(prefixes[index])) ?? null;
    // `command -v *` runs nothing.
    return command === null ? [] : [{ grant, command }];
  });
  const byFile = new Map<OpenGrant['file'], OpenGrant[]>();
  const isOpen = (words: readonly string[]) => openedCommand(words, 'interpreter') !== null;
  for (const grant of [
    ...opening.map(({ grant }) => grant),
    ...openGrants(project).filter(({ prefixes }) => prefixes.some(isOpen)),
  ]) {
    const beside = byFile.get(grant.file) ?? [];
    if (beside.length < MOST_COMPARED) beside.push(grant);
    byFile.set(grant.file, beside);
  }
  return opening.flatMap(({ grant, command }) => {
    return byFile.get(grant.file)?.some((other) => isWider(other, grant))
      ? []
      : [{ at: grant.at, ...said(grant.text, command, sayings) }];
  });
}

const MOST_COMPARED = 200;

/** Whether each command of a grant begins with all words of another one. */
function isWider(outer: OpenGrant, inner: OpenGrant): boolean {
  const begins = (words: readonly string[]) =>
    outer.prefixes.some((prefix) => prefix.length < words.length && prefix.every((word, index) => word === words[index]));
  return outer !== inner && inner.prefixes.every(begins);
}

function said(rule: string, command: string, sayings: readonly Saying[]): Omit<Report, 'at'> {
  const fits = ({ of, family }: Saying) =>
    family === undefined ? of === undefined || new RegExp(of).test(command) : families.get(family)?.has(command);
  const { text, fix, severity } = sayings.find(fits) ?? { text: 'allows {command}.' };
  const filled = (sentence: string) =>
    sentence.replaceAll('{command}', command).replaceAll('{program}', command.split(' ', 1)[0] ?? command);
  return { message: `${shown(rule)} ${filled(text)}`, ...(fix && { help: filled(fix) }), ...(severity && { severity }) };
}

/** `sudo apt install *` is also an open-ended sudo; if a rule about the command itself is more specific, that one is enough. */
function asRoot(words: readonly string[]): string | null {
  const [first = ''] = words;
  const isTold = [...families.keys()].some((family) => family !== 'package-manager' && openedCommand(words, family) !== null);
  return /^(?:sudo|doas)$/.test(first) && !isTold ? first : null;
}

/** Returns the command of a family that a pattern with a final wildcard opens; null for any other pattern. */
function commandOpenedBy(pattern: string, family: string): string | null {
  const words = openWords(pattern);
  return words === null ? null : openedCommand(words, family);
}

/** Returns the command of a family at the start of `words` if only options and wildcards follow it. */
function openedCommand(words: readonly string[], family: string): string | null {
  const entries = families.get(family);
  for (let skip = 0; skip < words.length; skip++) {
    for (let count = Math.min(3, words.length - skip); count > 0; count--) {
      const command = [programOf(words[skip] ?? ''), ...words.slice(skip + 1, skip + count)].join(' ');
      const others = words.slice(skip + count);
      if (entries?.has(command) && others.every(isFree)) return command;
      const part = family === 'interpreter' && others.length === 0 ? PARTS.get(command) : undefined;
      if (part !== undefined) return part;
    }
    const word = words[skip] ?? '';
    if (!PREFIXES.has(word) && !/^[A-Za-z_]\w*=/.test(word)) return null;
  }
  return null;
}

/** An option, a wildcard or an opening quote does not determine what is run; a file name, a folder or a subcommand does. */
function isFree(word: string): boolean {
  return word.startsWith('-') || /^["']*(?:\*|$)/.test(word);
}

const LONGEST = 1_000;

/** Returns what an entry of allowed-tools opens to any command; null for an entry that names its commands. */
export function openedBy(entry: string): string | null {
  const [, tool, pattern] = /^(Bash|PowerShell)(?:\((.*)\))?$/s.exec(entry) ?? [];
  if (tool === undefined) return null;
  if (pattern === undefined || /^\s*\*+\s*$/.test(pattern)) return 'every command';
  if (pattern.length > LONGEST) return null;
  const interpreter = commandOpenedBy(pattern, 'interpreter');
  if (interpreter !== null) return `any program through ${interpreter}`;
  return commandOpenedBy(pattern, 'destructive');
}
