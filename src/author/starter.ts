/** The starter policy of a repository, or of a user: gathered from what is there, with a comment for each part. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../disk/read.js';
import { maskSecrets } from '../lint/secrets/secret-text.js';
import { yamlScalar } from '../policy/edit/yaml.js';
import { EFFECTS, type Effect } from '../rule/pattern/permission-rule.js';
import { lint } from '../runner/lint/linter.js';
import { importClaudeCode } from './import/claude-code.js';
import { codexConfigNotes, importCodexRules } from './import/codex.js';
import { type Imported, type ImportedRule, joined, NOTHING_IMPORTED, reasonNotToImport } from './import/rules.js';
import { defaultBranch } from './starter-branch.js';

export interface StarterFile {
  /** `policy` for everybody in the project (or the user), `policy.local` for one person in it. */
  readonly stem: 'policy' | 'policy.local';
  readonly text: string;
}

export interface Starter {
  readonly files: readonly StarterFile[];
  /** What was not taken over, or means something else; each with its place. */
  readonly notes: readonly string[];
}

/** Rules under one comment. */
interface Section {
  readonly effect: Effect;
  readonly comment: string;
  readonly rules: readonly string[];
}

/** What a person says yes or no to: the preset, rules that belong together, or the branches that a push asks about. */
export interface StarterPart {
  readonly comment: string;
  readonly sections: readonly Section[];
  readonly preset: 'develop' | null;
  readonly branch: string | null;
}

/** All that a starter of a project may hold; nothing is read again when its text is made. */
export interface Proposal {
  readonly parts: readonly StarterPart[];
  readonly own: Imported;
  readonly shared: Imported;
  /** Where editors find the schema; null where nobody can say. */
  readonly schema: string | null;
  readonly notes: readonly string[];
}

const MOST_RULE_FILES = 50;
const MOST_NOTES_IN_FILE = 100;

/** Work on the project, what the settings of Claude Code and Codex in it say, and its default branch. */
export function proposeStarter(project: string, schema: string | null = null): Proposal {
  const shared = joined([claudeCode(project, '.claude/settings.json', false), codex(project)]);
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
    notes: [...shared.notes, ...own.notes].map(sentence),
  };
}

const WORK = 'Agents may build, test, check, format and run this project. That runs its code, which agents may edit.';
const BRANCHES = 'A push to these branches asks.';

/** The starter of a project, of all parts of the proposal or those that a person wants. */
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

/** The starter of a user: the settings that hold in every project. */
export function userStarter(home: string, schema: string | null = null): Starter {
  const imported = joined([claudeCode(home, '.claude/settings.json', true), codex(home)]);
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
  return { files: [{ stem: 'policy', text }], notes: imported.notes.map(sentence) };
}

/** For editors that know the YAML language server; of a path that a comment cannot hold they learn nothing. */
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
  return joined([...rules, { rules: [], notes }]);
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

/** The lists of rules, each part under its comment; a rule that stands already is not repeated. */
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

/** Claude Code writes `Bash(make test:*)` for what `Bash(make test *)` says. */
function meaning(text: string): string {
  return text.replace(/:\*\)$/, ' *)');
}

/** A rule that lint has nothing against, and that no stricter rule of the same text contradicts. */
function acceptable(rule: ImportedRule, all: readonly Section[]): boolean {
  const stricter = EFFECTS.slice(EFFECTS.indexOf(rule.effect) + 1);
  if (all.some(({ effect, rules }) => stricter.includes(effect) && rules.includes(rule.text))) return false;
  return reasonNotToImport(rule) === null;
}

/** What was left out, as comments at the end. */
function noteLines({ notes }: Imported): string[] {
  if (notes.length === 0) return [];
  const more = notes.length - MOST_NOTES_IN_FILE;
  return [
    '',
    '# Not taken over, or taken over with another meaning:',
    ...notes.slice(0, MOST_NOTES_IN_FILE).map((note) => `# - ${printable(sentence(note))}`),
    ...(more > 0 ? [`# - and ${more} more`] : []),
  ];
}

/** A note as a line; a credential that stood in a rule is not repeated. */
function sentence({ place, entry, left, why }: Imported['notes'][number]): string {
  const shown = maskSecrets(entry) === entry ? entry : 'a rule with a credential in it';
  return maskSecrets(`${place}: ${shown}${left ? ' was not taken over' : ''}: ${why}`);
}

/** Nothing in a comment may end it, or turn text around. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7');
}

/** The lines as a file, without the rules and notes that lint finds a mistake in: two sources may contradict each other. */
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

/** A comment without rules below it goes, and so does a list without entries. */
function withoutEmptyLists(lines: readonly string[]): readonly string[] {
  const commented = lines.filter((line, index) => !line.startsWith('  # ') || lines[index + 1]?.startsWith('  - ') === true);
  return commented.filter(
    (line, index) => !/^(?:allow|ask|deny):$/.test(line) || commented[index + 1]?.startsWith('  ') === true,
  );
}
