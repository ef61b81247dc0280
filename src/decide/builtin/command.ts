/** Built-in denials for single commands, from the entries of rules/builtin-denials.yaml. No policy can loosen them. */
import { posix } from 'node:path';
import { baseName, findCommand } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellRedirection, ShellWord } from '../../shell/syntax/types.js';
import { builtinDenials, triggersOf } from '../flow/entries.js';
import { hasOption, type RootPlace, removesTrees } from '../flow/possible-paths.js';
import { givesProgram, isReverseShellScript } from '../flow/shells.js';
import type { BuiltinDenial } from '../flow/triggers.js';
import type { Ruling } from '../ruling/combine.js';
import { meansFolder } from './roots.js';

/**
 * Adds the built-in denials that one command meets by itself.
 * @param directory where the command runs, absolute; null when unknown
 */
export function builtinForCommand(command: Command, home: string, directory: string | null, into: Ruling[]): void {
  const name = baseName(command) ?? removerName(command) ?? formatterName(command);
  const spoken = name === null ? null : triggersOf(name);
  if (name !== null && spoken !== null) {
    const entries = spoken.whole ? (builtinDenials().byCommand.get(name) ?? []) : spoken.scripts;
    const place = { home, directory };
    for (const entry of entries) if (meetsCommand(entry, name, command, place)) into.push(denial(entry, command));
  }
  // Creating a link to a file does not write the file.
  for (const { action, path } of name === 'ln' ? [] : command.verdict.effects) {
    if (action !== 'write' || path === null || !mayBeDevice(path.value ?? path.literalPrefix)) continue;
    const known = spoken === null ? [] : (builtinDenials().byCommand.get(name ?? '') ?? []);
    for (const entry of builtinDenials().redirectionEntries)
      if (!known.includes(entry) && entry.kind === 'device-write' && isDevice(entry, path.value ?? path.literalPrefix))
        into.push(denial(entry, command));
  }
  for (const redirection of command.invocation.redirections) {
    if (!namesDevice(redirection)) continue;
    for (const entry of builtinDenials().redirectionEntries) {
      if (meetsRedirection(entry, redirection, name)) into.push(denial(entry, command));
    }
  }
}

/** `$x -rf /`: the name is known only at run time, but only `rm` is called this way. */
function removerName({ invocation: { argv } }: Command): string | null {
  return removesTrees(argv.slice(1)) ? 'rm' : null;
}

/** `mkfs.$type /dev/sda`: the name is only partly known, but it must be a formatter. */
function formatterName({ invocation: { argv } }: Command): string | null {
  return argv[0]?.value === null && baseOf(argv[0].literalPrefix).startsWith('mkfs.') ? 'mkfs' : null;
}

const baseOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function meetsCommand(entry: BuiltinDenial, name: string, command: Command, place: RootPlace): boolean {
  const words = command.invocation.argv.slice(1);
  switch (entry.kind) {
    case 'operand-root':
      return (hasNeeded(entry, name, words) || wrapsOne(entry, command)) && touchesRoot(entry, name, words, place);
    case 'command':
      return words.length > 0 && hasNeeded(entry, name, words) && !isHarmless(entry, name, words);
    case 'device-write':
      return (
        hasNeeded(entry, name, words) && judgedOperands(entry, name, words).some((word) => isDevice(entry, withoutOption(word)))
      );
    case 'reverse-shell':
      return words.some((word) => givesProgram(name, word, entry));
    case 'script':
      return isReverseShellScript(command, entry);
    default:
      return false;
  }
}

/** The path in `of=/dev/sda`, `-o/dev/sda`, `--output=/dev/sda` or `hwipe=/dev/sda`. */
function withoutOption({ value, literalPrefix }: ShellWord): string {
  return (value ?? literalPrefix).replace(/^(?:h?(?:of|wipe)=|-o|--?[a-z][\w-]*=)(?=\/)/, '');
}

export function touchesRoot(entry: BuiltinDenial, name: string, words: readonly ShellWord[], place: RootPlace): boolean {
  const wanted = builtinDenials().folders.get(entry) ?? builtinDenials().roots;
  return judgedOperands(entry, name, words).some((word) => meansFolder(word, wanted, place));
}

/**
 * The words that a command destroys: all of them; all but the destination (`mv`); only the destination (`cp`, `rsync`); or all
 * but the first.
 */
