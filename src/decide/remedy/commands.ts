/** Rules that might allow one command: the script, the subcommand or the host with `*`, as a person would say it, and the exact words. */
import type { Command } from '../../command/command.js';
import { member } from '../../generated/data.js';
import type { ResolvedPath } from '../call/paths.js';
import type { Place } from '../call/place.js';
import { directoryOf } from '../line/directories.js';
import { startedFile } from '../line/script-spellings.js';
import { isInstalled, takesCode } from './dispatchers.js';
import { type Choice, type OfferedRule, offered } from './offer.js';
import { patternWord } from './text.js';
import type { OfferScope } from './types.js';

const MOST_LENGTH = 300;

/** Whether a wildcard behind these words would open a whole family of commands (rules/wide-commands.yaml). */
function isWide(words: readonly string[]): boolean {
  return member('#wide', words.join(' ')) !== undefined;
}

/** What is known around the command. */
interface Around {
  /** What it touches. */
  readonly paths: readonly ResolvedPath[];
  readonly place: Place;
}

/** A beginning of the command that a wildcard may follow, and what that allows besides. */
interface Head {
  readonly pattern: string;
  readonly scope: OfferScope;
  readonly also: string;
}

/**
 * The rules for one command, the one that a person would say first and the exact words last. Variables before it that are not known to
 * be harmless are named without their values.
 */
export function commandOffers(command: Command, around: Around): Choice {
  const words = command.invocation.argv.map((word) => (word.glob || word.tilde ? null : word.value));
  if (words.length === 0) return [];
  if (words.some((word) => word === null)) {
    // `kill $(lsof -ti :3000)`: numbers of processes, whichever they are.
    const isKnown = command.invocation.argv.every((word, at) => words[at] !== null || word.origin?.source.kind === 'processes');
    const head = isKnown
      ? signalHead(
          command,
          words.map((word) => word ?? '0'),
        )
      : null;
    return head === null ? [] : commandRule(head.pattern, head.scope, head.also);
  }
  const plain = words.map(String);
  const exact = words.map((word) => patternWord(word ?? ''));
  const open = openVariables(command);
  const named = open.map((name) => `${name}=* `).join('');
  const heads = headsOf(command, plain, around);
  const rules: OfferedRule[] = heads.flatMap(({ pattern, scope, also }) => commandRule(`${named}${pattern}`, scope, also));
  const valued = exactVariables(command, open);
  if (valued !== null && !exact.includes(null)) rules.push(...commandRule(`${valued}${exact.join(' ')}`, 'exact', null));
  return rules;
}

function commandRule(pattern: string, scope: OfferScope, also: string | null): readonly OfferedRule[] {
  return pattern.length > MOST_LENGTH ? [] : offered('Bash', pattern, 'command', scope, also);
}

/** The variables before a command of which nothing is known. */
function openVariables({ invocation, verdict }: Command): readonly string[] {
  return invocation.assignments.flatMap(({ name, span }) =>
    verdict.issues.some((issue) => issue.span === span && issue.code === 'assignment/unlisted') ? [name] : [],
  );
}

/** Those variables with their values, as the exact rule writes them; null where one cannot be written. */
function exactVariables({ invocation }: Command, open: readonly string[]): string | null {
  const written = invocation.assignments
    .filter(({ name }) => open.includes(name))
    .map(({ name, value, append }) => (value === null || append ? null : patternWord(`${name}=${value}`)));
  return written.includes(null) ? null : written.map((word) => `${word} `).join('');
}

function headsOf(command: Command, words: readonly string[], around: Around): readonly Head[] {
  const script = scriptHeads(command, words, around);
  if (script.length > 0) return script;
  const packageScript = packageScriptHead(words);
  if (packageScript !== null) return [packageScript];
  const host = hostHead(command, words);
  if (host !== null) return [host];
  const known = signalHead(command, words) ?? subcommandHead(command, words);
  return known === null ? unknownHeads(command, words) : [known];
}

