/** The command line of an MCP server behind `policy mcp gateway`, by its shape alone: who starts it is for others to prove. */

export interface GatewayLine {
  /** How many words start the gateway: `policy mcp gateway`, or `node FILE mcp gateway`. */
  readonly program: number;
  /** The options in their order; `at` is the index of the word that has the value. */
  readonly options: readonly { readonly name: string; readonly value: string; readonly at: number }[];
  /** The index of the first word of the server's own command; null: the server is at the address of `--url`, or of the variable that `--url-from` names. */
  readonly command: number | null;
}

const NODE = /(?:^|[\\/])node(?:\.exe)?$/;
const COMMAND = /(?:^|[\\/])policy(?:\.(?:js|cmd|exe))?$/;
const FILE = /(?:^|[\\/])(?:policy\.js|gateway\.cjs)$/;

/** Returns null for every other line. @param words the program and its arguments */
export function gatewayLine(words: readonly string[]): GatewayLine | null {
  const isNode = NODE.test(words[0] ?? '') && FILE.test(words[1] ?? '');
  if (!isNode && !COMMAND.test(words[0] ?? '')) return null;
  const program = isNode ? 4 : 3;
  if (words[program - 2] !== 'mcp' || words[program - 1] !== 'gateway') return null;
  const options: { name: string; value: string; at: number }[] = [];
  for (let at = program; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return at + 1 < words.length ? { program, options, command: at + 1 } : null;
    if (!word.startsWith('--')) return null;
    const [name = '', joined] = word.split(/=(.*)/s, 2);
    if (joined === undefined) at += 1;
    const value = joined ?? words[at];
    if (value === undefined) return null;
    options.push({ name, value, at });
  }
  return options.some(({ name }) => name === '--url' || name === '--url-from') ? { program, options, command: null } : null;
}

/** Returns the words of the server behind the gateway; the same words for every other server, none for one at an address. */
export function wordsBehindGateway(words: readonly string[]): readonly string[] {
  const line = gatewayLine(words);
  return line === null ? words : words.slice(line.command ?? words.length);
}

/** The names of servers that rules can speak of: `mcp__files__*` must not be about `files_`, too. */
export const RULE_NAME = /^(?!.*__)(?!_)[A-Za-z0-9_-]{0,63}[A-Za-z0-9-]$/;

/** The names of variables that options of the gateway take, and characters that the value of a header cannot have. */
export const VARIABLE = /^[^\s=]+$/;
export const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;
