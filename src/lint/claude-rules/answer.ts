/**
 * The answer of Claude Code's own rules to a call: deny before ask before allow, wherever a rule is written (claude-code.md of
 * its documentation).
 */
import { posix } from 'node:path';
import type { ToolCall } from '../../call/tool-call.js';
import { accepts } from '../../rule/inclusion/language.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { commandLanguage } from './bash.js';
import { allowedTexts, restrictedTexts } from './command-texts.js';
import { pathLanguage } from './path.js';
import { matchesTool } from './read.js';
import type { ClaudeRule, PathAnchor } from './rule.js';
import { shellPaths } from './shell-paths.js';

/** The folders at which path patterns start, all absolute. */
export interface RulePlaces {
  readonly cwd: string;
  readonly home: string;
}

/** A rule with the folder to which its settings belong. */
export interface PlacedRule extends ClaudeRule {
  readonly settings: string;
}

/** Returns the effect of the rules, and the deciding rule; null when no rule is about the call, or not about all of it. */
export function answerOf<Rule extends PlacedRule>(
  rules: readonly Rule[],
  call: ToolCall,
  places: RulePlaces,
): { readonly effect: Effect; readonly rule: Rule } | null {
  for (const effect of ['deny', 'ask'] as const) {
    const rule = rules.find((one) => one.effect === effect && restricts(one, call, places));
    if (rule !== undefined) return { effect, rule };
  }
  const rule = allowing(
    rules.filter(({ effect }) => effect === 'allow'),
    call,
    places,
  );
  return rule === null ? null : { effect: 'allow', rule };
}

/** Whether a Bash rule on its own decides a command line. */
export function decidesCommand(rule: ClaudeRule, command: string): boolean {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd: '/project', headless: false, shell: 'bash' };
  const places = { cwd: '/project', home: '/home/user' };
  return answerOf([{ ...rule, settings: '/project' }], call, places)?.effect === rule.effect;
}

function restricts(rule: PlacedRule, call: ToolCall, places: RulePlaces): boolean {
  const line = commandOf(call);
  const language = line !== null && isBash(rule) ? commandLanguage(rule.reach) : null;
  if (language !== null && line !== null) return isWhole(rule) || restrictedTexts(line).some((text) => accepts(language, text));
  const { canonical } = rule;
  if (line !== null && (canonical === 'Read' || canonical === 'Edit'))
    return shellPaths(line, canonical, places.cwd).some((path) => meetsPath(rule, path, places));
  return matches(rule, call, places);
}

/** Every command of a line needs a rule, unless one rule is the line itself. */
function allowing<Rule extends PlacedRule>(rules: readonly Rule[], call: ToolCall, places: RulePlaces): Rule | null {
  const line = commandOf(call);
  if (line === null) return rules.find((rule) => matches(rule, call, places)) ?? null;
  const own = rules.filter(isBash);
  const whole = own.find((rule) => isWhole(rule) || (rule.reach.kind === 'exact' && rule.reach.text === line.trim()));
  if (whole !== undefined) return whole;
  const covering = allowedTexts(line)?.map((texts) => own.find((rule) => texts.some((text) => isText(rule, text))));
  const [first] = covering ?? [];
  return first !== undefined && covering?.every((rule) => rule !== undefined) === true ? first : null;
}

function isText({ reach }: ClaudeRule, text: string): boolean {
  const language = commandLanguage(reach);
  return language !== null && accepts(language, text);
}

/** Bash rules also apply to the commands that Monitor runs. */
function commandOf({ tool, input }: ToolCall): string | null {
  return (tool === 'Bash' || tool === 'Monitor') && typeof input.command === 'string' ? input.command : null;
}

function isBash({ canonical }: ClaudeRule): boolean {
  return canonical === 'Bash';
}

/** Whether the rule applies before the line is parsed: `Bash` and `Bash(*)`. */
function isWhole({ reach, specifier }: ClaudeRule): boolean {
  return specifier === null && reach.kind === 'everything';
}

function matches(rule: PlacedRule, call: ToolCall, places: RulePlaces): boolean {
  const { reach, canonical, effect } = rule;
  const { tool, input } = call;
  switch (reach.kind) {
    case 'everything':
      return namesTool(rule, tool);
    case 'parameter':
      return canonical === tool && Object.hasOwn(input, reach.name) && String(input[reach.name]) === reach.value;
    case 'path':
      return PATH_TOOLS[canonical]?.[effect === 'allow' ? 'allow' : 'deny'].includes(tool) === true && isPath(rule, call, places);
    case 'domain':
      return tool === 'WebFetch' && matchesTool(reach.host, hostOf(input.url));
    case 'exact':
    case 'prefix':
      if (tool === 'Agent' && canonical === 'Agent') return reach.text === input.subagent_type;
      return tool === 'Skill' && canonical === 'Skill' && reach.text === input.skill;
    default:
      return false;
  }
}

/** `Edit` alone names the tool Edit, `mcp__server` every tool of the server. */
function namesTool({ tool: written, canonical }: ClaudeRule, tool: string): boolean {
  if (canonical === tool) return true;
  return matchesTool(written, tool) || (tool.startsWith('mcp__') && tool.startsWith(`${written}__`));
}

const READERS = ['Read', 'Grep', 'Glob'];
const WRITERS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
/** The tools to whose paths a pattern of Read or Edit applies; a path that must not be read must not be written either. */
const PATH_TOOLS: Readonly<Record<string, Readonly<Record<'allow' | 'deny', readonly string[]>>>> = {
  Read: { allow: READERS, deny: [...READERS, ...WRITERS] },
  Edit: { allow: WRITERS, deny: WRITERS },
};

const PATH_FIELDS = ['file_path', 'notebook_path', 'path'];

function isPath(rule: PlacedRule, { input }: ToolCall, places: RulePlaces): boolean {
  const written = PATH_FIELDS.map((field) => input[field]).find((value) => typeof value === 'string');
  return written !== undefined && meetsPath(rule, written, places);
}

function meetsPath({ reach, effect, settings }: PlacedRule, written: string, { cwd, home }: RulePlaces): boolean {
  if (reach.kind !== 'path') return false;
  const language = pathLanguage(reach.pattern, reach.anchor, effect);
  if (language === null) return false;
  const roots: Readonly<Record<PathAnchor, string>> = { root: '/', home, directory: cwd, settings };
  const below = posix.relative(roots[reach.anchor], posix.resolve(cwd, written.replace(/^~(?=\/|$)/, home)));
  return below !== '..' && !below.startsWith('../') && accepts(language, below.toLowerCase());
}

/** Returns the host of an address; for a string that is not an address, a string that is not a host. */
function hostOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : ' ';
}