/** Tasks of such programs that take code, a program or a statement. */
const RUNS_CODE = /^(?:c|console|db|dbconsole|dbshell|eval|exec|r|run|runner|shell|tinker)$/;

/**
 * `node scripts/*`, then `node scripts/a.js *`: an agent that may edit the one script may make it any other, so the folder is no more
 * to agree to. Paths are those from the top of the project, which cover every other spelling of them.
 */
function scriptHeads(command: Command, words: readonly string[], { paths, place }: Around): readonly Head[] {
  const started = startedFile({ command, paths, directory: directoryOf(command, place), project: place.project });
  if (started === null || !/^[\w.@+-]+(?:\/[\w.@+-]+)*$/.test(started.path)) return [];
  const { at, path } = started;
  const before = words.slice(0, at).map(patternWord);
  if (before.includes(null)) return [];
  const start = at === 0 ? './' : `${before.join(' ')} `;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const file = path.slice(folder.length);
  const first = words[at + 1] ?? '';
  if (takesCode(file) || (isInstalled(path) && isWide([file.replace(/[\d.]+$/, '')]))) {
    const isTask = /^[a-z][a-z0-9:_-]{1,40}$/.test(first) && !RUNS_CODE.test(first);
    return isTask
      ? [{ pattern: `${start}${path} ${first} *`, scope: 'arguments', also: `any arguments of ${path} ${first}` }]
      : [];
  }
  const isShared = folder !== '' && !isInstalled(path) && !/(?:^|\/)s?bin\/$/.test(folder);
  const also = `every program in ${folder}, also one written later`;
  return [
    ...(isShared ? [{ pattern: `${start}${folder}*`, scope: 'folder', also } as const] : []),
    { pattern: `${start}${path} *`, scope: 'script', also: `any arguments of ${path}` },
  ];
}

const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Scripts of package.json that have a short form. */
const SHORT: ReadonlySet<string> = new Set(['test', 'start', 'stop', 'restart']);

/** `npm run build *`, `npm test *`. */
function packageScriptHead(words: readonly string[]): Head | null {
  const [manager = '', verb = '', name = ''] = words;
  if (!MANAGERS.has(manager)) return null;
  const length = verb === 'run' && /^[A-Za-z][\w:.-]*$/.test(name) ? 3 : SHORT.has(verb) ? 2 : 0;
  const head = words.slice(0, length).join(' ');
  return length === 0 ? null : { pattern: `${head} *`, scope: 'script', also: `any arguments of ${head}` };
}

const FETCHERS: ReadonlySet<string> = new Set(['curl', 'wget']);

/**
 * `curl * https://example.com/* *`: any address of the host that the command talks to, with options that are known as harmless and
 * those that it has: `curl * -X POST https://example.com/* * -d *`.
 */
function hostHead({ name, verdict }: Command, words: readonly string[]): Head | null {
  if (name === null || !FETCHERS.has(name) || words[0] !== name) return null;
  const addresses = verdict.effects.flatMap(({ action, path }) =>
    action === 'network' && path !== null ? [path.value ?? ''] : [],
  );
  const hosts = new Set(addresses.map((address) => HOST.exec(address)?.[1] ?? ''));
  const [host = ''] = hosts;
  // What sends data or writes files is offered for this machine alone.
  const isFurther = verdict.issues.some(({ word }) => word > 0) && !LOOPBACK.test(host);
  if (hosts.size !== 1 || host === '' || isFurther) return null;
  const pattern = [name, '*'];
  for (const [at, word] of words.entries()) {
    if (at === 0) continue;
    const isNamed = (place: number) => verdict.issues.some((issue) => issue.word === place && place > 0);
    const isValueNamed = word.startsWith('-') && isNamed(at + 1) && words[at + 1]?.startsWith('-') === false;
    if (addresses.includes(word)) pattern.push(`${host}/*`, '*');
    else if (isNamed(at) || isValueNamed) {
      const written = patternWord(word);
      if (written === null) return null;
      pattern.push(written, '*');
    }
  }
  const also = `any address of ${host.replace(/^https?:\/\//, '')}${pattern.length > 4 ? ' with these options and any data' : ''}`;
  return { pattern: pattern.join(' ').replace(/ (-\S+) \* (?=[A-Z]+ )/g, ' $1 '), scope: 'host', also };
}

