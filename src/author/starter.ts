/** The starter policy of a repository, or of a user: generated from existing settings, with a comment for each part. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../disk/read.js';
import { maskSecrets } from '../lint/secrets/secret-text.js';
import { yamlScalar } from '../policy/edit/yaml.js';
import { EFFECTS, type Effect } from '../rule/pattern/permission-rule.js';
import { lint } from '../runner/lint/linter.js';
import { importClaudeCode } from './import/claude-code.js';
import { codexConfigNotes, importCodexRules } from './import/codex.js';
import { type Imported, type ImportedRule, mergedImports, NOTHING_IMPORTED, reasonNotToImport } from './import/rules.js';
import { defaultBranch } from './starter-branch.js';

export interface StarterFile {
  /** `policy` for everyone in the project (or the user), `policy.local` for one person in it. */
  readonly stem: 'policy' | 'policy.local';
  readonly text: string;
}

export interface Starter {
  readonly files: readonly StarterFile[];
  /** Entries that were not imported, or have another meaning; each with its place. */
  readonly notes: readonly string[];
}

/** Rules under one comment. */
interface Section {
  readonly effect: Effect;
  readonly comment: string;
  readonly rules: readonly string[];
}

/** A part that a person accepts or declines: the preset, rules that belong together, or the branches for which a push is asked about. */
export interface StarterPart {
  readonly comment: string;
  readonly sections: readonly Section[];
  readonly preset: 'develop' | null;
  readonly branch: string | null;
}

/** Everything that a starter of a project may contain; nothing is read again when its text is made. */
export interface Proposal {
  readonly parts: readonly StarterPart[];
  readonly own: Imported;
  readonly shared: Imported;
  /** Where editors find the schema; null if that is unknown. */
  readonly schema: string | null;
  readonly notes: readonly string[];
}

const MOST_RULE_FILES = 50;
const MOST_NOTES_IN_FILE = 100;

/** Proposes rules for work on the project, those in its settings of Claude Code and Codex, and its default branch. */
export function proposeStarter(project: string, schema: string | null = null): Proposal {
  const shared = mergedImports([claudeCode(project, '.claude/settings.json', false), codex(project)]);
  const own = claudeCode(project, '.claude/settings.local.json', false);
  const branch = defaultBranch(project);
  const imported = importedSections(shared, 'the settings of this repository').filter(({ rules }) => rules.length > 0);
  const part = { sections: [], preset: null, branch: null };
  return {
    parts: [
      { ...part, comment: WORK, preset: 'develop' },
      ...(imported.length === 0 ? [] : [{ ...part, comment: 'Taken from the settings of this repository.', sections: imported }]),
      ...(branch === null ? [] : [{ ...part, comment: BRANCHES, branch }]),
    ],
    own,
    shared,
    schema,
    notes: [...shared.notes, ...own.notes].map(noteLine),
  };
}

const WORK = 'Agents may build, test, check, format and run this project. That runs its code, which agents may edit.';
const BRANCHES = 'A push to these branches asks.';

/** Returns the starter of a project, from all parts of the proposal or those that a person wants. */
export function projectStarter(proposal: Proposal, parts: readonly StarterPart[] = proposal.parts): Starter {
  const { own, shared, notes } = proposal;
  const branches = parts.flatMap(({ branch }) => (branch === null ? [] : [branch]));
  const text = policyText([
    ...schemaLine(proposal.schema),
    ...projectHead(parts.some(({ preset }) => preset !== null)),
    ...sections(parts.flatMap((part) => part.sections)),
    ...(branches.length === 0
      ? []
      : ['', `# ${BRANCHES}`, `protectedBranches: [${branches.map((branch) => yamlScalar(branch, true)).join(', ')}]`]),
    ...noteLines(shared),
  ]);
  const local = policyText([
    ...schemaLine(proposal.schema),
    '# What coding agents may do for you alone in this project. Keep this file out of git.',
    'version: 1',
    ...sections(importedSections(own, '.claude/settings.local.json')),
    ...noteLines(own),
  ]);
  return {
    files: [{ stem: 'policy', text }, ...(own.rules.length === 0 ? [] : [{ stem: 'policy.local', text: local } as const])],
    notes,
  };
}

/** Returns the starter of a user, from the settings that apply in every project. */
export function userStarter(home: string, schema: string | null = null): Starter {
  const imported = mergedImports([claudeCode(home, '.claude/settings.json', true), codex(home)]);
  const text = policyText([
    ...schemaLine(schema),
    '# What coding agents may do for you, in every project. Deny beats ask beats allow, wherever the rules stand.',
    'version: 1',
    '',
    '# The answer for calls that no rule of any policy matches.',
    'default: ask',
    ...sections(importedSections(imported, 'your own settings')),
    ...noteLines(imported),
  ]);
  return { files: [{ stem: 'policy', text }], notes: imported.notes.map(noteLine) };
}

/** For editors with the YAML language server; omitted for a path that a comment cannot contain. */
function schemaLine(schema: string | null): readonly string[] {
  return schema === null || !/^[\w@%+=:,./-]{1,1000}$/.test(schema) ? [] : [`# yaml-language-server: $schema=${schema}`];
}

