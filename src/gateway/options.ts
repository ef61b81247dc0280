/** The command line of the gateway process, parsed without yargs, which would cost more than everything else at its start. */
import { basename } from 'node:path';
import { RULE_NAME } from '../call/gateway-line.js';
import { ASSUMED_RUNNER, RUNNERS, type RunnerId } from '../call/tool-call.js';
import { choiceAdvice } from '../policy/nearest.js';
import { DENIAL_FORMS, type SessionOptions } from './session/session.js';
import type { UpstreamPlace } from './session/upstream.js';

/** Folders as given; null: the default. */
export interface Folders {
  readonly project: string | null;
  readonly configDirectory: string | null;
  readonly stateDirectory: string | null;
  readonly managedDirectory: string | null;
}

export interface GatewayOptions extends Folders {
  /** The server's name in rules. */
  readonly server: string;
  readonly upstream: UpstreamPlace;
  /** The loopback address for clients over HTTP; null: one client on standard input and output. */
  readonly listen: Listen | null;
  readonly agent: string | null;
  readonly runner: RunnerId;
  readonly denyAs: SessionOptions['denyAs'];
}

export interface Listen {
  readonly host: string;
  readonly port: number;
  /** The variable with the token that clients have to send; null: anybody on this machine may connect. */
  readonly token: string | null;
}

/** Flags with one value each. */
const FLAGS: ReadonlySet<string> = new Set([
  ...['--server', '--env', '--url', '--url-from', '--header', '--listen', '--token', '--agent', '--runner', '--deny-as'],
  ...['--project', '--config-dir', '--state-dir', '--managed-dir'],
]);
const REPEATED: ReadonlySet<string> = new Set(['--env', '--header']);
/** Flags without a value. */
const SWITCHES: ReadonlySet<string> = new Set(['--no-token']);
/** Servers that come with a runner: their names stand for their commands (R237). */
const OWN_SERVERS: ReadonlyMap<string, readonly string[]> = new Map([['codex', ['codex', 'mcp-server']]]);

/** Returns the options of `policy mcp gateway …`, or a sentence about what is wrong with them. */
export function gatewayOptions(given: readonly string[]): GatewayOptions | string {
  const dashes = given.indexOf('--');
  const values = valuesOf(dashes < 0 ? given : given.slice(0, dashes), FLAGS, 'policy mcp gateway', SWITCHES);
  if (typeof values === 'string') return values;
  const value = (flag: string) => values.get(flag)?.[0] ?? null;
  const known = values.has('--url') || values.has('--url-from') ? undefined : OWN_SERVERS.get(value('--server') ?? '');
  const upstream = upstreamOf(dashes < 0 ? (known ?? []) : given.slice(dashes + 1), values);
  if (typeof upstream === 'string') return upstream;
  const server = value('--server') ?? nameOf(upstream);
  if (server === '' && values.has('--url-from')) return '--server must name the server for rules; --url-from does not';
  if (!RULE_NAME.test(server)) return `--server must be a short name of letters, digits, - and _, not ${JSON.stringify(server)}`;
  const listen = listenOf(value('--listen'), value('--token'), values.has('--no-token'));
  if (typeof listen === 'string') return listen;
  const runner = chosen('--runner', value('--runner') ?? ASSUMED_RUNNER, RUNNERS);
  if (!runner.ok) return runner.why;
  const denyAs = chosen('--deny-as', value('--deny-as') ?? 'result', DENIAL_FORMS);
  if (!denyAs.ok) return denyAs.why;
  return {
    ...{ server, upstream, listen, runner: runner.choice, denyAs: denyAs.choice },
    agent: value('--agent'),
    ...foldersOf(value),
  };
}

export function foldersOf(value: (flag: string) => string | null): Folders {
  return {
    project: value('--project'),
    configDirectory: value('--config-dir'),
    stateDirectory: value('--state-dir'),
    managedDirectory: value('--managed-dir'),
  };
}

type Values = ReadonlyMap<string, readonly string[]>;

