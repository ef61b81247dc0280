import { describeTool, runnerTools } from '../../../call/catalogue.js';
import type { RunnerId } from '../../../call/tool-call.js';
import { traitsOf } from '../../../call/traits.js';
import { type HookFile, type HookHandler, handlersOf, matcherOf } from '../../../lint/project/handlers.js';
import { forHookFiles, type LintRule, type Report } from '../../../lint/project/rule.js';
import { shown } from '../../../policy/sentences.js';

export const matcherNeverMatches: LintRule = {
  id: 'hooks/matcher-never-matches',
  severity: 'warning',
  docs: {
    what: 'The matcher of a hook matches no tool, or nothing else that its event is compared with.',
    why: 'A matcher is a name or an expression for names of tools, case included, not a permission rule; one that matches nothing leaves the hook out, and nothing says so.',
    bad: '{ "hooks": { "PreToolUse": [{ "matcher": "Bash(git:*)", "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    good: '{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./guard.sh" }] }] } }\n',
    fix: 'Write the name of the tool as the runner calls it; look at the command in the hook.',
  },
  check: forHookFiles(check),
};

/** Events whose matcher applies to the tool that is called. */
const TOOL_EVENTS: ReadonlySet<string> = new Set([
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'],
  ...['BeforeTool', 'AfterTool', 'preToolUse', 'postToolUse'],
]);
/** What Claude Code compares the matchers of other events with (its documentation of hooks; SessionStart was tried with 2.1.197 and 2.1.332). */
const OF_EVENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['SessionStart', ['startup', 'resume', 'clear', 'compact', 'fork']],
  ['PreCompact', ['manual', 'auto']],
]);

/** Whether a list of plain names has none of the values. */
function neverAmong(matcher: string, values: readonly string[]): boolean {
  return /^\w+(?:\|\w+)*$/.test(matcher) && !matcher.split('|').some((name) => values.includes(name));
}

/** Runners whose matchers are known. Copilot CLI and Cursor use other matchers for some events, which are untested. */
const KNOWN: ReadonlySet<RunnerId> = new Set(['claude-code', 'codex', 'gemini-cli']);
const LONGEST = 512;

function check(file: HookFile): readonly Report[] {
  const told = new Set<string>();
  return handlersOf(file).flatMap((handler) => {
    const matcher = matcherOf(handler);
    // A group has one matcher for all its hooks.
    if (typeof matcher !== 'string' || told.has(handler.groupPointer)) return [];
    told.add(handler.groupPointer);
    const values = handler.runner === 'claude-code' ? OF_EVENTS.get(handler.event) : undefined;
    if (values !== undefined && neverAmong(matcher, values)) {
      const message = `This matcher of ${handler.event} never matches: Claude Code compares it with ${values.join(', ')} there.`;
      return [
        {
          at: handler.data.valueSpan(`${handler.groupPointer}/matcher`),
          message,
          help: 'Write one of these, or leave the matcher out.',
        },
      ];
    }
    if (!TOOL_EVENTS.has(handler.event) || !KNOWN.has(handler.runner) || matcher.length > LONGEST) return [];
    const why = whyNever(matcher, handler);
    const at = handler.data.valueSpan(`${handler.groupPointer}/matcher`);
    if (why === null) return [];
    const matches = why.matchesAll === true ? 'is no filter' : 'matches no tool';
    return [{ at, message: `This matcher of ${handler.event} ${matches}: ${why.what}.`, ...why.more }];
  });
}

interface Why {
  readonly what: string;
  readonly matchesAll?: true;
  readonly more?: Partial<Report>;
}