const LOOPBACK = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?$/;
const HOST = /^((?:https?:\/\/)?[A-Za-z0-9.-]+(?::\d{1,5})?)(?:[/?#]|$)/;

/** `kill *`, `kill -9 *`, `pkill -f *`: the number of a process never comes again, and its name is what the agent started. */
function signalHead({ name }: Command, words: readonly string[]): Head | null {
  if ((name === 'pkill' || name === 'killall') && words[0] === name) {
    const given = words.slice(1, -1);
    const plain =
      words.length > 1 && given.every((word) => /^-(?:f|9|KILL|TERM|15)$/.test(word)) && words.at(-1)?.startsWith('-') === false;
    return plain
      ? { pattern: [name, ...given, '*'].join(' '), scope: 'arguments', also: 'ending any of your processes by its name' }
      : null;
  }
  const options = words.slice(1).filter((word) => word.startsWith('-'));
  const numbers = words.slice(1).filter((word) => !word.startsWith('-'));
  if (name !== 'kill' || words[0] !== 'kill' || options.length > 1 || !numbers.every((word) => /^\d+$/.test(word))) return null;
  if (options.some((option) => !/^-(?:\d|[A-Z]+)$/.test(option) || words[1] !== option)) return null;
  return { pattern: ['kill', ...options, '*'].join(' '), scope: 'arguments', also: 'ending any of your processes by its number' };
}

/** `gh run view *` where the grammar knows what may follow. */
function subcommandHead(command: Command, words: readonly string[]): Head | null {
  const { known, words: named, effects } = command.verdict;
  if (!known || named.length < 2 || named.some((word, index) => word !== words[index]) || isWide(named)) return null;
  const grave = effects.some(({ action }) => action === 'delete' || action === 'execute' || action === 'configure');
  const head = named.join(' ');
  // Behind these stands a branch: the one that everybody works from, or one that somebody else has written.
  if (head === 'git push' || head === 'git pull' || grave || !named.every((word) => /^[\w-]+$/.test(word))) return null;
  return { pattern: `${head} *`, scope: 'arguments', also: `any arguments of ${head}` };
}

/** Options behind which many programs take code, or another program. */
const CODE = /^(?:-[ceEx]|--(?:eval|exec|execute|command|run|code|expression|script)(?:=.*)?)$/;

const SUBCOMMAND = /^[a-z][a-z0-9:_-]{1,40}$/;
/** Subcommands that stand for several, of which some lose data: `prisma migrate dev`, `prisma migrate reset`. */
const FAMILIES: ReadonlySet<string> = new Set(
  'app auth cache cluster config console database databases db env environment image migrate migration migrations project secret secrets schema server service volume'.split(
    ' ',
  ),
);

/** `plantuml *` for a program of which nothing is known; `vkb restart *` where its first word looks like a subcommand. */
function unknownHeads({ name, verdict, wrapper }: Command, words: readonly string[]): readonly Head[] {
  const [program = '', first = ''] = words;
  if (verdict.known || wrapper !== null || name === null || name !== program || !/^[A-Za-z][\w.+-]*$/.test(program)) return [];
  if (isWide([program]) || words.some((word) => CODE.test(word))) return [];
  const isSubcommand = words.length > 1 && SUBCOMMAND.test(first);
  const isFamily = isSubcommand && FAMILIES.has(first) && SUBCOMMAND.test(words[2] ?? '');
  if (isSubcommand && !isFamily && isWide([program, first])) return [];
  const head = isFamily ? words.slice(0, 3).join(' ') : isSubcommand ? `${program} ${first}` : program;
  return [{ pattern: `${head} *`, scope: 'arguments', also: `any arguments of ${head}` }];
}
