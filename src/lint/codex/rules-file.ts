/** The rules in Codex files below .codex/rules, as far as they are literal (developers.openai.com/codex: rules). */
import { type Literal, type LiteralCall, literalCalls } from '../../policy/read/starlark.js';
import type { ConfigFile } from '../files/files.js';
import type { LintProject } from '../project/project.js';
import type { Span } from '../text/finding.js';

/** A call at the top level of a rules file. */
export interface CodexCall extends LiteralCall {
  readonly file: ConfigFile;
  /** The span of its name. */
  readonly at: Span;
}

/** At most this many statements of one file are examined. */
export const MOST_STATEMENTS = 1_000;

const before = new WeakMap<ConfigFile, readonly CodexCall[]>();

/** Returns every statement in the rules files of a project; a statement that is not literal has no arguments. */
export function codexCalls(project: LintProject): readonly CodexCall[] {
  return codexCallsByFile(project).flat();
}

export function codexCallsByFile({ configs }: LintProject): readonly (readonly CodexCall[])[] {
  return configs.flatMap((file) => (file.config === 'codex-rules' ? [callsOf(file)] : []));
}

/** Codex has no load(), and rejects a file that contains it. */
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

/** A `prefix_rule` with a pattern that Codex accepts. */
export interface PrefixRule {
  readonly call: CodexCall;
  readonly decision: 'allow' | 'prompt' | 'forbidden';
  /** For each word of the prefix, its alternatives. */
  readonly pattern: readonly (readonly string[])[];
}

/** Returns the prefix rules of a project that Codex accepts. */
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

/** `["git", ["status", "log"]]`; null for a value that Codex does not accept as a pattern. */
export function patternOf(value: Literal | undefined): PrefixRule['pattern'] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const words = value.map((part: Literal) => (Array.isArray(part) ? part : [part]));
  return words.every(isWords) ? words : null;
}

function isWords(list: readonly Literal[]): list is readonly string[] {
  return list.length > 0 && list.every((word) => typeof word === 'string');
}

/** Returns the span of an argument's value, or of the call's name if it has no such argument. */
export function argumentSpan({ file, places, at }: CodexCall, name: string): Span {
  const place = places.get(name);
  return place === undefined ? at : file.source.span(place.start, place.end);
}
