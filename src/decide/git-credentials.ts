/** Commands of git that print its configuration, where that holds a credential. */
import type { Command } from '../command/command.js';
import type { Claim } from './claim.js';
import type { Facts } from './facts.js';

/** Options before the subcommand that take the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);
const SHOWS_REMOTE: ReadonlySet<string> = new Set(['-v', '--verbose', 'show', 'get-url', 'prune']);
const SHOWS_ALL = /^(?:-\w*l\w*|--l(?:i|is|ist)?|list|--get-(?:r|u|c).*|get-.*|edit|-e|--e.*)$/;

/** The words behind git's own options where the subcommand may print settings; null for all other commands. */
export function printedSettings({ name, invocation: { argv } }: Command): readonly string[] | null {
  if (name !== 'git') return null;
  let at = 1;
  for (let word = argv[at]?.value ?? null; word?.startsWith('-') === true; word = argv[at]?.value ?? null)
    at += WITH_VALUE.has(word) ? 2 : 1;
  const subcommand = argv[at]?.value;
  if (subcommand !== 'config' && subcommand !== 'remote' && subcommand !== 'ls-remote' && subcommand !== 'var') return null;
  const words = argv.slice(at).map(({ value }) => value ?? '');
  if (subcommand === 'remote') return words.some((word) => SHOWS_REMOTE.has(word) || word === '') ? words : null;
  return words;
}

/** Adds a question when the command prints a setting that holds a credential. The credential is never part of the reason. */
export function credentialClaims(command: Command, directory: string | null, facts: Facts, into: Claim[]): void {
  const { credentials } = facts;
  if (credentials === undefined) return;
  const words = printedSettings(command);
  if (words === null) return;
  const known = Object.hasOwn(credentials, directory ?? facts.cwd) ? credentials[directory ?? facts.cwd] : undefined;
  const first = known?.find(({ key }) => key === null || words[0] !== 'config' || asksFor(words, key));
  if (first === undefined) return;
  const message = `git ${words[0]} prints ${first.key ?? 'a setting'} of ${first.file}:${first.line}, which holds a credential; git remote without -v prints names only`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'secret/git-config', message, span: command.invocation.span } });
}

/** False when `git config` names another setting than this one. */
function asksFor(words: readonly string[], key: string): boolean {
  if (words.some((word) => word === '' || SHOWS_ALL.test(word))) return true;
  const names = words.slice(1).filter((word) => !word.startsWith('-') && word.includes('.'));
  return names.length === 0 || names.some((name) => name.toLowerCase() === key.toLowerCase());
}
