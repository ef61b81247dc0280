/** A file of the project, parsed once for all rules. */
import type { AgentDefinition } from '../../agent/agent.js';
import { parseAgent } from '../../agent/dialects/parse.js';
import { explainsAgents } from '../../agent/explaining-file.js';
import { type AgentFormat, formatTraits, originOfFormat, runnerOfFormat } from '../../agent/format.js';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { quoteValues } from '../../agent/yaml-repair.js';
import type { RunnerId } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { parsePolicy } from '../../policy/document.js';
import { type Format, located, parseLocated } from '../../policy/read/located.js';
import { type JsonMistake, readLooseJson } from '../../policy/read/loose-json.js';
import type { FileKind, Stray } from '../places/file-kind.js';
import type { ConfigKind, TextKind } from '../places/place.js';
import type { Severity, Span } from '../text/finding.js';
import { LocatedText } from '../text/located-text.js';
import { SourceText } from '../text/source-text.js';
import { MOST_SETTINGS_RULES, policyRules, type RuleText, settingsRuleCount, settingsRules } from './policy-rules.js';
import type { SourceFile } from './read-files.js';

/** A mistake found while reading or parsing; its code determines which rule reports it (problem-codes.ts). */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly severity: Severity;
  readonly span: Span;
}

interface AnyFile {
  readonly path: string;
  readonly source: SourceText;
  readonly problems: readonly FileProblem[];
  readonly rules: readonly RuleText[];
  /** The YAML, JSON or TOML in the file; null when it cannot be read. */
  readonly data: LocatedText | null;
}

export interface AgentFile extends AnyFile {
  readonly kind: 'agent';
  readonly format: AgentFormat;
  /** The format was guessed from the contents: it is not certain which runner reads the file. */
  readonly guessed: boolean;
  readonly definition: AgentDefinition;
  /** Offset of the text below the front matter; the end of the text if there is none. */
  readonly bodyStart: number;
}

export interface PolicyFile extends AnyFile {
  readonly kind: 'policy';
  readonly layer: 'project' | 'local' | 'user';
  readonly format: Format;
  /** A file of the same name that belongs to another program. */
  readonly foreign: boolean;
}

/** Settings of a coding agent: permissions, hooks, MCP servers. */
export interface ConfigFile extends AnyFile {
  readonly kind: 'config';
  readonly config: ConfigKind;
  readonly label: string;
  /** Null for files that several runners read. */
  readonly runner: RunnerId | null;
  /** Mistakes in JSON; `data` contains everything that can be read all the same. Empty for TOML, whose mistakes are problems. */
  readonly mistakes: readonly JsonMistake[];
}

/** A text for a model: a skill, a command, instructions. `data` is its front matter or TOML. */
export interface TextFile extends AnyFile {
  readonly kind: 'text';
  readonly text: TextKind;
  readonly runner: RunnerId | null;
  /** Offset of the text below the front matter. */
  readonly bodyStart: number;
}

/** A file that lint recognizes but does not parse. */
export interface OtherFile extends AnyFile {
  readonly kind: 'other';
  /** Set for a file that its runner does not read. */
  readonly stray: Stray | null;
}

/** A shell script, or a workflow of a CI service. */
export interface ScriptFile extends AnyFile {
  readonly kind: 'script';
}

export type LintFile = AgentFile | PolicyFile | ConfigFile | TextFile | OtherFile | ScriptFile;

/** Parses a file; never throws, whatever it contains. */
export function parseFile({ path, kind, text, problem }: SourceFile): LintFile {
  const source = new SourceText(path, text ?? '');
  // Nobody relies on lint to read every script.
  if (kind.kind === 'script') return { kind: 'script', path, source, problems: [], rules: [], data: null };
  const problems: FileProblem[] = [];
  if (problem !== null && problem.code !== 'read/link-inside')
    problems.push({
      code: problem.code,
      message: problem.message,
      severity: problem.code === 'read/not-utf8' || problem.code === 'read/link' ? 'warning' : 'error',
      span: source.span(problem.offset, problem.offset + 1),
    });
  if (kind.kind === 'stray' || text === null)
    return { kind: 'other', path, source, problems, rules: [], data: null, stray: kind.kind === 'stray' ? kind : null };
  if (kind.kind === 'agent' && explainsAgents(path, text))
    return { kind: 'other', path, source, problems, rules: [], data: null, stray: null };
  if (kind.kind === 'agent') return agentFile(path, kind, text, source, problems);
  if (kind.kind === 'config') return configFile(path, kind, source, problems);
  if (kind.kind === 'text') return textFile(path, kind, text, source, problems);
  return policyFile(path, kind, text, source, problems);
}

type KindOf<K extends FileKind['kind']> = Extract<FileKind, { readonly kind: K }>;

function agentFile(
  path: string,
  { format, guessed }: KindOf<'agent'>,
  text: string,
  source: SourceText,
  problems: FileProblem[],
): AgentFile {
  const parse = parsingOnce();
  const definition = parseAgent(text, { file: path, ...originOfFormat(format), scope: 'project' }, parse);
  for (const { code, message, severity, source: place } of definition.errors)
    problems.push({ code, message, severity: severity ?? 'error', span: source.wordSpan(place) });
  const rules = (definition.permissions?.rules ?? []).map((rule) => ({
    rule,
    span: source.textSpan(source.offsetAt(rule.source), rule.text),
  }));
  return {
    kind: 'agent',
    path,
    source,
    problems,
    rules,
    format,
    guessed: guessed === true,
    definition,
    ...headOf(format, text, source, parse),
  };
}

