/** Parses the words after a command's name by its declaration. */
import { choiceAdvice, nearestWord } from '../../policy/nearest.js';
import { UsageError } from '../terminal/exit.js';
import type { Arguments } from './arguments.js';
import { type Declared, type DeclaredArgument, isSwitch, valueName } from './declared.js';
import { plainWords } from './plain.js';

/** Whether a flag asks for the help; there are no flags after `--`. */
export function wantsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

/**
 * Returns the arguments of `policy NAME WORDS…`. Throws UsageError for unknown flags, missing or extra words, and values that are
 * not among the choices.
 */
export async function parseWords(name: string, words: readonly string[], declared: Declared): Promise<Arguments> {
  const args = plainWords(words, declared) ?? (await parseByYargs(name, words, declared));
  refuseMissing(name, declared, args);
  refuseStrangers(name, declared, args);
  refuseStrays(name, declared, args);
  return args;
}

/**
 * Parses any words with yargs. The command is declared to yargs as the default command of a program: if it were one of several,
 * yargs would render the whole help text even when it is not wanted, which takes longer than a check. yargs is loaded only here,
 * which takes as long again.
 */
export async function parseByYargs(name: string, words: readonly string[], declared: Declared): Promise<Arguments> {
  const { default: yargs } = await import('yargs');
  const positionals = declared.arguments.map((argument) => `[${argument.name}${argument.array === true ? '..' : ''}]`);
  const texts = verbatimValues(words, declared.options);
  const { rest, values } = attachedValues(texts.rest, declared.options);
  const parsed = await yargs([...rest], process.cwd())
    .scriptName('policy')
    // Words are taken unchanged: no dots, no numbers, no `--no-x`.
    .parserConfiguration({
      'dot-notation': false,
      'boolean-negation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .detectLocale(false)
    .exitProcess(false)
    .version(false)
    .help(false)
    .strict()
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw isOurs(error) ? error : new UsageError(objection(name, message ?? error.message, declared, rest));
    })
    .command(['$0', ...positionals].join(' '), false, (program) => {
      for (const { name: argument, array } of declared.arguments)
        program.positional(argument, array === true ? { type: 'string', array } : { type: 'string' });
      for (const option of declared.options) {
        const type = isSwitch(option) ? 'boolean' : 'string';
        program.option(option.name, { type, requiresArg: type === 'string', ...(option.alias && { alias: option.alias }) });
      }
      return program;
    })
    .parseAsync();
  return { ...parsed, ...values, ...texts.values, ...wordsAfterDashes(name, declared.arguments, parsed) };
}

/** Extracts switches with a word, such as `--fix=unsafe`, which yargs would interpret as off. Throws UsageError for another word. */
function attachedValues(
  words: readonly string[],
  options: Declared['options'],
): { readonly rest: readonly string[]; readonly values: Arguments } {
  const end = words.indexOf('--');
  const values = new Map<string, string>();
  const rest = words.filter((word, index) => {
    const [flag = '', ...behind] = end !== -1 && index > end ? [] : word.split('=');
    const option = options.find(({ name, attached }) => attached !== undefined && flag === `--${name}`);
    if (option?.attached === undefined || behind.length === 0) return true;
    const value = behind.join('=');
    if (!option.attached.includes(value))
      throw new UsageError(`${flag} is ${JSON.stringify(value)}; ${choiceAdvice(value, option.attached)}`);
    values.set(option.name, value);
    return false;
  });
  return { rest, values: Object.fromEntries(values) };
}

/** Extracts free texts: yargs would strip their quotes, and interpret a leading dash as a flag. Throws UsageError. */
function verbatimValues(
  words: readonly string[],
  options: Declared['options'],
): { readonly rest: readonly string[]; readonly values: Arguments } {
  const values = new Map<string, string>();
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { rest: [...rest, ...words.slice(at)], values: Object.fromEntries(values) };
    const option = options.find(
      ({ name, verbatim }) => verbatim === true && (word === `--${name}` || word.startsWith(`--${name}=`)),
    );
    if (option === undefined) {
      rest.push(word);
      continue;
    }
    const flag = `--${option.name}`;
    const value = word === flag ? words[at + 1] : word.slice(flag.length + 1);
    // The text was probably forgotten if the next word is a flag; such a text can still be given after `=`.
    const isForgotten = word === flag && (value === undefined || options.some(({ name }) => value === `--${name}`));
    if (value === undefined || isForgotten) throw new UsageError(`Not enough arguments following: ${option.name}`);
    if (values.has(option.name)) throw new UsageError(`${flag} is given twice`);
    values.set(option.name, value);
    if (word === flag) at += 1;
  }
  return { rest, values: Object.fromEntries(values) };
}

