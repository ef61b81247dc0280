/** The completions that a shell can offer for `policy`: taken from the declarations of the commands, never from files. */
import { type CommandEntry, nameOf } from '../words/command.js';
import { type DeclaredArgument, type DeclaredOption, declaredBy, isSwitch, valueName } from '../words/declared.js';

/** The values for one position: words to choose from, paths, or unknown. */
export type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'unknown' };

export interface OfferedOption {
  /** `--preset`, and its one-letter alias such as `-n` if there is one. */
  readonly flags: readonly string[];
  readonly describe: string;
  /** Null for a switch. */
  readonly value: Offer | null;
}

export interface OfferedCommand {
  readonly name: string;
  readonly describe: string;
  /** One per argument; if `endless`, the last one applies to all further arguments. */
  readonly arguments: readonly Offer[];
  readonly endless: boolean;
  readonly options: readonly OfferedOption[];
}

/** Words without special meaning in any shell, quoted or not. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.=-]*$/;

/** Returns the completions of each command. Loads the files of all commands. */
export async function offersOf(commands: readonly CommandEntry[]): Promise<readonly OfferedCommand[]> {
  const names = commands.map(nameOf);
  return Promise.all(
    commands.map(async (entry) => {
      const declared = declaredBy(entry, await entry.load());
      return {
        name: nameOf(entry),
        describe: entry.describe,
        arguments: declared.arguments.map((argument) => offerOf(argument, names)),
        endless: declared.arguments.some(({ array }) => array === true),
        options: declared.options.map((option) => ({
          flags: [`--${option.name}`, ...(option.alias === undefined ? [] : [`-${option.alias}`])],
          describe: option.describe,
          value: isSwitch(option) ? null : offerOf(option, names),
        })),
      };
    }),
  );
}

function offerOf(declared: DeclaredArgument | DeclaredOption, names: readonly string[]): Offer {
  const called = valueName(declared);
  const words = declared.choices ?? ('suggested' in declared ? declared.suggested : undefined);
  if (words !== undefined) return { kind: 'words', words: words.filter((word) => PLAIN.test(word)) };
  if (called === 'COMMAND') return { kind: 'words', words: names };
  return { kind: called === 'FILE' || called === 'PATHS' ? 'files' : called === 'DIR' ? 'folders' : 'unknown' };
}

export function flagsWithValue({ options }: OfferedCommand): readonly string[] {
  return options.filter(({ value }) => value !== null).flatMap(({ flags }) => flags);
}
