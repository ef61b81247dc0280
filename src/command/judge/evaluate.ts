/** Judges one invocation by the grammar of its command: its effects, and what an allow rule's `*` does not cover. */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import { addEffect, type Evaluation, here, isSupplied, partOf, raise } from '../grammar/evaluation.js';
import { informationalOptions, tableOf } from '../grammar/lookup.js';
import type { OptionRule } from '../grammar/option-rule.js';
import { type CommandCheck, type CommandTable, NUMBER } from '../grammar/table.js';
import type { Condition, GrammarVerdict } from '../model/command.js';
import { loopbackFetch } from './loopback-fetch.js';
import { judgeOperands, judgeValuesBehind } from './operands.js';
import { readWords } from './options.js';
import { toldVerdict } from './told.js';
import { isPathKind, judgeValue } from './values.js';

/**
 * The verdict of the grammar of `name` on an invocation.
 * @param invocation argv[0] is the command as written; its value is ignored
 * @param name the command's name without directory, as determined by the caller
 * @returns `known: false` and one `execute` effect for a command without a grammar; never throws, whatever the words
 */
export function judgeInvocation(invocation: Invocation, name: string): GrammarVerdict {
  const table = tableOf(name);
  if (table === null) return tellsItself(invocation, name) ? telling(name) : withoutGrammar(invocation, name);
  const informing = informingTable(table, invocation);
  if (informing !== null)
    return {
      words: informing.words,
      known: true,
      issues: [],
      conditions: [...settingsConditions(informing, []), ...chosenConditions(informing)],
      effects: [],
    };
  const told = toldVerdict(table, invocation);
  if (told !== null)
    return { ...told, conditions: [...told.conditions, ...settingsConditions(table, []), ...chosenConditions(table)] };
  const judgement = newJudgement(invocation, table);
  if (table.rating !== 'harmless')
    raise(
      judgement,
      { rating: table.rating, code: table.code, message: `${name}: ${table.reason}`, work: table.work !== false },
      0,
    );
  if (readWords(judgement)) judgeKnown(judgement);
  else addEffect(judgement, 'execute', null, false, -1);
  const { words } = judgement.table;
  const { issues, conditions, effects } = judgement;
  const loopback = loopbackFetch(judgement);
  if (loopback !== null)
    return { words, known: true, issues: loopback === 'kept' ? issues : NO_ISSUES, conditions, effects, loopback };
  const { script } = judgement;
  const more = { ...workOf(judgement.table), ...rewritesOf(judgement) };
  return { words, known: true, issues, conditions, effects, ...more, ...(script !== undefined && { script }) };
}

/**
 * What a formatter may rewrite, by its operands: `prettier --write src`, `go fmt ./...`; without any, everything in the current directory.
 */
