/** A file of the project, parsed once for all rules. */
import type { AgentDefinition, Dialect } from '../agent/agent.js';
import { splitFrontMatter } from '../agent/front-matter.js';
import { parseAgent } from '../agent/parse.js';
import { quoteValues } from '../agent/yaml-repair.js';
import { parsePolicy } from '../policy/document.js';
import { type Format, parseLocated } from '../policy/read/located.js';
import type { Severity, Span } from './finding.js';
import { LocatedText } from './located-text.js';
import { policyRules, type RuleText } from './policy-rules.js';
import type { SourceFile } from './read-files.js';
import { SourceText } from './source-text.js';

/** A mistake that reading or parsing found; which rule reports it is told by its code (problem-codes.ts). */
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
  /** The YAML, JSON or TOML in it; null when it cannot be read. */
  readonly data: LocatedText | null;
}

export interface AgentFile extends AnyFile {
  readonly kind: 'agent';
  readonly dialect: Dialect;
  readonly definition: AgentDefinition;
  /** Offset of the text below the front matter; the text's end when there is none. */
  readonly bodyStart: number;
}

export interface PolicyFile extends AnyFile {
  readonly kind: 'policy';
  readonly layer: 'project' | 'local';
  readonly format: Format;
  /** Another program's file of the same name. */
  readonly foreign: boolean;
}

/** A file that lint knows of and does not parse. */
export interface OtherFile extends AnyFile {
  readonly kind: 'other';
  /** Set for a file whose ending its runner does not read. */
  readonly stray: { readonly runner: string; readonly endings: string } | null;
}

export type LintFile = AgentFile | PolicyFile | OtherFile;

/** Parses a file; never throws, whatever is in it. */
export function parseFile({ path, kind, text, problem }: SourceFile): LintFile {
  const source = new SourceText(path, text ?? '');
  const problems: FileProblem[] = [];
  if (problem !== null)
    problems.push({
      code: problem.code,
      message: problem.message,
      severity: problem.code === 'read/not-utf8' || problem.code === 'read/link' ? 'warning' : 'error',
      span: source.span(problem.offset, problem.offset + 1),
    });
  if (kind.kind === 'stray' || text === null)
    return { kind: 'other', path, source, problems, rules: [], data: null, stray: kind.kind === 'stray' ? kind : null };
  if (kind.kind === 'agent') return agentFile(path, kind.dialect, text, source, problems);
  return policyFile(path, kind, text, source, problems);
}

function agentFile(path: string, dialect: Dialect, text: string, source: SourceText, problems: FileProblem[]): AgentFile {
  const definition = parseAgent(text, { file: path, dialect, scope: 'project' });
  for (const { code, message, severity, source: place } of definition.errors)
    problems.push({ code, message, severity: severity ?? 'error', span: source.wordSpan(place) });
  const rules = (definition.permissions?.rules ?? []).map((rule) => ({
    rule,
    span: source.textSpan(source.offsetAt(rule.source), rule.text),
  }));
  return { kind: 'agent', path, source, problems, rules, dialect, definition, ...frontMatterOf(dialect, text, source) };
}

/** The YAML of a definition as the dialect reads it, and where the text below it starts. */
function frontMatterOf(dialect: Dialect, text: string, source: SourceText): Pick<AgentFile, 'data' | 'bodyStart'> {
  if (dialect === 'codex-yaml') return { data: locate(text, source, 1, false), bodyStart: source.text.length };
  const split = splitFrontMatter(text);
  if (!split.ok) return { data: null, bodyStart: 0 };
  const end = source.lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  const bodyStart = end < 0 ? source.text.length : source.offsetAt({ line: end + 2, column: 1 });
  return { data: locate(split.yaml, source, split.yamlLine, dialect === 'claude-code'), bodyStart };
}

function locate(yaml: string, source: SourceText, firstLine: number, repairs: boolean): LocatedText | null {
  const first = parseLocated(yaml, 'yaml');
  const quoted = first.ok || !repairs ? null : quoteValues(yaml);
  const located = first.ok || quoted === null ? first : parseLocated(quoted, 'yaml');
  return located.ok ? new LocatedText(located, source, firstLine) : null;
}

function policyFile(
  path: string,
  { format, layer }: { readonly format: Format; readonly layer: 'project' | 'local' },
  text: string,
  source: SourceText,
  problems: FileProblem[],
): PolicyFile {
  const parsed = parsePolicy(text, { file: path, format, layer });
  for (const { code, message, source: place } of parsed.problems)
    problems.push({ code, message, severity: 'error', span: source.wordSpan(place) });
  const located = parsed.foreign ? null : parseLocated(text, format);
  const data = located?.ok ? new LocatedText(located, source, 1) : null;
  const rules = data === null ? [] : policyRules(data, path, layer);
  return { kind: 'policy', path, source, problems, rules, data, layer, format, foreign: parsed.foreign };
}
