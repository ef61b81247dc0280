/** Finds the grammar of a command by its name: the only reader of the shipped grammar files. */
import { data, dataNames } from '../../generated/data.js';
import type { CommandEntry, GrammarFile } from './file.js';
import { type CommandTable, compileCommand } from './table.js';

const FOLDER = 'commands/';

/** Compiled tables by the name they were requested under. */
const tables = new Map<string, CommandTable>();

interface Located {
  readonly file: GrammarFile;
  readonly name: string;
  readonly entry: CommandEntry;
}

/**
 * The compiled grammar of a command, by its name or an alias; null when we ship none. Names come from attackers: lookups use only
 * Maps and own properties, and unknown names are not cached.
 */
export function tableOf(name: string): CommandTable | null {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const found = located(name);
  if (found === null || found.entry.onlyInforms === true) return null;
  const table = compileCommand(found.file, [found.name], found.entry);
  tables.set(name, table);
  return table;
}

/** Options with which a command without any other grammar only prints information; empty for all other commands. */
export function informationalOptions(name: string): readonly string[] {
  const entry = located(name)?.entry;
  return entry?.onlyInforms === true ? (entry.informs?.split(' ') ?? []) : [];
}

/** The grammar of every command with its data name (`commands/git`), for checks over everything that we ship. */
export function grammarFiles(): readonly (readonly [string, GrammarFile])[] {
  return dataNames().flatMap((name) => {
    const file = grammarFile(name);
    return file === null ? [] : [[name, file] as const];
  });
}

/** The entry of a command, by its name or an alias: the build makes one data entry per command, so that no other is parsed. */
function located(name: string): Located | null {
  const content = data(FOLDER + name);
  if (isAlias(content)) return located(content.alias);
  const file = isGrammar(content) ? content : null;
  if (file === null || !Object.hasOwn(file.commands, name)) return null;
  const entry = file.commands[name];
  return entry === undefined ? null : { file, name, entry };
}

function isAlias(content: unknown): content is { readonly alias: string } {
  return typeof content === 'object' && content !== null && 'alias' in content && typeof content.alias === 'string';
}

/** A data file, if it is a grammar: other data in the same folder (wrappers, assignments) has no `grammar` member. */
function grammarFile(name: string): GrammarFile | null {
  if (!name.startsWith(FOLDER)) return null;
  const content = data(name);
  return isGrammar(content) ? content : null;
}

function isGrammar(content: unknown): content is GrammarFile {
  return typeof content === 'object' && content !== null && 'grammar' in content && content.grammar === 1;
}
