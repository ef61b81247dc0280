/** Converts permission rules of Claude Code's settings to rules of a policy. */
import { readClaudeRule } from '../../lint/claude-rules/read.js';
import { type Located, parseLocated } from '../../policy/read/located.js';
import { parseEntry } from '../../rule/pattern/entry.js';
import { EFFECTS, type Effect } from '../../rule/pattern/permission-rule.js';
import {
  type Imported,
  type ImportedRule,
  type ImportNote,
  MOST_ENTRIES,
  NOTHING_IMPORTED,
  reasonNotToImport,
  shownEntry,
} from './rules.js';

/** The result for an entry: the rule to write, and a remark. */
interface Conversion {
  readonly rule: string | null;
  readonly why: string | null;
}

/** Tools whose bare name covers only themselves in Claude Code. */
const WRITERS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const DEAD = 'it never takes effect in Claude Code';

/**
 * Returns the rules of one settings file. An allow that Claude Code never honors is omitted, since importing it would grant what
 * was never granted; an ask or deny that it never honors is imported, with a note. Never throws.
 * @param file as notes name it
 * @param personal a file of the user, not of a repository: it may name places outside of a project
 */
export function importClaudeCode(text: string, file: string, personal: boolean): Imported {
  const located = parseLocated(text, 'json');
  if (!located.ok)
    return {
      rules: [],
      notes: [{ place: `${file}:${located.problem.line}`, entry: file, left: true, why: located.problem.message }],
    };
  const permissions = memberOf(located.data, 'permissions');
  if (permissions === undefined) return NOTHING_IMPORTED;
  const rules: ImportedRule[] = [];
  const notes: ImportNote[] = [];
  for (const effect of EFFECTS) {
    const list = memberOf(permissions, effect);
    const entries = Array.isArray(list) ? list : [];
    for (const [index, entry] of entries.slice(0, MOST_ENTRIES).entries()) {
      const place = `${file}:${located.valueAt(`/permissions/${effect}/${index}`).line}`;
      const { rule, why } = typeof entry === 'string' ? converted(effect, entry, personal) : { rule: null, why: 'it is no text' };
      const objection = rule === null ? null : reasonNotToImport({ effect, text: rule });
      if (rule !== null && objection === null) rules.push(...besides({ effect, text: rule }));
      const said = objection ?? why;
      if (said !== null)
        notes.push({ place, entry: `${effect} ${shownEntry(entry)}`, left: rule === null || objection !== null, why: said });
    }
  }
  return { rules, notes: [...notes, ...settingNotes(permissions, file, located)] };
}

/** Returns notes on other settings, with their counterparts here if there are any. */
function settingNotes(permissions: unknown, file: string, located: Located): ImportNote[] {
  const said: readonly (readonly [key: string, why: string])[] = [
    ['defaultMode', 'a mode is chosen by `preset` and `default` of the policy'],
    ['additionalDirectories', 'a policy ends at its project; write rules with //absolute/paths for what lies outside'],
    ['disableBypassPermissionsMode', 'the counterpart is security.disable_bypass_permissions: true'],
  ];
  return said.flatMap(([key, why]) => {
    const value = memberOf(permissions, key);
    if (value === undefined || value === 'default' || (Array.isArray(value) && value.length === 0)) return [];
    const place = `${file}:${located.keyAt(`/permissions/${key}`).line}`;
    return [{ place, entry: `${key}: ${shownEntry(value)}`, left: true, why }];
  });
}

function converted(effect: Effect, text: string, personal: boolean): Conversion {
  const entry = parseEntry(text);
  const dead = deadThere(text, effect);
  if (!entry.ok) return { rule: null, why: entry.message };
  if (effect !== 'allow')
    return {
      rule: text.trim(),
      why: dead === null ? changedMeaning(effect, entry.tool, entry.pattern) : `${DEAD} (${dead}); here it does`,
    };
  if (dead !== null) return { rule: null, why: `${DEAD}: ${dead}` };
  return convertedAllow(text, entry.tool, entry.pattern, personal);
}

function convertedAllow(text: string, tool: string, pattern: string | null, personal: boolean): Conversion {
  const total = pattern === null || /^\*+$/.test(pattern);
  if (tool === 'Bash' && total) return { rule: null, why: 'it allows every command without checking it' };
  if (WRITERS.has(tool) && total)
    return { rule: null, why: 'it covers every file; the preset safe allows edits inside the project' };
  if (tool === 'Read' && total) return { rule: 'Read(**)', why: null };
  if (!personal && /^(?:Read|Edit|Grep)$/.test(tool) && /^(?:\/\/|~)/.test(pattern ?? ''))
    return { rule: null, why: 'it reaches out of the project; grant it in your own policy if you want it' };
  if (personal && /^\/(?!\/)/.test(pattern ?? '') && /^(?:Read|Edit|Grep)$/.test(tool))
    return { rule: null, why: 'it begins at the folder of your settings; here it would begin at each project' };
  if (tool === 'Bash' && /[^\s:*]\*$/.test(pattern ?? ''))
    return { rule: text.trim(), why: 'here `*` begins at the end of a word, so it allows less' };
  return { rule: text.trim(), why: changedMeaning('allow', tool, pattern) };
}

/** Returns why Claude Code never honors an entry, or interprets it differently than it reads; null if it honors it as written. */
function deadThere(text: string, effect: Effect): string | null {
  const { reach, canonical, specifier } = readClaudeRule(text, effect);
  if (reach.kind === 'nothing') return reach.instead === null ? reach.because : `${reach.because}: write ${reach.instead}`;
  return canonical === 'Bash' && effect === 'allow' && specifier !== null ? literalCommand(specifier) : null;
}

/** Returns the command of an allow that stands for one literal text in Claude Code. */
function literalCommand(pattern: string): string | null {
  if (/[?[\]{}|]/.test(pattern)) return 'only * is special; the rest is taken literally';
  if (/[;&<>`$\n]/.test(pattern)) return 'it matches one literal command line, which is judged command by command here';
  return /^\w+=/.test(pattern) ? 'assignments before a command are no part of it here' : null;
}

/** Files that Claude Code may not read it may not change either; here each needs its own rule. */
function besides(rule: ImportedRule): ImportedRule[] {
  const entry = rule.effect === 'deny' ? parseEntry(rule.text) : null;
  if (entry === null || !entry.ok || entry.tool !== 'Read' || entry.pattern === null) return [rule];
  return [rule, { effect: 'deny', text: `Edit(${entry.pattern})` }];
}

/** Returns the difference in meaning of an entry that both accept. */
function changedMeaning(effect: Effect, tool: string, pattern: string | null): string | null {
  if (effect !== 'allow' && pattern === null && WRITERS.has(tool)) return `here ${tool} stands for every writing tool`;
  return null;
}

/** Returns an own member of a map. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
