/** Patterns about the arguments of an MCP tool: `channel: C09*, query.owner: "a, b"`. */
import { isMcpName } from '../../call/mcp-name.js';
import { fieldKind } from '../../call/mcp-subjects.js';
import { identifyTool } from '../../call/tool-table.js';
import type { PatternMistake } from './pattern-mistake.js';
import type { Effect, PatternKind, PermissionRule } from './permission-rule.js';
import { hasWildcard } from './wildcard.js';

export interface ArgumentPattern {
  /** `query.owner`: the field `owner` of the object in `query`. */
  readonly field: string;
  readonly pattern: string;
  /** The pattern stood in quotes, so `"false"` is a text and not a truth value. */
  readonly quoted: boolean;
}

const MOST_FIELDS = 20;
const FIELD = /^([A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)*):/;
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"\s*(?:,|$)/;

/** Reads a pattern as a list of arguments; null if it is about the tool's one subject (`docs/**`, `https://example.com/*`). */
export function readArguments(
  rule: Pick<PermissionRule, 'tool' | 'pattern'>,
): readonly ArgumentPattern[] | PatternMistake | null {
  const { tool, pattern } = rule;
  if (pattern === null || !isAboutArguments(pattern)) return null;
  if (!isMcpName(tool.toLowerCase()) && identifyTool(tool).mcp === null) return null;
  const found: ArgumentPattern[] = [];
  for (let rest: string | null = pattern; rest !== null; ) {
    const start = FIELD.exec(rest.trimStart());
    if (start === null || found.length >= MOST_FIELDS) return mistake(rest.trim());
    const said = rest.trimStart().slice(start[0].length).trimStart();
    const field = start[1] ?? '';
    if (said.startsWith('"')) {
      const text = QUOTED.exec(said);
      if (text === null) return mistake(said);
      found.push({ field, pattern: (text[1] ?? '').replace(/\\(["\\])/g, '$1'), quoted: true });
      rest = text[0].endsWith(',') ? said.slice(text[0].length) : null;
    } else {
      const comma = said.indexOf(',');
      const text = (comma < 0 ? said : said.slice(0, comma)).trim();
      if (text === '') return mistake(`${field}:`);
      found.push({ field, pattern: text, quoted: false });
      rest = comma < 0 ? null : said.slice(comma + 1);
    }
  }
  return found;
}

/** `channel: C09*` and `channel:C09*`, but neither `http://x`, `domain:x` and `localhost:80`, nor `npm:*`, which is a command. */
function isAboutArguments(pattern: string): boolean {
  const [start, field = ''] = FIELD.exec(pattern) ?? [];
  if (start === undefined) return false;
  const rest = pattern.slice(start.length);
  if (rest === '' || /^\s/.test(rest)) return true;
  const isAddress = rest.startsWith('//') || ((field === 'localhost' || field.includes('.')) && /^(?:\d|\*)/.test(rest));
  return !isAddress && field !== 'domain' && rest !== '*';
}

function mistake(rest: string): PatternMistake {
  const where = rest === '' ? 'An argument is missing at the end' : `This is no argument: ${rest.slice(0, 60)}`;
  const form = `write at most ${MOST_FIELDS} as field: pattern, with commas between them, and a pattern with a comma in double quotes.`;
  return { code: 'rule/arguments', message: `${where}; ${form}` };
}

/** The text of such a pattern; `readArguments` reads the same from it. */
export function printArguments(patterns: readonly ArgumentPattern[]): string {
  return patterns
    .map(({ field, pattern, quoted }) => {
      const isPlain = !quoted && /^[^\s",](?:[^,]*[^\s,])?$/.test(pattern);
      return `${field}: ${isPlain ? pattern : `"${pattern.replace(/["\\]/g, '\\$&')}"`}`;
    })
    .join(', ');
}

/** An address of another scheme than those of the web; urlWordCovers compares these. */
const OTHER_SCHEME = /^(?!https?:|file:)[a-z][a-z0-9+.-]*:\/\/[^/*?]/i;

/** How a value is compared: as the path, address or command that the name of its field says it is, else as a text. */
export function valuePattern(
  { field, pattern }: ArgumentPattern,
  effect: Effect,
): { readonly kind: PatternKind; readonly pattern: string } {
  const isWild = hasWildcard(pattern) && !/^\*+$/.test(pattern);
  const named = fieldKind(field);
  switch (named === 'path' && pattern.includes('://') ? null : named) {
    case 'command':
      return { kind: 'command', pattern };
    case 'path':
      return { kind: 'path', pattern };
    case 'url':
      if (effect === 'allow' && !/^(?:https?:\/\/|domain:)/i.test(pattern) && (!isWild || OTHER_SCHEME.test(pattern)))
        return { kind: 'name', pattern };
      return { kind: 'url', pattern };
    case 'host':
      return isWild || effect !== 'allow' ? { kind: 'url', pattern: `domain:${pattern}` } : { kind: 'name', pattern };
    case null:
      return { kind: 'name', pattern };
  }
}
