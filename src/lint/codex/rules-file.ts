/** The rules in files of Codex below .codex/rules, as far as they are written out (developers.openai.com/codex: rules). */
import { type Literal, type LiteralCall, literalCalls } from '../../policy/read/starlark.js';
import type { ConfigFile } from '../files/files.js';
import type { LintProject } from '../project/project.js';
import type { Span } from '../text/finding.js';

/** A call at the top of a rules file. */
export interface CodexCall extends LiteralCall {
  readonly file: ConfigFile;
  /** Its name. */
  readonly at: Span;
}

/** Statements of one file that are looked at. */
export const MOST_STATEMENTS = 1_000;

const before = new WeakMap<ConfigFile, readonly CodexCall[]>();

/** Every statement in the rules files of a project; what is no literal has no arguments. */
export function codexCalls(project: LintProject): readonly CodexCall[] {
  return codexCallsByFile(project).flat();
}

export function codexCallsByFile({ configs }: LintProject): readonly (readonly CodexCall[])[] {
  return configs.flatMap((file) => (file.config === 'codex-rules' ? [callsOf(file)] : []));
}

/** Codex has no load(), and takes no file that has one. */
export function isLoad({ text }: CodexCall): boolean {
  return /^load\s*\(/.test(text);
}

function callsOf(file: ConfigFile): readonly CodexCall[] {
  const known = before.get(file);
  if (known !== undefined) return known;
  const { source } = file;
  const calls = literalCalls(source.text)
    .slice(0, MOST_STATEMENTS)
    .map((call) => {
      const word = /^\w*/.exec(call.text)?.[0].length ?? 0;
      return { ...call, file, at: source.span(call.start, call.start + Math.max(word, 1)) };
    });
  before.set(file, calls);
  return calls;
}

/** A `prefix_rule` whose pattern is one that Codex reads. */
export interface PrefixRule {
  readonly call: CodexCall;
  readonly decision: 'allow' | 'prompt' | 'forbidden';
  /** Each word of the prefix, as the words that may stand there. */
  readonly pattern: readonly (readonly string[])[];
}

/** The prefix rules of a project that Codex takes. */
export function prefixRules(project: LintProject): PrefixRule[] {
  return codexCalls(project).flatMap((call): PrefixRule[] => {
    if (call.name !== 'prefix_rule' || call.arguments === null) return [];
    const decision = decisionOf(call.arguments.get('decision') ?? 'allow');
    const pattern = patternOf(call.arguments.get('pattern'));
    return decision === null || pattern === null ? [] : [{ call, decision, pattern }];
  });
}

/** Null for a decision that Codex does not know. */
export function decisionOf(value: Literal): PrefixRule['decision'] | null {
  return value === 'allow' || value === 'prompt' || value === 'forbidden' ? value : null;
}

/** `["git", ["status", "log"]]`; null for what Codex takes for no pattern. */
export function patternOf(value: Literal | undefined): PrefixRule['pattern'] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const words = value.map((part: Literal) => (Array.isArray(part) ? part : [part]));
  return words.every(isWords) ? words : null;
}

function isWords(list: readonly Literal[]): list is readonly string[] {
  return list.length > 0 && list.every((word) => typeof word === 'string');
}

/** The stretch of an argument's value; the call's name where it has no such argument. */
export function argumentSpan({ file, places, at }: CodexCall, name: string): Span {
  const place = places.get(name);
  return place === undefined ? at : file.source.span(place.start, place.end);
}