function whyNever(matcher: string, { runner }: HookHandler): Why | null {
  if (matcher === '' || matcher === '*') return null;
  const rule = /^(\w+)\(.*\)$/s.exec(matcher);
  if (rule !== null && runnerTools(runner).some(({ name }) => name === rule[1])) {
    const what = `it is a permission rule, and ${traitsOf(runner).title} compares it with names of tools`;
    return { what, more: { help: `Write ${rule[1]}, and look at the command in the hook.` } };
  }
  if (/^tool(?:_name)? == ".*\|\|/.test(matcher))
    return {
      what: 'it is a condition with ||, which as an expression is in every name: the hook runs for every tool',
      matchesAll: true,
    };
  if (isCondition(matcher)) return { what: `it is a condition, and ${traitsOf(runner).title} compares it with names of tools` };
  if (!/^[\w\-,| ]+$/.test(matcher)) {
    if (!isExpression(matcher)) return { what: `${shown(matcher)} is no valid expression` };
    return meetsName(matcher, runner) ? null : { what: `${shown(matcher)} is an expression that is in no name of a tool` };
  }
  const names = matcher.split(/[|,]/).map((name) => name.trim());
  if (runner === 'claude-code') return neverInClaude(names);
  return runner === 'codex' ? neverInCodex(names) : neverInGemini(names, runner);
}

/**
 * True for a condition such as `tool == "Bash" && tool_input.command matches "git push"`, which is widespread in copied
 * plugins: as a regular expression, it matches no name of a tool. False if two `|` outside parentheses enclose a plain word,
 * which may be such a name, or nothing, which matches everything.
 */
function isCondition(matcher: string): boolean {
  const ungrouped = matcher.replace(/\([^()]*\)/g, '').replace(/\([^()]*\)/g, '');
  if (/\|[\w-]*\|/.test(ungrouped)) return false;
  const skeleton = matcher.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return /^\(?tool(?:_name)? (?:==|matches) ""(?: && [\w.!\\()= "]{1,200})?$/.test(skeleton);
}

/** True for a valid regular expression: compiling it executes nothing. */
function isExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Whether an expression matches some name of a tool; true where that takes long to tell, or where servers choose the names. */
function meetsName(expression: string, runner: RunnerId): boolean {
  const isHard = /[)\]][*+?{]|\\[1-9]|\(\?/.test(expression);
  if (isHard || /mcp|^\^?\.[*+]/i.test(expression)) return true;
  const tried = new RegExp(expression, 'i');
  const codex = runner === 'codex' ? ['Bash', 'apply_patch', 'Edit', 'Write'] : [];
  return [...codex, ...runnerTools(runner).map(({ name }) => name)].some((name) => tried.test(name));
}

/** Claude Code compares each plain name in a list with the whole name of a tool (measured with 2.1.329). */
function neverInClaude(names: readonly string[]): Why | null {
  const whys = names.map((name) => {
    if (CLAUDE.has(name)) return null;
    if (name === 'mcp__')
      return {
        what: 'a plain name is compared whole, and no tool is called mcp__ alone',
        more: { help: 'Write mcp__.* for all tools of MCP servers.' },
      };
    const server = /^mcp__(\w+?)(?:__)?$/.exec(name);
    if (server !== null && !/^mcp__\w+?__\w/.test(name))
      return {
        what: `${name} is a server, and tools are called ${name.replace(/__$/, '')}__NAME`,
        more: { help: `Write ${name.replace(/__$/, '')}__.* for all its tools.` },
      };
    if (name.startsWith('mcp__')) return null;
    const cased = [...CLAUDE].find((known) => known.toLowerCase() === name.toLowerCase());
    if (cased !== undefined) return { what: `the tool is called ${cased}, not ${name}` };
    const known = describeTool(name);
    if (known.known && CLAUDE.has(known.canonical)) return { what: `Claude Code calls the tool ${known.canonical}, not ${name}` };
    const unknown: Why = { what: `Claude Code has no tool ${shown(name)}`, more: { severity: 'info', confidence: 'medium' } };
    return unknown;
  });
  return allOf(whys);
}

/** The catalogue also contains names that Claude Code still accepts in place of others; these are left out here. */
const CLAUDE: ReadonlySet<string> = new Set([
  ...runnerTools('claude-code')
    .filter(({ name }) => !['LS', 'MultiEdit', 'NotebookRead', 'TodoRead'].includes(name))
    .map(({ name }) => name),
]);

/** Codex reports shell calls as Bash, and patches as apply_patch, which Edit and Write match as well. */
function neverInCodex(names: readonly string[]): Why | null {
  const whys = names.map((name) => {
    const shell = /^(?:bash|shell|exec_command|local_shell)$/i.test(name) && name !== 'Bash';
    return shell ? { what: `Codex calls the shell Bash in hooks, not ${name}` } : null;
  });
  return allOf(whys);
}

/** In Gemini CLI, part of a tool's name is enough for a match. */
function neverInGemini(names: readonly string[], runner: RunnerId): Why | null {
  const tools = runnerTools(runner);
  const whys = names.map((name): Why | null => {
    if (name === '' || name.startsWith('mcp_') || tools.some((tool) => tool.name.includes(name))) return null;
    const known = describeTool(name);
    const own = known.known
      ? tools.find((tool) => describeTool(tool.name, runner).canonical === known.canonical)?.name
      : undefined;
    return own === undefined
      ? { what: `${traitsOf(runner).title} has no tool ${shown(name)}`, more: { severity: 'info', confidence: 'medium' } }
      : { what: `${traitsOf(runner).title} calls the tool ${own}, not ${name}` };
  });
  return allOf(whys);
}

/** A matcher with at least one effective name is not reported, since people list the names of several versions. */
function allOf(whys: readonly (Why | null)[]): Why | null {
  return whys.some((why) => why === null) ? null : (whys[0] ?? null);
}
