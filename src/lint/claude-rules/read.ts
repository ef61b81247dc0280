/**
 * Reads one permission rule as Claude Code reads it. Measured with 2.1.197 and 2.1.329; test/fixtures/vectors/claude-code
 * contains the tables. A specifier that is not known to mean something, or to mean nothing, is `unread`. Pure.
 */
import { describeTool } from '../../call/catalogue.js';
import type { Effect } from '../../rule/pattern/permission-rule.js';
import { bashReach } from './bash.js';
import { DROPPED_TOOLS } from './known-tools.js';
import { pathReach, SYSTEM } from './path.js';
import { type ClaudeRule, dead, type Reach } from './rule.js';
import { CONSULTED_INSTEAD, claudeToolNames, parameterOf, renamedTool } from './tools.js';

/** Longer rules are not read. */
const MOST_CHARACTERS = 100_000;

const EVERYTHING: Reach = { kind: 'everything' };
const UNREAD: Reach = { kind: 'unread' };

export function readClaudeRule(text: string, effect: Effect): ClaudeRule {
  const whole = { effect, text, tool: text, canonical: text, specifier: null };
  if (text.length > MOST_CHARACTERS) return { ...whole, reach: UNREAD };
  const malformed = malformedReach(text);
  if (malformed !== null) return { ...whole, reach: malformed };
  const open = text.indexOf('(');
  const tool = open < 0 ? text : text.slice(0, open);
  const inside = open < 0 ? null : unescaped(text.slice(open + 1, -1));
  const specifier = inside === '*' ? null : inside;
  const canonical = renamedTool(tool);
  return { effect, text, tool, canonical, specifier, reach: reachOf(tool, canonical, specifier, inside, effect) };
}

