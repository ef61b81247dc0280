/** Finds secrets and environment variables that a command line would send over the network. */

import { baseName, findCommand, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { braceWords, possiblePaths } from '../flow/possible-paths.js';
import { wordsOf } from '../flow/stdin.js';
import type { SenderLists } from '../flow/triggers.js';
import { secretPath } from '../place/sensitive-paths.js';
import { meansFolder } from './roots.js';

/** Returns the command that would send a secret away, or null. */
export function leakingSender(
  commands: readonly Command[],
  lists: SenderLists,
  folders: ReadonlySet<string>,
  home: string,
): Command | null {
  const sender = findCommand(commands, (command) => isSender(lists, command));
  if (sender === null) return null;
  if (copiesFolder(sender, lists, folders, home)) return sender;
  const leaks = (command: Command) => flowsInto(command, sender) && readsSecret(lists, command, command === sender, home);
  return findCommand(commands, leaks) === null ? null : sender;
}

/** Returns the command that would send a credential printed by another command (`gh auth token | curl -d @- x`), or null. */
export function tokenSender(commands: readonly Command[], lists: SenderLists): Command | null {
  const printsToken = (command: Command) => {
    const words = command.invocation.argv.slice(1).map(({ text }) => text);
    return lists.tokens.get(baseName(command) ?? '')?.some((first) => `${words.join(' ')} `.startsWith(`${first} `)) === true;
  };
  const printed = [...new Set(flatten(commands).filter(printsToken).map(wordsOf))].slice(0, MOST_PRINTED);
  if (printed.length === 0) return null;
  let carried = false;
  for (const command of commands) {
    carried &&= command.invocation.piped;
    const { argv } = command.invocation;
    const isSending = isSender(lists, command) && !printsToken(command);
    const holds = ({ text }: ShellWord) => printed.some((script) => text.includes(`(${script}`) || text.includes(`\`${script}`));
    if (isSending && (carried || argv.some((word, at) => holds(word) && !isCredential(word, argv[at - 1])))) return command;
    carried ||= printsToken(command);
  }
  return null;
}

/** At most this many commands that print a credential are told apart in one line. */
const MOST_PRINTED = 16;

/** `-H "Authorization: $(…)"`, `--user=x:$(…)`: the word authenticates to a service, which may see its own credential. */
export function isCredential({ text }: ShellWord, before: ShellWord | undefined): boolean {
  return CREDENTIAL.test(text) || (CREDENTIAL.test(before?.text ?? '') && before?.text.includes('=') === false);
}

const CREDENTIAL = /^(?:-H|-u|--(?:[a-z-]*(?:header|auth|token|user|password|bearer))s?(?:=|$))/;

/** Whether a command sends its input to another machine, or publishes it. */
export function isSender(lists: SenderLists, command: Command): boolean {
  const name = baseName(command);
  if (name === null) return false;
  if (lists.commands.has(name)) return true;
  const first = lists.publishers.get(name);
  return (
    first !== undefined && command.invocation.argv.slice(1).some((word) => word.value !== null && first.includes(word.value))
  );
}

/** `rsync -a ~/ host:` copies the home directory, including its secrets, to another machine. */
function copiesFolder(command: Command, lists: SenderLists, folders: ReadonlySet<string>, home: string): boolean {
  if (!lists.copiers.has(baseName(command) ?? '')) return false;
  const operands = command.invocation.argv.slice(1).filter((word) => !word.text.startsWith('-'));
  const target = operands.at(-1);
  if (target === undefined || !/^[^/]{1,256}:/.test(target.value ?? target.text)) return false;
  return operands.slice(0, -1).some((word) => meansFolder(word, folders, { home, directory: null }));
}

/**
 * Whether the sender can receive what the command prints: it is the same command, is earlier in the pipeline, or is substituted
 * into the line.
 */
function flowsInto(command: Command, sender: Command): boolean {
  if (command === sender || sender.invocation.piped) return true;
  return command.invocation.enclosures.some((enclosure) => enclosure === 'substitution' || enclosure === 'process-substitution');
}

const READS: ReadonlySet<ShellRedirection['direction']> = new Set(['read', 'read-write'] as const);

/** Whether a secret file is among the words or redirections, or the command prints the environment. */
function readsSecret(lists: SenderLists, command: Command, sender: boolean, home: string): boolean {
  if (lists.environment.has(baseName(command) ?? '') && printsEnvironment(command)) return true;
  const files = command.invocation.redirections.flatMap((redirection) =>
    redirection.target !== null && READS.has(redirection.direction) ? [redirection.target] : [],
  );
  const isSecret = (text: string) => {
    const path = fileIn(text);
    return path !== '' && secretPath(path.startsWith('~/') ? `${home}${path.slice(1)}` : path, home) !== null;
  };
  const words = [...command.invocation.argv.slice(1), ...files];
  const named = words.some((word) => {
    const text = word.value ?? (word.text.includes('{') ? word.text : word.literalPrefix);
    if ((sender && KEY_OPTION.test(text)) || isIdentityOperand(command, word)) return false;
    return braceWords(text).some(isSecret) || finished(word, home).some(isSecret);
  });
  return named || (lists.ordered.has(baseName(command) ?? '') && ordersIn(command).some(isSecret));
}

/** `@$HOME/.ssh/id_rsa`, `"$PWD/.env"`: the word's expansions, as far as its variables have well-known values. */
function finished(word: ShellWord, home: string): readonly string[] {
  return word.value === null && word.text.includes('$') ? possiblePaths(word.text, { home, directory: '.' }) : [];
}

/** Returns the command that is told to send a whole folder, whatever is in it (`sftp host <<< 'put -r .'`); null if there is none. */
export function folderSender(commands: readonly Command[], lists: SenderLists): Command | null {
  return findCommand(commands, (command) => lists.ordered.has(baseName(command) ?? '') && linesIn(command).some(sendsFolder));
}

/** `put -r .`, `mput ../*`, `mirror -R`: sends the current folder or one above it. */
function sendsFolder(order: string): boolean {
  const [verb = '', ...words] = order.trim().split(/\s+/, MOST_ORDERS);
  const operands = words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/["']/g, ''));
  if (verb === 'mirror') return words.some((word) => /^-(?:\w*R|-reverse)/.test(word)) && isWholeFolder(operands[0] ?? '.');
  return /^-?(?:put|reput|mput)$/.test(verb) && isWholeFolder(operands[0] ?? '');
}

function isWholeFolder(operand: string): boolean {
  return /^(?:\.{1,2}\/?|~\/?|\/|\$PWD|\$HOME)+\*{0,2}$/.test(operand) && operand !== '';
}

/** The words that sftp and similar programs read as commands, from a here-document or an option. */
function ordersIn(command: Command): readonly string[] {
  return linesIn(command)
    .filter((order) => !FETCHES.test(order))
    .flatMap((order) => order.split(/[\s"']+/).slice(0, MOST_ORDERS));
}

function linesIn({ invocation: { argv, redirections } }: Command): readonly string[] {
  const texts = [...redirections.map(({ text }) => text ?? ''), ...argv.slice(1).map(({ value }) => value ?? '')];
  return texts.filter((text) => /[\s;]/.test(text.trim())).flatMap((text) => text.split(/[\n;]+/).slice(0, MOST_ORDERS));
}

/** Commands of such programs that only fetch or list files. */
const FETCHES = /^\s*-?(?:get|reget|mget|mirror(?!.*\s-(?:\w*R|-reverse))|ls|dir|cd|lcd|lls)\s/;

/** At most this many lines, and this many words in each, are examined. */
const MOST_ORDERS = 256;

/** The file that a word names: `@.env`, `file=@x`, `a=<.env`, `--post-file=.env`, `-T.env`. A prefix with a colon is a host and is kept. */
function fileIn(text: string): string {
  return text
    .replace(/^-[A-Za-z-]*=?(?=[@/~.<])/, '')
    .replace(/^[^@<]{0,256}[@<](?=[./~\w])/, (prefix) => (prefix.includes(':') ? prefix : ''));
}

const KEY_OPTION = /^(?:-i|--identity|--key|--cert|--cacert|-E|--pinnedpubkey)/;

/** `ssh -i ~/.ssh/id_rsa host`: the key is used, not sent. */
function isIdentityOperand(command: Command, word: ShellWord): boolean {
  const words = command.invocation.argv;
  const before = words[words.indexOf(word) - 1]?.value;
  return before === '-i' || before === '--key' || before === '--cert' || before === '--cacert' || before === '-E';
}

/** `env`, `printenv HOME`, bare `set`, `export -p`; not `env A=1 cmd`, `set -e`, `export A=1`. */
function printsEnvironment(command: Command): boolean {
  const words = command.invocation.argv.slice(1).map((word) => word.value);
  const name = baseName(command);
  if (command.inner.length > 0) return false;
  if (name === 'env' || name === 'printenv') return words.every((word) => word !== null && !word.includes('='));
  return words.every((word) => word === '-p' || word === '-x');
}