/** Returns the YAML or TOML of a definition as its runner reads it, and the start of the text below it. */
function headOf(
  format: AgentFormat,
  text: string,
  source: SourceText,
  parse: typeof parseLocated,
): Pick<AgentFile, 'data' | 'bodyStart'> {
  const { syntax } = formatTraits(format);
  if (syntax !== undefined) return { data: locate(text, source, 1, false, parse, syntax), bodyStart: source.text.length };
  return frontMatterOf(text, source, repairs(runnerOfFormat(format)), parse);
}

function repairs(runner: RunnerId): boolean {
  return traitsOf(runner).repairsFrontMatter === true;
}

/** Returns a parser that remembers its result for each text. */
function parsingOnce(): typeof parseLocated {
  const parsed = new Map<string, ReturnType<typeof parseLocated>>();
  return (text, format, closing = false) => {
    const key = `${format} ${closing} ${text}`;
    const known = parsed.get(key) ?? parseLocated(text, format, closing);
    parsed.set(key, known);
    return known;
  };
}

function frontMatterOf(
  text: string,
  source: SourceText,
  repairs: boolean,
  parse: typeof parseLocated = parseLocated,
): Pick<AgentFile, 'data' | 'bodyStart'> {
  const split = splitFrontMatter(text);
  if (!split.ok) return { data: null, bodyStart: 0 };
  return { data: locate(split.yaml, source, split.yamlLine, repairs, parse), bodyStart: split.bodyStart };
}

function locate(
  text: string,
  source: SourceText,
  firstLine: number,
  repairs: boolean,
  parse: typeof parseLocated,
  format: 'yaml' | 'toml' = 'yaml',
): LocatedText | null {
  const first = parse(text, format, true);
  const quoted = first.ok || !repairs ? null : quoteValues(text);
  const read = first.ok || quoted === null ? first : parse(quoted, format);
  return read.ok ? new LocatedText(read, source, firstLine) : null;
}

function configFile(
  path: string,
  { config, format, label, runner }: KindOf<'config'>,
  source: SourceText,
  problems: FileProblem[],
): ConfigFile {
  const file = { kind: 'config' as const, path, source, problems, config, label, runner };
  if (format === 'starlark' || format === 'lines') return { ...file, data: null, rules: [], mistakes: [] };
  if (format === 'toml') {
    const read = parseLocated(source.text, 'toml');
    if (!read.ok) problems.push({ ...read.problem, severity: 'error', span: source.wordSpan(read.problem) });
    return { ...file, data: read.ok ? new LocatedText(read, source, 1) : null, rules: [], mistakes: [] };
  }
  const { data: value, root, mistakes } = readLooseJson(source.text);
  const data = root === null ? null : new LocatedText(located(source.text, value, root), source, 1);
  const relevant = format === 'jsonc' ? mistakes.filter(({ what }) => what !== 'comment' && what !== 'trailing-comma') : mistakes;
  problems.push(...jsonProblems(relevant, source, config));
  const ruleCount = data === null ? 0 : settingsRuleCount(data, config);
  if (ruleCount > MOST_SETTINGS_RULES)
    problems.push({
      code: 'file/too-large',
      message: `Of the ${ruleCount} permission rules of this file only the first ${MOST_SETTINGS_RULES} of each list were judged.`,
      severity: 'error',
      span: source.lineSpan(1),
    });
  return { ...file, data, rules: data === null ? [] : settingsRules(data, path, config), mistakes: relevant };
}

const JSON_CODES = { syntax: 'file/syntax', 'duplicate-key': 'file/duplicate-key', limit: 'file/too-large' } as const;

/**
 * Returns the problems of a JSON file that are the same for every runner; of syntax errors only the first, since the others follow from it.
 */
function jsonProblems(mistakes: readonly JsonMistake[], source: SourceText, config: ConfigKind): FileProblem[] {
  const broken = mistakes.find(({ what }) => what === 'syntax');
  return mistakes.flatMap((mistake): FileProblem[] => {
    const { what, message, offset, length } = mistake;
    if (what === 'comment' || what === 'trailing-comma' || (what === 'syntax' && mistake !== broken)) return [];
    // settings/discarded reports how Claude Code treats settings that are not JSON.
    if (what === 'syntax' && config === 'claude-settings') return [];
    return [{ code: JSON_CODES[what], message, severity: 'error', span: source.span(offset, offset + length) }];
  });
}

function textFile(
  path: string,
  { text: kind, format, runner }: KindOf<'text'>,
  text: string,
  source: SourceText,
  problems: FileProblem[],
): TextFile {
  const file = { kind: 'text' as const, path, source, problems, rules: [], text: kind, runner };
  if (format === 'plain') return { ...file, data: null, bodyStart: 0 };
  if (format === 'front-matter')
    return { ...file, ...frontMatterOf(text, source, (runner !== null && repairs(runner)) || kind === 'command') };
  const read = parseLocated(source.text, 'toml');
  if (!read.ok) problems.push({ ...read.problem, severity: 'error', span: source.wordSpan(read.problem) });
  return { ...file, data: read.ok ? new LocatedText(read, source, 1) : null, bodyStart: 0 };
}

function policyFile(
  path: string,
  { format, layer }: Pick<PolicyFile, 'format' | 'layer'>,
  text: string,
  source: SourceText,
  problems: FileProblem[],
): PolicyFile {
  const parse = parsingOnce();
  const parsed = parsePolicy(text, { file: path, format, layer }, parse);
  for (const { code, message, source: place } of parsed.problems)
    problems.push({ code, message, severity: 'error', span: source.wordSpan(place) });
  const read = parsed.foreign ? null : parse(text, format);
  const data = read?.ok ? new LocatedText(read, source, 1) : null;
  const rules = data === null ? [] : policyRules(data, path, layer);
  return { kind: 'policy', path, source, problems, rules, data, layer, format, foreign: parsed.foreign };
}
