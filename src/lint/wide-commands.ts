/** Rules that allow a whole family of commands: which family, and why the wildcard reaches it. */

import { data } from '../generated/data.js';
import { shown } from '../policy/sentences.js';
import { patternKinds } from '../rule/rule-set.js';
import { toolsCovered } from '../rule/tool-coverage.js';
import type { Span } from './finding.js';
import type { LintProject } from './project.js';
import { rulesOf } from './project.js';
import type { Report } from './rule.js';

const FAMILIES = ['interpreter', 'destructive', 'network', 'package-manager', 'privileged'] as const;
export type CommandFamily = (typeof FAMILIES)[number];

/** Entries of rules/wide-commands.yaml by their words. */
const families = new Map(
  FAMILIES.map((family) => [family, new Set((data('wide-commands') as Readonly<Record<CommandFamily, string[]>>)[family])]),
);

/** Words before a command that change nothing about what it can do. */
const PREFIXES = new Set(['sudo', 'doas', 'env', 'nohup', 'time', 'command', 'exec', 'nice', 'stdbuf']);

/** An allowed command with a wildcard at its end. */
interface OpenGrant {
  readonly words: readonly string[];
  /** As written. */
  readonly text: string;
  readonly at: Span;
}

/** One report per grant of a project that opens a command of the family. */
export function wideGrants(project: LintProject, family: CommandFamily, sentence: (command: string) => string): Report[] {
  return grantsOf(project).flatMap(({ words, text, at }) => {
    const command = openedCommand(words, family);
    return command === null ? [] : [{ at, message: `${shown(text)} ${sentence(command)}` }];
  });
}

/** Allow rules for the shell that end in a wildcard, and programs that a codex-yaml definition may start. */
function grantsOf(project: LintProject): OpenGrant[] {
  const rules = rulesOf(project).flatMap(({ rule, span }) => {
    if (rule.effect !== 'allow' || rule.pattern === null || !patternKinds(rule, toolsCovered).includes('command')) return [];
    const words = openWords(rule.pattern);
    return words === null ? [] : [{ words, text: rule.text, at: span }];
  });
  const programs = project.agents
    .filter(({ dialect }) => dialect === 'codex-yaml')
    .flatMap(({ data }) => [...(data?.items('/tools/shell', ',') ?? []), ...(data?.items('/tools/shell/exec', ',') ?? [])])
    .map(({ text, span }) => ({ words: text.split(/\s+/), text, at: span }));
  return [...rules, ...programs];
}

/** The words before the wildcard that ends a pattern; null when none does, or when it stands alone. */
function openWords(pattern: string): readonly string[] | null {
  const before = /^(.*?\S)\s*:?\*+$/s.exec(pattern)?.[1];
  return before === undefined ? null : before.split(/\s+/).filter((word) => word !== '');
}

/** The command of a family that stands at the start of `words` with nothing but options and wildcards behind it. */
function openedCommand(words: readonly string[], family: CommandFamily): string | null {
  const entries = families.get(family);
  for (let skip = 0; skip < words.length; skip++) {
    for (let count = Math.min(3, words.length - skip); count > 0; count--) {
      const command = [programOf(words[skip] ?? ''), ...words.slice(skip + 1, skip + count)].join(' ');
      if (entries?.has(command) && words.slice(skip + count).every(isFree)) return command;
    }
    const word = words[skip] ?? '';
    if (!PREFIXES.has(word) && !/^[A-Za-z_]\w*=/.test(word)) return null;
  }
  return null;
}

/** `/usr/bin/python3.11` → `python3` */
function programOf(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return /^(python[23]?)[.\d]*$/.exec(name)?.[1] ?? name;
}

/** An option or a wildcard leaves open what is run; a file name or a subcommand does not. */
function isFree(word: string): boolean {
  return word.startsWith('-') || word.includes('*');
}