function rewritesOf(judgement: Evaluation): Pick<GrammarVerdict, 'rewrites'> | undefined {
  const { table, given, operands } = judgement;
  if (table.rewrites === undefined) return undefined;
  const { files, unless = '', only = '' } = table.rewrites;
  const said = new Set([
    ...given.map(({ spelling }) => spelling),
    ...operands.flatMap((one) => (one.dashed ? one.word.value : [])),
  ]);
  const isSaid = (options: string) => options.split(' ').some((option) => said.has(option));
  if (isSaid(unless) || (only !== '' && !isSaid(only))) return undefined;
  const takesPaths = isPathKind(table.operands?.rest?.kind ?? 'text');
  const named = operands
    .flatMap(({ word }) => word.names?.roots ?? word)
    .filter(({ text }) => (takesPaths ? !/^['"]?[!-]/.test(text) : /^\.{1,2}\//.test(text)));
  const places = named.map((word) => (word.value?.endsWith('...') ? partOf(word, word.value.slice(0, -3) || '.') : word));
  return { rewrites: { files: files.split(' '), places: places.length > 0 ? places : [here(judgement)] } };
}

const WORK = {
  true: { work: 'files' },
  tasks: { work: 'tasks' },
  script: { work: 'script' },
  installed: { work: 'installed' },
} as const;

function workOf({ work }: CommandTable): Pick<GrammarVerdict, 'work'> | undefined {
  return work === false ? undefined : WORK[work === true ? 'true' : work];
}

const NO_ISSUES: GrammarVerdict['issues'] = [];

/** Whether the call is like `gcc --version`, for a command with no other grammar. */
function tellsItself({ argv }: Invocation, name: string): boolean {
  const asked = argv[1]?.value ?? null;
  return argv.length === 2 && asked !== null && informationalOptions(name).includes(asked);
}

function telling(name: string): GrammarVerdict {
  return { words: [name], known: true, issues: [], conditions: [], effects: [] };
}

export function newJudgement(invocation: Invocation, table: CommandTable): Evaluation {
  return {
    invocation,
    table,
    issues: [],
    conditions: [],
    effects: [],
    given: [],
    values: [],
    operands: [],
    recursive: false,
  };
}

/** The words of an invocation as read by the grammar of `name`; null when there is no grammar, or they name no command in it. */
export function suppliedWords(
  invocation: Invocation,
  name: string,
): {
  readonly options: readonly string[];
  readonly operands: readonly ShellWord[];
  readonly dashed: readonly ShellWord[];
} | null {
  const table = tableOf(name);
  if (table === null) return null;
  const judgement = newJudgement(invocation, table);
  if (!readWords(judgement)) return null;
  return {
    options: judgement.given.map(({ rule, spelling }) => (rule === judgement.table.number ? NUMBER : spelling)),
    operands: judgement.operands.map(({ word }) => word),
    dashed: judgement.operands.flatMap(({ word, dashed }) => (dashed ? [word] : [])),
  };
}

/** The value of an option as given; null when it cannot be analysed. */
export interface SuppliedValue {
  readonly option: string | null;
  readonly value: string | null;
  /** An unquoted pattern: the shell may replace it with file names. */
  readonly glob: boolean;
}

/** The values of an invocation's options in order; null when its grammar cannot read all its words. */
export function optionValues(invocation: Invocation, name: string): readonly SuppliedValue[] | null {
  const table = tableOf(name);
  if (table === null) return null;
  const judgement = newJudgement(invocation, table);
  if (!readWords(judgement) || judgement.issues.length > 0) return null;
  const { argv } = invocation;
  return judgement.values.map(({ option, word, index }) => ({
    option,
    value: word.tilde ? null : word.value,
    glob: argv[index]?.glob ?? true,
  }));
}

/** The command of a call that only prints information (`node --version`, `docker run --help`, `npm run`); null for every other. */
function informingTable(root: CommandTable, { argv }: Invocation): CommandTable | null {
  const last = argv.length - 1;
  const asked = argv[last];
  if (last < 1 || asked === undefined || asked.value === null) return null;
  const alone = asked.value.charCodeAt(0) !== HYPHEN;
  let table = root;
  for (let index = 1; index < last + (alone ? 1 : 0); index += 1) {
    const word = argv[index]?.value ?? null;
    const next = word === null || table.subcommand === null ? null : table.subcommand(word);
    if (next === null) return null;
    table = next;
  }
  return (alone ? table.informsAlone : table.informs.has(asked.value)) ? table : null;
}

const HYPHEN = 45;

function withoutGrammar(invocation: Invocation, name: string): GrammarVerdict {
  const effects = [{ action: 'execute', path: null, recursive: false, span: invocation.span } as const];
  return { words: [name], known: false, issues: [], conditions: [], effects };
}

/** Judges everything about a command whose words have all been read. */
function judgeKnown(judgement: Evaluation): void {
  const { table } = judgement;
  const isGiven = (rule: OptionRule) => isSupplied(judgement, rule);
  for (const effect of table.effects)
    if (!effect.unless.some(isGiven) && effect.only?.some(isGiven) !== false)
      addEffect(judgement, effect.action, effect.here ? here(judgement) : null, effect.recursive, -1);
  for (const { rule, index } of judgement.given)
    if (rule.arity === 'none') for (const action of rule.effects) addEffect(judgement, action, null, false, index);
  for (const value of judgement.values) judgeValue(judgement, value);
  judgeOperands(judgement);
  if (table.front) judgeValuesBehind(judgement);
  for (const check of table.checks) if (applies(judgement, check)) raiseCheck(judgement, check);
  addConditions(judgement);
}

function applies(judgement: Evaluation, check: CommandCheck): boolean {
  const count = judgement.operands.length;
  const most = judgement.operands.some(({ word }) => word.names?.many) ? Number.POSITIVE_INFINITY : count;
  if (most < check.min || count > check.max) return false;
  if (check.any.length > 0 && !check.any.some((rule) => isSupplied(judgement, rule))) return false;
  if (!check.all.every((rule) => isSupplied(judgement, rule))) return false;
  return !check.absent.some((rule) => isSupplied(judgement, rule));
}

/** Raises a check for the option that made it apply, or for the whole command. */
function raiseCheck(judgement: Evaluation, check: CommandCheck): void {
  const cause = judgement.given.find(({ rule }) => check.any.includes(rule) || check.all.includes(rule));
  const message = `${judgement.table.words.join(' ')}: ${check.reason}`;
  raise(
    judgement,
    { rating: check.rating, code: check.code, message, work: check.work },
    cause?.index ?? (check.whole ? 0 : -1),
    cause?.spelling ?? null,
  );
}

function addConditions(judgement: Evaluation): void {
  const count = judgement.operands.length;
  for (const kind of judgement.table.conditions) {
    if (kind === 'git-config') judgement.conditions.push({ kind, word: -1 });
    else if (kind === 'current-remote') {
      if (count === 0) judgement.conditions.push({ kind, word: -1 });
    } else if (count < 2) judgement.conditions.push({ kind: 'branch', name: null, word: -1 });
  }
  const { settings, work } = judgement.table;
  if (work === false) judgement.conditions.push(...chosenConditions(judgement.table));
  if (settings === null || settings.unless.some((rule) => isSupplied(judgement, rule))) return;
  const paths = judgement.effects.flatMap(({ action, path }) => (action === 'read' && path !== null ? [path] : []));
  judgement.conditions.push(...settingsConditions(judgement.table, paths));
}

/** The condition that the project has none of the files from which the command takes options. */
function settingsConditions({ settings, work }: CommandTable, paths: readonly ShellWord[]): Condition[] {
  if (settings === null) return [];
  const { files, whole } = settings;
  return [{ kind: 'no-settings', files, paths, word: whole ? 0 : -1, ...(whole && work !== false && { work: true }) }];
}

/** The condition that no file of the project selects the program; work on the project runs code of the project either way. */
function chosenConditions({ chosenBy }: CommandTable): Condition[] {
  return chosenBy.length === 0 ? [] : [{ kind: 'no-settings', files: chosenBy, paths: [], word: 0, work: true, inProject: true }];
}
