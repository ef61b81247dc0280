/** What a shell started as a command will read: `-c TEXT`, a file, or its standard input. */
import type { Shell } from '../../call/tool-call.js';
import type { Opaque, ShellRedirection, ShellWord, Span } from '../../shell/syntax/types.js';
import type { CommandEffect } from '../model/command.js';
import { isCertain, opaqueReason } from '../model/words.js';
import type { Inner, Surroundings } from './found.js';

/** Single-letter options that do not affect which commands run, in every shell we know. */
const QUIET_LETTERS = 'cefhlmnoprstuvxC';
const QUIET_LONG = new Set([
  '--norc',
  '--noprofile',
  '--posix',
  '--restricted',
  '--login',
  '--verbose',
  '--noediting',
  '--no-rcs',
]);
const ENDING_LONG = new Set(['--help', '--version', '--dump-strings', '--dump-po-strings']);
/** Long options with a value: a file that an interactive shell reads. */
const FILE_LONG = new Set(['--rcfile', '--init-file']);
/** Values of `-o` that do not affect which commands run. */
const QUIET_SETTINGS = new Set([
  'errexit',
  'errtrace',
  'functrace',
  'noclobber',
  'noexec',
  'noglob',
  'nounset',
  'physical',
  'pipefail',
  'posix',
  'verbose',
  'xtrace',
]);
const STANDARD_INPUT = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

interface ShellOptions {
  readonly text: boolean;
  readonly standardInput: boolean;
  readonly ended: boolean;
  readonly operands: readonly ShellWord[];
  /** Files that it may read before anything else. */
  readonly startFiles: readonly ShellWord[];
  readonly opaque: Opaque[];
}

/**
 * The scripts that `argv` (a shell and its words) will read. Anything uncertain is reported in `opaque`; the scripts are then the
 * visible part.
 */
export function readShell(argv: readonly ShellWord[], shell: Shell, around: Surroundings): ShellTexts {
  const options = readOptions(argv);
  const effects = options.startFiles.map((path) => ({ action: 'read', path, recursive: false, span: path.span }) as const);
  return { ...textsOf(options, shell, around), effects };
}

interface ShellTexts {
  readonly inner: readonly Inner[];
  readonly opaque: readonly Opaque[];
  readonly effects: readonly CommandEffect[];
}

function textsOf(options: ShellOptions, shell: Shell, around: Surroundings): Omit<ShellTexts, 'effects'> {
  if (options.ended) return { inner: [], opaque: options.opaque };
  if (options.text) return readText(options, shell, around);
  const file = options.operands[0];
  if (!options.standardInput && file !== undefined && !(isCertain(file) && STANDARD_INPUT.has(file.value))) {
    // A file is an unknown program; if its name cannot be analysed, the call is already opaque.
    return { inner: [], opaque: options.opaque };
  }
  const input = readStandardInput(shell, around);
  return { inner: input.inner, opaque: [...options.opaque, ...input.opaque] };
}

/** Shells known to run nothing under `-n`, not even their start files. */
const CHECKING: ReadonlySet<string> = new Set(['bash', 'sh', 'dash']);

/** FILE of `bash -n FILE`, which only checks its syntax; null for every other call. */
export function fileOfSyntaxCheck(name: string | null, argv: readonly ShellWord[]): ShellWord | null {
  const [, option, file] = argv;
  if (name === null || !CHECKING.has(name) || argv.length !== 3 || option?.value !== '-n' || file === undefined) return null;
  return isCertain(file) && !file.tilde && !/^[-+]/.test(file.value) ? file : null;
}

