/** Whether one permission rule stands for all that another one does; a doubt is a no. */
import { describeTool } from '../call/catalogue.js';
import type { Effect, PermissionRule } from '../rule/permission-rule.js';
import { patternKinds } from '../rule/rule-set.js';
import { toolsCovered } from '../rule/tool-coverage.js';
import type { RuleInFile } from './project.js';

/** Rules of one file that are compared with each other; a file with more has only the first of them compared. */
export const MOST_COMPARED = 2_000;

/** A pattern as a row of tokens: words of a command, segments of a path. */
interface Tokens {
  readonly kind: 'command' | 'path' | 'other';
  readonly tokens: readonly string[];
  /** Anything may follow the tokens. */
  readonly open: boolean;
}

/** The rules of one tool text, by their tokens. */
interface Group {
  readonly tool: string;
  readonly reaches: (canonical: string) => boolean;
  readonly byTokens: Map<string, RuleInFile>;
}

/** Rules of one effect that others are held against. */
export class RuleCoverage {
  readonly #groups: Group[];

  constructor(rules: readonly RuleInFile[]) {
    const groups = new Map<string, Group>();
    for (const rule of rules) {
      const { tool, effect } = rule.rule;
      const group = groups.get(tool) ?? { tool, reaches: toolsCovered(tool, effect), byTokens: new Map<string, RuleInFile>() };
      groups.set(tool, group);
      for (const key of keysOf(tokensOf(rule.rule))) if (!group.byTokens.has(key)) group.byTokens.set(key, rule);
    }
    this.#groups = [...groups.values()];
  }

  /** The first of the rules that stands for everything that `inner` does; null when none certainly does. Never `inner` itself. */
  covering(inner: RuleInFile): RuleInFile | null {
    const tokens = tokensOf(inner.rule);
    const keys = coveringKeys(tokens);
    const canonical = describeTool(inner.rule.tool).canonical;
    for (const { tool, reaches, byTokens } of this.#groups) {
      const same = tool.toLowerCase() === inner.rule.tool.toLowerCase();
      if (!same && tool !== '*' && (inner.rule.tool.includes('*') || !reaches(canonical))) continue;
      for (const key of keys) {
        const outer = byTokens.get(key);
        if (outer !== undefined && outer !== inner) return outer;
      }
    }
    return null;
  }
}

/** True when two rules differ at most in their effect. */
export function sameRule(left: PermissionRule, right: PermissionRule): boolean {
  return left.tool.toLowerCase() === right.tool.toLowerCase() && keyOf(tokensOf(left)) === keyOf(tokensOf(right));
}

function keyOf({ kind, tokens, open }: Tokens): string {
  return tokens.length === 0 && open ? '*' : JSON.stringify([kind, open, ...tokens]);
}

/** The keys that a rule is found by: its own, and for `git*` also that of `git *`, which it stands for as well. */
function keysOf(tokens: Tokens): string[] {
  const last = tokens.tokens.at(-1);
  if (tokens.kind !== 'command' || !tokens.open || last?.endsWith('*') !== true) return [keyOf(tokens)];
  return [keyOf(tokens), keyOf({ ...tokens, tokens: [...tokens.tokens.slice(0, -1), last.slice(0, -1)] })];
}

/** The keys of all patterns that certainly stand for at least these tokens, the narrowest first. */
function coveringKeys(tokens: Tokens): string[] {
  const keys = [keyOf(tokens)];
  if (tokens.kind !== 'other')
    for (let length = tokens.tokens.length; length > 0; length--)
      keys.push(keyOf({ ...tokens, tokens: tokens.tokens.slice(0, length), open: true }));
  // What begins anywhere begins at the project too.
  if (tokens.kind === 'path' && tokens.tokens[0] === '/')
    keys.push(...coveringKeys({ ...tokens, tokens: ['?', ...tokens.tokens.slice(1)] }).slice(0, -1));
  keys.push('*');
  return keys;
}

const TOTAL: Tokens = { kind: 'other', tokens: [], open: true };
/** More words than this are compared as one. */
const MOST_TOKENS = 32;

function tokensOf(rule: PermissionRule): Tokens {
  const { pattern } = rule;
  if (pattern === null) return TOTAL;
  const kinds = patternKinds(rule, toolsCovered);
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  if (kind === 'path') return pathTokens(pattern, rule.effect);
  // An allow of `*` over paths ends at the project's edge.
  if (/^\*+$/.test(pattern) && (rule.effect !== 'allow' || !kinds.includes('path'))) return TOTAL;
  return kind === 'command' ? commandTokens(pattern, rule.effect) : { kind: 'other', tokens: [pattern], open: false };
}

/** The last word of `git*` keeps its star where the rule also meets `gitk`: an ask or a deny, not an allow. */
function commandTokens(pattern: string, effect: Effect): Tokens {
  const open = pattern.endsWith('*');
  const glued = effect !== 'allow' && /[^\s:*]\*+$/.test(pattern);
  const words = pattern
    .replace(/:?\*+$/, glued ? '*' : '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length > MOST_TOKENS) return { kind: 'other', tokens: [pattern], open: false };
  return { kind: 'command', tokens: words, open };
}

/**
 * The first token says where the path begins: `//` at the root, `~` at home, `/` at the project, `?` anywhere (as compilePath
 * takes it). A `**` before the end moves that beginning, so such a pattern is compared as a whole.
 */
function pathTokens(pattern: string, effect: Effect): Tokens {
  const segments = pattern
    .split('/')
    .filter((segment, index) => segment !== '' && segment !== '.' && !(index === 0 && segment === '~'));
  const odd =
    segments.length === 0 || segments.length > MOST_TOKENS || segments.includes('..') || segments.slice(0, -1).includes('**');
  if (odd) return { kind: 'other', tokens: [pattern], open: false };
  const open = segments.at(-1) === '**';
  return { kind: 'path', tokens: [anchorOf(pattern, effect), ...(open ? segments.slice(0, -1) : segments)], open };
}

function anchorOf(pattern: string, effect: Effect): string {
  if (pattern.startsWith('//')) return '//';
  if (pattern.startsWith('~/')) return '~';
  if (pattern.startsWith('/')) return '/';
  return effect === 'allow' && pattern.replace(/\/+$/, '').includes('/') ? '/' : '?';
}
