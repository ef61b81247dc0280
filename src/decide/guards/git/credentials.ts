/** Git commands that print configuration containing a credential. */
import type { Command } from '../../../command/model/command.js';
import type { Ruling } from '../../ruling/combine.js';
import type { Facts } from '../../ruling/facts.js';

/** Options before the subcommand that take the next word as their value. */
const WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);
/** Subcommands that print settings; the last two print the URL of a remote. */
const PRINTING: ReadonlySet<string> = new Set(['config', 'remote', 'var', 'ls-remote', 'request-pull']);
/** Actions of `git remote` that print no URL. */
const QUIET_REMOTE: ReadonlySet<string> = new Set('add remove rename rm set-branches set-head set-url update'.split(' '));
const SHOWS_ALL = /^(?:-\w*l\w*|--l(?:i|is|ist)?|list|--get-(?:r|u|c).*|get-.*|edit|-e|--e.*)$/;

/**
 * The words from the subcommand on, if it may print settings (as an unknown subcommand may); null for any other command. The text
 * of an unknown word is empty.
 */
export function printedSettings({ name, invocation: { argv } }: Command): readonly string[] | null {
  if (name !== 'git') return null;
  let at = 1;
  for (let word = argv[at]?.value ?? null; word?.startsWith('-') === true; word = argv[at]?.value ?? null)
    at += WITH_VALUE.has(word) ? 2 : 1;
  const subcommand = argv[at];
  if (subcommand === undefined || (subcommand.value !== null && !PRINTING.has(subcommand.value))) return null;
  const words = argv.slice(at).map(({ value }) => value ?? '');
  return isQuiet(words) ? null : words;
}

function isQuiet([subcommand, first]: readonly string[]): boolean {
  // Its only option can be written in many ways: `-vv`, `--verb`.
  if (subcommand === 'remote') return first === undefined || QUIET_REMOTE.has(first);
  // A named `GIT_` variable is not part of the configuration.
  return subcommand === 'var' && first?.startsWith('GIT_') === true;
}

/** Adds a question if the command prints a setting that contains a credential. The reason never includes the credential. */
export function credentialRulings(command: Command, directory: string | null, facts: Facts, into: Ruling[]): void {
  const { credentials } = facts;
  if (credentials === undefined) return;
  const words = printedSettings(command);
  if (words === null) return;
  const known = Object.hasOwn(credentials, directory ?? facts.cwd) ? credentials[directory ?? facts.cwd] : undefined;
  const first = known?.find(({ key }) => key === null || prints(words, key));
  if (first === undefined) return;
  const verb = words[0] === '' ? 'git may print' : `git ${words[0]} prints`;
  const wayOut = words[0] === 'remote' ? '; git remote without -v prints only names' : '';
  const message = `${verb} ${first.key ?? 'a setting'} of ${first.file}:${first.line}, which holds a credential${wayOut}`;
  into.push({ effect: 'ask', rule: null, reason: { code: 'secret/git-config', message, span: command.invocation.span } });
}

/** Settings from which git builds the URL of a remote. */
const OF_URLS = /^(?:remote|url|branch)\./;

function prints(words: readonly string[], key: string): boolean {
  const [subcommand] = words;
  if (subcommand === 'config') return asksFor(words, key);
  return subcommand === 'var' || subcommand === '' || OF_URLS.test(key);
}

/** False if `git config` names a different setting. */
function asksFor(words: readonly string[], key: string): boolean {
  if (words.some((word) => word === '' || SHOWS_ALL.test(word))) return true;
  const names = words.slice(1).filter((word) => !word.startsWith('-') && word.includes('.'));
  return names.length === 0 || names.some((name) => name.toLowerCase() === key.toLowerCase());
}