/** `-c TEXT [NAME ARGUMENT…]`. */
function readText(options: ShellOptions, shell: Shell, around: Surroundings) {
  const text = options.operands[0];
  if (text === undefined) return { inner: [], opaque: [...options.opaque, dynamicScript(around.span)] };
  const inner = [scriptOf(text, shell)];
  const opaque = [...options.opaque];
  if (!isStaticScript(text)) opaque.push(dynamicScript(text.span));
  // `sh -c '"$@"' _ rm x`: the arguments are the command. The script itself is then opaque; ask and deny rules see the arguments.
  const positional = options.operands.slice(2);
  const runsArguments = /\$[@*1{]/.test(text.value ?? text.literalPrefix);
  if (runsArguments && positional.length > 0)
    inner.push({ form: 'words', words: positional, assignments: [], directory: [], certain: false });
  return { inner, opaque };
}

/** The script on standard input, if the command line itself contains it. */
export function readStandardInput(
  shell: Shell,
  around: Surroundings,
): { readonly inner: readonly Inner[]; readonly opaque: readonly Opaque[] } {
  const source = standardInput(around.redirections);
  if (source === null || source.text === null) return { inner: [], opaque: [dynamicScript(around.span)] };
  return { inner: [{ form: 'script', text: source.text, span: source.span, shell, certain: true, directory: [] }], opaque: [] };
}

/** The redirection that provides standard input: the last one of descriptor 0. */
function standardInput(redirections: readonly ShellRedirection[]): ShellRedirection | null {
  let source: ShellRedirection | null = null;
  for (const redirection of redirections) {
    const input = redirection.operator.startsWith('<');
    if (input ? (redirection.descriptor ?? 0) === 0 : redirection.descriptor === 0) source = redirection;
  }
  return source;
}

/** A word that a shell reads as a script. */
export function scriptOf(word: ShellWord, shell: Shell): Inner {
  const certain = isStaticScript(word);
  return {
    form: 'script',
    text: certain && word.value !== null ? word.value : (word.value ?? word.literalPrefix),
    span: word.span,
    shell,
    certain,
    directory: [],
  };
}

export function isStaticScript(word: ShellWord): boolean {
  return isCertain(word) && !word.tilde;
}

export function dynamicScript(span: Span): Opaque {
  return opaqueReason('dynamic-script', 'A shell reads a text that is not in the command line.', span);
}

/** Options come before operands; `-o NAME` takes its value from the next word, even inside a cluster (`-euo pipefail`). */
function readOptions(argv: readonly ShellWord[]): ShellOptions {
  let text = false;
  let standardInput = false;
  let ended = false;
  const opaque: Opaque[] = [];
  const startFiles: ShellWord[] = [];
  let index = 1;
  for (; index < argv.length; index += 1) {
    const word = argv[index];
    if (word === undefined) break;
    const value = word.value ?? word.literalPrefix;
    if (!isCertain(word) && (value === '' || /^[-+]/.test(value))) {
      opaque.push(opaqueReason('dynamic-word', 'A word before the text of a shell is not static.', word.span));
      if (value === '') break;
    }
    if (!/^[-+]/.test(value) || value === '+') break;
    if (value === '--' || value === '-') {
      index += 1;
      break;
    }
    if (value.startsWith('--')) {
      if (ENDING_LONG.has(value)) ended = true;
      else if (!QUIET_LONG.has(value)) opaque.push(unknownOption(word));
      if (FILE_LONG.has(value)) {
        index += 1;
        startFiles.push(...argv.slice(index, index + 1));
      }
      continue;
    }
    for (const letter of value.slice(1)) {
      if (letter === 'c') text = true;
      else if (letter === 's') standardInput = true;
      if (letter === 'o' || letter === 'O') {
        index += 1;
        if (!isQuietSetting(argv[index])) opaque.push(unknownOption(word));
      }
      if (!QUIET_LETTERS.includes(letter)) opaque.push(unknownOption(word));
    }
  }
  return { text, standardInput, ended, operands: argv.slice(index), startFiles, opaque };
}

function isQuietSetting(word: ShellWord | undefined): boolean {
  return word?.value != null && QUIET_SETTINGS.has(word.value);
}

function unknownOption(word: ShellWord): Opaque {
  return opaqueReason('unknown-construct', 'An option of a shell is not known to be harmless.', word.span);
}
