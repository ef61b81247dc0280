/** .claude/agents, recursively, *.md: as Claude Code 2.1 loads them. */
import { complain, type Fields, splitOutsideParentheses } from '../fields.js';
import { requiredDescription, requiredName } from '../required.js';
import { isWholeEntry, toolListOf } from '../tool-list.js';
import type { DialectInput, DialectReader, DialectReading } from './dialect.js';

export const claudeCode: DialectReader = { form: 'markdown', repairs: true, read };

function read({ fields, stem }: DialectInput): DialectReading {
  const name = requiredName(fields);
  if (name?.startsWith('-'))
    complain(fields, 'name', 'agent/name-hyphen', 'A name may not start with a hyphen; Claude Code does not load this file.');
  return {
    rawName: name ?? stem,
    description: requiredDescription(fields),
    tools: toolListOf(entriesAt(fields, 'tools')),
    excludedTools: entriesAt(fields, 'disallowedTools') ?? [],
    capabilities: null,
    own: null,
  };
}

/**
 * Returns the entries of a list, or of a string split at commas and spaces outside parentheses; null if the key is absent. Any
 * other value gives the agent no tools in Claude Code, so here as well. An entry with an unclosed parenthesis names no tool.
 */
function entriesAt(fields: Fields, key: string): string[] | null {
  const value = fields.data.get(key);
  if (value === undefined) return null;
  if (value === null || value === '') return [];
  if (typeof value !== 'string' && !Array.isArray(value)) {
    complain(
      fields,
      key,
      'agent/not-a-list',
      `\`${key}\` is no list and no text; Claude Code takes it for no tools at all.`,
      'warning',
    );
    return [];
  }
  const entries =
    typeof value === 'string'
      ? splitOutsideParentheses(value, ', ').map((part) => part.text)
      : value.filter((item) => typeof item === 'string');
  const whole = entries.filter(isWholeEntry);
  const lost = typeof value === 'string' ? whole.length < entries.length : whole.length < value.length;
  if (lost) complain(fields, key, 'agent/empty-entry', `\`${key}\` has entries that are no tool; they are left out.`, 'warning');
  return whole;
}
