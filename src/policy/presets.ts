/** The shipped presets (rules/presets), and the preset that corresponds to a list of tools. */
import { data } from '../generated/data.js';
import { parseEntry } from '../rule/pattern/entry.js';
import type { PermissionRule } from '../rule/pattern/permission-rule.js';
import { PRESETS, type Preset, type PresetName } from './policy.js';

const FILES: Readonly<Record<PresetName, string>> = {
  ...{ readOnly: 'read-only', inspect: 'inspect', safe: 'safe', develop: 'develop', all: 'all' },
};

/** The shape of the files, which schemas/preset.schema.json checks. */
interface PresetFile {
  readonly name: PresetName;
  readonly allow: readonly string[];
  readonly refuse: readonly string[];
  readonly provenReads: boolean;
  readonly loopbackReads: boolean;
  readonly temporary?: boolean;
  readonly leaves?: readonly string[];
  /** Its rules apply too, and come first. */
  readonly extends?: PresetName;
  readonly otherwise: 'deny' | null;
}

const made = new Map<PresetName, Preset>();

/**
 * A preset with its rules. Their source is the file below rules/ (`presets/safe.yaml`), and the line is the rule's number in the
 * file's `allow` list, since embedded data has no lines any more. Throws only if the package is broken (tests check its data).
 */
export function presetNamed(name: PresetName): Preset {
  const known = made.get(name);
  if (known !== undefined) return known;
  const file = data(`presets/${FILES[name]}`);
  if (!isPresetFile(file)) throw new Error(`The package is damaged: rules/presets/${FILES[name]}.yaml is missing.`);
  const { refuse, provenReads, loopbackReads, otherwise } = file;
  const { leaves = null, temporary = false } = file;
  const own = file.allow.map((text, index) => presetRule(text, `presets/${FILES[name]}.yaml`, index + 1));
  const rules = file.extends === undefined ? own : [...presetNamed(file.extends).rules, ...own];
  const preset: Preset = { name, rules, refuse, provenReads, loopbackReads, temporary, leaves, otherwise };
  made.set(name, preset);
  return preset;
}

/** The entries that `preset: NAME` stands for: shell entries first, as bare patterns (`git status*`), then the tools. */
export function expandPreset(name: PresetName): string[] {
  const { rules } = presetNamed(name);
  const shell = rules.filter((rule) => rule.tool === 'Bash' && rule.pattern !== null);
  return [...shell.map((rule) => rule.pattern ?? ''), ...rules.filter((rule) => !shell.includes(rule)).map((rule) => rule.text)];
}

/** True for presets that only a trusted repository may use. */
export function requiresTrust(name: PresetName): boolean {
  return name === 'all';
}

/** True for a word that `preset:` and `--preset` accept. */
export function isPresetName(word: string): word is PresetName {
  return PRESETS.some((name) => name === word);
}

/** Tools that change files, by their names in the seeds' runners; TodoWrite is not one of them. */
const EDITORS = new Set(['edit', 'write', 'multiedit', 'notebookedit', 'apply_patch']);

/**
 * The preset that corresponds to a list of allowed tools; only for migration, since a policy always names its preset.
 * Unrestricted shell → all; any editor or any other shell rule → safe; else readOnly. The original inferred from substrings and
 * treated TodoWrite as a write tool.
 */
export function inferPreset(tools: readonly string[]): PresetName {
  const entries = tools.map((text) => {
    const entry = parseEntry(text);
    // An entry that cannot be read might be a shell rule: then not readOnly.
    return entry.ok ? { tool: entry.tool.toLowerCase(), pattern: entry.pattern } : { tool: 'bash', pattern: text };
  });
  if (entries.some(({ tool, pattern }) => tool === '*' || (tool === 'bash' && (pattern === null || pattern === '*'))))
    return 'all';
  return entries.some(({ tool }) => tool === 'bash' || EDITORS.has(tool)) ? 'safe' : 'readOnly';
}

function presetRule(text: string, file: string, line: number): PermissionRule {
  const entry = parseEntry(text);
  if (!entry.ok) throw new Error(`The package is damaged: rules/${file} holds a rule that cannot be read.`);
  return { effect: 'allow', tool: entry.tool, pattern: entry.pattern, text, layer: 'preset', source: { file, line, column: 1 } };
}

function isPresetFile(value: unknown): value is PresetFile {
  return typeof value === 'object' && value !== null && 'allow' in value && Array.isArray(value.allow);
}
