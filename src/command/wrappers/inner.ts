/** Unwraps a wrapper by its rule: finds the words or the text that the wrapper runs. */
import type { Shell } from '../../call/tool-call.js';
import type { Opaque, ShellWord, Span } from '../../shell/syntax/types.js';
import type { CommandEffect, GrammarIssue } from '../model/command.js';
import { isCertain, opaqueReason, replaceIn, staticWord } from '../model/words.js';
import { readClauses } from './clauses.js';
import type { Inner, Surroundings, Unwrapped } from './found.js';
import { type OptionScan, type OptionUse, scanOptions } from './options.js';
import { type WrapperRule, wrapperRule } from './rules.js';
import { dynamicScript, isStaticScript, readShell, readStandardInput, scriptOf } from './shell.js';
import { namesTaken, xargsAppends } from './xargs.js';

const NOTHING: Unwrapped = { inner: [], opaque: [], issues: [], effects: [], appends: null, own: null };

/**
 * Finds the commands that `argv` (a wrapper and its words) runs. Anything uncertain is reported in `opaque`; in that case
 * `inner` contains the best guess, so that ask and deny rules still apply to it.
 */
export function unwrap(rule: WrapperRule, argv: readonly ShellWord[], around: Surroundings): Unwrapped {
  if (rule.subcommands !== null) {
    return namesSubcommand(rule.subcommands, argv) ? unwrapSubcommand(rule, argv, around) : NOTHING;
  }
  if (rule.clauses !== null) return { ...NOTHING, ...readClauses(argv, rule.clauses, around) };
  if (rule.runs === 'shell') {
    const read = readShell(argv, rule.shell, around);
    return { ...NOTHING, ...read };
  }
  const scan = scanOptions(argv, rule);
  if (scan.ended || (rule.runs === 'option' && commandOf(scan) === null)) return NOTHING;
  const found = innerOf(rule, scan, around);
  // The option table of a guessed privilege wrapper is incomplete; the words of the wrapper are judged as they are.
  const guessed = (rule.guess && rule.kind === 'privilege') || rule.runs === 'option';
  return {
    inner: found.inner,
    opaque: [...(guessed ? scan.opaque.filter((reason) => reason.code !== 'unknown-construct') : scan.opaque), ...found.opaque],
    issues: [...issuesOf(rule, scan.uses), ...joinedIssues(rule, scan.rest)],
    effects: effectsOf(rule, scan, around.span),
    appends: rule.kind === 'appending' ? xargsAppends(scan.uses, around) : around.appended,
    own: null,
  };
}

/**
 * Whether a word names a subcommand that runs another command. Most uses of such a wrapper run none, and the words show this: a
 * wrapper with subcommands never splits a word into several.
 */
function namesSubcommand(subcommands: ReadonlyMap<string, string>, argv: readonly ShellWord[]): boolean {
  for (const { value } of argv) if (value !== null && subcommands.has(value)) return true;
  return false;
}

/** `docker exec …`: unwraps the first operand if it names a wrapper; after an unknown option, the first word that does. */
function unwrapSubcommand(rule: WrapperRule, argv: readonly ShellWord[], around: Surroundings): Unwrapped {
  const scan = scanOptions(argv, rule);
  if (scan.ended) return NOTHING;
  const candidates = scan.unknown ? scan.rest : scan.rest.slice(0, 1);
  const at = candidates.findIndex((word) => word.value !== null && rule.subcommands?.has(word.value));
  const target = rule.subcommands?.get(candidates[at]?.value ?? '');
  const inner = target === undefined ? undefined : wrapperRule(target);
  if (inner === undefined) return NOTHING;
  const unwrapped = unwrap(inner, scan.rest.slice(at), around);
  return {
    ...unwrapped,
    opaque: [...scan.opaque, ...unwrapped.opaque],
    issues: [...issuesOf(rule, scan.uses), ...unwrapped.issues],
  };
}

