/** What a command takes, written down: the parser, the help and the shells' completion are made from it. */
import type { ArgumentDeclaration, CommandEntry, CommandFile, Declarations, OptionDeclaration } from './command.js';

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

/** What every command takes. */
const EVERYWHERE: readonly DeclaredOption[] = [
  {
    name: 'color',
    type: 'boolean',
    describe: 'Colour also where the output is no terminal, as with FORCE_COLOR in the environment',
    group: 'Other:',
  },
  { name: 'no-color', type: 'boolean', describe: 'No colour, as with NO_COLOR in the environment', group: 'Other:' },
  { name: 'help', type: 'boolean', alias: 'h', describe: 'Print this help', group: 'Other:' },
];

/** The arguments in the order of the command line, and the options in the order of their declaration. */
export function declaredBy({ command }: Pick<CommandEntry, 'command'>, file: Pick<CommandFile, 'options'>): Declared {
  const found = new Map<string, ArgumentDeclaration>();
  const options: DeclaredOption[] = [];
  const recorder: Declarations = {
    positional: (name, declared) => {
      found.set(name, declared);
      return recorder;
    },
    option: (name, declared) => {
      options.push({ ...declared, name });
      return recorder;
    },
  };
  file.options(recorder);
  const words = [...command.matchAll(/([[<])(\w+)/g)];
  return {
    arguments: words.map(([, bracket, name = '']) => ({
      ...(found.get(name) ?? { describe: '' }),
      name,
      required: bracket === '<',
    })),
    options: [...options, ...EVERYWHERE],
  };
}

/** What a help text calls the value of an argument or option. */
export function valueName({ name, value }: DeclaredArgument | DeclaredOption): string {
  return value ?? name.toUpperCase();
}

/** `--fix[=unsafe]`, `--format FORMAT` */
export function flagWithValue(option: DeclaredOption): string {
  const { name, type, attached } = option;
  if (type === 'string') return `--${name} ${valueName(option)}`;
  return attached === undefined ? `--${name}` : `--${name}[=${attached.join('|')}]`;
}