function upstreamOf([command, ...words]: readonly string[], values: Values): UpstreamPlace | string {
  const address = values.get('--url')?.[0];
  const variable = values.get('--url-from')?.[0];
  const headers = values.get('--header') ?? [];
  const named = values.get('--env') ?? [];
  if (address === undefined && variable === undefined) {
    if (headers.length > 0) return '--header is for a server at an address (--url); a command gets variables with --env';
    if (command === undefined)
      return 'Which server? Its command goes behind --: policy mcp gateway -- npx some-server; its address: --url https://…';
    return { kind: 'command', command, words, named };
  }
  if (command !== undefined) return 'give a command or an address (--url), not both';
  if (named.length > 0) return '--env is for a server with a command; for an address, use --header';
  if (address !== undefined && variable !== undefined) return 'give --url or --url-from, not both';
  const url = address === undefined ? { variable: variable ?? '' } : addressOf(address);
  if (url === null) return `--url is not an http or https address: ${JSON.stringify(address)}`;
  if ('password' in url && url.username + url.password !== '')
    return '--url contains a password, which every process can read; use --header';
  const pairs = headers.map((header) => HEADER.exec(header));
  const wrong = pairs.indexOf(null);
  if (wrong >= 0) return `--header must be NAME=VARIABLE, with the value in the variable, not ${JSON.stringify(headers[wrong])}`;
  return { kind: 'address', url, headers: pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']) };
}

/** Returns an address of http or https; null for anything else. */
export function addressOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+)=([^\s=]+)$/;
const ADDRESS = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/;

function listenOf(address: string | null, token: string | null, isOpen: boolean): Listen | null | string {
  if (address === null) return token !== null || isOpen ? '--token and --no-token go with --listen' : null;
  const [, host = '', port = ''] = ADDRESS.exec(address) ?? [];
  if (host === '' || Number(port) > 65_535)
    return `--listen must be an address of this machine, such as 127.0.0.1:8931, not ${JSON.stringify(address)}`;
  if ((token === null) !== isOpen)
    return 'every program on this machine can connect: --token VARIABLE requires the token in that variable, --no-token requires none';
  return { host: host.replace(/[[\]]/g, ''), port: Number(port), token };
}

/** Returns the values of flags by their names, or a sentence about what is wrong. `switches` are flags without a value. */
export function valuesOf(
  words: readonly string[],
  flags: ReadonlySet<string>,
  command: string,
  switches: ReadonlySet<string> = new Set(),
): Values | string {
  const values = new Map<string, readonly string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const [flag = '', joined] = (words[at] ?? '').split(/=(.*)/s, 2);
    if (switches.has(flag) && joined === undefined) {
      values.set(flag, []);
      continue;
    }
    if (!flags.has(flag))
      return `${command} has no option ${JSON.stringify(flag)}; ${choiceAdvice(flag, [...flags, ...switches])}`;
    const value = joined ?? words[++at];
    if (value === undefined || value === '') return `${flag} needs a value`;
    const before = values.get(flag) ?? [];
    if (before.length > 0 && !REPEATED.has(flag)) return `${flag} is given twice`;
    values.set(flag, [...before, value]);
  }
  return values;
}

type Chosen<Choice> = { readonly ok: true; readonly choice: Choice } | { readonly ok: false; readonly why: string };

export function chosen<Choice extends string>(flag: string, value: string, choices: readonly Choice[]): Chosen<Choice> {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return { ok: true, choice };
  return { ok: false, why: `${flag} is ${JSON.stringify(value)}; ${choiceAdvice(value, choices)}` };
}

/** Folders and files of a package that say nothing about the server in it. */
const SAYS_NOTHING: ReadonlySet<string> = new Set('bin build cli dist index lib main mcp out server src start'.split(' '));

/** Labels of a host name that say nothing about the server there. */
const HOST_SAYS_NOTHING: ReadonlySet<string> = new Set('api mcp server www'.split(' '));

function nameOf(upstream: UpstreamPlace): string {
  if (upstream.kind === 'command') return serverName([upstream.command, ...upstream.words]);
  const labels = 'variable' in upstream.url ? [] : upstream.url.hostname.split('.');
  return (labels.length > 1 ? labels.slice(0, -1) : labels).reverse().find((label) => !HOST_SAYS_NOTHING.has(label)) ?? '';
}

/** `npx -y @modelcontextprotocol/server-filesystem@1 /tmp` → `filesystem`: the name of the package or program. */
function serverName(words: readonly string[]): string {
  const isStarter = /^(?:npx|bunx|uvx|node|deno|bun|python3?)(?:\.\w+)?$/.test(basename(words[0] ?? ''));
  const [program = ''] = words.slice(isStarter ? 1 : 0).filter((word) => !word.startsWith('-') && word !== 'run');
  const parts = program.split(/[\\/]/).map((part) => part.replace(/(?<=.)@.*$/, '').replace(/\.\w+$/, ''));
  const name = parts.reverse().find((part) => !SAYS_NOTHING.has(part)) ?? '';
  return name.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-|-server$/g, '') || name;
}