/** Why a string is not a rule at all; null when it is one. */
function malformedReach(text: string): Reach | null {
  const trimmed = text.trim();
  if (trimmed === '') return dead('malformed', 'it is empty');
  if (trimmed !== text) return dead('space', 'it begins or ends with white space', trimmed);
  if (text.startsWith('!')) return dead('malformed', 'a rule cannot be negated');
  const open = text.indexOf('(');
  const close = lastPlain(text, ')');
  if (open < 0) {
    if (text.includes(')')) return dead('malformed', 'it has a ")" without a "("');
  } else {
    if (open === 0) return dead('malformed', 'no tool stands before "("');
    if (close < open) return dead('malformed', 'the closing ")" is missing', `${text})`);
    if (close < text.length - 1) return dead('malformed', 'something follows the last ")"');
  }
  const tool = open < 0 ? text : text.slice(0, open);
  const colon = /^([A-Z]\w*):(.*)$/s.exec(tool);
  if (colon !== null && open < 0)
    return dead('malformed', 'a specifier stands between parentheses', specified(colon[1] ?? '', colon[2] ?? ''));
  if (/^[\w.*-]+$/.test(tool)) return null;
  // Names of MCP servers may also contain other characters.
  if (tool.startsWith('mcp__') && !/[\s,;"'`]/.test(tool)) return null;
  if (/^\w+[ ,;]+\w/.test(tool))
    return dead('malformed', 'one rule names one tool, and what it is about stands between parentheses');
  return dead('malformed', 'that is no name of a tool');
}

function specified(tool: string, specifier: string): string | null {
  return claudeToolNames().has(tool) && specifier !== '' && !/[()]/.test(specifier) ? `${tool}(${specifier})` : null;
}

/** Returns the index of the last occurrence of a character without a preceding backslash. */
function lastPlain(text: string, character: string): number {
  let at = text.lastIndexOf(character);
  while (at > 0 && text[at - 1] === '\\') at = text.lastIndexOf(character, at - 1);
  return at;
}

function unescaped(text: string): string {
  return text.replace(/\\([()])/g, '$1');
}

function reachOf(tool: string, canonical: string, specifier: string | null, inside: string | null, effect: Effect): Reach {
  if (inside === '') return dead('empty', 'its parentheses are empty', null);
  if (tool.startsWith('mcp__')) return mcpReach(tool, inside, effect);
  if (tool.includes('*')) return wildcardToolReach(tool, inside, effect);
  if (!claudeToolNames().has(tool)) return unknownTool(tool, specifier);
  if (specifier === null && tool === 'Monitor' && effect === 'allow')
    return dead('shell', 'Claude Code asks the rules for Bash about what Monitor runs');
  if (specifier === null) return EVERYTHING;
  const instead = CONSULTED_INSTEAD.get(tool);
  if (instead !== undefined)
    return dead(
      'never-consulted',
      `Claude Code looks at specifiers of ${instead} there, never at those of ${tool}`,
      `${instead}(${SYSTEM.test(specifier) ? '/' : ''}${specifier})`,
    );
  const parameter = parameterOf(canonical, specifier);
  // `Bash(timeout:*)` is about the program of that name, under every effect (2.1.197 and 2.1.332).
  if (parameter !== null && !(canonical === 'Bash' && parameter.value === '*')) return parameterReach(parameter, effect);
  switch (canonical) {
    case 'Bash':
      return bashReach(specifier);
    case 'Read':
    case 'Edit':
      return pathReach(specifier);
    case 'WebFetch':
      return domainReach(specifier);
    case 'WebSearch':
      return dead('no-specifier', 'WebSearch takes no specifier', null);
    case 'Agent':
      return specifier.includes('*')
        ? dead('agent-wildcard', 'agents are named exactly, a wildcard names none')
        : { kind: 'exact', text: specifier };
    case 'Skill': {
      const words = /^(.+?)(?::\*| \*)$/s.exec(specifier)?.[1];
      return words === undefined ? { kind: 'exact', text: specifier } : { kind: 'prefix', text: words };
    }
    default:
      return UNREAD;
  }
}

function parameterReach(
  parameter: { readonly name: string; readonly value: string; readonly primary: boolean },
  effect: Effect,
): Reach {
  if (parameter.primary)
    return dead('parameter', `what \`${parameter.name}\` is stands alone between the parentheses, without its name`);
  if (effect === 'allow') return dead('parameter', 'rules about an input count under deny and ask only');
  return { kind: 'parameter', name: parameter.name, value: parameter.value };
}

/** Servers and their tools, compared case-sensitively. */
function mcpReach(tool: string, inside: string | null, effect: Effect): Reach {
  if (inside !== null) return dead('no-specifier', 'rules about MCP tools take no specifier', null);
  const server = tool.slice('mcp__'.length).split('__')[0] ?? '';
  if (effect !== 'allow' || !server.includes('*')) return EVERYTHING;
  return tool === 'mcp__*' ? dead('tool-wildcard', 'a wildcard over all servers counts under deny and ask only') : UNREAD;
}

function wildcardToolReach(tool: string, inside: string | null, effect: Effect): Reach {
  if (effect === 'allow') return dead('tool-wildcard', 'a wildcard in the name of a tool counts under deny and ask only');
  if (inside !== null) return UNREAD;
  if (tool === '*') return dead('every-tool', 'Claude Code 2.1.329 denied nothing with it, while 2.1.197 did');
  return [...claudeToolNames()].some((name) => matchesTool(tool, name)) ? EVERYTHING : UNREAD;
}

/** `*` matches any run of characters. */
export function matchesTool(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Handles a name that Claude Code does not have, with the intended one if another spelling or another runner has it. */
function unknownTool(tool: string, specifier: string | null): Reach {
  const { known, canonical } = describeTool(tool);
  const meant = known && claudeToolNames().has(canonical) && !DROPPED_TOOLS.has(canonical) ? canonical : null;
  const instead = meant === null ? null : specifier === null ? meant : `${CONSULTED_INSTEAD.get(meant) ?? meant}(${specifier})`;
  return dead('unknown-tool', `Claude Code has no tool ${tool.slice(0, 60)}`, instead);
}

const HOST = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/;

function domainReach(specifier: string): Reach {
  const host = specifier.startsWith('domain:') ? specifier.slice('domain:'.length).toLowerCase() : null;
  if (host !== null && HOST.test(host)) return { kind: 'domain', host };
  const meant = hostOf(specifier.replace(/^domain:\s*/, ''));
  const instead = meant === null ? null : `WebFetch(domain:${meant})`;
  return dead(
    'domain',
    host === null ? 'only domain:HOST is understood' : 'behind "domain:" stands a host and nothing else',
    instead,
  );
}

/** Returns the host of an address or of a string that resembles one; null when more than a host was meant. */
function hostOf(text: string): string | null {
  const parts = /^(?:https?:\/\/)?((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?(?:\/\**)?$/i.exec(text.trim());
  return parts?.[1]?.toLowerCase() ?? null;
}
