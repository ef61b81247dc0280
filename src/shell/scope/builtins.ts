/**
 * Builtins that evaluate strings, set variables by name or change the meaning of later words. Only this layer knows them; what
 * ordinary programs do with their arguments is the subject of src/command.
 */
import type { OpaqueCode, ShellDialect, ShellWord } from '../syntax/types.js';
import { assignedName, isSpecialVariable } from './variables.js';

/** What a builtin does with its words. */
interface BuiltinFinding {
  readonly code: OpaqueCode;
  /** The static strings among those that the shell runs as code. */
  readonly evaluates: readonly string[];
}

type Check = (words: readonly ShellWord[]) => readonly BuiltinFinding[];

const NOTHING: readonly BuiltinFinding[] = [];

/** Words that start or continue a compound command; as the name of a simple command, they mean that the line was misread. */
const RESERVED = [
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'for',
  'in',
  'do',
  'done',
  'while',
  'until',
  'case',
  'esac',
  'select',
].concat(['function', 'coproc', '{', '}', '[[', ']]', '!']);

/** Words that are keywords, modifiers or evaluating builtins in zsh, and plain commands in the other shells. */
const ZSH_WORDS = [
  '-',
  'noglob',
  'nocorrect',
  'repeat',
  'foreach',
  'end',
  'always',
  'emulate',
  'zmodload',
  'autoload',
  'sched',
].concat([
  'functions',
  'setopt',
  'unsetopt',
  'zle',
  'zstyle',
  'bindkey',
  'integer',
  'float',
  'vared',
  'zcompile',
  'zpty',
  'zargs',
  'zmv',
]);

function finding(code: OpaqueCode, ...evaluates: readonly (string | null)[]): readonly BuiltinFinding[] {
  return [{ code, evaluates: evaluates.filter((text) => text !== null) }];
}

/** The words joined by blanks, as `eval` joins them; null if one is not static. */
function staticText(words: readonly ShellWord[]): string | null {
  return words.every((word) => word.value !== null) ? words.map((word) => word.value).join(' ') : null;
}

/** The words after the leading options. */
function operands(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex((word) => !word.value?.startsWith('-') || word.value === '-');
  return first === -1 ? [] : words.slice(first);
}

/** Whether one of the option letters appears in a word, alone or in a cluster, with `-` or `+`. */
function hasOption(words: readonly ShellWord[], letters: string): boolean {
  return words.some((word) => {
    const text = word.value ?? word.text;
    return /^[-+][A-Za-z]/.test(text) && [...letters].some((letter) => text.includes(letter));
  });
}

/** Checks names of variables: the shell evaluates subscripts, and changing a special variable changes the shell itself. */
function names(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  const findings: BuiltinFinding[] = [...subscripts(words)];
  if (words.some((word) => isSpecialVariable(assignedName(word.value ?? word.text))))
    findings.push(...finding('special-variable'));
  return findings;
}

/** `-i` makes the shell evaluate every value, and `-n` makes a variable a reference to another. */
function declaration(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  const evaluated = hasOption(words, 'in') ? finding('subscript-evaluation') : NOTHING;
  return [...evaluated, ...names(words)];
}

/** `printf -v NAME` and `-vNAME`; brackets in the format are harmless. */
function printf(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  return words[0]?.value?.startsWith('-v') ? names([...words.slice(0, 2), ...gluedName(words[0])]) : NOTHING;
}

function gluedName(word: ShellWord): readonly ShellWord[] {
  return word.value === null ? [] : [{ ...word, value: word.value.slice(2) }];
}

/** `test -v 'a[…]'`; zsh evaluates the operands of `-eq` too. */
function test(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  return subscripts(words);
}

