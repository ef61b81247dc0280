/** The declared arguments and options of a command, from which the parser, the help and the shell completions are made. */
import type { ArgumentDeclaration, CommandEntry, CommandFile, OptionDeclaration, Takes } from './command.js';

export interface DeclaredArgument extends ArgumentDeclaration {
  readonly name: string;
  readonly required: boolean;
}

export interface DeclaredOption extends OptionDeclaration {
  readonly name: string;
}

export interface Declared {
  readonly arguments: readonly DeclaredArgument[];
  readonly options: readonly DeclaredOption[];
}

/** Options that every command has. */
const EVERYWHERE: Takes['options'] = {
  color: { describe: 'Use colour even if the output is not a terminal, like FORCE_COLOR in the environment', group: 'Other:' },
  'no-color': { describe: 'Use no colour, like NO_COLOR in the environment', group: 'Other:' },
  help: { alias: 'h', describe: 'Print this help', group: 'Other:' },
};

/** Returns the arguments in the order of the command line, and the options in the order of their declaration. */
export function declaredBy({ command }: Pick<CommandEntry, 'command'>, { takes }: Pick<CommandFile, 'takes'>): Declared {
  const words = [...command.matchAll(/([[<])(\w+)/g)];
  return {
    arguments: words.map(([, bracket, name = '']) => ({
      ...(takes.arguments?.[name] ?? { describe: '' }),
      name,
      required: bracket === '<',
    })),
    options: Object.entries({ ...takes.options, ...EVERYWHERE }).map(([name, option]) => ({
      ...option,
      name,
      describe: `${option.of === undefined ? '' : `${option.of.join(', ')}: `}${option.describe}`,
    })),
  };
}

/** Whether it is a switch; all other options have a value. */
export function isSwitch({ value, choices }: DeclaredOption): boolean {
  return value === undefined && choices === undefined;
}

/** Returns the name for the value of an argument or option in a help text. */
export function valueName({ name, value }: DeclaredArgument | DeclaredOption): string {
  return value ?? name.toUpperCase();
}

/** `--fix[=unsafe]`, `--format FORMAT` */
function flagWithValue(option: DeclaredOption): string {
  const { name, attached } = option;
  if (!isSwitch(option)) return `--${name} ${valueName(option)}`;
  return attached === undefined ? `--${name}` : `--${name}[=${attached.join('|')}]`;
}

export type Row = readonly [head: string, text: string];

/**
 * Returns the rows that explain the arguments.
 * @param more appended to an argument that takes several words
 * @param choose precedes the allowed words
 */
export function argumentRows({ arguments: all }: Declared, more: string, choose = ''): readonly Row[] {
  const told = all.filter(({ describe }) => describe !== '');
  return told.map((one) => [`${valueName(one)}${one.array === true ? more : ''}`, explained(one, choose)]);
}

/** Returns the row for an option in the same way. */
export function optionRow(option: DeclaredOption, choose = ''): Row {
  const flag = flagWithValue(option);
  return [option.alias === undefined ? flag : `-${option.alias}, ${flag}`, explained(option, choose)];
}

/** `…: a, b (default: a)` */
function explained({ describe, choices, ...rest }: DeclaredArgument | DeclaredOption, choose: string): string {
  const standard = 'default' in rest ? ` (default: ${rest.default})` : '';
  return `${describe}${choices === undefined ? '' : `: ${choose}${choices.join(', ')}`}${standard}`;
}
