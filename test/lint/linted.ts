// Lints texts without a disk: what every table of this folder asks.

import type { FoundFiles } from '../../src/lint/files/read-files.js';
import { fileKind } from '../../src/lint/places/file-kind.js';
import { isManifest, pluginKind, pluginRoot } from '../../src/lint/places/plugin-files.js';
import { DEFAULT_OPTIONS, type LintOptions } from '../../src/lint/run.js';
import type { LintReport } from '../../src/lint/text/finding.js';
import { lint } from '../../src/runner/lint/linter.js';

export type Texts = Readonly<Record<string, string>>;

/** Files of a project that was found as these texts. */
export function found(texts: Texts): FoundFiles {
  const plugins = Object.entries(texts)
    .filter(([path]) => isManifest(path))
    .map(([path, text]) => pluginRoot(path, text));
  const files = Object.entries(texts).flatMap(([path, text]) => {
    const kind = fileKind(path) ?? pluginKind(path, plugins);
    return kind === null ? [] : [{ path, kind, text, problem: null }];
  });
  return { files, incomplete: [], exists: (path) => Object.hasOwn(texts, path) };
}

export function lintTexts(texts: Texts, options: Partial<LintOptions> = {}): LintReport {
  return lint(found(texts), { ...DEFAULT_OPTIONS, ...options });
}

/** `line:column-endLine:endColumn severity` of the findings of one rule, in reading order. */
export function placesOf(report: LintReport, rule: string): string[] {
  return report.findings
    .filter(({ ruleId }) => ruleId === rule)
    .map(({ location: at, severity }) => `${at.line}:${at.column}-${at.endLine}:${at.endColumn} ${severity}`);
}

/** One row of a table: which rule, in what files, where. An empty list: the rule has nothing to say. */
export interface Row {
  readonly rule: string;
  readonly say: string;
  readonly texts: Texts;
  readonly places: readonly string[];
}

export const CLAUDE = '.claude/agents/reviewer.md';
export const CODEX = '.codex/agents/reviewer.md';
export const YAML = '.codex/agents/reviewer.yaml';
export const AGENT_CODE = '.agent/agents/reviewer.md';
export const COPILOT = '.github/agents/reviewer.agent.md';
export const GEMINI = '.gemini/agents/reviewer.md';
export const OPENCODE = '.opencode/agents/reviewer.md';
export const CURSOR = '.cursor/agents/reviewer.md';
export const ROLE = '.codex/agents/reviewer.toml';
export const POLICY = 'policy.yaml';

/** A definition with these lines of front matter after name and description, the fourth line of the file being the first of them. */
export function definition(...lines: readonly string[]): string {
  return `---\nname: reviewer\ndescription: Reviews changes.\n${lines.map((line) => `${line}\n`).join('')}---\nRead the diff first.\n`;
}

/** A policy with these lines after its version; the second line of the file is the first of them. */
export function policyText(...lines: readonly string[]): string {
  return `version: 1\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** A codex YAML definition with these lines; the third line of the file is the first of them. */
export function yamlDefinition(...lines: readonly string[]): string {
  return `name: reviewer\ngoal: Reviews changes.\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** A role of Codex with these lines; the fourth line of the file is the first of them. */
export function role(...lines: readonly string[]): string {
  const head = 'name = "reviewer"\ndescription = "Reviews changes."\ndeveloper_instructions = "Read the diff first."\n';
  return head + lines.map((line) => `${line}\n`).join('');
}

/** One row for one file. */
export function row(rule: string, say: string, path: string, text: string, ...places: readonly string[]): Row {
  return { rule, say, texts: { [path]: text }, places };
}
