/** The command line of the gateway process, parsed without yargs, which would cost more than everything else at its start. */
import { basename } from 'node:path';
import { ASSUMED_RUNNER, RUNNERS, type RunnerId } from '../call/tool-call.js';
import { choiceAdvice } from '../policy/nearest.js';
import { DENIAL_FORMS, type SessionOptions } from './session.js';

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
  readonly command: string;
  readonly words: readonly string[];
  /** Names of further variables that the server gets. */
  readonly named: readonly string[];
  readonly agent: string | null;
  readonly runner: RunnerId;
  readonly denyAs: SessionOptions['denyAs'];
}

/** Flags with one value each; `--env` may be repeated. */
const FLAGS: ReadonlySet<string> = new Set(
  '--server --env --agent --runner --deny-as --project --config-dir --state-dir --managed-dir'.split(' '),
);
/** Servers that come with a runner: their names stand for their commands (R237). */
const OWN_SERVERS: ReadonlyMap<string, readonly string[]> = new Map([['codex', ['codex', 'mcp-server']]]);
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9_-]{1,64}$/;

/** Returns the options of `policy mcp gateway …`, or a sentence about what is wrong with them. */
export function gatewayOptions(given: readonly string[]): GatewayOptions | string {
  const dashes = given.indexOf('--');
  const values = valuesOf(dashes < 0 ? given : given.slice(0, dashes), FLAGS, 'policy mcp gateway');
  if (typeof values === 'string') return values;
  const value = (flag: string) => values.get(flag)?.[0] ?? null;
  const known = OWN_SERVERS.get(value('--server') ?? '') ?? [];
  const [command, ...words] = dashes < 0 ? known : given.slice(dashes + 1);
  if (command === undefined) return 'Which server? Its command goes behind --: policy mcp gateway -- npx some-server';
  const server = value('--server') ?? serverName([command, ...words]);
  if (!SERVER_NAME.test(server)) return `--server is a short name of letters, digits, - and _, not ${JSON.stringify(server)}`;
  const runner = chosen('--runner', value('--runner') ?? ASSUMED_RUNNER, RUNNERS);
  if (!runner.ok) return runner.why;
  const denyAs = chosen('--deny-as', value('--deny-as') ?? 'result', DENIAL_FORMS);
  if (!denyAs.ok) return denyAs.why;
  return {
    ...{ server, command, words, runner: runner.choice, denyAs: denyAs.choice },
    named: values.get('--env') ?? [],
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

/** Returns the values of flags by their names, or a sentence about what is wrong. */
export function valuesOf(
  words: readonly string[],
  flags: ReadonlySet<string>,
  command: string,
): ReadonlyMap<string, readonly string[]> | string {
  const values = new Map<string, readonly string[]>();
  for (let at = 0; at < words.length; at += 1) {
    const [flag = '', joined] = (words[at] ?? '').split(/=(.*)/s, 2);
    if (!flags.has(flag)) return `${command} has no option ${JSON.stringify(flag)}; ${choiceAdvice(flag, [...flags])}`;
    const value = joined ?? words[++at];
    if (value === undefined || value === '') return `${flag} needs a value`;
    const before = values.get(flag) ?? [];
    if (before.length > 0 && flag !== '--env') return `${flag} is given twice`;
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

/** `npx -y @modelcontextprotocol/server-filesystem@1 /tmp` → `filesystem`: the name of the package or program. */
function serverName(words: readonly string[]): string {
  const isStarter = /^(?:npx|bunx|uvx|node|deno|bun|python3?)(?:\.\w+)?$/.test(basename(words[0] ?? ''));
  const [program = ''] = words.slice(isStarter ? 1 : 0).filter((word) => !word.startsWith('-') && word !== 'run');
  const parts = program.split(/[\\/]/).map((part) => part.replace(/(?<=.)@.*$/, '').replace(/\.\w+$/, ''));
  const name = parts.reverse().find((part) => !SAYS_NOTHING.has(part)) ?? '';
  return name.replace(/^(?:mcp-)?server-|-mcp(?:-server)?$|^mcp-|-server$/g, '') || name;
}
