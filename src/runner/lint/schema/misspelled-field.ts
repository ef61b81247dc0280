import { REQUIRED_FIELDS } from '../../../lint/agents/field-case.js';
import type { AgentFile, TextFile } from '../../../lint/files/files.js';
import { forAgents, forSkills, type LintRule, type Report } from '../../../lint/project/rule.js';
import { misspeltTools } from '../../../lint/text/tool-keys.js';
import { editDistance, nearestWord } from '../../../policy/nearest.js';
import { shown } from '../../../policy/sentences.js';
import { isClaudeRule } from '../../claude-code/lint/invalid-value.js';

const SHARED = ['name', 'description', 'model', 'policy', 'enabled'];
/** The fields that each format reads; those of other formats are not known well enough. */
const FIELDS: Readonly<Partial<Record<AgentFile['format'], readonly string[]>>> = {
  'claude-code': [
    ...SHARED,
    ...['tools', 'disallowedTools', 'permissionMode', 'maxTurns', 'skills', 'mcpServers', 'hooks', 'memory', 'background'],
    ...['effort', 'isolation', 'color', 'initialPrompt'],
  ],
  'codex-markdown': [...SHARED, 'tools', 'scope'],
  'codex-yaml': [...SHARED, 'goal', 'tools', 'policies', 'delegation', 'success_criteria', 'artifacts', 'extra'],
  'agent-code': [...SHARED, 'include_tools', 'exclude_tools', 'read_only', 'permission_mode', 'allow', 'deny', 'ask', 'tools'],
};
/** Common fields of other programs that merely look like misspellings. */
const OTHERS = new Set(['mode', 'modes', 'color', 'colour', 'models', 'title', 'hook', 'skill', 'extras', 'policies', 'effects']);

export const misspelledField: LintRule = {
  id: 'schema/misspelled-field',
  severity: 'warning',
  confidence: 'medium',
  docs: {
    what: 'A field looks like a known one that is spelt differently.',
    why: 'An unknown field is ignored without a message, so what it says does not hold.',
    bad: '---\nname: reviewer\ndescription: Reviews changes.\npermission-mode: plan\n---\n',
    good: '---\nname: reviewer\ndescription: Reviews changes.\npermissionMode: plan\n---\n',
    fix: 'Write the field as the message says, or remove it.',
  },
  check: (project) => [...ofAgents(project), ...ofSkills(project), ...project.texts.flatMap(checkRule)],
};

const ofAgents = forAgents(check);
const ofSkills = forSkills(checkSkill);

/** What Claude Code reads from the head of a skill or command (2.1.332): no other spelling has an effect (tried with `_`). */
const OF_SKILLS: ReadonlySet<string> = new Set([
  ...['allowed-tools', 'disallowed-tools', 'argument-hint', 'disable-model-invocation', 'user-invocable', 'when_to_use'],
]);

function checkSkill({ runner, data }: TextFile): readonly Report[] {
  if (runner !== 'claude-code' || data === null) return [];
  return data.keys.slice(0, MOST_KEYS).flatMap((key) => {
    const meant = [key.replaceAll('_', '-'), key.replaceAll('-', '_')].find((other) => other !== key && OF_SKILLS.has(other));
    if (meant === undefined || data.keys.includes(meant)) return [];
    const message = `Claude Code passes over ${shown(key)} of a skill or command; it reads ${shown(meant)}.`;
    return [{ at: data.keySpan(`/${escapePointer(key)}`), message }];
  });
}

/** The key of Cursor's rules in a rule of Claude Code, which then always loads it (2.1.197 and 2.1.332). */
function checkRule({ path, data }: TextFile): readonly Report[] {
  if (!isClaudeRule(path) || data === null || data.keys.includes('paths')) return [];
  return data.keys
    .filter((key) => key === 'globs' || key === 'glob')
    .map((key) => ({
      at: data.keySpan(`/${key}`),
      message: `Claude Code passes over ${shown(key)} of a rule, and always loads it; it reads "paths".`,
    }));
}

/** Maximum number of fields compared; nobody writes that many. */
const MOST_KEYS = 1_000;

function check({ format, data }: AgentFile): readonly Report[] {
  if (data === null) return [];
  const known = FIELDS[format];
  if (known === undefined) return [];
  return data.keys.slice(0, MOST_KEYS).flatMap((key) => {
    if (known.includes(key) || OTHERS.has(key) || isOfOther(key, known) || misspeltTools(format, key) !== null) return [];
    const meant = known.find((field) => folded(field) === folded(key)) ?? (key.length > 4 ? nearlySame(key, known) : null);
    if (meant === null || data.keys.includes(meant)) return [];
    // Another rule covers required fields in the wrong case.
    if (REQUIRED_FIELDS.some((field) => field === meant) && key.toLowerCase() === meant) return [];
    return [
      {
        at: data.keySpan(`/${escapePointer(key)}`),
        message: `${shown(key)} is no field of this format; did you mean ${shown(meant)}?`,
      },
    ];
  });
}

/** `pi-skills`, `x-model`: a field of another program, named after one of this format. */
function isOfOther(key: string, known: readonly string[]): boolean {
  return known.some((field) => key.endsWith(`-${field}`));
}

/**
 * Returns the field that was probably meant. Programs add their own fields to definitions, so a misspelling differs in one or two
 * letters only (`maxTokens` is not `maxTurns`).
 */
function nearlySame(key: string, known: readonly string[]): string | null {
  const near = nearestWord(key, known);
  return near !== null && editDistance(key, near) <= 2 ? near : null;
}

function folded(field: string): string {
  return field.toLowerCase().replace(/[-_ ]/g, '');
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