function judgedOperands(entry: BuiltinDenial, name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const which = entry.operands && Object.hasOwn(entry.operands, name) ? entry.operands[name] : undefined;
  if (which === undefined) return name === 'find' ? withPlace(words) : words;
  const operands = words.filter((word) => !word.text.startsWith('-'));
  // A number is the value of an option, not an operand.
  if (which === 'rest') return operands.filter(({ text }) => !/^[-+]?\d[\w,]*$/.test(text)).slice(1);
  const target = words.findIndex((word) => word.value === '-t' || word.value === '--target-directory');
  const destination = target < 0 ? operands.at(-1) : words[target + 1];
  const named = words.some((word) => word.text.startsWith('--target-directory='));
  if (which === 'first') return operands.filter((word) => named || word !== destination);
  return destination === undefined ? [] : [destination];
}

/** `find -delete` without a start path works on the current directory. */
function withPlace(words: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = words;
  return first?.value?.startsWith('-') ? [...words, { ...first, text: '.', value: '.', literalPrefix: '.' }] : words;
}

/** `find / -exec rm {} +`: the inner command destroys the operands of the outer one. */
export function wrapsOne(entry: BuiltinDenial, command: Command): boolean {
  return findCommand(command.inner, (inner) => entry.commands?.includes(baseName(inner) ?? '') ?? false) !== null;
}

export function hasNeeded(entry: BuiltinDenial, name: string, words: readonly ShellWord[]): boolean {
  const needed = entry.needs && Object.hasOwn(entry.needs, name) ? entry.needs[name] : undefined;
  return needed === undefined || hasOption(words, needed);
}

/** True for `--help`, `--version` and `-V`, and for words that only show something (`fdisk -l`) when no other option follows. */
function isHarmless(entry: BuiltinDenial, name: string, words: readonly ShellWord[]): boolean {
  if (words.every((word) => word.value === '--help' || word.value === '--version' || word.value === '-V')) return true;
  const harmless = entry.harmless && Object.hasOwn(entry.harmless, name) ? entry.harmless[name] : undefined;
  return (
    harmless?.includes(words[0]?.value ?? '') === true &&
    words.slice(1).every((word) => word.value !== null && !word.value.startsWith('-'))
  );
}

function targetOf({ target }: ShellRedirection): string {
  return target?.value ?? target?.literalPrefix ?? '';
}

function namesDevice(redirection: ShellRedirection): boolean {
  return mayBeDevice(targetOf(redirection));
}

function mayBeDevice(path: string): boolean {
  return path !== '/dev/null' && (path.includes('/dev/') || builtinDenials().files.has(path));
}

function meetsRedirection(entry: BuiltinDenial, redirection: ShellRedirection, name: string | null): boolean {
  const target = targetOf(redirection);
  if (entry.kind === 'device-write') return redirection.direction !== 'read' && isDevice(entry, target);
  const socket = entry.devices?.find((device) => target.startsWith(device));
  if (socket === undefined) return false;
  // Checking whether a local port answers is routine; a shell connected to one is not.
  const near = entry.loopback?.some((host) => target.startsWith(`${socket}${host}/`)) ?? false;
  return !near || name === 'exec' || (entry.shells?.includes(name ?? '') ?? false);
}

/** The denial for a tool that writes to a device, or to a file without which nobody can log in; null for any other path. */
export function deviceWriteDenial(path: string): Ruling | null {
  if (path === '/dev/null' || !/^\/(?:dev|etc|proc)\//.test(path)) return null;
  const entry = builtinDenials().redirectionEntries.find((one) => one.kind === 'device-write' && isDevice(one, path));
  if (entry === undefined) return null;
  return { effect: 'deny', rule: null, reason: { code: entry.id, message: `writing ${shownText(path)} ${entry.why}` } };
}

/** Whether the path is a disk, or a file without which nobody can log in. */
function isDevice(entry: BuiltinDenial, value: string): boolean {
  const path = posix.normalize(value);
  if (!path.startsWith('/dev/')) return entry.files?.includes(path) ?? false;
  return entry.devices?.some((device) => path.startsWith(device, '/dev/'.length)) ?? false;
}

export function denial(entry: BuiltinDenial, command: Command): Ruling {
  const shown = command.invocation.argv[0]?.text ?? 'the redirection';
  return {
    effect: 'deny',
    rule: null,
    reason: { code: entry.id, message: `${shown} ${entry.why}`, span: command.invocation.span },
  };
}