/** `python3 -m pytest`: the value of the option that names the inner command. */
function commandOf({ uses }: OptionScan): ShellWord | null {
  return uses.find(({ role }) => role === 'command')?.value ?? null;
}

interface Found {
  readonly inner: readonly Inner[];
  readonly opaque: readonly Opaque[];
}

/** The inner commands, in the form that the rule describes. */
function innerOf(rule: WrapperRule, scan: OptionScan, around: Surroundings): Found {
  const { shell } = rule;
  const opaque: Opaque[] = [];
  const directory = directoryOf(scan.uses);
  const scripts = scan.uses.filter((use) => use.role === 'script').map((use) => use.value);
  const [first, second] = scan.rest;
  if (first?.value !== undefined && first.value !== null && rule.scriptAfter.has(first.value)) scripts.push(second ?? null);
  if (scripts.length > 0) return scriptsOf(scripts, shell, directory, around);

  const named = commandOf(scan);
  if (named !== null) {
    // `nix develop .#ci -c make test`: words before the option do not belong to the inner command.
    const own = scan.rest.filter(({ span }) => span.start > named.span.start);
    return { inner: [wordsInner([named, ...own], scan, directory, !scan.unknown)], opaque };
  }

  const texts = replacedTexts(scan.uses);
  const words = texts.length === 0 ? scan.rest : replaceIn(scan.rest, { texts, names: namesTaken(scan.uses, around) });
  if (words.length === 0 || rule.runs === 'script') {
    const none = withoutInner(rule, shell, around);
    // `su root -- rm x`: the meaning of the words depends on the login shell.
    return {
      inner: words.length > 1 ? [...none.inner, wordsInner(words.slice(1), scan, directory, false)] : none.inner,
      opaque: none.opaque,
    };
  }
  // Only rules about its own words allow a privilege wrapper, so a wrong guess at its inner command allows nothing.
  if (rule.guess && rule.kind !== 'privilege')
    opaque.push(opaqueReason('unknown-construct', `What ${rule.name} runs cannot be found for certain.`, around.span));
  const certain = !rule.guess && !scan.unknown;
  if (rule.runs === 'joined')
    return { inner: asScript(rule, words, shell, certain), opaque: [...opaque, ...joinedOpaque(words)] };
  const inner: Inner[] = [wordsInner(words, scan, directory, certain)];
  // The first word may be the value of the unknown option.
  if (scan.unknown && words.length > 1) inner.push(wordsInner(words.slice(1), scan, directory, false));
  // `mise exec TOOL -- COMMAND`: the words after `--` are another guess.
  if (rule.guess && scan.dashed !== null && scan.dashed.length > 0 && scan.dashed.length < words.length) {
    inner.push(wordsInner(scan.dashed, scan, directory, false));
  }
  return { inner, opaque };
}

function wordsInner(words: readonly ShellWord[], scan: OptionScan, directory: readonly string[] | null, certain: boolean): Inner {
  return { form: 'words', words, assignments: scan.assignments, directory, certain };
}

/** Reads scripts given as words. A missing script is opaque if arguments may be appended; otherwise the wrapper fails. */
function scriptsOf(
  scripts: readonly (ShellWord | null)[],
  shell: Shell,
  directory: readonly string[] | null,
  around: Surroundings,
): Found {
  const inner: Inner[] = [];
  const opaque: Opaque[] = [];
  for (const script of scripts) {
    if (script === null) {
      if (around.appended !== null) opaque.push(dynamicScript(around.span));
      continue;
    }
    inner.push({ ...scriptOf(script, shell), directory });
    if (!isStaticScript(script)) opaque.push(dynamicScript(script.span));
  }
  return { inner, opaque };
}

function withoutInner(rule: WrapperRule, shell: Shell, around: Surroundings): Found {
  if (around.appended !== null) {
    return { inner: [], opaque: [opaqueReason('dynamic-command', 'The command comes from appended arguments.', around.span)] };
  }
  if (rule.empty === 'nothing') return { inner: [], opaque: [] };
  if (rule.empty === 'script') return readStandardInput(shell, around);
  const words = [staticWord(rule.empty, around.span)];
  return { inner: [{ form: 'words', words, assignments: [], directory: [], certain: true }], opaque: [] };
}