/** `a[$(rm x)]`: a substitution in a subscript runs even in quotes. */
function subscripts(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  const named = words.filter((word) => (word.value ?? word.text).includes('['));
  if (named.length === 0) return NOTHING;
  const texts = named.flatMap(({ value }) => (value !== null && /[`$]/.test(value) ? [`: ${value}`] : []));
  return finding('subscript-evaluation', ...texts);
}

function trap(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  if (words.every((word) => word.value !== null && /^-[lp]+$/.test(word.value))) return NOTHING;
  const action = operands(words)[0]?.value ?? null;
  return finding('eval', action);
}

function alias(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  const defining = words.filter((word) => word.value === null || word.value.includes('='));
  if (defining.length === 0) return NOTHING;
  return finding('alias-definition', ...defining.map((word) => word.value?.slice(word.value.indexOf('=') + 1) ?? null));
}

/** Checks a builtin that takes code as the value of an option (`mapfile -C code`, `complete -C code`). */
function callback(...options: readonly string[]): Check {
  return (words) => {
    const texts: string[] = [];
    words.forEach((word, index) => {
      for (const option of options) {
        if (word.value === option) texts.push(words[index + 1]?.value ?? '');
        else if (word.value?.startsWith(option)) texts.push(word.value.slice(option.length));
      }
    });
    const clustered = hasOption(words, options.map((option) => option.charAt(1)).join(''));
    const evaluated = texts.length > 0 || clustered ? finding('eval', ...texts) : NOTHING;
    return [...evaluated, ...names(words)];
  };
}

/** `set -eu` and `set -o pipefail` make a script stricter; every other option may change the meaning of the line. */
function set(words: readonly ShellWord[]): readonly BuiltinFinding[] {
  const strict = words.every((word) => word.value !== null && /^(?:[-+][eu]*o?|errexit|nounset|pipefail)$/.test(word.value));
  return strict ? NOTHING : finding('unknown-construct');
}

const always =
  (code: OpaqueCode): Check =>
  () =>
    finding(code);

/** Checks a builtin that is harmless without these options. */
const withOption =
  (letters: string, code: OpaqueCode): Check =>
  (words) =>
    hasOption(words, letters) ? finding(code) : NOTHING;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['eval', (words) => finding('eval', staticText(words))],
  ['source', always('dynamic-script')],
  ['.', always('dynamic-script')],
  ['fc', always('dynamic-script')],
  ['history', withOption('prw', 'dynamic-script')],
  ['trap', trap],
  ['bind', (words) => finding('eval', ...words.map((word) => word.value?.replace(/^[^:]*:/, '') ?? null))],
  ['jobs', (words) => (hasOption(words, 'x') ? finding('eval', staticText(operands(words))) : NOTHING)],
  ['alias', alias],
  ['hash', withOption('p', 'alias-definition')],
  ['enable', (words) => (words.length > 0 ? finding('alias-definition') : NOTHING)],
  ['shopt', withOption('suo', 'unknown-construct')],
  ['set', set],
  ['let', (words) => (words.length > 0 ? finding('arithmetic') : NOTHING)],
  ['mapfile', callback('-C')],
  ['readarray', callback('-C')],
  ['complete', callback('-C', '-W', '-F')],
  ['compgen', callback('-C', '-W', '-F')],
  ['compopt', always('unknown-construct')],
  ['declare', declaration],
  ['typeset', declaration],
  ['local', declaration],
  ['export', names],
  ['readonly', names],
  ['unset', names],
  ['read', names],
  ['wait', names],
  ['getopts', names],
  ['printf', printf],
  ['test', test],
  ['[', test],
  ['cd', always('dynamic-directory')],
  ['chdir', always('dynamic-directory')],
  ['pushd', always('dynamic-directory')],
  ['popd', always('dynamic-directory')],
  ...RESERVED.map((word): [string, Check] => [word, always('unknown-construct')]),
]);

const ZSH: ReadonlySet<string> = new Set(ZSH_WORDS);

const INTERESTING: ReadonlySet<string> = new Set([...CHECKS.keys(), ...ZSH_WORDS, 'command', 'builtin', 'exec', 'exit']);

/** Whether a command of this name needs a closer look than an ordinary program. */
export function isBuiltinOfInterest(name: string): boolean {
  return INTERESTING.has(name);
}

/**
 * The words starting at the actual command name, after `command` and `builtin` (in zsh also after `exec`, `-` and `noglob`).
 * Null if that name is not static.
 */
export function effectiveWords(argv: readonly ShellWord[], shell: ShellDialect): readonly ShellWord[] | null {
  let rest = argv;
  for (;;) {
    const name = rest[0]?.value;
    if (name === undefined) return rest;
    if (name === null) return null;
    const isModifier = name === 'command' || name === 'builtin' || (shell !== 'bash' && (name === 'exec' || ZSH.has(name)));
    if (!isModifier) return rest;
    rest = rest.slice(1);
    while (/^-[pav-]*$/.test(rest[0]?.value ?? '')) {
      // `command -v NAME` only describes the command.
      if (/[vV]/.test(rest[0]?.value ?? '')) return [];
      rest = rest.slice(1);
    }
  }
}

/** What the builtin at the start of `words` does with the other words; `cd` is reported only if its destination is unknown. */
export function inspectBuiltin(
  words: readonly ShellWord[],
  shell: ShellDialect,
  moveIsKnown: boolean,
): readonly BuiltinFinding[] {
  const name = words[0]?.value ?? null;
  if (name === null) return NOTHING;
  const dialect = shell !== 'bash' && ZSH.has(name) ? finding('shell-dialect') : NOTHING;
  const check = CHECKS.get(name);
  if (check === undefined || (moveIsKnown && name === 'cd')) return dialect;
  return [...dialect, ...check(words.slice(1))];
}