/** Distinguishes an error of a command from one of yargs. */
export function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name !== 'YError';
}

/** Assigns the words after `--`, which yargs sets aside, to the missing arguments. Throws UsageError for an extra word. */
function wordsAfterDashes(name: string, declared: readonly DeclaredArgument[], parsed: Arguments): Arguments {
  const words = Array.isArray(parsed._) ? parsed._.map(String) : [];
  const rest = declared.find(({ array }) => array === true)?.name;
  if (rest !== undefined) return words.length === 0 ? {} : { [rest]: [...listed(parsed[rest]), ...words] };
  const missing = declared.map((argument) => argument.name).filter((argument) => parsed[argument] === undefined);
  const [extra] = words.slice(missing.length);
  if (extra !== undefined) throw new UsageError(tooMany(name, extra, declared));
  return Object.fromEntries(words.map((word, index) => [missing[index] ?? word, word]));
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Throws UsageError that names the first missing required argument, and its choices. */
function refuseMissing(name: string, declared: Declared, args: Arguments): void {
  const missing = declared.arguments.find((argument) => argument.required && args[argument.name] === undefined);
  if (missing === undefined) return;
  const choices = missing.choices === undefined ? '' : `, one of ${missing.choices.join(', ')}`;
  throw new UsageError(`policy ${name} needs ${valueName(missing)}${choices}; \`policy ${name} --help\` explains it`);
}

/** Throws UsageError for a value that is not among the choices of its argument or option. */
function refuseStrangers(name: string, declared: Declared, args: Arguments): void {
  for (const { name: argument, choices } of declared.arguments) {
    const given = args[argument];
    if (choices !== undefined && given !== undefined && !choices.includes(String(given)))
      throw new UsageError(`policy ${name} does not know ${JSON.stringify(given)}; ${choiceAdvice(String(given), choices)}`);
  }
  for (const { name: option, choices } of declared.options) {
    const given = args[option];
    if (choices !== undefined && typeof given === 'string' && !choices.includes(given))
      throw new UsageError(`--${option} is ${JSON.stringify(given)}; ${choiceAdvice(given, choices)}`);
  }
}

/** Throws UsageError for a flag that the action does not have, since an ignored check must not look like a passed one. */
function refuseStrays(name: string, { arguments: [first], options }: Declared, args: Arguments): void {
  for (const { name: option, of } of options)
    if (of !== undefined && !of.includes(String(args[first?.name ?? ''])) && args[option] !== undefined && args[option] !== false)
      throw new UsageError(`--${option} goes with policy ${name} ${of.join(' and ')}`);
}

/** Improves a message of yargs, which names the unknown flag or word: suggests the flag that was meant, or what to do. */
function objection(name: string, message: string, declared: Declared, words: readonly string[]): string {
  const sentence = message.split('\n').join(' ');
  const unknown = /^Unknown (?:argument|command)s?: ([^,\n]+)/.exec(message)?.[1]?.trim();
  if (unknown === undefined) return sentence;
  const flag = nearestWord(
    unknown,
    declared.options.map((option) => option.name),
  );
  if (flag !== null) return `${sentence}; did you mean --${flag}?`;
  const option = words.find((word) => word === `--${unknown}` || word.startsWith(`--${unknown}=`) || word === `-${unknown}`);
  if (option !== undefined) return `Unknown option: ${option.split('=')[0]}; \`policy ${name} --help\` lists them`;
  return tooMany(name, unknown, declared.arguments);
}

/** Returns the message for an extra word; usually a command line was not put in quotes. */
function tooMany(name: string, extra: string, declared: readonly DeclaredArgument[]): string {
  const quotes = declared.some((argument) => argument.name === 'input') ? '; put an input with spaces in quotes' : '';
  return `Unknown argument: ${extra}${quotes}; \`policy ${name} --help\` explains what it takes`;
}