function projectHead(works: boolean): readonly string[] {
  return [
    '# What coding agents may do in this repository. Deny beats ask beats allow, wherever the rules stand.',
    '# Try a call:  policy check --explain Bash "git push"',
    'version: 1',
    '',
    ...(works ? [`# ${WORK}`, '# What leaves the project, publishes, deploys or installs asks.'] : []),
    '# Edits inside the project, commands that only read, and some git and gh commands need no question.',
    works ? 'preset: develop' : 'preset: safe',
    '',
    '# The answer for calls that no rule and no preset matches.',
    'default: ask',
  ];
}

function claudeCode(folder: string, name: string, personal: boolean): Imported {
  const read = readText(join(folder, name), { follow: personal });
  if (read.ok) return importClaudeCode(read.text, personal ? `~/${name}` : name, personal);
  return read.code === 'missing' ? NOTHING_IMPORTED : unread(name, read.message);
}

function codex(folder: string): Imported {
  const rules = ruleFiles(join(folder, '.codex/rules')).map((name): Imported => {
    const read = readText(join(folder, '.codex/rules', name), { follow: false });
    return read.ok ? importCodexRules(read.text, `.codex/rules/${name}`) : unread(`.codex/rules/${name}`, read.message);
  });
  const config = readText(join(folder, '.codex/config.toml'), { follow: false });
  const notes = config.ok ? codexConfigNotes(config.text, '.codex/config.toml') : [];
  return mergedImports([...rules, { rules: [], notes }]);
}

function unread(name: string, message: string): Imported {
  return { rules: [], notes: [{ place: name, entry: name, left: true, why: `it ${message}` }] };
}

function ruleFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[\w.-]{1,100}\.rules$/.test(name))
      .sort()
      .slice(0, MOST_RULE_FILES);
  } catch {
    return [];
  }
}

function importedSections({ rules }: Imported, from: string): Section[] {
  return EFFECTS.map((effect) => ({
    effect,
    comment: `Taken from ${from}.`,
    rules: rules.filter((rule) => rule.effect === effect).map(({ text }) => text),
  }));
}

/** Returns the lists of rules, each part under its comment, without duplicate rules. */
function sections(all: readonly Section[]): string[] {
  const seen = new Set<string>();
  return EFFECTS.flatMap((effect) => {
    const parts = all
      .filter((section) => section.effect === effect)
      .flatMap(({ comment, rules }) => {
        const fresh = rules.filter((text) => !seen.has(`${effect} ${meaning(text)}`) && acceptable({ effect, text }, all));
        for (const text of fresh) seen.add(`${effect} ${meaning(text)}`);
        return fresh.length === 0 ? [] : [`  # ${comment}`, ...fresh.map((text) => `  - ${yamlScalar(text, false)}`)];
      });
    return parts.length === 0 ? [] : ['', `${effect}:`, ...parts];
  });
}

/** Claude Code's `Bash(make test:*)` has the same meaning as `Bash(make test *)`. */
function meaning(text: string): string {
  return text.replace(/:\*\)$/, ' *)');
}

/** Whether lint accepts a rule, and no stricter rule with the same text contradicts it. */
function acceptable(rule: ImportedRule, all: readonly Section[]): boolean {
  const stricter = EFFECTS.slice(EFFECTS.indexOf(rule.effect) + 1);
  if (all.some(({ effect, rules }) => stricter.includes(effect) && rules.includes(rule.text))) return false;
  return reasonNotToImport(rule) === null;
}

/** Returns the omitted entries as comments at the end. */
function noteLines({ notes }: Imported): string[] {
  if (notes.length === 0) return [];
  const more = notes.length - MOST_NOTES_IN_FILE;
  return [
    '',
    '# Not taken over, or taken over with another meaning:',
    ...notes.slice(0, MOST_NOTES_IN_FILE).map((note) => `# - ${printable(noteLine(note))}`),
    ...(more > 0 ? [`# - and ${more} more`] : []),
  ];
}

/** Returns a note as a line, without any credential that the rule contained. */
function noteLine({ place, entry, left, why }: Imported['notes'][number]): string {
  const shown = maskSecrets(entry) === entry ? entry : 'a rule with a credential in it';
  return maskSecrets(`${place}: ${shown}${left ? ' was not taken over' : ''}: ${why}`);
}

/** Escapes characters that would end a comment, or reverse the direction of text. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7');
}

/** Returns the lines as a file, without the rules and notes in which lint finds a mistake: two sources may contradict each other. */
function policyText(lines: readonly string[]): string {
  const kept = [...lines];
  for (;;) {
    const text = `${withoutEmptyLists(kept).join('\n')}\n`;
    const kind = { kind: 'policy', format: 'yaml', layer: 'project' } as const;
    const { findings } = lint({ files: [{ path: 'policy.yaml', kind, text, problem: null }], incomplete: [] });
    const wrong = findings.find(({ severity }) => severity === 'error');
    if (wrong === undefined) return text;
    const line = text.split('\n')[wrong.location.line - 1] ?? '';
    const at = kept.lastIndexOf(line);
    if (!/^(?: {2}|# )- /.test(line) || at < 0) throw new Error(`the starter policy would have a mistake: ${wrong.message}`);
    kept.splice(at, 1);
  }
}

/** Removes comments without rules below them, and lists without entries. */
function withoutEmptyLists(lines: readonly string[]): readonly string[] {
  const commented = lines.filter((line, index) => !line.startsWith('  # ') || lines[index + 1]?.startsWith('  - ') === true);
  return commented.filter(
    (line, index) => !/^(?:allow|ask|deny):$/.test(line) || commented[index + 1]?.startsWith('  ') === true,
  );
}
