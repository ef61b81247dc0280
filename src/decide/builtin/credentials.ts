/** Variables that hold a credential, on their way to a machine that it is not for. */

import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import type { BuiltinDenial, SenderLists, TokenService } from '../flow/triggers.js';
import type { Ruling } from '../ruling/combine.js';
import { isCredential, isSender } from './exfiltration.js';

/** What a variable holds by its name, where no service is known. */
const CREDENTIAL_NAME = /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|APIKEY|API_KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|PAT)$/;
/** `$NAME`, `${NAME:0:8}`; `${NAME:+x}` says only whether it is set. */
const USE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?!:?\+|\w))/g;
/** `T=$GITHUB_TOKEN`: another name for it. */
const RENAMED = /(?<![\w$])([A-Za-z_]\w*)=["']?\$\{?([A-Za-z_]\w*)/g;
/** More uses and names than this in one line are not looked at. */
const MOST = 64;

/** A use of a variable in what a command sends. */
interface Use {
  readonly name: string;
  /** As an option that says who one is (`-H "Authorization: …"`), in the host of an address, or as anything else. */
  readonly as: 'credential' | 'host' | 'data';
}

/** The machines that a command talks to. */
interface Destination {
  readonly hosts: readonly string[];
  /** There may be others besides: an address that only the shell knows, an option that sends what is asked elsewhere. */
  readonly open: boolean;
}

/**
 * Adds a ruling for each command that sends a credential of a variable to another machine than the credential is for (a denial), or to
 * one that nobody knows (a question). A credential that is shown to its own service is no ruling.
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

/** Of a name alone nobody knows which service the credential is for; one that says who asks is shown to services every day. */
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

/** A machine that somebody logs in to is mostly his own; and a key by which a request is only signed stays here. */
function givesToOwnMachine(program: string, as: Use['as'], { invocation: { argv } }: Command): boolean {
  return program === 'ssh' || (as === 'credential' && argv.some(({ text }) => text.startsWith('--aws-sigv4')));
}

/** What they send is the name itself. */
const NAME_SERVERS: ReadonlySet<string> = new Set(['nslookup', 'dig', 'host']);

function isNear(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function belongsTo(host: string, { hosts, label }: TokenService): boolean {
  if (hosts.some((one) => host === one || host.endsWith(`.${one}`))) return true;
  // `github.com.evil.example` is no server of a company's own.
  return label !== undefined && host.startsWith(`${label}.`) && !hosts.some((one) => `.${host}`.includes(`.${one}.`));
}

/** Names that the line gives to variables, by those that they come from. */
function renamed(source: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [, name, from] of source.matchAll(RENAMED)) {
    if (names.size >= MOST) break;
    if (name !== undefined && from !== undefined && name !== from) names.set(name, names.get(from) ?? from);
  }
  return names;
}

/** In the words of a command, and in the text that it is given; where that is not known, anything in the line may be part of it. */
function usesIn({ invocation: { argv, redirections } }: Command, source: string): readonly Use[] {
  const words = argv.slice(1);
  const given = redirections.filter(({ direction, text }) => direction === 'here' && text === null);
  return [
    ...words.flatMap((word, at) => usesOf(word, words[at - 1])),
    ...given
      .flatMap(({ target }) => (target === null ? namesIn(source) : namesIn(target.text)))
      .map((name): Use => ({ name, as: 'data' })),
  ];
}

function namesIn(text: string): readonly string[] {
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

/** What `echo "$TOKEN" | curl -d @- …` prints before; what another sender was shown is not passed on. */
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
  const { user, host } = addressIn(unquoted(word)) ?? { user: '', host: '' };
  if (host.includes(used)) return 'host';
  return user.includes(used) ? 'credential' : 'data';
}

/** Options by which another machine is asked than the address names. */
const ELSEWHERE = /^[a-z]+\/(?:proxy|connect-to|config)$/;
/** Programs that name a machine without a scheme. */
const DIALERS: ReadonlySet<string> = new Set(['nc', 'ncat', 'netcat', 'telnet', 'ssh', 'ftp', 'lftp', 'tftp', 'sftp']);

/** The machines that a command talks to, by its grammar where it has one, else by the addresses among its words. */
function destinationOf(command: Command): Destination {
  const { verdict, invocation } = command;
  const addressed = verdict.effects.flatMap(({ action, path }) =>
    action === 'network' && path !== null ? [unquoted(path)] : [],
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
  const words = invocation.argv.slice(1).map(unquoted);
  const hosts = words.flatMap((text) => hostOf(addressIn(text)?.host ?? '$') ?? []);
  if (hosts.length === 0 && DIALERS.has(baseName(command) ?? '')) {
    const dialed = words.find((text) => /^(?:[\w.-]+@)?[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+$/.test(text));
    if (dialed !== undefined) hosts.push(dialed.slice(dialed.indexOf('@') + 1).toLowerCase());
  }
  return { hosts: [...new Set(hosts)], open: baseName(command) !== 'git' || hosts.length === 0 };
}

/** `--header="A: $B"`, `"https://x/$Y"`: whatever is put between the quotes, the word stays one, and what it begins with stays. */
function staysOne(word: ShellWord | undefined): boolean {
  return word !== undefined && /^"?[^"$`]/.test(word.text) && !/[$`]/.test(word.text.replace(/"[^"]*"/g, ''));
}

function unquoted({ value, text }: ShellWord): string {
  return value ?? text.replace(/["']/g, '');
}

/** `evil.example/x`: the machine of an address without a scheme. */
function bareHost(text: string): string {
  return /^[\w.-]+(?::\d+)?(?=[/?#]|$)/.exec(text)?.[0] ?? '$';
}

/** Without its port, in lower case; null when only the shell knows it. */
function hostOf(host: string): string | null {
  return /[$`]/.test(host) ? null : host.replace(/(?<!^\[[^\]]*):\d*$/, '').toLowerCase();
}

/** The parts of an address before its path; null for a text without a scheme. */
function addressIn(text: string): { readonly user: string; readonly host: string } | null {
  const authority = /^(?:--url=)?[A-Za-z][\w+.-]{0,15}:\/\/([^/?#\\]*)/.exec(text)?.[1];
  if (authority === undefined) return null;
  const at = authority.lastIndexOf('@');
  return { user: authority.slice(0, Math.max(at, 0)), host: authority.slice(at + 1) };
}
