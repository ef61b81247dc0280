/** Rulings on commands that send a credential held in a variable to a machine it is not meant for. */

import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import type { BuiltinDenial, SenderLists, TokenService } from '../flow/triggers.js';
import type { Ruling } from '../ruling/combine.js';
import { isCredential, isSender } from './exfiltration.js';

/** Variable names that suggest a credential, used where the service is unknown. */
const CREDENTIAL_NAME = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|API_KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|PAT)$/;
/** A use of a variable: `$NAME`, `${NAME:0:8}`. `${NAME:+x}` is excluded: it reveals only whether the variable is set. */
const USE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?!:?\+|\w))/g;
/** `T=$GITHUB_TOKEN`: a second name for the same credential. */
const RENAMED = /(?<![\w$])([A-Za-z_]\w*)=["']?\$\{?([A-Za-z_]\w*)/g;
/** At most this many uses, and this many renamed variables, are examined in one line. */
const MOST = 64;

/** A use of a variable in data that a command sends. */
interface Use {
  readonly name: string;
  /** In an option that authenticates (`-H "Authorization: …"`), in the host of an address, or anywhere else. */
  readonly as: 'credential' | 'host' | 'data';
}

/** The machines that a command contacts. */
interface Destination {
  readonly hosts: readonly string[];
  /** There may be others: the address is known only at run time, or an option sends the request elsewhere. */
  readonly open: boolean;
}

/**
 * Adds a ruling for each command that sends a credential from a variable to a machine other than the credential's own service: a
 * denial when the machine is known, a question when it is not. Sending a credential to its own service gives no ruling.
 */
export function credentialSendRulings(
  source: string,
  commands: readonly Command[],
  entry: BuiltinDenial,
  lists: SenderLists,
  services: readonly TokenService[],
  into: Ruling[],
): void {
  const names = renamed(source);
  for (const [at, command] of commands.entries())
    for (const sender of flatten([command]).filter((one) => baseName(one) === 'git' || isSender(lists, one))) {
      const found = [...usesIn(sender, source), ...usesBefore(commands, at, lists, source)].slice(0, MOST);
      if (found.length === 0) continue;
      const destination = destinationOf(sender);
      for (const use of found) {
        const service = services.find(({ variables }) => variables.includes(names.get(use.name) ?? use.name));
        const effect =
          service === undefined ? unknownEffect(use, names, destination) : effectOf(use, service, destination, sender);
        if (effect !== null) into.push(ruling(effect, use, destination, sender, entry));
      }
    }
}

function ruling(effect: Effect, { name }: Use, { hosts }: Destination, { invocation }: Command, entry: BuiltinDenial): Ruling {
  const shown = invocation.argv[0]?.text ?? 'the command';
  const where = hosts.length === 0 ? 'another machine' : shownText(hosts.join(', '));
  const message = `${shown} would send the credential in $${name} to ${where}`;
  return { effect, rule: null, reason: { code: entry.id, message, span: invocation.span } };
}

/**
 * A name alone does not reveal which service a credential is for, so this only asks. Authenticating to some service is routine
 * and gives null.
 */
function unknownEffect({ name, as }: Use, names: ReadonlyMap<string, string>, { hosts, open }: Destination): Effect | null {
  if (as === 'credential' || !CREDENTIAL_NAME.test(names.get(name) ?? name)) return null;
  return !open && hosts.every(isNear) ? null : 'ask';
}

function effectOf({ as }: Use, service: TokenService, { hosts, open }: Destination, sender: Command): Effect | null {
  const program = baseName(sender) ?? '';
  if (as === 'host' || NAME_SERVERS.has(program)) return 'deny';
  const away = hosts.filter((host) => !isNear(host));
  if (away.some((host) => !belongsTo(host, service))) return givesToOwnMachine(program, as, sender) ? 'ask' : 'deny';
  if (open) return 'ask';
  return as === 'credential' || away.length === 0 ? null : 'ask';
}

/** A machine that a user logs in to is usually their own, and a key that only signs a request is not sent. */
function givesToOwnMachine(program: string, as: Use['as'], { invocation: { argv } }: Command): boolean {
  return program === 'ssh' || (as === 'credential' && argv.some(({ text }) => text.startsWith('--aws-sigv4')));
}

/** Name lookup tools: they send the name itself. */
const NAME_SERVERS: ReadonlySet<string> = new Set(['nslookup', 'dig', 'host']);

function isNear(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function belongsTo(host: string, { hosts, label }: TokenService): boolean {
  if (hosts.some((one) => host === one || host.endsWith(`.${one}`))) return true;
  // A company's own server matches its label, but `github.com.evil.example` does not belong to GitHub.
  return label !== undefined && host.startsWith(`${label}.`) && !hosts.some((one) => `.${host}`.includes(`.${one}.`));
}

/** Maps the variables that the line assigns from other variables to the original names. */
function renamed(source: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [, name, from] of source.matchAll(RENAMED)) {
    if (names.size >= MOST) break;
    if (name !== undefined && from !== undefined && name !== from) names.set(name, names.get(from) ?? from);
  }
  return names;
}

/**
 * Finds uses in the words of a command and in the text that it is given as input. If that text is unknown, any variable in the
 * line may be part of it.
 */
function usesIn({ invocation: { argv, redirections } }: Command, source: string): readonly Use[] {
  const words = argv.slice(1);
  const given = redirections.filter(({ direction, text }) => direction === 'here' && text === null);
  return [
    ...words.flatMap((word, at) => usesOf(word, words[at - 1])),
    ...given
      .flatMap(({ target }) => (target === null ? usedVariables(source) : usedVariables(target.text)))
      .map((name): Use => ({ name, as: 'data' })),
  ];
}

function usedVariables(text: string): readonly string[] {
  return Array.from(text.matchAll(USE), (found) => found[1] ?? found[2] ?? '').slice(0, MOST);
}

function usesOf(word: ShellWord, before: ShellWord | undefined): readonly Use[] {
  if (word.value !== null || !word.text.includes('$')) return [];
  const uses: Use[] = [];
  for (const found of word.text.matchAll(USE)) {
    if (uses.length >= MOST) break;
    const name = found[1] ?? found[2] ?? '';
    uses.push({ name, as: useAs(word, before, found[0]) });
  }
  return uses;
}

/**
 * Finds uses that an earlier command of the pipeline prints (`echo "$TOKEN" | curl -d @- …`). Variables given to another sender
 * are not passed on.
 */
function usesBefore(commands: readonly Command[], at: number, lists: SenderLists, source: string): readonly Use[] {
  const uses: Use[] = [];
  for (let here = at; here > 0 && commands[here]?.invocation.piped === true; here -= 1) {
    const before = commands[here - 1];
    if (before !== undefined && !isSender(lists, before))
      uses.push(...usesIn(before, source).map(({ name }): Use => ({ name, as: 'data' })));
  }
  return uses;
}

function useAs(word: ShellWord, before: ShellWord | undefined, used: string): Use['as'] {
  if (isCredential(word, before)) return 'credential';
  const { user, host } = addressIn(valueOrText(word)) ?? { user: '', host: '' };
  if (host.includes(used)) return 'host';
  return user.includes(used) ? 'credential' : 'data';
}

/** Options that send the request to a machine other than the one in the address. */
const ELSEWHERE = /^[a-z]+\/(?:proxy|connect-to|config)$/;
/** Programs that take a machine name without a URL scheme. */
const DIALERS: ReadonlySet<string> = new Set(['nc', 'ncat', 'netcat', 'telnet', 'ssh', 'ftp', 'lftp', 'tftp', 'sftp']);

/** The machines that a command contacts: from its grammar if it has one, otherwise from the addresses among its words. */
function destinationOf(command: Command): Destination {
  const { verdict, invocation } = command;
  const addressed = verdict.effects.flatMap(({ action, path }) =>
    action === 'network' && path !== null ? [valueOrText(path)] : [],
  );
  if (verdict.known && addressed.length > 0) {
    const uncertain = verdict.issues.some(
      ({ code, word }) => code === 'option/unknown' || (code === 'word/may-become-option' && !staysOne(invocation.argv[word])),
    );
    const hosts = addressed.map((text) => hostOf(addressIn(text)?.host ?? (uncertain ? '$' : bareHost(text))));
    const seen = hosts.filter((host) => host !== null);
    const open = uncertain || seen.length < hosts.length || verdict.issues.some(({ code }) => ELSEWHERE.test(code));
    return { hosts: [...new Set(seen)], open };
  }
  const words = invocation.argv.slice(1).map(valueOrText);
  const hosts = words.flatMap((text) => hostOf(addressIn(text)?.host ?? '$') ?? []);
  if (hosts.length === 0 && DIALERS.has(baseName(command) ?? '')) {
    const dialed = words.find((text) => /^(?:[\w.-]+@)?[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+$/.test(text));
    if (dialed !== undefined) hosts.push(dialed.slice(dialed.indexOf('@') + 1).toLowerCase());
  }
  return { hosts: [...new Set(hosts)], open: baseName(command) !== 'git' || hosts.length === 0 };
}

/** `--header="A: $B"`, `"https://x/$Y"`: whatever value is inserted between the quotes, this stays one word with the same beginning. */
function staysOne(word: ShellWord | undefined): boolean {
  return word !== undefined && /^"?[^"$`]/.test(word.text) && !/[$`]/.test(word.text.replace(/"[^"]*"/g, ''));
}

function valueOrText({ value, text }: ShellWord): string {
  return value ?? text.replace(/["']/g, '');
}

/** The host of an address without a scheme: `evil.example` in `evil.example/x`. */
function bareHost(text: string): string {
  return /^[\w.-]+(?::\d+)?(?=[/?#]|$)/.exec(text)?.[0] ?? '$';
}

/** The host in lower case, without its port; null when it is known only at run time. */
function hostOf(host: string): string | null {
  return /[$`]/.test(host) ? null : host.replace(/(?<!^\[[^\]]*):\d*$/, '').toLowerCase();
}

/** The parts of an address before its path; null for a string without a scheme. */
function addressIn(text: string): { readonly user: string; readonly host: string } | null {
  const authority = /^(?:--url=)?[A-Za-z][\w+.-]{0,15}:\/\/([^/?#\\]*)/.exec(text)?.[1];
  if (authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  return { user: authority.slice(0, Math.max(at, 0)), host: authority.slice(at + 1) };
}
