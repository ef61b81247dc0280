/** Commands of this program that change what agents may do: denied to agents, however they are spelled (docs/guarantees.md, 5). */

import { baseName } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import type { Ruling } from '../ruling/combine.js';

/** The names of the program, its script and its package. */
const OWN_NAMES = new Set(['policy', 'policy.js', 'agent-policy']);
/** Programs that run another program named among their words. */
const LAUNCHERS = new Set([
  ...['node', 'nodejs', 'bun', 'bunx', 'deno', 'tsx', 'ts-node'],
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'corepack'],
]);
const CHANGING = new Set(['trust', 'init', 'install', 'uninstall', 'allow', 'deny', 'ask', 'remove', 'observe']);
const CHANGING_LOG = new Set(['seal', 'prune']);
const CHANGING_MCP = new Set(['install', 'uninstall', 'pin']);
/** Options that change nothing, if they are the only word after the command. */
const LOOKING = new Set(['--show', '--help', '-h']);
const OBSERVE_LOOKING = new Set(['status', '--help', '-h']);

/**
 * Adds a denial if the command runs this program to change what agents may do. A subcommand known only at run time (or to
 * `xargs`) is treated as a changing one: nobody hides it with good intentions.
 */
export function ownCommands(command: Command, into: Ruling[]): void {
  const name = baseName(command)?.toLowerCase();
  if (name === undefined || !(OWN_NAMES.has(withoutEnding(name)) || LAUNCHERS.has(name))) return;
  const { argv, span } = command.invocation;
  for (const [at, word] of argv.entries()) {
    if (!isOwnProgram(word) || (at > 0 && !LAUNCHERS.has(name))) continue;
    const given = argv.slice(at + 1);
    const words = given.filter((one) => one.value !== '--');
    if (!changes(words, command.appended) && !changesMcp(given, command.appended)) continue;
    const message = `policy ${words[0]?.value ?? '…'} changes what agents may do; only a person may run it, in their own terminal`;
    into.push({ effect: 'deny', rule: null, reason: { code: 'builtin/own-commands', message, span } });
    return;
  }
}

/**
 * `policy`, `/opt/x/bin/policy.js`, `agent-policy@1.2.3`; in upper or lower case, as macOS and Windows find it, and with the
 * extensions that npm adds there.
 */
function isOwnProgram({ value }: ShellWord): boolean {
  if (value === null) return false;
  const last = value.slice(value.lastIndexOf('/') + 1).toLowerCase();
  const version = last.indexOf('@');
  return OWN_NAMES.has(withoutEnding(version > 0 ? last.slice(0, version) : last));
}

function withoutEnding(name: string): string {
  return name.includes('.') ? name.replace(/\.(?:cmd|exe|ps1)$/, '') : name;
}

/** `policy mcp pin`; options may stand before the action, and behind the dashes is the command of a server. */
function changesMcp(given: readonly ShellWord[], appended: boolean): boolean {
  const words = given[0]?.value === '--' ? given.slice(1) : given;
  if (words[0]?.value !== 'mcp') return false;
  const dashes = words.findIndex(({ value }) => value === '--');
  const [action, ...more] = words.slice(1, dashes < 0 ? words.length : dashes);
  if (action === undefined) return appended;
  if (action.value?.startsWith('-') === false)
    return CHANGING_MCP.has(action.value) && !(more.length === 1 && !appended && LOOKING.has(more[0]?.value ?? ''));
  return [action, ...more].some(({ value }) => value === null || CHANGING_MCP.has(value));
}

function changes(words: readonly ShellWord[], appended: boolean): boolean {
  const [first, second] = words;
  if (first === undefined) return appended;
  if (first.value === null) return true;
  if (first.value === 'log') {
    if (second === undefined) return appended;
    return second.value === null || CHANGING_LOG.has(second.value);
  }
  const looking = first.value === 'observe' ? OBSERVE_LOOKING : LOOKING;
  return CHANGING.has(first.value) && !(words.length === 2 && !appended && looking.has(second?.value ?? ''));
}
