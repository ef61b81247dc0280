/**
 * Rules that might allow one command. A `*` is offered only after a script of the project, a subcommand that its grammar knows as
 * reading, and a host; any other command is offered as written, whatever its words mean to the program.
 */

import { tableOf } from '../../command/grammar/lookup.js';
import type { Command } from '../../command/model/command.js';
import { isInstalled, reachesOut, takesCode } from '../../command/model/dispatchers.js';
import { scriptOperand } from '../../command/model/interpreters.js';
import { wrapperOf } from '../../command/wrappers/rules.js';
import { coverReadings } from '../../rule/pattern/command-pattern.js';
import { directoryOf } from '../flow/directories.js';
import { readInside } from '../line/inside.js';
import type { ResolvedPath } from '../place/paths.js';
import type { Place } from '../place/place.js';
import { startedFile } from '../proofs/script-spellings.js';
import { type Choice, type OfferedRule, offered } from './offer.js';
import { patternWord } from './text.js';
import type { OfferScope } from './types.js';

const MOST_LENGTH = 300;

/** The context of the command. */
interface Around {
  /** The paths that it touches. */
  readonly paths: readonly ResolvedPath[];
  readonly place: Place;
}

/** A beginning of the command that a wildcard may follow, and what else that allows. */
interface Head {
  readonly pattern: string;
  readonly scope: OfferScope;
  readonly also: string;
}

/**
 * The rules for one command, the most natural one first and the exact words last. Variables before it that are not known to be
 * harmless are included with their values.
 */
export function commandOffers(command: Command, around: Around): Choice {
  const words = command.invocation.argv.flatMap(({ value, glob, tilde }) => (value === null || glob || tilde ? [] : [value]));
  const variables = exactVariables(command);
  if (words.length === 0 || variables === null) return [];
  const isCertain = words.length === command.invocation.argv.length;
  const head = isCertain
    ? (scriptHead(command, words, around) ??
      packageScriptHead(words) ??
      hostHead(command, words) ??
      subcommandHead(command, words))
    : subcommandHead(command, words);
  const rules: OfferedRule[] = head === null ? [] : [...commandRule(variables + head.pattern, head.scope, head.also)];
  const exact = words.map(patternWord);
  const pattern = variables + exact.join(' ');
  if (isCertain && !exact.includes(null) && coverReadings(pattern).every(({ wild }) => !wild))
    rules.push(...commandRule(pattern, 'exact', null));
  return rules;
}

/**
 * Rules for each command that this one runs on another machine or in a container: `ssh HOST grep *` if that only reads, otherwise
 * the exact words. Null if it is uncertain.
 */
export function insideOffers(command: Command): readonly Choice[] | null {
  const inside = readInside(command)?.map(({ command: one, before, words, issues }): Choice => {
    const start = before.map(patternWord);
    const exact = words.map(patternWord);
    if (start.includes(null)) return [];
    const { known, words: named, effects } = one.verdict;
    const own = words.slice(before.length);
    const reads =
      known &&
      onlyEverReads(named) &&
      effects.length > 0 &&
      effects.every(({ action }) => action === 'read') &&
      issues.every(
        ({ word, option }) => word >= 0 && word < before.length && (option !== null || isHarmlessBefore(words[word] ?? '')),
      );
    const head = `${start.join(' ')} ${named.join(' ')}`;
    return [
      ...(reads && named.every((word, at) => word === own[at] && /^[\w-]+$/.test(word))
        ? commandRule(`${head} *`, 'arguments', `${head} with any arguments, on anything it can read there`)
        : []),
      ...(exact.includes(null) ? [] : commandRule(exact.join(' '), 'exact', null)),
    ];
  });
  return inside === undefined || inside.some((choice) => choice.length === 0) ? null : inside;
}

