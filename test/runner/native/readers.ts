/** Reads exports as their runners do, as far as that was measured: what would run without a question and without a hook. */
import { parse } from 'smol-toml';
import { answerOf } from '../../../src/lint/claude-rules/answer.js';
import { readClaudeRule } from '../../../src/lint/claude-rules/read.js';
import { type Literal, literalCalls } from '../../../src/policy/read/starlark.js';
import type { Effect } from '../../../src/rule/pattern/permission-rule.js';
import type { NativeExport } from '../../../src/runner/native/model.js';

/** A call by its kind; paths are absolute. */
export type NativeCall = { readonly kind: 'shell' | 'read' | 'search' | 'write'; readonly text: string };

export const PROJECT = '/repo';
const HOME = '/home/me';

/** What the first file of an export says, or null where it says nothing of the call. */
export type Reader = (exported: NativeExport) => (call: NativeCall) => Effect | null;

interface Lists {
  readonly permissions: { readonly allow: readonly string[]; readonly ask: readonly string[]; readonly deny: readonly string[] };
}

export const claudeCode: Reader = (exported) => {
  const { permissions } = JSON.parse(textOf(exported)) as Lists;
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((effect) =>
    permissions[effect].map((text) => ({ ...readClaudeRule(text, effect), settings: PROJECT })),
  );
  const tools = {
    shell: ['Bash', 'command'],
    read: ['Read', 'file_path'],
    search: ['Grep', 'path'],
    write: ['Write', 'file_path'],
  };
  const bash = rules.filter(({ canonical }) => canonical === 'Bash');
  return ({ kind, text }) => {
    const [tool = '', field = ''] = tools[kind];
    const call = { tool, input: { [field]: text }, cwd: PROJECT, headless: false, shell: 'bash' as const };
    const places = { cwd: PROJECT, home: HOME };
    // Rules about paths only take from what rules about Bash allow, and take long to ask.
    const ofBash = kind === 'shell' ? (answerOf(bash, call, places)?.effect ?? null) : 'allow';
    return ofBash === 'allow' ? (answerOf(rules, call, places)?.effect ?? null) : ofBash;
  };
};

type Actions = Readonly<Record<string, Effect>>;

/** The last pattern that matches wins; `*` is any text, slashes, too. */
export const opencode: Reader = (exported) => {
  const { permission } = JSON.parse(textOf(exported)) as { readonly permission: Readonly<Record<string, Effect | Actions>> };
  const keys = { shell: 'bash', read: 'read', search: 'grep', write: 'edit' };
  const known = new Map<string, RegExp>();
  const matches = (pattern: string, subject: string): boolean => {
    const expression = known.get(pattern) ?? wildcard(pattern);
    known.set(pattern, expression);
    return expression.test(subject);
  };
  return ({ kind, text }) => {
    const entry = permission[keys[kind]] ?? permission['*'];
    if (entry === undefined || typeof entry === 'string') return entry ?? null;
    if (kind !== 'shell' && !text.startsWith(`${PROJECT}/`)) return permission.external_directory as Effect;
    const subject = kind === 'shell' ? text : text.slice(PROJECT.length + 1);
    // A redirection is no part of what it compares.
    const compared = kind === 'shell' ? subject.replace(/\s*\d?>.*$/, '') : subject;
    return Object.entries(entry).findLast(([pattern]) => matches(pattern, compared))?.[1] ?? null;
  };
};

interface GeminiRule {
  readonly toolName: string | readonly string[];
  readonly decision: 'allow' | 'deny' | 'ask_user';
  readonly priority: number;
  readonly argsPattern?: string;
  readonly commandPrefix?: readonly string[];
}

/** The highest priority wins; inputs are compared as Gemini CLI 0.61 writes them out: sorted, each field between two NUL characters. */
export const geminiCli: Reader = (exported) => {
  const { rule } = parse(textOf(exported)) as unknown as { readonly rule: readonly GeminiRule[] };
  for (const { argsPattern = '' } of rule) if (!isTaken(argsPattern)) throw new Error(`Gemini CLI does not take ${argsPattern}`);
  const sorted = [...rule]
    .sort((one, other) => other.priority - one.priority)
    .map((one) => ({ ...one, expression: new RegExp(one.argsPattern ?? '') }));
  const tools = {
    shell: ['run_shell_command', 'command'],
    read: ['read_file', 'file_path'],
    search: ['grep_search', 'dir_path'],
    write: ['write_file', 'file_path'],
  };
  const says = ({ kind, text }: NativeCall): Effect | null => {
    const [tool = '', field = ''] = tools[kind];
    const written = `{\0"${field}":${JSON.stringify(text)}\0}`;
    const meets = ({ toolName, expression, commandPrefix }: (typeof sorted)[number]): boolean => {
      if (toolName !== '*' && ![toolName].flat().includes(tool)) return false;
      if (commandPrefix !== undefined) return commandPrefix.some((prefix) => text === prefix || text.startsWith(`${prefix} `));
      return expression.test(written);
    };
    const decision = sorted.find(meets)?.decision;
    return decision === undefined ? null : decision === 'ask_user' ? 'ask' : decision;
  };
  return (call) => {
    const effect = says(call);
    // Where it would ask, it asks about each command alone, without its redirections (seen with 0.61).
    const alone = call.text.replace(/\s*\d?>.*$/, '');
    return effect === 'ask' && call.kind === 'shell' && alone !== call.text ? says({ kind: 'shell', text: alone }) : effect;
  };
};

/** What Gemini CLI 0.61 refuses in an expression. */
function isTaken(expression: string): boolean {
  return expression.length <= 2048 && !/\([^)]*[*+?{].*\)[*+?{]/.test(expression);
}

/** Beginnings of commands; what is in none of them is left to the sandbox. */
export const codex: Reader = (exported) => {
  const rules = literalCalls(textOf(exported)).filter(({ name }) => name === 'prefix_rule');
  const all = rules.map(({ arguments: given }) => ({
    words: given?.get('pattern') as Literal[],
    decision: given?.get('decision') as string,
  }));
  return ({ kind, text }) => {
    if (kind !== 'shell') return null;
    const words = text.split(' ');
    const met = all.filter((rule) => rule.words.every((word, at) => word === words[at])).map(({ decision }) => decision);
    if (met.includes('forbidden')) return 'deny';
    return met.includes('prompt') ? 'ask' : met.includes('allow') ? 'allow' : null;
  };
};

export function textOf({ files }: NativeExport): string {
  return files[0]?.text ?? '';
}

function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
}
