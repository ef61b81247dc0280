/** Finds the grammar of a command by its name: the only reader of the shipped grammar files. */
import { data, dataNames } from '../generated/data.js';
import type { CommandEntry, GrammarFile } from './grammar-file.js';
import { type CommandTable, compileCommand } from './grammar-table.js';

const FOLDER = 'commands/';

const shipped: ReadonlySet<string> = new Set(dataNames);

/** Compiled tables by the name they were asked for; null: there is no grammar of that name. */
const tables = new Map<string, CommandTable | null>();

/** Every command of every file by name and alias; built on the first name that has no file of its own. */
let index: Map<string, Located> | null = null;

interface Located {
  readonly file: GrammarFile;
  readonly name: string;
  readonly entry: CommandEntry;
}

/**
 * The compiled grammar of a command, by its name or an alias of it; null when we ship none.
 * Names come from attackers: look-ups are by Map and own property only, and unknown names are not remembered.
 */
export function tableOf(name: string): CommandTable | null {
  const known = tables.get(name);
  if (known !== undefined) return known;
  const found = ownFile(name) ?? everyCommand().get(name);
  if (found === undefined) return null;
  const table = compileCommand(found.file, [found.name], found.entry);
  tables.set(name, table);
  return table;
}

/** All grammar files with their names (`commands/git`), for checks over everything that we ship. */
export function grammarFiles(): readonly (readonly [string, GrammarFile])[] {
  return dataNames.flatMap((name) => {
    const file = grammarFile(name);
    return file === null ? [] : [[name, file] as const];
  });
}

/** A command in the file named after it: found without parsing the other files. */
function ownFile(name: string): Located | undefined {
  // Unknown names come from attackers, and `data` remembers what it was asked.
  if (!shipped.has(FOLDER + name)) return undefined;
  const file = grammarFile(FOLDER + name);
  if (file === null || !Object.hasOwn(file.commands, name)) return undefined;
  const entry = file.commands[name];
  return entry === undefined ? undefined : { file, name, entry };
}

function everyCommand(): Map<string, Located> {
  if (index !== null) return index;
  index = new Map();
  for (const [, file] of grammarFiles())
    for (const [name, entry] of Object.entries(file.commands))
      for (const spelling of [name, ...(entry.aliases ?? [])]) index.set(spelling, { file, name, entry });
  return index;
}

/** A data file when it is a grammar: other data of the same folder (wrappers, assignments) has no `grammar` member. */
function grammarFile(name: string): GrammarFile | null {
  if (!name.startsWith(FOLDER)) return null;
  const content = data(name);
  return isGrammar(content) ? content : null;
}

function isGrammar(content: unknown): content is GrammarFile {
  return typeof content === 'object' && content !== null && 'grammar' in content && content.grammar === 1;
}