/** Whether a command has no subcommands and, apart from uses that its grammar rates, does nothing but read. */
function onlyEverReads(named: readonly string[]): boolean {
  const table = named.length === 1 && wrapperOf(named[0] ?? '') === undefined ? tableOf(named[0] ?? '') : null;
  if (table === null || table.subcommand !== null || table.rating !== 'harmless' || table.program !== null) return false;
  const { lead = NOTHING, list = [], rest = null, last = null, afterDashes = null } = table.operands ?? {};
  const rules = [...list, rest, last, afterDashes, ...table.options.values(), table.number].flatMap((one) => one ?? []);
  return (
    lead.size === 0 &&
    table.checks.every(({ whole }) => !whole) &&
    table.effects.every(({ action }) => action === 'read') &&
    rules.every(({ effects, rating }) => rating !== 'harmless' || effects.every((action) => action === 'read'))
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** Values of `ssh -o` that still contact the same machine in the same way. */
function isHarmlessBefore(word: string): boolean {
  return (
    /^(?:StrictHostKeyChecking|ConnectTimeout|ConnectionAttempts|BatchMode|LogLevel|ServerAlive\w+|\w+Authentication|NumberOfPasswordPrompts|IdentitiesOnly)=\w+$/.test(
      word,
    ) || !/[=/]/.test(word)
  );
}

function commandRule(pattern: string, scope: OfferScope, also: string | null): readonly OfferedRule[] {
  return pattern.length > MOST_LENGTH ? [] : offered('Bash', pattern, 'command', scope, also);
}

/** The unlisted variables before a command, with their values; null if one cannot be written in a rule. */
function exactVariables({ invocation, verdict }: Command): string | null {
  const open = invocation.assignments.filter(({ span }) =>
    verdict.issues.some((issue) => issue.span === span && issue.code === 'assignment/unlisted'),
  );
  const written = open.map(({ name, value, append }) => {
    const word = value === null || append ? null : patternWord(value);
    return word === null ? null : `${name}=${word} `;
  });
  return written.includes(null) ? null : written.join('');
}

/**
 * `node scripts/a.js *`: words after the script are its own arguments. Paths are relative to the top of the project, which covers
 * every other spelling of them. Third-party programs are not scripts of the project, nor are programs that take any code or task.
 */
function scriptHead(command: Command, words: readonly string[], { paths, place }: Around): Head | null {
  const started = startedFile({ command, paths, directory: directoryOf(command, place), project: place.project });
  if (started === null || !/^[\w.@+-]+(?:\/[\w.@+-]+)*$/.test(started.path)) return null;
  const { at, path } = started;
  if (isInstalled(path) || takesCode(path.slice(path.lastIndexOf('/') + 1)) || reachesOut(path)) return null;
  // After the file of any other program, that program's own options may follow: `make -f a.mk SHELL=x`.
  if (at > 0 && scriptOperand(command) !== words[at]) return null;
  const before = words.slice(0, at).map(patternWord);
  if (before.includes(null)) return null;
  return script(`${at === 0 ? './' : `${before.join(' ')} `}${path}`, '');
}

function script(head: string, dashes: string): Head {
  return { pattern: `${head} *`, scope: 'script', also: `${head} with any arguments, even ${head} ${dashes}--all --force` };
}

const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Scripts of package.json that have a short form. */
const SHORT: ReadonlySet<string> = new Set(['test', 'start', 'stop', 'restart']);

/** `npm run build *`, `npm test *`. */
function packageScriptHead(words: readonly string[]): Head | null {
  const [manager = '', verb = '', name = ''] = words;
  if (!MANAGERS.has(manager)) return null;
  const length = verb === 'run' && /^[A-Za-z][\w:.-]*$/.test(name) ? 3 : SHORT.has(verb) ? 2 : 0;
  if (length > 0 && reachesOut(name)) return null;
  return length === 0 ? null : script(words.slice(0, length).join(' '), '-- ');
}

/**
 * `curl * https://example.com/* *`: any address on the host that the command reads from, with options known to be harmless.
 * Sending data or writing a file requires other options.
 */
function hostHead({ name, verdict }: Command, words: readonly string[]): Head | null {
  if (name !== 'curl' || words[0] !== name || verdict.issues.some(({ word }) => word > 0)) return null;
  const addresses = verdict.effects.flatMap(({ action, path }) =>
    action === 'network' && path !== null ? [path.value ?? ''] : [],
  );
  const [host = '', ...others] = new Set(addresses.map((address) => HOST.exec(address)?.[1] ?? ''));
  if (host === '' || others.length > 0) return null;
  return { pattern: `curl * ${host}/* *`, scope: 'host', also: `reading any address of that host, such as ${host}/any?all=1` };
}

const HOST = /^((?:https?:\/\/)?[A-Za-z0-9.-]+(?::\d{1,5})?)(?:[/?#]|$)/;

const READING: ReadonlySet<string> = new Set(['read', 'network']);
const SAYING: ReadonlySet<string> = new Set(['network', 'publish']);

/**
 * `gh run view *`, `gh issue comment *`: a subcommand that, according to its grammar, only reads or only posts text to a service,
 * with any other arguments rated the same. A command that publishes the project itself (`git push`) has fewer words.
 */
function subcommandHead({ verdict: { known, words: named, issues, effects } }: Command, words: readonly string[]): Head | null {
  if (!known || issues.length > 0 || effects.length === 0 || named.length < 2) return null;
  const isReading = effects.every(({ action }) => READING.has(action));
  // A command that creates something new is offered as written.
  const isAboutOne = named.length > 2 && words[named.length]?.startsWith('-') === false;
  if (!isReading && !(isAboutOne && effects.every(({ action }) => SAYING.has(action)))) return null;
  if (!named.every((word, at) => word === words[at] && /^[\w-]+$/.test(word))) return null;
  const head = named.join(' ');
  const also = isReading ? 'on anything it can read' : 'with any text';
  return { pattern: `${head} *`, scope: 'arguments', also: `${head} with any arguments, ${also}` };
}