/** Joins the words with blanks, as eval and ssh do; `parallel ::: a b`, without a command, runs its arguments. */
function asScript(rule: WrapperRule, words: readonly ShellWord[], shell: Shell, certain: boolean): Inner[] {
  const mark = words.findIndex((word) => word.value !== null && rule.operandMarks.has(word.value));
  if (mark === 0) return words.slice(1).map((word) => ({ ...scriptOf(word, shell), certain: false }));
  const command = mark < 0 ? words : words.slice(0, mark);
  const text = command.map((word) => word.value ?? word.literalPrefix).join(' ');
  const first = command[0];
  const last = command.at(-1);
  if (first === undefined || last === undefined) return [];
  const span = { start: first.span.start, end: last.span.end };
  return [{ form: 'script', text, span, shell, certain: certain && joinedOpaque(words).length === 0, directory: [] }];
}

function joinedOpaque(words: readonly ShellWord[]): Opaque[] {
  return words.filter((word) => !isStaticScript(word)).map((word) => dynamicScript(word.span));
}

/** Placeholders that `xargs -I R` replaces with unseen arguments. */
function replacedTexts(uses: readonly OptionUse[]): string[] {
  const texts: string[] = [];
  for (const use of uses) {
    if (use.role === 'replace') texts.push(use.value?.value ?? '');
    else if (use.role === 'replace-attached') texts.push(use.value?.value ?? '{}');
  }
  return texts;
}

/** `env -C DIR`: the directory, the last one if there are several, as in `env`; null if one of them is not static. */
function directoryOf(uses: readonly OptionUse[]): readonly string[] | null {
  const directories: string[] = [];
  for (const use of uses) {
    if (use.role !== 'directory') continue;
    if (use.value === null || !isCertain(use.value)) return null;
    directories.push(use.value.value);
  }
  return directories.slice(-1);
}

/** Issues about the wrapper's own options that a person should see. */
function issuesOf(rule: WrapperRule, uses: readonly OptionUse[]): GrammarIssue[] {
  return uses
    .filter((use) => use.role === 'write' || rule.care.has(use.option))
    .map((use) => ({
      rating: 'care',
      code: `wrapper/${rule.name.replaceAll(' ', '-')}`,
      message: `${rule.name} ${use.option} does more than run a command.`,
      word: -1,
      // The value determines the effect of the option, so a rule has to include the value.
      option: use.value === null ? use.option : null,
      span: (use.value ?? use.word).span,
    }));
}

/** `ssh host ls x '&&' rm y`: the other shell evaluates words quoted here, so a rule about `ls` hardly restricts the line. */
function joinedIssues(rule: WrapperRule, words: readonly ShellWord[]): GrammarIssue[] {
  if (rule.runs !== 'joined' || rule.kind !== 'privilege' || rule.guess || words.length < 2) return [];
  return words
    .filter(({ value }) => value !== null && ACTIVE.test(value))
    .map((word) => ({
      rating: 'unknown',
      code: 'wrapper/joined',
      message: `${rule.name} joins its words, and another shell reads ${word.text} again; quote the whole command as one word.`,
      word: -1,
      option: null,
      span: word.span,
    }));
}

/** Characters that end a command, start another one, or expand. */
const ACTIVE = /[;&|<>()$`\n]/;

function effectsOf(rule: WrapperRule, scan: OptionScan, span: Span): CommandEffect[] {
  const effects: CommandEffect[] = rule.effects.map((action) => ({ action, path: null, recursive: false, span }));
  for (const use of scan.uses) {
    if (use.role !== 'write' && use.role !== 'read') continue;
    effects.push({ action: use.role, path: use.value, recursive: false, span: use.word.span });
  }
  if (rule.operandsAction !== null) {
    for (const path of scan.rest) effects.push({ action: rule.operandsAction, path, recursive: false, span: path.span });
  }
  return effects;
}
